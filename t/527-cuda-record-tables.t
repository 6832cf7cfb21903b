# Asynchronous runs: what is known of tensors from one launch, or run, to the next.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('527-cuda-record-tables');
done_testing;
