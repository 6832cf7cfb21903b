# Which headers are precompiled, and where they are kept.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('118-pch-cache');
