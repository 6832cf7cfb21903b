# What the bits of an element mean to the CUDA kernels: every float8, half and bfloat16 value
# against tables of others' make.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('500-cuda-decode');
