# What the recorded flags ask of a processor.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('115-processor');
