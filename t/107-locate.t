# Finding torch, Python and CUDA on made-up machines.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('107-locate');
