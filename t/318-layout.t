use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
c_test('318-layout');
