# samples/explained_threads.py: of a sum and a maximum that four threads compute in parts, the first
# bad term of all is shown, and that its terms are computed as by one thread; what a kernel
# overwrote is taken from a copy; an element that was stored through indices has these.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('explained_threads', 'cpu', settings => ['cpp.threads=4']);
my $so = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'all');
my $report = same_outputs($s, $so, 'with NaN and Inf')->{err};
note($report);

my @how = $report =~ /^  how           (buf\d+.*\n(?: {16}.*\n)*)/mg;
my $again = qr/ as computed again, term by term in one thread; '\w+' goes bad at \w+/;

# The explanation that goes back to the input that a pattern matches.
sub how {
    my ($input) = @_;
    my ($found) = grep { /$input/ } @how;
    return $found // '';
}

like(how(qr/\w+\[4321\] = -1\n/), qr/^buf\d+\[\]$again = 4321:\n.* = log\(\w+\) = nan   <- here\n/s,
    'a sum of logarithms');
like(how(qr/\w+\[33, 44\] = -4\n/),
    qr/^buf\d+\[\]$again = 3377:\n.* = sqrt\(\w+\) = nan   <- here\n/s, 'a maximum of roots');
like(how(qr/\w+\[299, 18\] = 100\n/),
    qr/^buf\d+\[18\]$again = 299:\n.* = exp\(\w+\) = inf   <- here\n/s, 'sums of columns');
my $half = qr/^buf\d+\[\] as computed again, term by term in one thread:\n/;
like(join('', grep { /$half/ } @how), qr/ = 132098\n +float16\(\w+\) = inf   <- here\n/,
    'a sum that is too large for half precision');
my ($sum) = grep { /^buf\d+\[\] as computed again, term by term in one thread/ && /1e\+36/ } @how;
like($sum // '', qr/ = inf   <- here\n/, 'a sum that overflows');
like(how(qr/^buf\d+\[4, 1\]/),
    qr/ = buf\d+\[4, 1\] = -3, before the launch\n.* = -2\n +\w+ = log\(\w+\) = nan   <- here$/sm,
    'in place of the product that it reads');
my %indices = map { $_ => 1 } how(qr/^buf\d+\[2, 8\]/) =~ /( arg\d+_1\[3\] = \d)/g;
is(join(',', sort map { /(\d)$/ } keys %indices), '2,8', 'stored through two indices');
like(how(qr/^buf\d+\[2, 8\]/), qr/; stored at \w+ = 3, where .*:\n.*log\(\w+\) = nan   <- here$/sm,
    'in an iteration');
my $running = qr/is a sum of elements 0 to 3 of buf\d+ along dimension 0; it goes bad at k = 3/;
like(how($running), qr/^buf\d+\[3\] .*\n.*\n.* before = 3e\+38\n.* = inf   <- here$/m,
    'a running sum that overflows');
unlike($report, qr/is not explained|\btid = /, 'all is explained, and by no number of a thread');
done_testing;
