# The tests of 515 on the loops of the fake libcuda, which the tests of the runtime rely on.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::c_test_on(FakeCuda::build_fake(), '515-cuda-batch');
