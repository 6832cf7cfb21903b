# Values of asynchronous runs: printed in order, and saved as they were at their launch.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('523-cuda-record-values');
done_testing;
