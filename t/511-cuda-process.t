# What the CUDA backend does to the process that it is in: contexts, capture, streams, wild memory,
# huge tensors; and its speed.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();
Aotigen::c_test('511-cuda-process', timeout => 120);
