# CUDA wrappers that torch emitted, rewritten, compiled against real headers and linked: what can be
# done without a GPU.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch();
skip_or_fail('torch', 't/corpus holds CUDA wrappers of torch 2.11 only for this test')
    if $torch->{version} !~ /^2\.11\./;
my $dir = tempdir();
my $corpus = root() . '/t/corpus/2.11.0/cuda';

# Weights by their symbols alone, as many bytes as the wrapper takes all zero: enough to link.
sub weights_of {
    my ($wrapper) = @_;
    my $size = 0;
    $size += int(($_ + 63) / 64) * 64 for $wrapper =~ /constants_info_\[\d+\]\.data_size = (\d+);/g;
    spew("$dir/weights.s", <<"S");
.section .lrodata,"a"
.balign 64
.globl _binary_constants_bin_start, _binary_constants_bin_end
_binary_constants_bin_start: .skip $size
_binary_constants_bin_end: .skip 1
S
    is(run_cmd(['gcc', '-c', "$dir/weights.s", '-o', "$dir/weights.o"])->{status}, 0,
        "$size bytes of weights to link with");
    return "$dir/weights.o";
}

for my $name (qw(mlp_dyn user_triton cond_multi)) {
    my $out = "$dir/$name.cpp";
    my $r = aotigen("--torch=$torch->{dir}", '-q', "$corpus/$name/wrapper.cpp", '-o', $out);
    is($r->{status}, 0, "$name: rewritten") or diag($r->{err});
    my $weights = weights_of(slurp($out));
    my @kernel = grep { -e } "$corpus/$name/kernel.cpp";
    $r = run_cmd([build() . '/aotigen', 'build', "--torch=$torch->{dir}", '-p', '2',
        "--weights=$weights", $out, @kernel, '-o', "$dir/$name.so"], timeout => 300);
    if ($r->{status} && $r->{err} =~ /'cuda\.h'|-lcuda\b|-lcudart\b/) {
        skip_or_fail('toolkit', "neither CUDA's headers nor its libraries are here: $r->{err}");
    }
    is($r->{status}, 0, "$name: built") or diag($r->{err});
    my $symbols = run_cmd(['nm', '-C', "$dir/$name.so"])->{out};
    like($symbols, qr/\baotigen_before\b/, "$name: linked with the runtime");
    unlike($symbols, qr/ U aotigen_/, "$name: nothing of it is missing");
}
done_testing;
