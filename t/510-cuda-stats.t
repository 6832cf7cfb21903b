# The CUDA kernels on a GPU: every dtype, layout and bit pattern against a plain reference and
# against the CPU's backend.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();
Aotigen::c_test('510-cuda-stats', timeout => 240);
