# Who owns the memory behind a variable; string literals.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('144-storage');
