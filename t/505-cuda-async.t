# Asynchronous scans on a fake libcuda: how many kernels a batch takes, and when the input probes
# are scanned.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

Aotigen::c_test('505-cuda-async', env => { FAKE_CUDA => FakeCuda::build_fake() });
