# Triton kernels on a device that lags behind the host: each report ends with how the bad element
# was computed, from what the device's memory holds by then, or says why it does not.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('509-cuda-record-explained');
done_testing;
