# What becomes of an exception that leaves an entry point of the model, on streams that lag behind
# and on devices that are lost.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('528-cuda-record-entry');
done_testing;
