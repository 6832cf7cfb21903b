# samples/explained.py and explained_rows.py on a GPU: each report ends with how the Triton kernel
# computed the bad element, down to the operation at which it begins; in runs that wait and in
# others.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();

my $report;

# The explanation of the element that matches; of several the one whose lines match, too.
sub how {
    my ($element, $with) = @_;
    my @all = $report =~ /^  how           ($element as computed again.*\n(?: {16}.*\n)+)/mg;
    my ($found) = grep { !$with || /$with/ } @all;
    return $found // '';
}

my $any = qr/buf\d+/;

# What a CPU's report shows, too (t/438-explained.t); the operations are those of Triton.
my @makes = (
    ['logarithm: the first input', qr/$any\[2, 3\]/, qr/= -84$/m, qr/ = arg\d_1\[2, 3\] = 16$/m],
    ['logarithm: the second input', qr/$any\[2, 3\]/, qr/= -84$/m, qr/ = arg\d_1\[2, 3\] = 100$/m],
    ['logarithm: here', qr/$any\[2, 3\]/, qr/= -84$/m, qr/^ +\w+ = log\(\w+\) = nan   <- here$/m],
    ['the branch that `where` took', qr/$any\[2, 3\]/, qr/= -100$/m,
        qr/ = log\(\w+\) = nan   <- here\n +\w+ = where\(.*\) = nan$/m],
    ['a quotient of zeros', qr/$any\[17\]/, undef,
        qr/ = arg\d_1\[17\] = 0\n.* = \w+ \/ \w+ = nan   <- here$/sm],
    ['Inf - Inf, and how the two came to be', qr/$any\[2, 33\]/, undef,
        qr/ = inf\n.*= 101\n.* = inf\n +\w+ = \w+ - \w+ = nan   <- here$/sm],
    ['float16 that overflows', qr/$any\[3, 4\]/, undef,
        qr/= 300\n.*= 90000\n.* = inf   <- here$/sm],
    ['a sum that overflows', qr/$any\[0\]/, undef, qr/ = sum\(.*\) = inf   <- here$/m],
    ['the sum before it does', qr/$any\[0\]/, undef, qr/ = 3\.\d+e\+38 before r0 = \d+$/m],
    ['softmax of a masked row', qr/$any\[1, 0\]/, undef,
        qr/ = -inf\n.* = -inf\n +\w+ = \w+ - \w+ = nan   <- here$/sm],
    ['a layer norm without variance', qr/$any\[0, 0\]/, undef,
        qr/ = 0\n.* = \w+ \* \w+ = nan   <- here$/sm],
);
my @rows = (
    ['a variance: the first bad term', qr/$any\[3\]/, undef,
        qr/goes bad at r0 = 77:\n.* = arg\d_1\[3, 77\] = -1\n.* = log\(\w+\) = nan   <- here$/sm],
    ['a cumulative sum', qr/$any\[9\]/, undef,
        qr/ = arg\d_1\[0, 9\] = 0\.25\n.* = -0\.25\n.* = log\(\w+\) = nan   <- here$/sm],
    ['a sum that float16 cannot hold', qr/$any\[5\]/, undef,
        qr/ = 1\.2e\+06\n +float16\(\w+\) = inf   <- here$/m],
    ['softmax of a masked row, in a loop', qr/$any\[2, 0\]/, undef,
        qr/ = -inf\n +\w+ = \w+ - \w+ = nan   <- here$/m],
    ["a user's softmax", qr/$any\[4, 0\]/, undef,
        qr/ x = arg\d_1\[4, 0\] = -inf\n.* z = x - .* = nan   <- here\n +e = exp\(z\) = nan$/sm],
);

for my $case (['explained', \@makes], ['explained_rows', \@rows]) {
    my ($name, $explained) = @$case;
    my $s = sample($name, 'cuda');
    for my $sync (1, 0) {
        my $how = $sync ? 'with --sync' : 'without waiting';
        my $so =
            built($s, printer => 0, check_inputs => 'off', nan_asserts => 'all', sync => $sync);
        $report = same_outputs($s, $so, "$name, $how")->{err};
        note($report);
        for my $make (@$explained) {
            my ($what, $element, $with, $lines) = @$make;
            like(how($element, $with), $lines, "$what, $how");
        }
        unlike($report, qr/is not explained/, "$name: nothing is left unexplained, $how");
        unlike($report, qr/may have changed/, "$name: inputs are read as they were") if $sync;
    }
    my $off = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'off');
    is(same_outputs($s, $off, "$name, without checks")->{err}, '', 'nothing is computed again');
}
# What a kernel hides, when it is asked for.
my $hidden = sample('hidden', 'cuda');
for my $sync (1, 0) {
    my $how = $sync ? 'with --sync' : 'without waiting';
    my $so = built($hidden, printer => 0, check_inputs => 'off', nan_asserts => 'all',
        sync => $sync);
    is(same_outputs($hidden, $so, "hidden, unasked, $how")->{err}, '', 'nothing is reported');
    my $list = join ';', map { "triton_*:buf$_\[2, 3]" } 0 .. 3;
    my $err =
        same_outputs($hidden, $so, "hidden, $how", env => { AOTIGEN_EXPLAIN => $list })->{err};
    note($err);
    like($err, qr/^aotigen: explained as asked in run 1, launch \d+: triton_/m, "asked for, $how");
    like($err, qr/ = log\(\w+\) = nan   <- here\n/, "where hides a logarithm, $how");
    like($err, qr/ = where\(.*\) = -8\n/, "and takes the other branch, $how");
}
done_testing;
