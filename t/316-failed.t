# What an exception of a run is replaced by: on a fake shim and a fake libcuda, which dies on
# request.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

Aotigen::c_test('316-failed', env => { FAKE_CUDA => FakeCuda::build_fake() });
