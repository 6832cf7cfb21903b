# 515's tests on the loops of the fake libcuda, which the runtime's own tests lean on.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $library = FakeCuda::build_fake();
Aotigen::c_test('515-cuda-watch', timeout => 300,
    env => { CMOCKA_MESSAGE_OUTPUT => 'TAP', CUDA_EMULATED => 1, LD_LIBRARY_PATH => $library =~ s{/[^/]+$}{}r });
