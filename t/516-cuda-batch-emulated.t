# 515's tests where no GPU is: on the kernels' own source on the CPU (5xx/emulate.cc).
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::c_test_on(FakeCuda::build_emulator(), '515-cuda-batch');
