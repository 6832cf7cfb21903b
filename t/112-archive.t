# Archives read and written, looked at byte by byte.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('112-archive');
