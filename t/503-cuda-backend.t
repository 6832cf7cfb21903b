# backend_cuda.c and driver.c on a fake libcuda, which holds them to the driver's rules and fails on request.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

Aotigen::c_test('503-cuda-backend', env => { FAKE_CUDA => FakeCuda::build_fake() });
