# Runs that do not wait, on streams of the fake libcuda that lag behind the host: what is told of
# them, and of many at once.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('519-cuda-record');
done_testing;
