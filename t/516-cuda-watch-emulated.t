# 515's tests where no GPU is: on the kernels' own source on the CPU (5xx/emulate.cc).
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $library = FakeCuda::build_emulator();
Aotigen::c_test('515-cuda-watch', timeout => 300,
    env => { CMOCKA_MESSAGE_OUTPUT => 'TAP', CUDA_EMULATED => 1, LD_LIBRARY_PATH => $library =~ s{/[^/]+$}{}r });
