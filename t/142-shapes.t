# The tables of call shapes, statements and edits.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('142-shapes');
