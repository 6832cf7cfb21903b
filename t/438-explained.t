# samples/explained.py: each report ends with how the kernel computed the bad element, down to the
# operation at which it begins.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use JSON::PP;

my $s = sample('explained');
my $so = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'all');
my $log = tempdir() . '/log';
my $report = same_outputs($s, $so, 'with NaN and Inf', env => { AOTIGEN_LOG => $log })->{err};
note($report);

# The explanation of the element whose name matches.
sub how {
    my ($element) = @_;
    my ($lines) = $report =~ /^  how           $element( as computed again.*\n(?: {16}.*\n)+)/m;
    return $lines // '';
}

# Each value was planted by the sample's inputs.
my $any = qr/buf\d+/;
my %logarithm = (a => qr/ = arg\d_1\[2, 3\] = 16$/m, b => qr/ = arg\d_1\[2, 3\] = 100$/m);
my ($first) = grep { /= -84$/m } map { how($_) } map { "buf$_\\[2, 3\\]" } 0 .. 20;
like($first // '', $logarithm{$_}, "logarithm: input $_") for sort keys %logarithm;
like($first // '', qr/^ +\w+ = log\(\w+\) = nan   <- here$/m, 'logarithm: here');

my ($chosen) = grep { /= -100$/m } map { how($_) } map { "buf$_\\[2, 3\\]" } 0 .. 20;
like($chosen // '', qr/ = log\(\w+\) = nan   <- here\n +\w+ = where\(.*\) = nan$/m,
    'the branch that `where` took');

like(how(qr/$any\[17\]/), qr/ = arg\d_1\[17\] = 0\n.* = \w+ \/ \w+ = nan   <- here$/sm,
    'a quotient of zeros');
like(how(qr/$any\[2, 33\]/), qr/ = inf\n.*= 101\n.* = inf\n +\w+ = \w+ - \w+ = nan   <- here$/sm,
    'Inf - Inf, and how the two came to be');
like(how(qr/$any\[3, 4\]/), qr/ = 300\n.*= 90000\n +\w+ = float16\(\w+\) = inf   <- here$/sm,
    'float16 that overflows');
like(how(qr/$any\[0\]/), qr/ = inf   <- here$/m, 'a sum that overflows');
like(how(qr/$any\[1, 0\]/), qr/ = -inf\n.* = -inf\n +\w+ = \w+ - \w+ = nan   <- here$/sm,
    'softmax of a masked row');
like(how(qr/$any\[0, 0\]/), qr/ = 0\n.* = \w+ \* \w+ = nan   <- here$/sm,
    'a layer norm without variance');
unlike($report, qr/is not explained/, 'nothing is left unexplained');

# The event of each birth has the first explanation of its report.
my @born = grep { $_->{event} eq 'born' } map { decode_json($_) } split /\n/, slurp($log);
my @lost = grep { my $e = $_; index($report, join "\n" . ' ' x 16, '  how           '
    . ($e->{how} // '?') . ':', @{ $e->{how_steps} // ['?'] }) < 0 } @born;
cmp_ok(scalar @born, '>', 1, 'births are in the log');
is(join(' ', map { $_->{kernel} } @lost), '', 'with how they were computed');

my $off = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'off');
is(same_outputs($s, $off, 'without checks')->{err}, '', 'nothing is computed again');
done_testing;
