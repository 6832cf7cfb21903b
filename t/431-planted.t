# A fault planted in each of the samples on the CPU: each is named, and the process lives.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use AotigenFaults;

need_torch();
plant_all('cpu');
done_testing;
