# Several tensors in one launch, on a GPU: compared with a plain reference and with the CPU
# backend.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();
Aotigen::c_test('515-cuda-batch', timeout => 240);
