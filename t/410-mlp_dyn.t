# samples/mlp_dyn.py at every printer level: the outputs are those of the plain model, and nothing
# is reported.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('mlp_dyn');
my $seen = every_level($s);
for my $level (sort keys %$seen) {
    is($seen->{$level}{err}, '', "level $level: a sound model is silent on stderr");
}
done_testing;
