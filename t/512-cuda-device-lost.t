# A context that died: every function of the CUDA backend says why, at once, and the process lives
# and ends as it wants to.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();
Aotigen::c_test('512-cuda-device-lost', timeout => 60);
