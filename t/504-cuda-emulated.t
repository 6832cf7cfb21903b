# The kernels' own source on the CPU (5xx/emulate.cc): 510's tests, with less of everything, where
# no GPU is.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::c_test_on(FakeCuda::build_emulator(), '510-cuda-stats');
