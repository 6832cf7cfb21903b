# Runs that are captured into a graph, and what is told of each replay.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('524-cuda-record-graphs');
done_testing;
