# samples/hidden.py: AOTIGEN_EXPLAIN and --explain show how an element was computed, with a NaN or
# Inf that the kernel hides.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('hidden');
my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
is(same_outputs($s, $so, 'unasked')->{err}, '', 'nothing is reported');

# The names of buffers depend on torch, so all are requested.
sub asked {
    my ($index, $what) = @_;
    my $list = join ';', map { "1:buf$_\[$index]" } 0 .. 2;
    return same_outputs($s, $so, $what, env => { AOTIGEN_EXPLAIN => $list })->{err};
}

my $lines = qr/(?: {16}.*\n)*/;
my $err = asked('2, 3', 'where');
like($err, qr/^aotigen: explained as asked in run 1, launch 1: cpp_fused_\w+\n/m, 'a report');
my ($where) = $err =~ /^  how +buf\d\[2, 3\] = -7, as computed again:\n($lines)/m;
like($where // $err, qr/ = log\(\w+\) = nan   <- here\n/, 'where hides a logarithm');
like($where // $err, qr/ = where\(.*\) = -8\n/, 'and takes the other branch');
my ($clamp) = asked('1, 5', 'clamp') =~ /^  how +buf\d\[1, 5\] = 5, as computed again:\n($lines)/m;
like($clamp // '', qr{ = \w+ / \w+ = inf   <- here\n}, 'clamp hides a quotient by 0');
$err = asked('4', 'nan_to_num');
my ($sum) = $err =~ /^  how +buf\d\[4\] = [\d.]+, as computed again:\n($lines)/m;
like($sum // $err, qr/^ {16}at x1 = 20:\n$lines {16}\w+ = sqrt\(\w+\) = nan   <- here\n/m,
    'in a loop, nan_to_num hides a square root');
unlike($err, qr/is not explained/, 'nothing is left unexplained');
like($err, qr/^aotigen: warning: AOTIGEN_EXPLAIN='1:buf\d\[4\]': the tensor has no such element: /m,
    'an index of another rank is named');

# Given when the model is built.
my ($name) = $err =~ /^  how +(buf\d)\[4\]/m;
my $wrapper = rewritten($s);
my $by_default = "$s->{dir}/explaining.so";
must(run_cmd([build() . '/aotigen', 'build', "--torch=$s->{torch}{dir}", "--explain=1:$name\[4]",
    $wrapper, '-o', $by_default], timeout => 300), 'aotigen build --explain');
my $r = run_model($s, $by_default);
like($r->{err}, qr/^  how +$name\[4\] = [\d.]+, as computed again:\n/m, 'build --explain');
is(run_model($s, $by_default, env => { AOTIGEN_EXPLAIN => '' })->{err}, '',
    'AOTIGEN_EXPLAIN takes its place');
done_testing;
