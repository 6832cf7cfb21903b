# What a compiler made, kept with all that it was made of.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('119-build-cache');
