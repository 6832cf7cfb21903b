# Asynchronous runs with a driver that returns an error at any call.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('525-cuda-record-errors');
done_testing;
