# What belongs to a wrapper that is built: kernels, custom ops.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('111-parts');
