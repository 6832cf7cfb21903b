# samples/lying_ops.py with --guard=ops: an operator that changes what it is only to read, or
# returns an input as new memory, is named, with the element; and an operator of another version
# is named when the model is loaded.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('lying_ops');
my %so = (ops => built($s, guard => 'ops'), default => built($s));
is(same_outputs($s, $so{$_}, "$_: operators that keep their promises")->{err}, '', "$_: no report")
    for sort keys %so;

sub lying {
    my ($so, $op, $lie) = @_;
    return run_model($s, $so, args => ["--poke=import lying_ops; lying_ops.faults['$op'] = '$lie'"])
        ->{err};
}

my $line = qr/\n {16}/;
for my $case (['scale', 2, 'buf0', '\[32, 16\]', 512, '\[0, 5\]'],
    ['rows', 8, 'buf12', '\[32, 16\]', 512, '\[0, 5\]'],
    ['parts', 10, 'buf15', '\[16, 16\]', 256, '\[0, 5\]']) {
    my ($op, $launch, $buffer, $shape, $n, $at) = @$case;
    my $err = lying($so{ops}, $op, 'writes');
    like($err, qr/^aotigen: read-only input changed in run 1, launch $launch: lying::$op$/m,
        "$op writes to its input: the operator");
    like($err,
        qr/^  input         $buffer: float32 $shape on cpu${line}2 of $n elements changed, /m,
        'the argument');
    my ($was, $is) = $err =~ /the first at $at: it was (\S+), and is (\S+)$/m;
    ok(defined $is && abs($is - $was - 1) < 1e-3 * (1 + abs $was), 'the element, and both values');
    like($err, qr/^  schema        lying::$op\(Tensor x/m, 'what it promised');
    my @heads = $err =~ /^aotigen: /mg;
    is(scalar @heads, 1, 'nothing else');
    is(lying($so{default}, $op, 'writes'), '', 'finite values are not compared by default');
}
my $err = lying($so{default}, 'rows', 'writes NaN');
like($err, qr/^aotigen: read-only input changed in run 1, launch 8: lying::rows$/m,
    'NaN in an input that is only to be read, by default');
like($err, qr/${line}it held 0 NaN and 0 Inf before the call, and 2 and 0 after$/m, 'how many');
like(lying($so{ops}, 'rows', 'itself'),
    qr/^aotigen: output shares memory with an input in run 1, launch 8: lying::rows$/m,
    'an input that is returned');
like(lying($so{ops}, 'rows', 'itself'),
    qr/${line}memory: expected memory of its own, found that of 'buf12'$/m, 'whose memory it is');
is(lying($so{default}, 'rows', 'itself'), '', 'by default it is no fault where nothing suffers');
is(lying($so{ops}, 'last', 'half'), '', 'a result that nothing relies on');

# Registers the operators with other schemas, and loads the model.
my $host = <<'PYTHON';
import sys, torch
schemas = dict(x.partition("(")[::2] for x in sys.argv[2:])
library = torch.library.Library("lying", "DEF")
for name, schema in schemas.items():
    library.define(f"{name}({schema}")
try:
    torch._C._aoti.AOTIModelContainerRunnerCpu(sys.argv[1], 1)
    print("loaded")
except RuntimeError as error:
    print("refused", error)
PYTHON
my %schemas = (scale => '(Tensor x, float by) -> Tensor', pair => '(Tensor x) -> (Tensor, Tensor)',
    choose => '(Tensor x, Tensor? y, Tensor[] z) -> Tensor', rows => '(Tensor x) -> Tensor',
    parts => '(Tensor x) -> Tensor[]', fill => '(Tensor(a!) x, float by) -> ()',
    last => '(Tensor x) -> Tensor');

sub loaded {
    my ($so, %other) = @_;
    my %all = (%schemas, %other);
    return python($host, $so, (map { "$_$all{$_}" } sort keys %all),
        { cwd => tempdir(), timeout => 300 });
}

my $same = loaded($so{default});
like($same->{out}, qr/^loaded/, 'the schemas that the model was compiled for');
is($same->{err}, '', 'nothing is said of them');
my $more = loaded($so{default}, scale => '(Tensor x, float by, *, str mode="a, b") -> Tensor',
    rows => '(Tensor(a!) x, int[2]? at=None) -> Tensor(b)');
like($more->{out}, qr/^loaded/, 'arguments with defaults are no difference');
is($more->{err}, '', 'nothing is said of them either');
for my $case (
    ['scale', '(Tensor x, float by, int n) -> Tensor',
        qr/argument      n${line}value: expected one, .* no default for, found none in the pack/],
    ['scale', '(Tensor x, int by) -> Tensor',
        qr/argument      by${line}type: expected float, which the package passes, found int$/m],
    ['scale', '(Tensor x, float factor=1) -> Tensor',
        qr/argument      by${line}name: expected an argument of this name, .*, found none in the/m],
    ['choose', '(Tensor x, Tensor[] y, Tensor z) -> Tensor',
        qr/argument      z${line}type: expected Tensor\[\], which the .*, found Tensor$/m],
    ['pair', '(Tensor x) -> Tensor',
        qr/^  results       expected 2, which the package takes, found 1$/m],
    ['last', '(Tensor x) -> Tensor[]',
        qr/^  result        expected Tensor, which the package takes, found Tensor\[\]$/m]) {
    my ($op, $schema, $finding) = @$case;
    my $r = loaded($so{default}, $op => $schema);
    like($r->{err},
        qr/^aotigen: \S+ was compiled for another schema of lying::$op than is registered$/m,
        "$op$schema");
    like($r->{err}, $finding, 'what differs');
    like($r->{err}, qr/^  registered    lying::\Q$op\E\(/m, 'what is registered');
    like($r->{out}, qr/^refused/, 'the model is not loaded');
}
done_testing;
