# Faults planted in a model's inputs and weights: each is named, all of one call in one report.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use AotigenFaults;

my %all = (printer => 0, check_inputs => 'all', nan_asserts => 'all');

sub planted {
    my ($s, $poke, $what, @patterns) = @_;
    my $why = why_not($s, $poke);
    if (defined $why) {
        SKIP: { skip "$what: $why", 2 + @patterns }
        return '';
    }
    my $r = run_model($s, built($s, %all), args => ['--only=0', "--poke=$poke"],
        env => { AOTIGEN_ON_FAULT => 'throw' });
    is($r->{signal}, 0, "$what: ends by no signal") or diag($r->{err});
    is($r->{status}, 3, "$what: the run fails");
    like($r->{err}, $_, "$what: reported: $_") for @patterns;
    note($r->{err});
    return $r->{err};
}

my $mlp = sample('mlp_dyn');
my $input = qr/input|arg\d+_1/;
planted($mlp, 'inputs[0][0] = inputs[0][0].double()', 'wrong dtype', $input, qr/float32/,
    qr/float64/);
planted($mlp, 'inputs[0][0] = torch.randn(8, 63)', 'wrong size', $input, qr/\b64\b/, qr/\b63\b/);
planted($mlp, 'inputs[0][0] = torch.randn(2000, 64)', 'size out of range', $input, qr/\b1024\b/,
    qr/\b2000\b/);
planted($mlp, 'inputs[0][0] = torch.randn(64)', 'wrong rank, too few', $input, qr/rank|dimension/);
planted($mlp, 'inputs[0][0] = torch.randn(8, 64, 1)', 'wrong rank, too many', $input,
    qr/rank|dimension/);
planted(sample('nan_inside'), 'inputs[0][0] = inputs[0][0].t()',
    'wrong strides, which a kernel relies on', $input,
    qr/stride of dimension 0: expected 6, found 1/);
planted($mlp, 'inputs[0][0][3, 5] = nan', 'NaN in an input', $input, qr/arrived/, qr/\[3, ?5\]/);
planted($mlp, 'inputs[0][0] = torch.full((8, 64), nan)', 'an input full of NaN', $input,
    qr/arrived/, qr/\b512\b/);
# -inf is a bad value of another kind: said as such.
planted($mlp, 'inputs[0][0][0, 0] = float("-inf")', 'Inf in an input', $input,
    qr/arrived/, qr/-inf/i);

# Two inputs wrong at once, each in more than one way; and two that must have one length.
my $same = sample('same_size');
my $two = planted($same, 'inputs[0][0] = torch.randn(10, 10).double(); inputs[0][1] = '
    . 'torch.randint(5, (1, 2000))', 'several at once',
    qr/args\[0\]/, qr/args\[1\]/, qr/float64/, qr/int64/);
planted($same, 'inputs[0][1] = torch.randn(11)', 'another length',
    qr/expected 10, the same \(s\d+\) as dimension 0 of args\[0\], found 11$/m);
my $failed = () = $two =~ /run\.py: the run failed/g;
is($failed, 1, 'all of them from one run') if $two ne '';

# As the launch reads it: through a transposed view.
my $nan_weight = 't = torch.ones(256, 64); t[7, 9] = nan; ' . weight('widen.weight', 't');
planted($mlp, $nan_weight, 'NaN in a weight', qr/widen\.weight/, qr/arrived/,
    qr/\[(?:7, ?9|9, ?7)\]/);

# Strides that ATen alone reads are a warning, and the run goes on: it computes right.
my $turned = run_model($mlp, built($mlp, %all), args => ['--only=0',
    '--poke=inputs[0][0] = inputs[0][0].t().contiguous().t()'],
    env => { AOTIGEN_ON_FAULT => 'throw' });
isnt($turned->{status}, 3, 'a transposed input that only ATen reads: the run goes on')
    or diag($turned->{err});
like($turned->{err}, qr/\Aaotigen: warning: run 1: input 'args\[0\]' has stride 1 in dimension 0, /,
    'with a warning');
like($turned->{err}, qr/: only operators that take any strides read it\n/, 'that says why');
unlike($turned->{err}, qr/not what the model was built for/, 'and no report');

# A sound input is no fault, whatever its batch.
same_outputs($mlp, built($mlp, %all), 'sound inputs', env => { AOTIGEN_ON_FAULT => 'throw' });

# With checks off nothing is reported.
my $off = built($mlp, printer => 0, check_inputs => 'off', nan_asserts => 'off');
my $r = run_model($mlp, $off, args => ['--only=0', '--poke=inputs[0][0][3, 5] = nan']);
is($r->{status}, 0, 'with checks off a NaN passes, as it would without us');
is($r->{err}, '', 'in silence');
done_testing;
