# Diagnostics: places, statuses, limits, escapes.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('101-diag');
