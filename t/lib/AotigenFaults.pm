package AotigenFaults;

# AotigenFaults.pm - faults planted in the samples on any device, and what the report must say.
#
#   plant_all($device)    -> the tests: each of @faults in the sample, built at the highest levels,
#                         with AOTIGEN_ON_FAULT=throw
#   looked_up_fault($what) -> Python that changes an input of samples/looked_up.py
#   weight($name, $value) -> Python that sets the weight of that Python name to a tensor expression
#   overflow_in_gpt2($sample, $so, $weight)   a test: that weight's product is where Inf is born,
#                                             and the only one
#
# A fault: the sample, what is planted, as Python (see run.py's --poke), and patterns that the
# report must match.

use strict;
use warnings;
use parent 'Exporter';
use Aotigen;
use AotigenE2E;

our @EXPORT = qw(plant_all overflow_in_gpt2 looked_up_fault weight);

# Older torch lists its weights the other way round.
sub weight {
    my ($name, $value) = @_;
    (my $other = $name) =~ s/\./_/g;
    return "names = runner.get_constant_names_to_original_fqns(); w = [k for k, v in names.items() "
        . "if '$name' in (k, v) or k == '$other'][0]; " .
        "d = inputs[0][0].device; runner.update_constant_buffer({w: ($value).to(d)}, False, False)";
}

my $clip_rows = qr/guard failed .*launch 2: samples::clip_rows$/m;
my @faults = (
    ['mlp_dyn', 'a wrong dtype', 'inputs[0][0] = inputs[0][0].double()', qr/args\[0\]/, qr/float32/,
        qr/float64/],
    ['mlp_dyn', 'a rank too high', 'inputs[0][0] = inputs[0][0][None]', qr/args\[0\]/,
        qr/rank|dimension/],
    ['mlp_dyn', 'NaN in an input', 'inputs[0][0][3, 5] = nan', qr/NaN arrived .*args\[0\]/,
        qr/\[3, 5\]/],
    ['mlp_dyn', 'overflow of a product', weight('narrow.weight', 'torch.full((10, 256), 3e38)'),
        qr/(?:\+|-)?Inf born/, qr/mm|narrow/],
    ['attn', 'Inf in an input', 'inputs[0][0][1, 2, 3] = float("inf")',
        qr/\+Inf arrived .*args\[0\]/, qr/\[1, 2, 3\]|index/],
    ['attn', 'NaN in a weight', weight('out.weight', 'torch.full((64, 64), nan)'),
        qr/NaN arrived .*out\.weight/, qr/NaN in 4096 of 4096/],
    ['attn', 'overflow of a product', weight('project.weight', 'torch.full((192, 64), 3e38)'),
        qr/Inf born/, qr/mm|linear|project/],
    ['custom_op', 'NaN from the custom op', 'import custom_op; custom_op.fault = "nan"',
        qr/NaN found in run 1, launch 2: samples::clip_rows/,
        qr/born here, or left unwritten: the operator allocated/,
        qr/NaN in 64 of 8192 elements, the first at \[0, 3\]/],
    ['custom_op', 'another dtype than promised', 'import custom_op; custom_op.fault = "dtype"',
        $clip_rows, qr/dtype: expected float32, found float64/],
    ['custom_op', 'another device than promised', 'import custom_op; custom_op.fault = "device"',
        $clip_rows, qr/device: expected \w+, found (?:meta|cpu)/],
    ['custom_op', 'half the storage', 'import custom_op; custom_op.fault = "storage"',
        $clip_rows,
        qr/storage: expected at least 32768 bytes.*, found 16384 bytes/],
    ['cond', 'NaN in an input', 'inputs[0][0][1, 2] = nan', qr/NaN arrived .*args\[0\]/,
        qr/\[1, 2\]/],
    ['cond', 'NaN in a weight of the branch taken',
        weight('positive.weight', 'torch.full((16, 16), nan)'), qr/NaN arrived .*positive\.weight/],
    ['cond', 'overflow in the branch taken',
        weight('positive.weight', 'torch.full((16, 16), 3e38)'), qr/Inf born/],
    ['nan_inside', 'none: the sample brings its own', '0', qr/NaN born/, qr/aten\.log/,
        qr/\bbuf0\b/],
);

sub plant_all {
    my ($device) = @_;
    for my $fault (@faults) {
        my ($name, $what, $poke, @patterns) = @$fault;
        my $s = sample($name, $device);
        my $why = why_not($s, $poke);
        if (defined $why) {
            SKIP: { skip "$name, $what: $why", 2 + @patterns }
            next;
        }
        my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
        my $r = run_model($s, $so, args => ['--only=0', "--poke=$poke"],
            env => { AOTIGEN_ON_FAULT => 'throw' });
        note($r->{err});
        is($r->{signal}, 0, "$name, $what: ends by no signal") or diag($r->{err});
        is($r->{status}, 3, "$name, $what: the run fails") or diag($r->{err});
        like($r->{err}, $_, "$name, $what: reported: $_") for @patterns;
    }
    return;
}

# A weight of 3e38 at one place: its row of the product overflows wherever the other factor is above
# 1.2.
sub overflow_in_gpt2 {
    my ($s, $so, $weight) = @_;
    my $poke = "import $s->{name}; torch.manual_seed(0); t = "
        . "dict($s->{name}.model().named_parameters())['$weight'].detach().clone(); t[5, :] = "
        . "3e38; " . weight($weight, 't');
    my $why = why_not($s, $poke);
    SKIP: { skip $why, 6 if defined $why }
    return if defined $why;
    my $r = run_model($s, $so, args => ["--poke=$poke"]);
    note($r->{err});
    my @born = $r->{err} =~ /^aotigen: (\S+) born in run 1/mg;
    like($r->{err}, qr/Inf born in run 1, launch \d+: \S*(?:mm|addmm|cpp|triton|linear)/,
        'a planted overflow is found where it was born');
    like($r->{err}, qr/input .*\Q($weight)\E/, 'with the weight beside it');
    like($r->{err}, qr/  input         buf\d+[^\n]*\n +clean/,
        'and the activations, which were clean');
    is(scalar(grep { /Inf/ } @born), 1, 'Inf is born once');
    cmp_ok(scalar(grep { /NaN/ } @born), '<=', 1,
        'and the NaN that a GELU makes of -Inf once: what comes after passed them on');
    # 'perhaps' where the GELU works in place: of what it read, only the first Inf is known.
    like($r->{err}, qr/Inf of launch \d+ \([^)]*\) (?:perhaps )?propagated through \d+ launch/,
        'which is reported');
    return;
}

my %looked_up = (
    'too large, in an embedding' => 'inputs[0][0][1, 2] = 100',
    'negative, in gather' => 'inputs[0][2][3, 1] = -6',
    'behind the end of a batch' => 'inputs[0][4][1] = 7',
    'in an empty batch' =>
        'inputs[0] = tuple(x[:0] if i == 3 else x for i, x in enumerate(inputs[0]))',
    'in index_select' => 'inputs[0][7][1] = 6',
    'an offset of a jagged tensor' => 'inputs[0][6][2] = 21',
    'of a launch before, whose output is freed by then' => 'inputs[0][6][0] = 19',
    "in a call of ATen's" => 'inputs[0][9][1, 0] = 4',
);

sub looked_up_fault {
    my ($what) = @_;
    return $looked_up{$what} // die "no fault of samples/looked_up.py is called '$what'\n";
}

1;
