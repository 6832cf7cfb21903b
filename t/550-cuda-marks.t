# Which launches of asynchronous runs have a mark behind them, and what is said where a device is
# lost between two marks.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('550-cuda-marks');
done_testing;
