# samples/gathered.py on two GPUs: ranks that NCCL joins, started by torchrun. A collective runs on
# a stream of NCCL's, and what it writes is read behind its wait: sound ranks are silent in a
# hundred runs, and a NaN is laid to the collective that brought it and to the rank whose input
# held it.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;
use Ranks;

FakeCuda::need_gpu();
need_torch();
my $count = python('import torch; print(torch.cuda.device_count(), end="")');
plan skip_all => 'there is one GPU' if $count->{out} !~ /(\d+)$/ || $1 < 2;
Ranks::need('nccl');

my $s = sample('gathered', 'cuda');
my $plain = "$s->{dir}/model.pt2";
my $package = repackaged($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
my $r = Ranks::torchrun('nccl', 3, 100, -1, [$plain, $package]);
is($r->{err}, '', 'sound ranks: silent in a hundred runs');
Ranks::same($r, 'the debug package');

Ranks::told('nccl', 3, 0, $plain, 'all_reduce', qr/\S+all_reduce_/);
Ranks::told('nccl', 3, 1, $plain, 'all_gather_into_tensor', qr/\S+::all_gather_into_tensor/);
Ranks::told('nccl', 3, 2, $plain, 'reduce_scatter_tensor', qr/\S+::reduce_scatter_tensor/);
done_testing;
