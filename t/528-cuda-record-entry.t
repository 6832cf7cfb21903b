# What an exception that leaves an entry point of the model becomes, on streams that lag behind and devices that die.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;

CudaRecord::each_test('528-cuda-record-entry');
done_testing;
