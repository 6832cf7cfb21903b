# runtime/cuda/driver.h agrees with NVIDIA's header and library; and the runtime without a driver,
# with one that is too old, and without kernels.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $root = root();
my $dir = tempdir();
my $ours = slurp("$root/runtime/cuda/driver.h");
my %symbol = $ours =~ /^  X\((cu\w+), "(cu\w+)",/mg;
my %number = map { /^  (AG_CU_\w+) = (\d+)/ ? ($1, $2) : () } split /\n/, $ours;
cmp_ok(scalar keys %symbol, '>=', 20, 'the list of functions is read');
cmp_ok(scalar keys %number, '>=', 20, 'and that of numbers');

SKIP: {
    my $include = FakeCuda::cuda_include();
    skip 'no cuda.h here to compare with', 4 if !defined $include;
    my %theirs = (
        AG_CU_MAX_GRID_DIM_X => 'CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X',
        AG_CU_MULTIPROCESSOR_COUNT => 'CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT',
        AG_CU_POINTER_MAPPED => 'CU_POINTER_ATTRIBUTE_MAPPED',
        AG_CU_CAPTURE_RELAXED => 'CU_STREAM_CAPTURE_MODE_RELAXED',
        AG_CU_POINTER_RANGE_START => 'CU_POINTER_ATTRIBUTE_RANGE_START_ADDR',
        AG_CU_STREAM_NON_BLOCKING => 'CU_STREAM_NON_BLOCKING',
        AG_CU_WRITE_NO_BARRIER => 'CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER',
        AG_CU_COMPUTE_CAPABILITY_MAJOR => 'CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR',
        AG_CU_LAUNCH_PROGRAMMATIC_STREAM_SERIALIZATION =>
            'CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION',
        AG_CU_HOSTALLOC_PORTABLE => 'CU_MEMHOSTALLOC_PORTABLE',
        AG_CU_HOSTALLOC_DEVICEMAP => 'CU_MEMHOSTALLOC_DEVICEMAP',
    );
    my $text = "#include <cuda.h>\n";
    my $n = 0;
    for my $name (sort keys %number) {
        my $cuda = $theirs{$name} // $name =~ s/^AG_CU_/CUDA_ERROR_/r;
        # An error that this cuda.h is too old to know proves nothing either way.
        next if $cuda =~ /^CUDA_ERROR_/ && slurp("$include/cuda.h") !~ /\b$cuda\b/;
        $text .= "_Static_assert($cuda == $number{$name}, \"$name\");\n";
        $n++;
    }
    $text .= "_Static_assert(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z == "
        . "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + 2, \"Y and Z follow\");\n";
    $text .= "_Static_assert(sizeof(CUdeviceptr) == 8 && sizeof(CUresult) == 4 && sizeof(CUdevice) "
        . "== 4, \"sizes\");\n";
    $text .= "_Static_assert(CU_POINTER_ATTRIBUTE_RANGE_SIZE == "
        . "CU_POINTER_ATTRIBUTE_RANGE_START_ADDR + 1, \"the size follows\");\n";
    $text .= "#include <stddef.h>\n#include <pthread.h>\n"
        . "#include \"$root/runtime/cuda/driver.h\"\n";
    $text .= "_Static_assert(sizeof(ag_cuda_launch_attribute) == sizeof(CUlaunchAttribute) && "
        . "sizeof(ag_cuda_launch_config) == sizeof(CUlaunchConfig), \"sizes\");\n";
    $text .= "_Static_assert(offsetof(ag_cuda_launch_$_->[0], $_->[1]) == offsetof($_->[2], "
        . "$_->[3]), \"$_->[1]\");\n"
        for ['attribute', 'value', 'CUlaunchAttribute', 'value'],
            ['config', 'block', 'CUlaunchConfig', 'blockDimX'],
            ['config', 'shared', 'CUlaunchConfig', 'sharedMemBytes'],
        ['config', 'stream', 'CUlaunchConfig', 'hStream'],
        ['config', 'attributes', 'CUlaunchConfig', 'attrs'],
        ['config', 'nattributes', 'CUlaunchConfig', 'numAttrs'];
    cmp_ok($n, '>=', 20, 'numbers are compared');
    is(run_cmd([$ENV{CC} // 'cc', '-std=c11', '-D_GNU_SOURCE', '-fsyntax-only', "-I$root",
        "-I$root/runtime", '-isystem', $include, spew("$dir/numbers.c", $text)])->{err}, '',
        'cuda.h has the same numbers');

    my $names = "#include <cuda.h>\n" . join '',
        map { "MARK $_ = $_\n" } map { ($_) } sort keys %symbol;
    $names =~ s/^MARK (\w+) = .*$/MARK "$1" $1/mg;
    my $r =
        run_cmd([$ENV{CC} // 'cc', '-E', '-P', '-isystem', $include, spew("$dir/names.c", $names)]);
    my %theirs_symbol = $r->{out} =~ /^MARK "(\w+)" (\w+)/mg;
    # A driver before CUDA 12.8 has the first version of it alone, which later ones have, too.
    $theirs_symbol{cuEventElapsedTime} =~ s/_v2$//;
    is(join(' ', map { "$_=$symbol{$_}" } sort keys %symbol),
        join(' ', map { "$_=" . ($theirs_symbol{$_} // '') } sort keys %symbol),
        'and exports the functions by the same names');

    # Each prototype: both headers' parameters have the same count and kinds (pointer, 64 bits, 32
    # bits).
    my $check = "#include <cuda.h>\n#include <stdint.h>\n"
        . "#define K(x) _Generic((x), int: 4, unsigned: 4, size_t: 8, void *: 1, default: "
        . "_Generic((x), CUdeviceptr: 8, default: 1))\n";
    my @wrong;
    for my $name (sort keys %symbol) {
        my ($mine) = $ours =~ /^  X\($name, "\w+",\s*(?:\\\n\s*)?\((.*?)\)\)?\s*(?:\\|\n)/ms;
        my ($proto) = slurp("$include/cuda.h") =~ /^CUresult CUDAAPI $name\(([^;]*)\);/m;
        if (!defined $mine || !defined $proto) { push @wrong, $name; next }
        my ($a, $b) = map { s/\\\n//gr =~ s/\s+/ /gr } $mine, $proto;
        push @wrong, "$name ($a | $b)" if (() = $a =~ /,/g) != (() = $b =~ /,/g);
    }
    is("@wrong", '', 'each takes as many arguments as there');
}

SKIP: {
    my ($stub) = grep { -e } map { ("$_/lib64/stubs/libcuda.so", "$_/lib/stubs/libcuda.so") } (
        FakeCuda::cuda_include() // '') =~ s{/include$}{}r, '/usr/local/cuda';
    skip 'no libcuda of the toolkit here', 1 if !defined $stub;
    my %exports = map { $_ => 1 } run_cmd(['nm', '-D', $stub])->{out} =~ / T (cu\w+)/g;
    is(join(' ', grep { !$exports{$_} } sort values %symbol), '',
        'the toolkit\'s libcuda exports every one');
}

my $ask = FakeCuda::build_asker();
is(run_cmd([$ask, 'none'])->{out}, "no backend\n", 'no driver in the process: no backend');
my $old = FakeCuda::build_fake('-DFAKE_OLD');
my $r = run_cmd([$ask, 'stats', $old]);
is($r->{status}, 0, 'an old driver is survived') or diag($r->{out}, $r->{err});
my $too_old = "the CUDA driver is too old: it has no 'cuThreadExchangeStreamCaptureMode'";
is($r->{out}, "stats: $too_old; nan 0 at -1\nsync: $too_old\ngrid: $too_old\ncapturing: 0\n",
    'and said to be one, by every function');
my $fake = FakeCuda::build_fake();
$r = run_cmd([$ask, 'stats', $fake]);
is($r->{out}, "stats: no complaint; nan 2 at 3\nsync: no complaint\ngrid: no complaint\n"
    . "capturing: 0\n", 'without kernels the host does the work');
is($r->{err}, '', 'and no message is printed');
is(run_cmd([$ask, 'stream', $fake])->{out}, "0x1003 (nil)\n",
    'the current stream is torch\'s, or the default one where torch does not tell');
done_testing;
