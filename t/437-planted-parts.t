# Faults planted in CPU models, as t/436: values that a kernel reads or selects in part, memory that
# nothing wrote, what operators promise, loops.
#
#   perl t/437-planted-parts.t [NAME]    those whose name matches
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Planted;

# What a kernel may select away or make finite explains its output only perhaps, at whatever place.
sub perhaps_own {
    my ($input, $found) = @_;
    my $step =
        qr/perhaps propagated through 1 launch\n  launch 1 [^\n]*, perhaps to buf\d+ [^\n]*\n/;
    return qr/of the input 'args\[$input\]' $step +also bad there, perhaps of its own: $found$/m;
}

sub surely {
    my ($input, $kind) = @_;
    return (qr/$kind of the input 'args\[$input\]' propagated through 1 launch\n  launch 1 /,
        { without => qr/born|perhaps/ });
}
my @selected = (
    ['nothing that is selected is bad', '0', undef],
    ['NaN that where() selects away', 'inputs[2][2, 2] = nan', undef],
    ['-Inf in a relu', "inputs[8][5, 5] = -float('inf')", undef],
    ['NaN that nan_to_num() replaces', 'inputs[3][2, 2] = nan', undef],
    (map { my ($name, $poke, @how) = @$_; [$name, $poke, [1], qr/ arrived in run 1 with /, @how] }
        ['NaN that where() selects away, a root of its own there',
            'inputs[2][2, 2] = nan; inputs[1][2, 2] = -1',
            perhaps_own(2, qr/NaN in 1 of 128 elements, the first at \[2, 2\]/),
            { without => qr/born/ }],
        ['NaN that where() selects away, a root of its own in the row',
            'inputs[2][2, 2] = nan; inputs[1][2, 5] = -1',
            perhaps_own(2, qr/NaN in 1 of 128 elements, the first at \[2, 5\]/)],
        ['a tensor of NaN that where() selects away, a root of its own',
            'inputs[2][:] = nan; inputs[1][2, 5] = -1',
            perhaps_own(2, qr/NaN in 1 of 128 elements, the first at \[2, 5\]/)],
        ['NaN that nan_to_num() replaces, a root of its own',
            'inputs[3][2, 2] = nan; inputs[3][2, 3] = -1',
            perhaps_own(3, qr/NaN in 1 of 128 elements, the first at \[2, 3\]/)],
        ['Inf that clamp() limits, an overflow there',
            "inputs[4][1, 1] = float('inf'); inputs[5][1, 1] = 3e38",
            perhaps_own(4, qr/\+Inf in 1 of 128 elements, the first at \[1, 1\]/)],
        ['-Inf that clamp() lets through', "inputs[4][1, 1] = -float('inf')", surely(4, '-Inf')],
        ['NaN that where() selects, and only moves',
            'inputs[0][3, 3] = False; inputs[7][3, 3] = nan', surely(7, 'NaN')],
        ['NaN in a relu', 'inputs[8][5, 5] = nan', surely(8, 'NaN')],
        ['+Inf in a relu', "inputs[8][5, 5] = float('inf')", surely(8, '\+Inf')]),
);
judge_sample('selected', [undef, 'cpp_fused_\w+_0'], @selected);

# What stands in a part that no launch reads does not count; beside a root of its own it explains
# that only perhaps.
sub given_perhaps {
    my ($kind, $name, @how) = @_;
    return (qr/$kind arrived in run 1 with the (?:input|weight) '\Q$name\E', given to launch/,
        qr/$kind of the (?:input|weight) '\Q$name\E' perhaps propagated through /, @how);
}
my @partly = (
    ['parts of what is given', '0', undef],
    ['NaN in a part of a cache that is overwritten',
        weight('cache', '[1, 1] = float("nan")'), undef],
    ['NaN in columns that are not read', 'inputs[1][0, 0] = nan', undef],
    ['NaN in a row that is not gathered', 'inputs[2][2, 3] = nan', undef],
    ['NaN in a part of a cache that is kept', weight('cache', '[3, 3] = float("nan")'), [1],
        given_perhaps('NaN', 'cache', { without => qr/born/ })],
    ['NaN in columns that are not read, a root of its own',
        'inputs[1][0, 0] = nan; inputs[0][3, 5] = -1', [1, 3],
        given_perhaps('NaN', 'args[1]'), qr/NaN born in run 1, launch 3: /],
    ['NaN in a row that is not gathered, a root of its own',
        'inputs[2][2, 3] = nan; inputs[0][2, 1] = -1', [3],
        given_perhaps('NaN', 'args[2]')],
    ['Inf in columns that are not read, a root of its own',
        "inputs[1][0, 0] = float('inf'); inputs[0][2, 5] = -1", [1, 3],
        qr/NaN perhaps made of Inf in run 1, launch/],
    ['NaN in a row that is gathered', 'inputs[2][3, 3] = nan', [3],
        qr/NaN arrived in run 1 with the input 'args\[2\]', given to launch/,
        qr/NaN of the input 'args\[2\]' propagated through 1 launch\n/,
        { without => qr/born|perhaps/ }],
);
judge_sample('partly', [undef, 'cpp_fused_\w+_0', 'aoti_torch_cpu_mm_out', 'cpp_fused_\w+_1'],
    @partly);

# Memory that nothing wrote is no birth: the launch that left it so is named, with the tensor.
my @unwritten = (
    ['memory that is written', '0', undef],
    (map { my ($name, $poke, $at, $buffer, @patterns) = @$_;
            [$name, $poke, $at, qr/^aotigen: NaN found in run 1, launch $at: /m,
                qr/^  born here, or left unwritten: nothing wrote to '$buffer' before this /m,
                @patterns, { without => qr/NaN born/ }] }
        ['an op that writes one half', "model.fault = 'half is not written'", 2, 'buf\d+',
            qr/NaN in \d+ of 4096 elements, the first at \[32, \d+\]/],
        ['a NaN among what an op writes', "model.fault = 'NaN is written'", 2, 'buf\d+',
            qr/NaN in 1 of 4096 elements, the first at \[5, 6\]/],
        ['a scatter that leaves rows out', 'inputs[1] = torch.arange(64) // 2', 1, 'buf\d+',
            qr/the first at \[32, \d+\]/],
        ['an ATen op that reads what nothing wrote', 'inputs[2][3] = False', 3, 'buf\d+',
            qr/the first at \[3, \d+\]/]),
    ['NaN in an input of a scatter', 'inputs[0][1, 1] = nan', 1,
        qr/NaN arrived in run 1 with the input 'args\[0\]'/, qr/\[1, 1\]/,
        { without => qr/born|found/ }],
);
judge_sample(in_nan_memory('unwritten'), [undef, 'cpp_fused_\w+_0', 'unwritten::copy_into',
    'aoti_torch_cpu_masked_scatter'], @unwritten);

# A kernel that stores a part and reads the whole: memory that it fills is no finding, and what
# reaches the part reaches the whole.
my %no_birth = (without => qr/born|does not reach|perhaps|found in/);
my @parts = (
    ['parts put together', '0', undef],
    ['NaN in a part that is copied', 'inputs[3][1, 1] = nan', 'born',
        qr/NaN arrived in run 1 with the input 'args\[3\]'/, qr/\[1, 1\]/,
        qr/propagated through 2 launches\n/, \%no_birth],
    ['NaN in the first of three parts', 'inputs[0][1, 1] = nan', 'born',
        qr/NaN arrived in run 1 with the input 'args\[0\]'/, qr/\[1, 1\]/,
        qr/propagated through 6 launches\n/, \%no_birth],
);
judge_sample(in_nan_memory('parts'), [], @parts);

# Sizes that are known only at run time: the operator that lies about its own is named.
my @unbacked = (
    ['sizes of the data', '0', undef],
    ['no rows at all', '0', undef, { inputs => 1 }],
    (map { my ($name, $at, @patterns) = @$_;
            [$name, fault($name), $at, qr/^aotigen: guard failed in run 1, launch $at: /m,
                @patterns] }
        ['pick returns fewer columns', 2, qr/expected at least 512 bytes.*found 192 bytes/],
        ['pick returns a vector', 2, qr/expected at least 4096 bytes.*found 512 bytes/],
        ['pick returns float64', 2, qr/expected float32, found float64/],
        ['twice returns half the rows', 5, qr/expected at least 512 bytes.*found 256 bytes/],
        ['twice returns fewer columns', 5, qr/expected at least 512 bytes.*found 256 bytes/],
        ['find returns fewer places', 7, qr/expected at least 128 bytes.*found 16 bytes/],
        ['grow returns half the rows', 9, qr/expected at least 384 bytes.*found 192 bytes/]),
);
judge_sample('unbacked', [undef, '', 'unbacked::pick', '', '', 'unbacked::twice', '',
    'unbacked::find', '', 'unbacked::grow'], @unbacked);

# Operators that return memory that is not theirs, or change an argument's shape: what the wrapper
# does not rely on is no finding, and the operator's own launch has it.
sub constants {
    my ($statement) = @_;
    return "new = {k: v.clone() for k, v in model.model().named_buffers()}\n$statement\n"
        . 'n = runner.get_constant_names_to_original_fqns(); '
        . 'runner.update_constant_buffer({k: new[v] for k, v in n.items()}, False, False, True)';
}
my $changed = qr/^  argument +buf4: float\d+ \[/m;
my @promises = (
    ['promises that are kept', '0', undef],
    (map { [$_, fault($_), undef] } 'pair a = x', 'shift r = x', 'double_ x.data = x.clone()',
        'second r = r.reshape(-1)', 'complex r = r[0]', 'third r = x', 'add_ x.set_(y.clone())'),
    ['one tensor for two outputs', fault('pair b = a'), 2,
        qr/buf3: [^\n]*\n +memory: expected memory of its own, found that of 'buf2'\n/,
        qr/^ +cpp_fused_double__mul_1 \(\S+\) overwrites the one while the other is needed$/m],
    ['memory of a tensor that an operator before returned', fault('first r = x'), 20,
        qr/buf\d+: [^\n]*\n +memory: expected memory of its own, found that of 'buf30'\n/,
        qr/^ +which promises::first \(\S+\) returned as 'buf35'$/m,
        qr/^ +cpp_fused_add__cos_7 \(\S+\) overwrites the one while the other is needed$/m],
    (map { my ($what, $of, $found) = @$_;
            [$what, fault("add_ $what"), 15,
                qr/^  argument +$of: .*\n +memory: expected memory of its own, found (?x:
                    )that of '$found'$/m] }
        ['x.set_(y)', 'buf24', 'buf25'], ['x.data = y', 'buf24', 'buf25'],
        ['y.set_(x)', 'buf25', 'buf24']),
    ['weights that are set, each its own', constants(''), undef, { runs => 2 }],
    ['two weights that are one tensor', constants("new['total'] = new['scale']"), 'said',
        qr/\Aaotigen: warning: run 1 of \S+: the weights 'total' and 'scale' share memory, and (?x:
            )cpp_fused_\w+_8 \(\S+\) writes to 'total': the model was compiled for weights (?x:
            )that are apart\n\z/, { runs => 2 }],
    ['NaN of an -Inf in a buffer that the kernel changes',
        constants("new['total'][1, 2] = -float('inf')"), 24,
        qr/^aotigen: NaN perhaps made of Inf in run 1, launch 24: /m, qr/\[1, 2\]/,
        qr/^  perhaps of +the -Inf that was perhaps put there on purpose, which it read as total$/m,
        qr/^  output +total /m, { without => qr/(\n  (?:in|out)put +total ).*\1|no Inf reaches/s }],
    ['parts of one tensor', constants('both = torch.zeros(2, 4, 16); '
        . "new['total'], new['scale'] = both[0], both[1]"), undef],
    (map { my ($what, @patterns) = @$_;
            [$what, fault("double_ $what"), 4, $changed, map { qr/^ +$_$/m } @patterns] }
        ['x.resize_(2, 2)', 'shape: expected \[8, 16\], as before the call, found \[2, 2\]'],
        ['x.resize_(64, 64)', 'shape: expected \[8, 16\], as before the call, found \[64, 64\]'],
        ['x.t_()', 'shape: expected \[8, 16\], as before the call, found \[16, 8\]'],
        ['x.set_()', 'shape: expected \[8, 16\], as before the call, found \[0\]'],
        ['x.data = x.double()', 'dtype: expected float32, as before the call, found float64'],
        ['x.data = x.t().contiguous().t()',
            'strides: expected \[16, 1\], as before the call, found \[1, 8\]'],
        ['x.untyped_storage().resize_(64)', 'storage: expected at least 512 bytes from its first '
            . 'element, as before the call, found 64 bytes']),
    # `shift` is given the argument under another name, behind a kernel that writes it
    ['an argument that is moved', fault('pair x.resize_(4, 16)'), 2,
        qr/^  argument +buf\d+: .*\n +shape: expected \[8, 16\], as before the call, found (?x:
            )\[4, 16\]$/m],
    # only the next operator relies on what this one returned
    (map { [$_, fault($_), 9, qr/launch failed/, qr/^  input +buf12: /m,
        qr/^ +made by promises::first \(\S+\), whose dtype and shape the wrapper does not tell$/m] }
        'first r = r.double()', 'first r = r.reshape(-1)', 'first r = r.t().contiguous()'),
    ['an honest operator of a wrong input', fault('first r = r[:4].contiguous()'), 9,
        qr/^  output +buf14: .*\n +storage: expected at least 128 bytes/m,
        qr/^  look also at  promises::first \(\S+\), which made 'buf12', whose shape the /m],
    ['a view that cannot be taken', fault('complex r = r.real'), 'born',
        qr/^aotigen: run 1 failed after launch 10 \(promises::complex\)$/m,
        qr/^  error (?:.*\n)*? +aoti_torch_cpu_view_as_real\(.* API call failed/m,
        qr/^  last launch +10: promises::complex, launched at \S+:\d+, in run_impl$/m],
);
judge_sample('promises', [undef, '', 'promises::pair', '', 'promises::double_', ('') x 4,
    'promises::second', ('') x 5, 'promises::add_', ('') x 4, 'promises::first', ('') x 3,
    'cpp_fused_\w+_8'], @promises);

# A launch in a loop: the report has the iteration.
my @loops = (
    ['a loop', '0', undef],
    ['a loop of no iteration', '0', undef, { inputs => 1 }],
    ['a division by zero in the third iteration', 'inputs[2] = torch.tensor(2.0)', 'born',
        qr/\+Inf born in run 1, launch \d+: cpp_fused_div/,
        qr/ within +iteration 3 of the while_loop at line \d+/],
    ['NaN in the carried tensor', 'inputs[1][2, 1] = nan', 'born',
        qr/NaN arrived in run 1 with the input 'args\[1\]'/, qr/\[2, 1\]/],
);
judge_sample('loop', [], @loops);
done_testing();
