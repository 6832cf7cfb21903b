# Ranks that torchrun starts: each is a process of its own, with its rank in the environment, and
# 'aotigen run' over torchrun joins what they log.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Ranks;

Ranks::need('gloo');

my $s = sample('ranks');
my $package = repackaged($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
my $plain = "$s->{dir}/model.pt2";
my $r = Ranks::torchrun('gloo', 1, 20, -1, [$plain, $package]);
is($r->{err}, '', 'sound ranks: silent');
Ranks::same($r, 'the debug package');
Ranks::told('gloo', 1, 0, $plain, 'all_reduce', qr/\S+all_reduce_/);
done_testing;
