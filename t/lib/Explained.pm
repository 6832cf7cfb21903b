package Explained;

# Explained.pm - how reports of samples explain what is bad, on a CPU and on a GPU.
#
#   explains_bad_values($sample, $so, $what)   a test for each of the sample's inputs: its run's
#                                              report ends with the operation that made NaN or Inf
#                                              of finite operands, and their values
#   explains_products($report, $what)          a test for each product of samples/products.py that
#                                              torch computes: its row, its column and the first bad
#                                              term, or the sum that overflows

use strict;
use warnings;
use parent 'Exporter';
use Aotigen;
use AotigenE2E;

our @EXPORT = qw(explains_bad_values explains_products);

# A line "NAME = OPERATION = VALUE"; the one at which it goes bad; none or more of any.
my $is = sub { qr/ {16}\S.* = $_[0]\n/ };
my $here = sub { qr/ {16}.*$_[0].* = $_[1]   <- here\n/ };
my $any = qr/(?: {16}.*\n)*/;

# In the order of the inputs: the case, the element, and the lines.
my @made = (
    ['a root of a negative number', '[1]', $is->(-1), $here->('sqrt', 'nan')],
    ['a reciprocal root of 0', '[4]', $is->(0), $here->('rsqrt', 'inf')],
    ['a logarithm of 0', '[7]', $is->(0), $here->('log', '-inf')],
    ['log1p of -2', '[10]', $is->(-2), $here->('log1p', 'nan')],
    ['a reciprocal of 0', '[13]', $is->(0), $here->('(?:reciprocal|/)', 'inf')],
    ['Inf * 0', '[16]', $is->(100), $is->('inf'), $is->(0), $here->('\*', 'nan')],
    ['a remainder of 5 by 0', '[19]', $is->(5), $is->(0), $here->('fmod', 'nan')],
    ['an exponential that overflows', '[22]', $is->(89), $here->('exp', 'inf')],
    ['expm1 of 100', '[25]', $is->(100), $here->('exp', 'inf')],
    ['a power of a negative base', '[28]', $is->(-8), $is->('0\.5'), $here->('pow', 'nan')],
    ['an arc cosine of 2', '[31]', $is->(2), $here->('acos', 'nan')],
    ['an area tangent of 1', '[34]', $is->(1), $here->('(?:atanh|/)', 'inf')],
    ['sinh of 95', '[37]', $is->(95), $here->('sinh', 'inf')],
    ['-Inf * 0 behind a sigmoid', '[40]', $is->('-inf'), $is->(0), $here->('\*', 'nan')],
    ['float16 that overflows', '[43]', $is->(300), $is->(90000), $here->('float16', 'inf')],
    ['bfloat16 that overflows', '[46]', $is->('3e\+38'), $here->('', 'inf')],
    ['float64 that overflows', '[49]', $is->('1e\+10'), $here->('\*', 'inf')],
    ['1 by an integer that is 0', '[52]', $is->(2), $is->(0), $here->('(?:reciprocal|/)', 'inf')],
    ['a mean of nothing', '[5]', $is->(0), $is->(0), $here->('/', 'nan')],
    ['a row by its norm of 0', '[6, 0]', $is->(0), $is->(0), $here->('/', 'nan')],
    ['a square in a deviation', '[4]', $is->('3e\+38'), $here->('\*', 'inf')],
    ['a root of a negative variance', '[0, 7]', $is->(-1), $here->('sqrt', 'nan')],
    ['a row of -Inf', '[8, 0]', $is->('-inf'), $is->('-inf'), $here->('-', 'nan')],
    ['a sum of Inf and -Inf', '[9]', $here->('(?:sum|\+)', 'nan')],
    ['a variance of a row', '[10]', $is->('3e\+38'), $here->('\*', 'inf')],
    ['a variance of a column', '[11]', $is->('3e\+38'), $here->('\*', 'inf')],
);

sub explains_bad_values {
    my ($s, $so, $what) = @_;
    my $report = same_outputs($s, $so, $what, env => { AOTIGEN_REPORTS => 'all' })->{err};
    my %how;
    for (split /^(?=aotigen: )/m, $report) {
        my ($run) = /^aotigen: .* in run (\d+)/;
        $how{$run} .= $1 while $run && /^(  how .*\n(?: {16}.*\n)+)/mg;
    }
    for my $k (0 .. $#made) {
        my ($name, $element, @lines) = @{ $made[$k] };
        my $lines = join $any, @lines;
        like($how{ $k + 1 } // $report,
            qr/^  how           \w+\Q$element\E as computed again.*\n$any$lines/m, "$what: $name");
    }
    unlike($report, qr/is not explained/, "$what: nothing is left unexplained");
    return;
}

# An input, or the buffer that Inductor padded it into, where it measured that to be faster.
my $arg = qr/(?:arg\d+_1|buf\d+)/;
my $product = qr/is a sum over k of products of $arg and $arg/;
sub lines { return join '', map { " {16}$_\\n" } @_ }
my @products = (
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

sub explains_products {
    my ($report, $on) = @_;
    my %how;
    my $line = qr/^  how +buf\d+(\[[\d, ]+\]) /m;
    while ($report =~ /$line($product.*\n(?: {16}.*\n)+)/g) { $how{$1} = $2 }
    for (@products) {
        my ($element, $what, $end, $lines) = @$_;
        like($how{$element} // $report, qr/^$product$end$lines$/, "$on: $what");
    }
    return;
}

1;
