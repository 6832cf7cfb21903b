# samples/products.py: a report of a matrix product ends with the row and column, and the first bad
# term or the sum that overflows.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Explained;

my $s = sample('products');
my $so = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'all');
my $report = same_outputs($s, $so, 'with NaN and Inf', env => { AOTIGEN_REPORTS => 'all' })->{err};
note($report);

explains_products($report, 'on a CPU');

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
my ($index) = $r->{err} =~ /^  how +(arg\d+_1.*\n$lines)/m;
like($index // $r->{err}, qr/^arg\d+_1\[1\] = 11 is no index of dimension 0 of bag_weight /,
    'for an index');
like($index // '', qr/, which has indices 0 to 9\n {16}arg\d+_1 \(args\[8\]\): an input of /,
    'with its range and the tensor that holds it');
done_testing;
