# samples/products.py: a report of a matrix product ends with the row and column, and the first bad
# term or the sum that overflows.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('products');
my $so = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'all');
my $report = same_outputs($s, $so, 'with NaN and Inf')->{err};
note($report);

my $arg = qr/arg\d+_1/;
my $head = qr/is a sum over k of products of $arg and $arg/;
my %how;
while ($report =~ /^  how +buf\d+(\[[\d, ]+\]) ($head.*\n(?: {16}.*\n)+)/mg) { $how{$1} = $2 }
sub lines { return join '', map { " {16}$_\\n" } @_ }
my @cases = (
    ['[2, 3]', 'Inf * 0', '; it goes bad at k = 11:\n', lines("$arg\\[2, 11\\] = inf",
        "$arg\\[11, 3\\] = 0", "$arg\\[2, 11\\] \\* $arg\\[11, 3\\] = nan   <- here")],
    ['[1, 1]', 'a sum that overflows', '; it goes bad at k = 10:\n', lines(
        "$arg\\[1, 10\\] \\* $arg\\[10, 1\\] = 1e\\+38", 'the sum before = 3e\+38',
        'the sum with it = inf   <- here')],
    ['[5, 5]', 'a sum that float16 does not hold', ':\n', lines('the sum = 120000',
        'float16\(the sum\) = inf   <- here')],
    ['[1, 2, 4]', 'a term that overflows, in a batch', '; it goes bad at k = 5:\n', lines(
        "$arg\\[1, 2, 5\\] = 3e\\+38", "$arg\\[1, 5, 4\\] = 100",
        "$arg\\[1, 2, 5\\] \\* $arg\\[1, 5, 4\\] = inf   <- here")],
);
for (@cases) {
    my ($element, $what, $end, $lines) = @$_;
    like($how{$element} // $report, qr/^$head$end$lines$/, $what);
}

# In kernels: the row of zeros, and the one that is masked.
my $lines = qr/(?: {16}.*\n)*/;
my ($norm) = $report =~ /^  how +buf\d+\[3, 0\] as computed again:\n($lines)/m;
like($norm // $report, qr/ = sqrt\(\w+\) = 0\n {16}\w+ = \w+ \/ \w+ = nan   <- here\n/,
    'a row divided by its norm of 0');
my ($softmax) = $report =~ /^  how +buf\d+\[4, 0\] as computed again.*\n($lines)/m;
like($softmax // $report, qr/ = -inf\n {16}\w+ = \w+ - \w+ = nan   <- here\n/,
    'a softmax of a masked row');

# An operator of torch's own refuses an index.
my $guarded = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'off');
my $r = run_model($s, $guarded, args => ['--poke=inputs[0][8][1] = 11']);
isnt($r->{status}, 0, 'an embedding bag fails');
my ($index) = $r->{err} =~ /^  how +($arg.*\n$lines)/m;
like($index // $r->{err}, qr/^$arg\[1\] = 11 is no index of dimension 0 of bag_weight /,
    'for an index');
like($index // '', qr/, which has indices 0 to 9\n {16}$arg \(args\[8\]\): an input of /,
    'with its range and the tensor that holds it');
done_testing;
