# The comments at the end of a wrapper, made a command: directories, defaults, vanished files, age.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('106-command');
