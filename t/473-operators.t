# samples/lying_ops.py with --guard=ops: an operator that changes what it is only to read, or
# returns an input as new memory, is named, with the element; and an operator of another version
# is named when the model is loaded.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Expected;

my $s = sample('lying_ops');
my %so = (ops => built($s, guard => 'ops'), default => built($s));
is(same_outputs($s, $so{$_}, "$_: operators that keep their promises")->{err}, '', "$_: no report")
    for sort keys %so;

sub lying {
    my ($so, $op, $lie) = @_;
    return run_model($s, $so, args => ["--poke=import lying_ops; lying_ops.faults['$op'] = '$lie'"])
        ->{err};
}

my @changed;
for my $op (qw(scale rows parts)) {
    push @changed, lying($so{ops}, $op, 'writes');
    my ($was, $is) = $changed[-1] =~ /: it was (\S+), and is (\S+)$/m;
    ok(defined $is && abs($is - $was - 1) < 1e-3 * (1 + abs $was), "$op: both values");
    is(lying($so{default}, $op, 'writes'), '', 'finite values are not compared by default');
}
is_reported('operators that write to their input', join('', @changed),
    qr/ was \K\S+(?=,)/ => 'VALUE', qr/, and is \K\S+/ => 'VALUE');
is_reported('NaN in an input that is only to be read, by default',
    lying($so{default}, 'rows', 'writes NaN'));
is_reported('an input that is returned', lying($so{ops}, 'rows', 'itself'));
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
my @other;
for my $case (['scale', '(Tensor x, float by, int n) -> Tensor'],
    ['scale', '(Tensor x, int by) -> Tensor'], ['scale', '(Tensor x, float factor=1) -> Tensor'],
    ['choose', '(Tensor x, Tensor[] y, Tensor z) -> Tensor'], ['pair', '(Tensor x) -> Tensor'],
    ['last', '(Tensor x) -> Tensor[]']) {
    my ($op, $schema) = @$case;
    my $r = loaded($so{default}, $op => $schema);
    like($r->{out}, qr/^refused/, "$op$schema: the model is not loaded");
    push @other, $r->{err};
}
is_reported('operators with another schema', join '', @other);
done_testing;
