# Runs that do not wait, with a driver that says no at any moment.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('525-cuda-record-errors');
done_testing;
