# AOTIGEN_WATCHDOG with launches on a device, that of the fake libcuda.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('537-cuda-watchdog');
done_testing;
