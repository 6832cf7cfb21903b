# After a sticky error every function of the CUDA backend returns the reason at once, and the
# process ends normally.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();
Aotigen::c_test('512-cuda-device-lost', timeout => 60);
