# The part of a wrapper that is the same in every model.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('118-container');
