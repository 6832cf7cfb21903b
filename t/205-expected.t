# What a wrapper's text tells of an operator's output: what the next kernel takes, what a view
# needs, and what assert_size_stride() names, which torch writes from 2.13 on.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch();
my ($wrapper) = grep { m{/cpu/custom_op/wrapper\.cpp$} } corpus_wrappers($torch);
skip_or_fail('corpus', 'no wrapper with a custom op') if !defined $wrapper;
my $text = slurp(root() . "/t/corpus/$wrapper");
my ($made) = $text =~ /^ *RAIIAtenTensorHandle (buf\d+)\(\1_handle\);\n[^\n]*proxy_executor_call/m;
my $call = qr/^ *(?:AOTI_TORCH_ERROR_CODE_CHECK\()?aoti_torch_proxy_executor_call[^\n]*\n/m;

# What is printed, the dump or what @words ask for, where $after stands behind the call.
sub dumped {
    my ($after, @words) = @_;
    my $other = $text =~ s/^[^\n]*assert_size_stride\(\Q$made\E[^\n]*\n//mgr;
    $other =~ s/($call)/$1$after/;
    $other = "#define assert_size_stride(...)\n$other" if $other =~ /assert_size_stride\(\Q$made\E/;
    my $dir = tempdir();
    spew("$dir/wrapper.cpp", $other);
    @words = ('--dump=model', '-o', '-') if !@words;
    my $r = aotigen(@words, "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, 0, 'read') or diag($r->{err});
    return $r->{out};
}

# The line about that output.
sub expected {
    my ($after) = @_;
    return dumped($after) =~ /^\d+\.\d+ (expected .*)$/m ? $1 : '';
}

# What is known of the later arguments in its memory: the site that made it, and a later writer.
sub makers {
    my ($after) = @_;
    return join ' ', dumped($after) =~ /\b(maker .*)$/mg;
}

is(expected(''), 'expected float32 cpu sizes strides least 0 user 2', 'what the kernel takes');
my $types = ', cached_torch_dtype_float32, "torch.float32");';
is(expected("assert_size_stride($made, {64L, 128L}, {128L, 1L}, \"torch.ops.lab.op\"$types\n"),
    'expected float32 cpu sizes 64 128 strides 128 1 least 0 user 2', 'an assertion');
is(expected("if (true) { assert_size_stride($made, {s7, 128L, }, {128L*s7, 1L, }, \"op\"); }\n"),
    'expected float32 cpu sizes any 128 strides any 1 least 0 user 2', 'sizes that are symbols');
is(expected("assert_size_stride($made, {}, {}, \"op\"$types\n"),
    'expected float32 cpu sizes strides least 0 user 2', 'a scalar');
my $view = 'static constexpr int64_t sizes_0[] = {32L, 128L};'
    . ' static constexpr int64_t strides_0[] = {256L, 1L};'
    . " auto other = RAIIAtenTensorHandle(reinterpret_tensor_wrapper("
    . "$made, 2, sizes_0, strides_0, 128L));"
    . ' cpp_fused_add_sin_1((float*)(other.data_ptr()));' . "\n";
is(expected($view), 'expected float32 cpu sizes strides least 8192 user 2', 'a view of it');

my $reused = "auto other = std::move($made);\n cpp_fused_add_sin_1((float*)(other.data_ptr()));\n"
    . ' cpp_fused_add_sin_1((float*)(other.data_ptr()));' . "\n";
like(makers($reused), qr/^maker 1 maker 1 writer 2\b/, 'a buffer that reuses its memory');
like(makers("if (true) {\n $reused }\n" =~ s/auto other = .*\n//r =~ s/other/$made/gr),
    qr/^maker 1 maker 1 writer 2 maker 1 writer -2\b/, 'a branch that may have written it');
is(makers($reused =~ s/\n/\nother = std::move($made);\n/r), 'maker 1 writer -2',
    'nothing is known of a variable that is given another tensor');

like(dumped("assert_size_stride($made, {s7, 128L, }, {128L*s7, 1L, }, \"op\"); \n", 'list'),
    qr/^ +\w+ +tensor +$made  taken for float32 \[\?, 128\] strides \[\?, 1\] on cpu$/m,
    '`list` shows it');

# The device of each weight: one may be left on the CPU.
my ($cuda) = grep { m{/cuda/attn/wrapper\.cpp$} } corpus_wrappers($torch);
skip_or_fail('corpus', 'no wrapper for CUDA with weights') if !defined $cuda;
my $placed = slurp(root() . "/t/corpus/$cuda");
SKIP: {
    skip 'this torch writes no device of a weight', 3
        if $placed !~ s/(constants_info_\[1\]\.device_type = .*?device_type_)cuda/$1cpu/;
    my $dir = tempdir();
    $placed =~ s/^(?=CACHE_TORCH_DEVICE\()/CACHE_TORCH_DEVICE(cpu);\n/m; # as in such a model
    spew("$dir/wrapper.cpp", $placed);
    my $r = aotigen('list', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, 0, 'listed') or diag($r->{err});
    is(join(' ', $r->{out} =~ /^  weight   .* on (\w+)$/mg), 'cuda cpu cuda cuda',
        'on which device each weight is');
    $r = aotigen('list', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    like($r->{out}, qr/"python_name":"qkv\.bias","dtype":"float32","device":"cpu"/, 'in JSON, too');
}
done_testing;
