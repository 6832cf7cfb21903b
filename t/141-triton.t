# The metadata of a Triton kernel.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('141-triton');
