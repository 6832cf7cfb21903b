# A recorded command split as a shell would, and refused where it wants a shell.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('103-words');
