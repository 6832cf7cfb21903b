# What the generator repeats of the runtime.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('143-runtime-names');
