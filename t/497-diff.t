# Finite but wrong: two runs of a debug package that are recorded with AOTIGEN_RECORD, and which
# launch 'aotigen diff' names.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Planted;

my $dir = tempdir();
my $wrong = "model.fault = 'x'; "
    . "model.scale_faults['x'] = lambda x, y: model.with_value(y, 2, 5, 1.5)";
my %poke = (
    a => '0',
    b => '0',
    operator => $wrong,
    weight => weight('first.bias', '[7] += 0.25'),
    input => 'inputs[0][1, 2] += 0.5',
);
my @names = sort keys %poke;
my @cases = map { [$_, $poke{$_}, { runs => 2, env => { AOTIGEN_RECORD => "$dir/$_" } }] } @names;
my @found = Planted::found_of(sample('planted'), @cases);
is($found[$_]{err}, '', "$names[$_]: nothing is bad") for 0 .. $#names;

sub diff { return run_cmd([build() . '/aotigen', 'diff', @_], cwd => $dir) }

my $r = diff('a', 'b');
is($r->{status}, 0, 'two processes agree bit for bit') or diag($r->{out}, $r->{err});
like($r->{out}, qr/^  compared      2 runs of each, 0 of which differ: bit for bit$/m,
    'in each run');
my $first = qr/^  what          run 1: launch 1 \(\w+addmm_out\) was given another \w+/m;
my %told = (
    operator => qr/^  what          run 1: launch 3 \(planted::scale\) read the same and wrote/m,
    weight => qr/$first \(first\.bias\)$/m,
    input => qr/$first \(args\[0\]\)$/m,
);
for my $name (sort keys %told) {
    $r = diff('a', $name);
    is($r->{status}, 1, "$name: they differ") or diag($r->{err});
    like($r->{out}, $told{$name}, "$name: the first that does");
    like($r->{out}, qr/^  follow        \d+ launches read what differs/m, "$name: what follows");
    unlike($r->{out}, qr/^  also/m, "$name: no other by itself");
    note($r->{out});
}
done_testing;
