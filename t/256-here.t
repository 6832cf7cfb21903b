# aotigen list --here: each row of the table fits, does not fit, or is not known, as what the
# package needs and what the machine has are changed. Torch, driver and kernels are made up here.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use JSON::PP ();

# ---- a made-up torch, driver and model

sub compile {
    my ($to, $source, @flags) = @_;
    spew("$to.c", $source);
    my $r = run_cmd(['gcc', '-shared', '-fPIC', '-nostdlib', @flags, '-o', $to, "$to.c"]);
    die "gcc does not make $to:\n$r->{err}" if $r->{status};
    unlink "$to.c";
    return $to;
}

my $lib = "$torch/torch/lib";
sub functions { return join '', map { "int $_(void) { return 0; }\n" } @_ }
sub make_torch {
    my ($version, @names) = @_;
    spew("$dir/map", "$version { global: *; };\n");
    compile("$lib/libtorch.so", functions(@names), '-Wl,-soname,libtorch.so',
        "-Wl,--version-script=$dir/map");
    return;
}

# A model's '.so' with weights that needs these functions and libraries, and version TORCH_2.
my $weights = <<'END';
__asm__(".section .lrodata,\"a\"\n.balign 64\n_binary_constants_bin_start: .fill 4096,1,7\n"
        "_binary_constants_bin_end: .byte 0\n.text");
END
sub make_model {
    my ($functions, %how) = @_;
    make_torch('TORCH_2', qw(aoti_torch_one aoti_torch_two aoti_torch_three));
    my $source = join '', map { "int $_(void);\n" } @$functions;
    $source .= 'int run(void) { return 0' . join('', map { " + $_()" } @$functions) . "; }\n";
    compile("$dir/libgone.so", 'int gone;', '-Wl,-soname,libgone.so.7') if $how{gone};
    compile("$dir/libcudart.so", 'int cuda;', '-Wl,-soname,libcudart.so.12') if $how{cuda};
    return slurp(compile("$dir/model.so", $weights . ($how{more} // '') . $source,
        '-Wl,--no-as-needed', "-L$lib", '-ltorch', "-L$dir", $how{gone} ? '-lgone' : (),
        $how{cuda} ? '-lcudart' : ()));
}

# A driver: GPUS=9.0,8.6 sets its GPUs, SMALL that the first has little memory, and FAIL what
# becomes of it.
my $driver = "$dir/driver";
mkdir $driver or die;
compile("$driver/libcuda.so.1", <<'END', '-Wl,-soname,libcuda.so.1', '-lc');
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char *gpu(int i) {
  const char *s = getenv("GPUS");
  for (; s && *s && i; i--) s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL;
  return s && *s ? s : NULL;
}
static int fails(const char *how) { return getenv("FAIL") && !strcmp(getenv("FAIL"), how); }
int cuInit(unsigned flags) {
  if (fails("crash")) abort();
  return fails("error") ? 802 : gpu(0) ? (int)flags : 100;
}
int cuDriverGetVersion(int *version) {
  return *version = getenv("DRIVER") ? atoi(getenv("DRIVER")) : 13000, 0;
}
int cuDeviceGetCount(int *n) { for (*n = 0; gpu(*n);) ++*n; return 0; }
int cuDeviceGet(int *device, int i) { return *device = i, 0; }
int cuDeviceGetName(char *name, int n, int device) {
  return strncpy(name, "Made-up 1\n[31m", n), device < 0;
}
int cuDeviceGetAttribute(int *value, int a, int i) {
  return *value = a == 75 ? atoi(gpu(i)) : atoi(strchr(gpu(i), '.') + 1), 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int i) {
  return *bytes = getenv("SMALL") && !i ? 100 : 100000, i < 0;
}
int cuDevicePrimaryCtxRetain(void **c, int i) {
  return *c = c, i < 0 ? 1 : fails("full") ? 2 : fails("context") ? 999 : 0;
}
int cuCtxPushCurrent_v2(void *c) { return !c; }
int cuMemGetInfo_v2(size_t *left, size_t *all) {
  return *left = getenv("FREE") ? atoi(getenv("FREE")) : 50000, *all = 100000, 0;
}
END

# A cubin, by both of its ABIs.
sub cubin {
    my ($abi, $flags, $note) = @_;
    $note //= '';
    return pack('C9 x7 v2 V Q<3 V v6', 0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, $abi, 8, 2, 190, 1, 0, 64,
        64, $flags, 64, 56, 0, 64, 1, 0)
        . pack('V2 Q<4 V2 Q<2', 0, 7, 0, 0, 128, length $note, 0, 0, 4, 0) . $note;
}
my $sm90 = cubin(0x41, 0x6005a04);
my $sm90a = cubin(0x41, 0x6005a04, "ptxas\0-v -arch sm_90a \0");
my $old80 = cubin(0x33, 0x500550);

sub fatbin {
    my $entries = join '', map { my ($kind, $sm, $flags) = @$_; pack('v2 V Q< V3 V Q<2', $kind,
        0x101, 48, 8, 0, 0, 0x10008, $sm, 0, $flags) . 'contents' } @_;
    return pack('V v2 Q<', 0xba55ed50, 1, 16, length $entries) . $entries;
}

my $sound_so = make_model(['aoti_torch_one', 'aoti_torch_two']);
my $metadata = "${in}x.wrapper_metadata.json";

# The rows of a package of these members: what => row, the last of its name; how => see generate().
sub rows {
    my ($change, %how) = @_;
    my $text = $wrapper =~ s{/\*BODY\*/}{$how{body} // ''}er;
    $text =~ s/-std=c\+\+17 -O0/-std=c++17 $how{flags}/ if $how{flags};
    zip("$at/model.pt2", package_of({ $x_wrapper => $text, $x_so => $sound_so, %$change },
        @{ $how{more} // [] }));
    my $r = generate(['list', '--here', '--json', @{ $how{words} // [] }, 'model.pt2'], %how);
    my %rows = (status => $r->{status}, err => $r->{err});
    for my $line (split /\n/, $r->{out}) {
        my $row = JSON::PP::decode_json($line);
        push @{ $rows{all}{ $row->{what} } }, $row;
        $rows{ $row->{what} } = $row;
    }
    ok(!-e "$dir/outside/ran" && !compiler_ran() && !glob("$tmp/*"), 'nothing is run or left')
        if $r->{signal} || glob("$tmp/*") || compiler_ran();
    unlink "$at/model.pt2";
    return \%rows;
}

sub fits {
    my ($row) = @_;
    return 'no row' if !$row;
    return !defined $row->{fits} ? 'not known' : $row->{fits} ? 'fits' : 'does not fit';
}

# ---- a sound package
my $rows = rows({});
is(fits($rows->{$_}), 'fits', "sound: $_")
    for qw(processor libraries functions libtorch weights memory);
is($rows->{status}, 0, 'and exit status 0') or diag($rows->{err});
is($rows->{functions}{needs}, 2, 'functions are counted');
is($rows->{libtorch}{needs}, 'TORCH_2', 'versions are named');
is($rows->{weights}{needs}, '4096 bytes', 'and weights measured');
is(rows({}, body => 'void more(constant_info *x) { x[1].data_size = 9; x[1].from_folded = true; }')
    ->{weights}{needs}, '4096 bytes', 'but those that are folded when the model is loaded');
is($rows->{'GPU'}, undef, 'a model of the CPU needs no GPU');

# ---- a group of processes (cgroup), as a container is, that may take less memory than there is
my $groups = "$dir/groups";
sub in_group {
    my ($cgroup, %files) = @_;
    run_cmd(['rm', '-rf', $groups]);
    %files = map { +"sys/fs/cgroup/$_" => $files{$_} } keys %files;
    $files{'proc/self/cgroup'} = $cgroup;
    for my $file (keys %files) {
        run_cmd(['mkdir', '-p', "$groups/$file" =~ s{/[^/]*$}{}r]);
        spew("$groups/$file", $files{$file});
    }
    return rows({}, env => { LD_PRELOAD => "$dir/groups.so", GROUPS => $groups })->{memory};
}
SKIP: {
    skip 'a sanitizer wants to be the first library', 13 if build() =~ m{/san$};
    compile("$dir/groups.so", <<'END', '-D_GNU_SOURCE', '-lc');
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int open(const char *path, int flags, ...) {
  char other[4096];
  snprintf(other, sizeof other, "%s%s", getenv("GROUPS"), path);
  int ours = !strncmp(path, "/sys/fs/cgroup/", 15) || !strcmp(path, "/proc/self/cgroup");
  return syscall(SYS_openat, AT_FDCWD, ours ? other : path, flags, 0666);
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
END
    my $v2 = "0::/a/b\n";
    is(fits(in_group($v2, 'a/b/memory.max' => "max\n", 'memory.max' => "8000000\n")), 'fits',
        'a group that may take as much as the weights need');
    for my $case (['the group', $v2, 'a/b/memory.max' => "4095\n"],
        ['one above it', $v2, 'a/b/memory.max' => "max\n", 'a/memory.max' => "4095\n"],
        ['a container, which sees its own group alone', "0::/\n", 'memory.max' => "4095\n"],
        ['a group of cgroup v1', "3:cpu:/\n2:cpuset,memory:/a\n",
            'memory/a/memory.limit_in_bytes' => "4095\n"]) {
        my ($what, $cgroup, %files) = @$case;
        my $row = in_group($cgroup, %files);
        isnt(fits($row), 'fits', "$what may take less");
        is($row->{has}, '4095 bytes for this group of processes', 'which is said') if $row;
        like($row->{cure}, qr/limit of memory/, 'with what to do');
    }
}

# ---- as text
zip("$at/model.pt2", package_of({ $x_so => $sound_so }));
my $text = generate(['list', '--here', 'model.pt2'])->{out};
like($text, qr/^model 'model'$/m, 'text names the model');
like($text, qr/^  functions  fits          2 +2 of them$/m, 'and has a row for each need');
spew("$at/x.wrapper.cpp", "int x;\n");
my $r = generate(['list', '--here', 'x.wrapper.cpp']);
is($r->{status}, 2, 'a wrapper is refused');
like($r->{err}, qr/--here needs a .pt2 package/, 'with the reason');
like(generate(['list', '--here', 'none.pt2'])->{err},
    qr/^none\.pt2: error: cannot be read: No such file/, 'a file that is missing is told as one');
$r = generate(['list', '--here', '--kernel=k', 'model.pt2']);
is($r->{status}, 2, '--kernel with --here is refused');
unlink "$at/model.pt2";

# ---- functions, libraries, versions
$rows = rows({ $x_so => make_model(['aoti_torch_one', map { "aoti_torch_$_" } qw(two three)]) });
is(fits($rows->{functions}), 'fits', 'three functions');
my $three = slurp("$dir/model.so");
make_torch('TORCH_2', 'aoti_torch_one');
$rows = rows({ $x_so => $three });
is(fits($rows->{functions}), 'does not fit', 'two of them are gone');
like($rows->{functions}{cure}, qr/has aoti_torch_two, aoti_torch_three:|three, aoti_torch_two:/,
    'and named');
is($rows->{status}, 1, 'exit status 1');
like($rows->{err}, qr/does not run on this machine: 1 of its needs is not met/, 'and one error');
$rows = rows({ $x_so => $three },
    body => 'extern "C" { extern int aoti_torch_two(); extern int aoti_torch_three(); }');
is(fits($rows->{functions}), 'fits', 'shims that the wrapper declares itself do not count');
is(fits($rows->{'C shims'}), 'not known', 'but are named');
make_torch('TORCH_1', qw(aoti_torch_one aoti_torch_two aoti_torch_three));
$rows = rows({ $x_so => $three });
is(fits($rows->{libtorch}), 'does not fit', 'a version that is missing');
is("$rows->{libtorch}{needs}, $rows->{libtorch}{has}", 'TORCH_2, TORCH_1', 'beside what is there');
unlink "$lib/libtorch.so";
$rows = rows({ $x_so => $three });
is(fits($rows->{library}), 'does not fit', 'a library that is missing');
is(fits($rows->{functions}), 'not known', 'and of its functions nothing is said');
$rows = rows({ $x_so => make_model([], gone => 1) });
is(fits($rows->{library}), 'does not fit', 'a library that nobody has');
is($rows->{library}{needs}, 'libgone.so.7', 'by its name');
make_torch('TORCH_2', qw(aoti_torch_one aoti_torch_two));

# ---- processor
my $flags = slurp('/proc/cpuinfo') =~ /^flags\s*:(.*)$/m ? " $1 " : '';
$rows = rows({}, flags => '-mavx512f -mfma4 -O0');
is(fits($rows->{instructions}), 'does not fit', 'fma4') if $flags && $flags !~ / fma4 /;
$rows = rows({}, flags => '-mavx -march=native');
is(fits($rows->{instructions}), 'not known', '-march=native') if $flags =~ / avx /;
for my $flag (qw(-mavx10.2 -mapxf -mnonsense)) {
    $rows = rows({}, flags => "-msse2 $flag");
    is(fits($rows->{instructions}), 'not known', "$flag, which Linux does not tell");
    is($rows->{instructions}{has}, 'sse2', 'beside what this machine has') if $flags =~ / sse2 /;
}
$rows = rows({}, flags => '-mfma4 -mavx10.2 -mavx');
unlike($rows->{instructions}{has}, qr/avx10/, 'nor is it had beside what is missing')
    if $flags =~ / avx / && $flags !~ / fma4 /;
my $arm = $sound_so;
substr $arm, 18, 2, pack 'v', 183;
$rows = rows({ $x_so => $arm });
is(fits($rows->{processor}), 'does not fit', 'a .so for another processor');
is($rows->{processor}{needs}, 'aarch64', 'by its name');

# ---- torch
is(fits(rows({}, flags => '-std=c++17')->{torch}), 'fits', 'torch 2.11 for up to 2.11');
is(fits(rows({}, flags => '-std=c++20')->{torch}), 'not known', 'for 2.12 or newer');
$rows = rows({}, flags => '-D_GLIBCXX_USE_CXX11_ABI=0');
is(fits($rows->{'C++ ABI'}), 'not known', 'an ABI where this torch tells none');
compile("$lib/libc10.so", functions('_ZN3c105ErrorC2ENSt7__cxx1112basic_stringIcEE'));
is(fits(rows({}, flags => '-D_GLIBCXX_USE_CXX11_ABI=1')->{'C++ ABI'}), 'fits', 'the same ABI');
$rows = rows({}, flags => '-D _GLIBCXX_USE_CXX11_ABI=0');
is(fits($rows->{'C++ ABI'}), 'not known', 'another');
is($rows->{'C++ ABI'}{has}, '_GLIBCXX_USE_CXX11_ABI=1', 'beside that of torch');

# ---- custom ops
my $json = '{"nodes": [{"name": "a", "node": {"target": "lab::badmeta", "inputs": []}},'
    . '{"name": "b", "node": {"target": "torch.ops.lab.rows.default"}},'
    . '{"name": "c", "node": {"target": "torch.ops.aten.sort.default"}}]}';
$rows = rows({}, more => [{ name => "${in}x.wrapper.json", data => $json }]);
is(fits($rows->{'custom ops'}), 'not known', 'custom ops');
is($rows->{'custom ops'}{needs}, 'lab::badmeta, lab::rows', "without torch's own");
like($rows->{'custom ops'}{cure}, qr/that registers 'lab'$/, 'and what to load');
$rows = rows({}, body => 'void f() { aoti_torch_call_dispatcher("shop::sell", ""); '
    . 'aoti_torch_call_dispatcher("aten::sort", ""); }');
is($rows->{'custom ops'}{needs}, 'shop::sell', 'also of a call of the dispatcher');
is(scalar @{ $rows->{all}{'custom ops'} }, 1, 'once');

# ---- GPU
my $cuda = '{"AOTI_DEVICE_KEY": "cuda", "AOTI_COMPUTE_CAPABILITY": "90"}';
my %gpu_model = ($metadata => $cuda);
sub on_gpu {
    my ($gpus, $kernels, %how) = @_;
    my $env = { LD_LIBRARY_PATH => $driver, GPUS => $gpus, %{ $how{env} // {} } };
    my $k = 0;
    return rows(\%gpu_model, %how, env => $env, more => [map { +{ name => $in . 'k' . $k++
        . ($_ =~ /^\x50/ ? '.fatbin' : /^\./ ? '.ptx' : '.cubin'), data => $_ } } @$kernels]);
}
$rows = rows(\%gpu_model, more => [{ name => "${in}k.cubin", data => $sm90a }], env =>
    { LD_LIBRARY_PATH => '/nonexistent' });
SKIP: {
    skip 'a GPU driver is here', 3
        if -e '/dev/nvidiactl' || -e '/usr/lib/x86_64-linux-gnu/libcuda.so.1';
    is(fits($rows->{GPU}), 'does not fit', 'no driver');
    is($rows->{GPU}{has}, 'no GPU driver here', 'and says so');
    is(fits($rows->{'GPU code'}), 'not known', 'of the kernels nothing is said');
}
is($rows->{'GPU code'}{needs}, 'sm_90a (1 kernel)', 'a kernel names its architecture');
for my $case (
    # kernels, GPU, verdict, what it is called
    [[$sm90], '9.0', 'fits', 'sm_90 (1 kernel)'],
    [[$sm90], '8.6', 'does not fit', 'sm_90 (1 kernel)'],
    [[$sm90], '10.0', 'does not fit', 'sm_90 (1 kernel)'],
    [[$old80], '8.6', 'fits', 'sm_80 (1 kernel)'],
    [[$old80], '9.0', 'does not fit', 'sm_80 (1 kernel)'],
    [[$sm90a], '9.0', 'fits', 'sm_90a (1 kernel)'],
    [[$sm90, $old80], '9.0', 'does not fit', 'sm_90, sm_80 (2 kernels)'],
    [[fatbin([2, 80, 0x11], [1, 80, 0x11])], '12.0', 'fits', 'sm_80, PTX of 8.0 (1 kernel)'],
    [[fatbin([2, 90, 0x100011])], '9.0', 'fits', 'sm_90a (1 kernel)'],
    [[fatbin([2, 90, 0x100011], [1, 100, 0x11])], '8.9', 'does not fit',
        'sm_90a, PTX of 10.0 (1 kernel)'],
    [[".version 8.0\n.target sm_80, debug\n"], '9.0', 'fits', 'PTX of 8.0 (1 kernel)'],
    [[".version 8.7\n.target sm_90a\n"], '10.0', 'does not fit', 'PTX of 9.0a (1 kernel)'],
) {
    my ($kernels, $gpu, $verdict, $name) = @$case;
    $rows = on_gpu($gpu, $kernels);
    is(fits($rows->{'GPU code'}) . ", $rows->{'GPU code'}{needs}", "$verdict, $name",
        "$name on $gpu");
    is($rows->{status}, $verdict eq 'fits' ? 0 : 1, 'and the exit status');
}
like($rows->{GPU}{has}, qr/^Made-up 1 \[31m \(10\.0\)$/, 'the GPU by its name');
$rows = on_gpu('9.0', [$sm90],
    body => 'int f() { return g(cached_torch_device_type_cuda, 1); }');
is(fits($rows->{GPU}) . ", $rows->{GPU}{needs}", 'does not fit, cuda:1',
    'a second GPU that is not there');
my $second = 'void f() { AOTICudaGuard device_guard(1); }';
$rows = on_gpu('8.0,9.0', [$sm90], body => $second);
is(fits($rows->{GPU}) . ', ' . fits($rows->{'GPU code'}), 'fits, fits', 'and that is');
is(fits(on_gpu('9.0', [$sm90], body => '// g(cached_torch_device_type_cuda, 1)')->{GPU}), 'fits',
    'a comment names none');
$rows = on_gpu('', [$sm90]);
is($rows->{GPU}{has}, 'the driver finds no GPU', 'a driver without a GPU');
for my $how (['error', qr/error 802/], ['crash', qr/the driver failed/]) {
    $rows = on_gpu('9.0', [$sm90], env => { FAIL => $how->[0] });
    is(fits($rows->{GPU}), 'not known', "a driver with an $how->[0]");
    like($rows->{GPU}{has}, $how->[1], 'and what it said');
}
is(fits(on_gpu('9.0', [])->{'GPU memory'}), 'fits', 'memory of the GPU');
is(fits(on_gpu('9.0', [], env => { FREE => 100 })->{'GPU memory'}), 'not known',
    'which others use');
for my $how ([{ FREE => 0 }, '0 bytes free'], [{ FAIL => 'full' }, '0 bytes free'],
    [{ FAIL => 'context' }, '100.0 kB in all']) {
    $rows = on_gpu('9.0', [], env => $how->[0])->{'GPU memory'};
    is(fits($rows) . ", $rows->{has}", "not known, $how->[1]",
        'nothing is free, or it is not told');
    like($rows->{cure}, $how->[1] =~ /free/ ? qr/^end other/ : qr/does not tell how much/,
        'and what to do');
}
mkdir "$dir/old";
compile("$dir/old/libcuda.so.1", functions('cuInit'), '-Wl,-soname,libcuda.so.1');
$rows = on_gpu('9.0', [$sm90], env => { LD_LIBRARY_PATH => "$dir/old" });
is(fits($rows->{GPU}) . ", $rows->{GPU}{cure}", 'does not fit, install a newer driver',
    'a driver that lacks functions');
is(fits(on_gpu('9.0,9.0', [], env => { SMALL => 1 })->{'GPU memory'}), 'does not fit',
    'the first GPU is too small');
is(fits(on_gpu('9.0,9.0', [], env => { SMALL => 1 }, body => $second)->{'GPU memory'}), 'fits',
    'which a model for the second does not mind');
spew("$torch/torch/version.py", "__version__ = '2.11.0+cu130'\n");
is(fits(on_gpu('9.0', [$sm90])->{'GPU driver'}), 'fits', 'a driver for CUDA 13');
is(fits(on_gpu('9.0', [$sm90], env => { DRIVER => 12080 })->{'GPU driver'}), 'does not fit',
    'for CUDA 12');
spew("$torch/torch/version.py", "__version__ = '2.11.0'\n");
$rows = rows({ $x_so => make_model([], cuda => 1) });
is(fits($rows->{'CUDA runtime'}) . ", $rows->{'CUDA runtime'}{needs}",
    'does not fit, libcudart.so.12', 'a runtime that this torch does not bring');
File::Path::make_path("$torch/nvidia/cuda_runtime/lib");
rename "$dir/libcudart.so", "$torch/nvidia/cuda_runtime/lib/libcudart.so.12" or die;
is(fits(rows({ $x_so => slurp("$dir/model.so") })->{'CUDA runtime'}), 'fits',
    'and one that it does');

# Kernels that are linked into the '.so'.
my $bytes = join ',', unpack 'C*', $sm90;
my $within = "__asm__(\".data\\nk_start: .byte $bytes\\nk_end: .byte 0\\nother_start: "
    . ".ascii \\\"no kernel, but long enough\\\"\\nother_end: .text\");\n";
$rows = rows({ %gpu_model, $x_so => make_model([], more => $within) },
    env => { LD_LIBRARY_PATH => $driver, GPUS => '8.0' });
is(fits($rows->{'GPU code'}) . ", $rows->{'GPU code'}{needs}", 'does not fit, sm_90 (1 kernel)',
    'a kernel in the .so');
make_model([]);

# ---- weights
is(fits(rows({}, flags => '-DUSE_MMAP_EXTERNAL')->{weights}), 'not known', 'weights in a file');
$rows = rows({}, flags => '-D USE_MMAP_SELF');
like($rows->{weights}{has}, qr/are not whole|cut off/, 'appended weights that are not there');
my @sources = ({ name => $x_object, data => $object },
    { name => "${in}x.wrapper_compile_flags.json", data => '{}' });
is(fits(rows({ $x_so => undef }, more => \@sources)->{model}), 'not known',
    'a package of sources');

# ---- files that torch asks for
for my $case (["neither '.so' nor object", { $x_so => undef }, [], qr/^a '\.so', or/],
    ['sources without flags', { $x_so => undef }, [$sources[0]], qr/_compile_flags\.json/],
    ['a package without metadata', { $metadata => undef }, [], qr/_metadata\.json/],
    ['metadata that are cut off', { $metadata => '{"AOTI_DEVICE_KEY":' }, [], qr/_metadata\.json/],
    ['metadata with more behind them', { $metadata => '{}}' }, [], qr/_metadata\.json/],
) {
    my ($what, $change, $more, $needs) = @$case;
    $rows = rows($change, more => $more);
    is(fits($rows->{model}) . ", $rows->{status}", 'does not fit, 1', $what);
    like($rows->{model}{needs}, $needs, 'and what it needs');
    like($rows->{model}{cure}, qr/^torch itself cannot load such a package/, 'and why');
}

# ---- how the files are packed
is(fits(rows({})->{layout}), 'no row', 'a folder around all files');
$rows = rows({}, more => [{ name => $in, data => '' }]);
is(fits($rows->{model}) . ", $rows->{status}", 'does not fit, 1', 'a directory as a member');
like($rows->{model}{cure}, qr/cannot extract it, .* zip -rD$/, 'and the cure');
is(fits(rows({}, more => [{ name => 'model/empty/', data => '' }])->{model}), 'no row',
    'one that is not of the model is not extracted');
zip("$at/flat.pt2", [map { +{ %$_, name => $_->{name} =~ s{^model/}{}r } } @$sound]);
like(generate(['list', '--here', 'flat.pt2'])->{out},
    qr/^  layout +not known +a folder around 'data\/' +none\n +cure: torch 2\.11 loads it/m,
    'no folder around the files');

$rows = rows({}, body => 'void f() { aoti_torch_proxy_executor_call_function(0); }');
is(fits($rows->{'custom ops'}), 'does not fit', 'custom ops without their names');

# ---- hostile members
for my $case (['cut off', substr($sm90, 0, 40)], ['empty', "\x7fELF"],
    ['SM 0', cubin(0x41, 0)], ['another ABI', cubin(0x77, 0x5a)],
    ['sections that are not there', substr($sm90, 0, 70)],
    ['a fatbin cut off', substr(fatbin([2, 80, 0x11]), 0, 50)],
    ['an entry without end', fatbin([2, 80, 0x11]) =~ s/\x30\0\0\0\x08/\x30\0\0\0\xff/r],
    ['an entry of no length', fatbin([2, 80, 0x11]) =~ s/\x30\0\0\0\x08/\0\0\0\0\x08/r],
    ['a fatbin of no head', pack('V v2 Q<', 0xba55ed50, 1, 0, 0)], ['text', 'not a kernel'],
    ['PTX of no GPU', ".target sm_99999999999\n"],
) {
    my ($what, $data) = @$case;
    $rows = rows({ %gpu_model }, more => [{ name => "${in}bad.cubin", data => $data }],
        env => { LD_LIBRARY_PATH => $driver, GPUS => '9.0' });
    is(fits($rows->{'GPU code'}), 'not known', "kernel, $what: nothing is said of it");
    is($rows->{'GPU code'}{needs}, "'bad.cubin'", 'but its name');
}
for my $case (['cut off', substr $sound_so, 0, -200], ['text', 'not an ELF file'],
    ['sections in a circle', do { my $x = $sound_so;
        my $shoff = unpack 'Q<', substr $x, 0x28, 8;
        my $n = unpack 'v', substr $x, 0x3c, 2;
        substr $x, $shoff + 64 * $_ + 40, 4, pack 'V', $_ for 1 .. $n - 1; $x }],
    ['versions in a circle', do { my $x = $sound_so;
        my $shoff = unpack 'Q<', substr $x, 0x28, 8;
        my $n = unpack 'v', substr $x, 0x3c, 2;
        for my $at (map { $shoff + 64 * $_ } 1 .. $n - 1) {
            next if unpack('V', substr $x, $at + 4, 4) != 0x6ffffffe;
            my $need = unpack 'Q<', substr $x, $at + 24, 8;
            substr $x, $need + 2, 2, pack 'v', 0xffff;
            substr $x, $need + 8, 8, pack 'V2', 0, 1;
        }
        $x }],
) {
    my ($what, $data) = @$case;
    $rows = rows({ $x_so => $data });
    ok(defined $rows->{processor} && $rows->{status} <= 1, "the .so, $what: a table all the same")
        or diag($rows->{err});
}
my $elf_at = sub { my ($at, $bytes) = @_; my $x = $sound_so; substr $x, $at, length $bytes,
    $bytes; $x };
for my $case (['that is cut off', substr $sound_so, 0, -200], ['of no ABI', $elf_at->(7, "\x1b")],
    ['that is no shared object', $elf_at->(16, pack 'v', 1)],
    ['without segments', $elf_at->(56, "\0\0")],
) {
    $rows = rows({ $x_so => $case->[1] });
    is(fits($rows->{model}) . ", $rows->{status}", 'does not fit, 1', "a .so $case->[0]");
}
$rows = rows({ $x_so => $elf_at->(40, "\0" x 8) =~ s/^.{60}\K..../\0\0\0\0/sr });
is(fits($rows->{libraries}) . ', ' . fits($rows->{model}), 'not known, no row',
    'a .so whose sections are gone still loads, and nothing is said of its libraries');
$rows = rows({}, more => [{ name => "${in}x.wrapper.json", data => '{"nodes": 1}' }]);
is($rows->{status}, 1, 'wrapper.json of another form is refused');
like($rows->{err}, qr/is not the JSON of a model's custom ops/, 'with the reason');
done_testing;
