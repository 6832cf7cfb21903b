# The command line and the environment: every option, every verb, every bad value.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('102-options');
