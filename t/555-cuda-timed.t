# AOTIGEN_TIME on the fake libcuda: what stands around the launches of a device, and what is told.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('555-cuda-timed');
done_testing;
