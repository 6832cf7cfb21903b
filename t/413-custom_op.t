# samples/custom_op.py at every printer level, with checks on and off: the outputs are the plain
# model's, and nothing is reported.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('custom_op');
my $seen = every_level($s);
for my $level (sort keys %$seen) {
    is($seen->{$level}{err}, '', "level $level: a sound model is silent on stderr");
}
done_testing;
