# What an exception of a run is replaced by: on a fake shim and a fake libcuda, which dies on request.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $fake = FakeCuda::build_fake();
Aotigen::c_test('316-failed', env => { CMOCKA_MESSAGE_OUTPUT => 'TAP', FAKE_CUDA => $fake });
