# Values of runs that do not wait: printed in order, saved as they were.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('523-cuda-record-values');
done_testing;
