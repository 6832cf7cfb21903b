# Results that are there whole or not at all; what a signal leaves behind.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('105-output');
