# Runs that do not wait, on a device that dies in the midst of them.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('522-cuda-record-device-lost');
done_testing;
