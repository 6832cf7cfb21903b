# Which flags of a recorded command are taken over, dropped or refused.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('104-flags');
