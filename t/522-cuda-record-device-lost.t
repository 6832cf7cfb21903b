# Asynchronous runs on a device that fails while they run.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('522-cuda-record-device-lost');
done_testing;
