# Runs that are captured into a CUDA graph, and what is reported for each replay.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('524-cuda-record-graphs');
done_testing;
