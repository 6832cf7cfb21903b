# Weights out of an old shared object, also of one that lies about its sizes.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('108-weights');
