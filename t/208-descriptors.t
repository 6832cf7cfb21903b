# A tensor descriptor that the host makes: what a call fills it from is what a kernel is passed by
# it, and it may be declared in a way that g++ takes and libclang refuses.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E qw(compiles must);

my $torch = need_torch();
my $corpus = corpus_of($torch) . '/cuda/user_triton/wrapper.cpp';
plan(skip_all => "torch $torch->{version} has no Triton kernel in the corpus") if !-e $corpus;
my $text = slurp($corpus);
my $dir = tempdir();
my $include = 'struct alignas(128) TensorMap { char bytes[128]; };
struct StableDescriptor { TensorMap m; uint32_t block_shape[5]; uint64_t strides[5]; };
static void initDescriptor(TensorMap*, void*, int, int, uint32_t*, uint64_t*) {}
';

# The wrapper whose kernel gets its first tensor by the descriptor that these lines declare.
sub with_descriptor {
    my ($name, $declaration) = @_;
    my $made = $text;
    $made =~ s/^(namespace torch)/$include$1/m or die;
    $made =~ s{^( +)(call_scale_add_kernel_0\()arg0_1,}{
        join '', map { "$1$_\n" } 'CUdeviceptr var_0 = '
            . 'reinterpret_cast<CUdeviceptr>(arg0_1.data_ptr());', split /\n/, $declaration}me
        or die;
    $made =~ s{^( +initDescriptor\(.*\n)}{$1    call_scale_add_kernel_0(desc,}m or die;
    $made =~ s/'x_ptr': '\*fp32'/'x_ptr': 'tensordesc<fp32[256]>'/ or die;
    $made =~ s/tl\.load\(x_ptr\+i,mask=m\)/x_ptr.load([tl.program_id(0)*BLOCK])/ or die;
    $made =~ s/CUdeviceptr (var_0) = \S+\(x_ptr\.data_ptr\(\)\);/auto $1 = x_ptr;/ or die;
    $made =~ s/kernel_args_\[\] = \{&var_0,/kernel_args_[] = {&var_0.m,/ or die;
    return spew("$dir/$name.cpp", $made);
}

my $fill = "initDescriptor(&desc.m, reinterpret_cast<void*>(*(&var_0)), 4L, 1, desc.block_shape, "
    . "desc.strides);\n";
my $odd = with_descriptor('odd', "alignas(64) StableDescriptor desc;\n"
    . "desc.block_shape[0] = 256;\ndesc.strides[0] = 1;\n$fill");
my $r = must(aotigen('list', "--torch=$torch->{dir}", $odd), 'listed');
like($r->{out}, qr/scale_add_kernel_0  run_impl.*\n.*\n +in +input +arg0_1 = args\[0\]  float32/,
    'the tensor is an argument, which the kernel loads');
like($r->{err},
    qr/^\Q$odd\E:\d+:5: warning: libclang finds an error in this declaration and keeps it: /m,
    'and the declaration is told of');
must($r = aotigen("--torch=$torch->{dir}", $odd, '-o', "$dir/odd_dbg.cpp"), 'rewritten');
like(slurp("$dir/odd_dbg.cpp"), qr/AOTIGEN_BEFORE\(\d+, arg0_1, arg1_1, buf0, /,
    'and its content is checked before the launch');
compiles("$dir/odd_dbg.cpp", $odd);

# A call that fills two structs from each other, many times, doubles nothing; nor do many addresses.
my $twice = $include . join '',
    map { "static void fill$_->[0]($_->[1]);\n" } [2 => 'TensorMap*, void*, StableDescriptor&'],
    [3 => 'TensorMap*, ...'];
my $many = $text =~ s/^(namespace torch)/$twice$1/mr;
my $fills = "fill2(&one.m, reinterpret_cast<void*>(arg0_1.data_ptr()), two);\n"
    . "fill2(&two.m, reinterpret_cast<void*>(arg0_1.data_ptr()), one);\n";
my $all = 'fill3(' . join(', ', ('&one.m, arg0_1.data_ptr()') x 3000) . ");\n";
my $before = "StableDescriptor one, two;\n" . $fills x 40 . $all;
$many =~ s/^( +call_scale_add_kernel_0\()/$before$1/m or die;
spew("$dir/many.cpp", $many);
$r = aotigen('list', "--torch=$torch->{dir}", "$dir/many.cpp");
is($r->{status}, 0, 'filled from each other: listed') or diag($r->{err});

# What libclang refuses elsewhere is refused.
for my $wrong (
    ["Undeclared desc;\n", "unknown type name 'Undeclared'"],
    ["alignas(64) StableDescriptor desc = undeclared();\n", 'requested alignment is less'],
    ["StableDescriptor desc[-1];\n", 'array with a negative size'],
    ["alignas(64) StableDescriptor desc;\nundeclared(arg0_1);\n", "'undeclared'"]) {
    my ($declaration, $says) = @$wrong;
    my $file = with_descriptor('wrong', $declaration . $fill);
    $r = aotigen('list', "--torch=$torch->{dir}", $file);
    is($r->{status}, 1, "$says: refused");
    like($r->{err}, qr/error: does not parse: .*\Q$says\E/, 'with the reason');
}
done_testing;
