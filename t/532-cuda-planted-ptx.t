# An assembler accepts the kernels of 531; this needs no GPU.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my ($ptxas) = grep { -x } map { s{/nvcc$}{/ptxas}r } grep { defined } FakeCuda::nvcc();
Aotigen::skip_or_fail('nvcc', 'no ptxas here') if !defined $ptxas;
my $dir = tempdir();
spew("$dir/planted.ptx", run_cmd([build() . '/t/531-cuda-planted', 'ptx'])->{out});
for my $arch (qw(sm_80 sm_90)) {
    my $r = run_cmd([$ptxas, "-arch=$arch", '-c', '-o', "$dir/planted.cubin", "$dir/planted.ptx"]);
    is($r->{status}, 0, "the planted kernels are well-formed for $arch") or diag($r->{err});
}
done_testing;
