# How many calls of the driver a run takes.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('551-cuda-calls');
done_testing;
