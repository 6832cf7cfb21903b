# Several tensors in one launch, on a GPU: against a plain reference and against the CPU's backend.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();
Aotigen::c_test('515-cuda-batch', timeout => 240);
