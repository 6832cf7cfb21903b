# The tests of 510 without a GPU, on a smaller scale: the source of the kernels runs on the CPU
# (5xx/emulate.cc).
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::c_test_on(FakeCuda::build_emulator(), '510-cuda-stats');
