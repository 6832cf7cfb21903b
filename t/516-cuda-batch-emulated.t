# The tests of 515 without a GPU: the source of the kernels runs on the CPU (5xx/emulate.cc).
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::c_test_on(FakeCuda::build_emulator(), '515-cuda-batch');
