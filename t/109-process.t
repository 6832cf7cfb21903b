# Programs run without a shell, with a time limit.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('109-process');
