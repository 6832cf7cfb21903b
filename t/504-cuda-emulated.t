# The kernels' own source on the CPU (5xx/emulate.cc): 510's tests, with less of everything, where no GPU is.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $library = FakeCuda::build_emulator();
Aotigen::c_test('510-cuda-health', timeout => 300,
    env => { CMOCKA_MESSAGE_OUTPUT => 'TAP', CUDA_EMULATED => 1, LD_LIBRARY_PATH => $library =~ s{/[^/]+$}{}r });
