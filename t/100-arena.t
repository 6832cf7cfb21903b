# Memory that lives as long as one input, and growing text.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('100-arena');
