# The line of the model that the screen of `aotigen run` names for a value that a launch made,
# compared with the exported program run node by node: ten random models, each with planted values
# (samples/bench/model_lines.py, which takes any number of them).
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;
use JSON::PP 'decode_json';

my $torch = need_torch();
my ($minor) = $torch->{version} =~ /^2\.(\d+)/;
skip_or_fail('lines', "the models are chosen for torch 2.11, not $torch->{version}")
    if $minor != 11;
plan(skip_all => 'the same runs without a sanitizer') if build() =~ m{/san$};

my $dir = root() . "/build/e2e/$torch->{version}/cpu/model_lines";
my $program = root() . '/samples/bench/model_lines.py';
my $r = must(run_forked({ file => $program,
    arguments => [$dir, '--aotigen=' . build() . '/aotigen',
        qw(2 9 17 306 346 421 425 427 458 551)] },
    timeout => 1800), 'the models are compiled and run');
my ($all) = $r->{out} =~ /^all (.*)$/m;
my $n = decode_json($all // '{}');
$n->{$_} //= 0 for qw(right candidate wrong none element misnamed);
my $births = $n->{right} + $n->{candidate} + $n->{wrong} + $n->{none};
cmp_ok($births, '>=', 20, 'values went bad in launches') or diag($r->{out});
is($n->{wrong}, 0, 'no screen names a wrong line') or diag($r->{out});
is($n->{none}, 0, 'each names one');
cmp_ok($n->{right}, '>=', 0.95 * $births, 'the right one alone on 95 % of them') or diag($r->{out});
cmp_ok($n->{element}, '>=', 5, 'values arrived');
is($n->{misnamed}, 0, 'each with its name and element') or diag($r->{out});
done_testing;
