# Faults and oddities planted in CPU models: each is named with its launch, its op or kernel, its
# argument and its element, or the model is rightly silent. No report names another launch.
#
#   perl t/436-planted-cpu.t [NAME]    those whose name matches
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use JSON::PP;

# The launches of samples/planted.py.
my @launch = (undef, 'aoti_torch_cpu_addmm_out', 'cpp_fused_\w+_0', 'planted::scale',
    'cpp_fused_\w+_1', 'planted::pair', 'cpp_fused_\w+_2', 'planted::add_into',
    'aoti_torch_cpu_addmm_out', 'cpp_fused_exp_mul_3');

sub fault { my ($name) = @_; return "model.fault = '$name'" }

sub weight {
    my ($name, $statement) = @_;
    return "fqns = runner.get_constant_names_to_original_fqns(); "
        . "w = [k for k, v in fqns.items() if v == '$name'][0]; "
        . "t = dict(model.model().state_dict())['$name'].clone(); t$statement; "
        . "runner.update_constant_buffer({w: t}, False, False)";
}

# name; Python; the launch, 0 where the fault is found before the first, undef where the model is
# silent; patterns of the report; environment and status where they are not the usual ones.
my @cases = (
    ['a sound model', '0', undef],

    # an operator that fails or lies
    ['scale raises', fault('scale raises'), 3, qr/launch failed/, qr/the table of scales is empty/],
    ['scale returns its input', fault('scale returns its input'), 3, qr/launch failed/],
    (map { [$_->[0], fault($_->[0]), 3, qr/buf3/, @$_[1 .. $#$_]] }
        ['scale returns None', qr/the tensor is undefined/],
        ['scale returns half the rows', qr/expected at least 384 bytes/, qr/found 192 bytes/],
        ['scale returns fewer columns', qr/expected at least 384 bytes/, qr/found 96 bytes/],
        ['scale returns float64', qr/float32/, qr/float64/],
        ['scale returns int32', qr/float32/, qr/int32/],
        ['scale returns float16', qr/float32/, qr/float16/],
        ['scale returns a meta tensor', qr/expected cpu|found meta/],
        ['scale returns half the storage', qr/384 bytes/, qr/192/],
        ['scale returns an empty tensor', qr/expected at least 384 bytes/, qr/found 0 bytes/],
        # types and layouts that nothing reads
        (map { my ($what, $found) = @$_;
                ["scale returns $what", qr/^  output +buf3: of dtype $found$/m,
                    qr/^ +dtype: expected float32, found $found$/m, qr/used by cpp_fused/] }
            [quint8 => 'quint8'], [qint32 => 'qint32'], [bits => 'bits8']),
        (map { my ($what, $found) = @$_;
                ["scale returns $what", qr/^  output +buf3: of layout $found$/m,
                    qr/^ +layout: expected strided, found $found$/m, qr/used by cpp_fused/] }
            ['a sparse tensor' => 'sparse_coo'], ['sparse rows' => 'sparse_csr'],
            ['an mkldnn tensor' => 'mkldnn']),
    ),
    # Another shape of enough memory: up to torch 2.14 no text tells which one was meant.
    (map { [$_, fault($_), undef] } 'scale returns more rows', 'scale returns transposed strides',
        'scale returns a slice', 'scale returns an expanded row'),
    # The product that follows refuses it; its report says who made its input.
    (map { [$_, fault($_), 8, qr/mat1 must be a matrix/, qr/buf8: float32 \[/,
        qr/made by planted::pair .*whose shape the wrapper does not tell/] }
        'scale returns a vector', 'scale returns another rank'),
    (map { [$_->[0], fault($_->[0]), 5, @$_[1 .. $#$_]] }
        # its input is a buffer that a kernel has written since
        ['pair raises', qr/launch failed/, qr/no pair/,
            qr/last written by cpp_fused_\w+_1 \(.*\), in memory made by planted::scale \(/],
        ['pair returns one', qr/launch failed/],
        # which torch itself cannot take
        # torch writes past its own array: a crash, or an exception
        ['pair returns three', qr/ in run 1, launch 5: planted::pair/, { may_crash => 1 }],
        ['pair returns no second', qr/buf7/, qr/the tensor is undefined/],
        ['pair returns a short second', qr/buf7/, qr/\[2, 16\]/, qr/found 128 bytes/],
        ['pair returns a float64 first', qr/buf6/, qr/float64/],
        ['pair returns a quint8 first', qr/buf6: of dtype quint8/, qr/found quint8/],
        ['pair returns a sparse second', qr/buf7: of layout sparse_coo/, qr/found sparse_coo/],
    ),
    ['add_into raises', fault('add_into raises'), 7, qr/nothing to add into/],

    # values of an operator
    ['scale returns NaN', fault('scale returns NaN'), 3, qr/NaN born/, qr/\[2, 5\]/, qr/buf3/],
    # whose sine is NaN
    ['scale returns Inf', fault('scale returns Inf'), [3, 4], qr/\+Inf born/, qr/\[4, 1\]/,
        qr/NaN made of Inf.*made of +the \+Inf of launch 3 \(planted::scale, buf3\)/s],
    ['scale returns -Inf', fault('scale returns -Inf'), [3, 4], qr/-Inf born/, qr/\[0, 7\]/,
        qr/NaN made of Inf.*made of +the -Inf of launch 3 \(planted::scale, buf3\)/s],
    ['pair returns NaN in the second', fault('pair returns NaN in the second'), 5, qr/NaN born/,
        qr/\[1, 2\]/, qr/buf7/],
    ['add_into writes NaN', fault('add_into writes NaN'), 7, qr/NaN born/, qr/\[3, 3\]/],

    # weights
    ['NaN in a weight', weight('first.weight', '[3, 4] = nan'), 1, qr/NaN arrived/,
        qr/first\.weight/, qr/\[3, 4\]/],
    ['Inf in a bias', weight('first.bias', '[7] = float("inf")'), [1, 4], qr/\+Inf arrived/,
        qr/first\.bias/, qr/\[7\]/, qr/made of +the \+Inf of the weight 'first\.bias'/],
    ['NaN in a buffer', weight('gain', '[2] = nan'), 2, qr/NaN arrived/, qr/gain/, qr/\[2\]/],
    ['NaN in a row that is looked up', weight('table.weight', '[9, 1] = nan'), 6,
        qr/NaN arrived/, qr/table\.weight/, qr/\[9, 1\]/],
    ['a product that overflows', weight('last.weight', '[:] = 3e38'), 8, qr/Inf born/, qr/buf11/],
    ['the first product overflows', weight('first.weight', '[:] = 3e38'), [1, 4], qr/Inf born/,
        qr/buf0/, qr/made of +the \+?Inf of launch 1 \(/],
    ['a logarithm of what is negative', weight('gain', '[:] = -1000.0'), 2, qr/NaN born/,
        qr/buf14/],

    # inputs
    ['NaN in an input', 'inputs[0][2, 3] = nan', 1, qr/NaN arrived/, qr/args\[0\]/, qr/\[2, 3\]/],
    ['Inf in an input', 'inputs[2][5, 15] = float("inf")', 9, qr/\+Inf arrived/, qr/args\[2\]/,
        qr/\[5, 15\]/],
    ['an exponential that overflows', 'inputs[2][1, 6] = 100', 9, qr/\+Inf born/, qr/\[1, 6\]/,
        qr/buf13/],
    ['a wrong dtype', 'inputs[0] = inputs[0].double()', 0, qr/args\[0\]/, qr/float64/],
    ['a wrong integer', 'inputs[1] = inputs[1].int()', 0, qr/args\[1\]/, qr/int32/],
    ['a rank too high', 'inputs[0] = inputs[0][None]', 0, qr/args\[0\]/],
    ['a row too few', 'inputs[0] = inputs[0][:5].clone()', 0, qr/args\[0\]/, qr/5/],
    ['a column too many', 'inputs[2] = torch.randn(6, 17)', 0, qr/args\[2\]/, qr/17/],
    ['an index too few', 'inputs[1] = inputs[1][:5].clone()', 0, qr/args\[1\]/, qr/5/],
    ['a transposed input that a kernel reads', 'inputs[2] = inputs[2].t().contiguous().t()', 0,
        qr/args\[2\]/, qr/stride/],
    ['a slice that a kernel reads', 'inputs[2] = torch.randn(6, 32)[:, :16]', 0, qr/args\[2\]/,
        qr/stride/],
    ['an expanded input that a kernel reads', 'inputs[2] = inputs[2][:1].expand(6, 16)', 0,
        qr/args\[2\]/, qr/stride/],
    (map { my ($what, $poke, $check, $found) = @$_;
            ["$what as an input", "inputs[2] = $poke", 0, qr/^  input +args\[2\] \(arg/m,
                qr/^ +$check: expected \w+, found $found$/m] }
        ['quint8', 'torch.quantize_per_tensor(inputs[2], 0.1, 0, torch.quint8)', 'dtype', 'quint8'],
        ['bits8', 'torch.zeros(6, 64, dtype=torch.uint8).view(torch.bits8)', 'dtype', 'bits8'],
        ['a sparse tensor', 'inputs[2].to_sparse()', 'layout', 'sparse_coo'],
        ['sparse rows', 'inputs[2].to_sparse_csr()', 'layout', 'sparse_csr'],
        ['an mkldnn tensor', 'inputs[2].to_mkldnn()', 'layout', 'mkldnn']),
    # The operator may take it, as one of a library does; this one fails.
    ['a sparse input that only ATen reads', 'inputs[0] = inputs[0].to_sparse()', 1,
        qr/launch failed/, qr/^  input +arg\d+_1 \(args\[0\]\): of layout sparse_coo$/m,
        { without => qr/layout: expected/ }],
    ['a quint8 tensor of an op that the filter leaves out', fault('scale returns quint8'), 4,
        qr/^ +argument +buf\d: of dtype quint8\n +dtype: expected float32, found quint8$/m,
        qr/^ +made by planted::scale /m,
        { env => { AOTIGEN_KERNELS => '!planted::scale' } }],
    ['an index beyond the table', 'inputs[1][2] = 10', 6, qr/index out of bounds/],
    ['an index before the table', 'inputs[1][0] = -11', 6, qr/index out of bounds/],
    ['an index from the end', 'inputs[1][0] = -1', undef],
    ['large numbers', 'inputs[2][:] = 88.0', undef],
    ['subnormal numbers', 'inputs[0][:] = 1e-42', undef],
    ['negative zeros', 'inputs[0][:] = -0.0', undef],

    # two things at once
    ['a bad input and an overflow of its own in one kernel',
        "inputs[2][1, 6] = 100; @{[fault('add_into writes NaN')]}", [7, 9], qr/NaN born/,
        qr/\+Inf born.*launch 9|launch 9.*\+Inf born/, qr/buf13/, qr/\[1, 6\]/],
    ['two bad inputs', 'inputs[0][0, 0] = nan; inputs[2][0, 1] = nan', [1, 9],
        qr/args\[0\].*launch 1\b/, qr/args\[2\].*launch 9\b/],

    # an operator that takes the process with it
    ['SIGSEGV in an operator',
        "import ctypes; model.fault = 'x'; model.scale_faults['x'] = lambda x, y: "
        . "ctypes.string_at(0)", 3, qr/SIGSEGV/, { signal => 11 }],
    ['SIGABRT in an operator',
        "import os; model.fault = 'x'; model.scale_faults['x'] = lambda x, y: os.abort()", 3,
        qr/SIGABRT/, { signal => 6 }],
    ['SIGFPE in an operator',
        "import signal; model.fault = 'x'; model.pair_faults['x'] = lambda a, b: "
        . "signal.raise_signal(signal.SIGFPE)", 5, qr/SIGFPE/, { signal => 8 }],
    ['SIGBUS in an operator',
        "import signal; model.fault = 'x'; model.pair_faults['x'] = lambda a, b: "
        . "signal.raise_signal(signal.SIGBUS)", 5, qr/SIGBUS/, { signal => 7 }],
    ['SIGTERM while an operator hangs',
        "import os, signal, time, threading; model.fault = 'x'; "
        . "model.scale_faults['x'] = lambda x, y: (threading.Timer(0.2, os.kill, (os.getpid(), "
        . "signal.SIGTERM)).start(), time.sleep(50))", 3, qr/SIGTERM/, { signal => 15 }],

    # what is said
    ['a filter that lets nothing in', '0', 'said', qr/gelo/,
        { env => { AOTIGEN_KERNELS => 'gelo' } }],
    ['launches that there are not', '0', 'said', qr/70-80/,
        { env => { AOTIGEN_LAUNCHES => '70-80' } }],
    # What runs on behind it touches memory that is not its own, and may die of it.
    ['what was refused is not read', fault('scale returns half the storage'), 'born',
        qr/^aotigen: guard failed in run 1, launch 3: planted::scale$/m, qr/384 bytes/,
        qr/^  not read +buf3: neither scanned, printed nor saved/m,
        { env => { AOTIGEN_ON_FAULT => 'report' }, may_crash => 1,
            without => qr/buf3:[^\n]*\n +\S+ in \d+ of/ }],
    ['a transposed input that only ATen reads', 'inputs[0] = inputs[0].t().contiguous().t()',
        'said', qr/args\[0\]/, qr/stride/],
    ['a slice that only ATen reads', 'inputs[0] = torch.randn(6, 32)[:, :16]', 'said',
        qr/args\[0\]/, qr/stride/],
);

# The launches that the report accuses.
sub accused {
    my ($err) = @_;
    my %seen;
    $seen{$1}++ while $err =~ /^aotigen: [^\n]*?\blaunch (\d+)(?=[:, ])/mg;
    $seen{$1}++ while $err =~ /^aotigen: [^\n]*\bread by launch (\d+):/mg;
    return sort { $a <=> $b } keys %seen;
}

sub judge {
    my ($case, $r) = @_;
    my ($name, undef, $at, @patterns) = @$case;
    my %how = ref $patterns[-1] eq 'HASH' ? %{ pop @patterns } : ();
    my $err = $r->{err};
    is($r->{signal}, $how{signal} // 0, "$name: its end") or diag($err) if !$how{may_crash};
    if (!defined $at) {
        is($err, '', "$name: silent");
        is($r->{status}, 0, "$name: and runs");
        return;
    }
    like($err, $_, "$name: said: $_") for @patterns;
    unlike($err, $how{without}, "$name: not said: $how{without}") if $how{without};
    my @at = ref $at ? @$at : $at eq 'said' || !$at ? () : $at;
    return if $at eq 'born';
    is_deeply([accused($err)], \@at, "$name: no other launch is accused") or diag($err);
    like($err, qr/launch $_\b.*$launch[$_]/, "$name: launch $_ by its name") for @at;
    is($r->{status}, 0, "$name: the run goes on") if $at eq 'said';
    return;
}

sub run_cases {
    my ($sample, $so, @cases) = @_;
    my $dir = tempdir();
    spew("$dir/cases.json", encode_json([map { my $how = ref $_->[-1] eq 'HASH' ? $_->[-1] : {};
        { name => $_->[0], poke => $_->[1], env => $how->{env} // {},
          inputs => $how->{inputs} // 0, runs => $how->{runs} // 1 } } @cases]));
    must(run_cmd([$sample->{torch}{python}, '-W', 'ignore', root() . '/t/lib/run_cases.py', $so,
        $sample->{dir}, $sample->{name}, "$dir/cases.json", "$dir/results.json"],
        env => { PYTHONPATH => root() . '/samples', TORCH_SHOW_CPP_STACKTRACES => 0 },
        timeout => 600), "the cases of $sample->{name} run");
    return @{ decode_json(slurp("$dir/results.json")) };
}

my $only = shift // '.';
my %levels = (printer => 0, check_inputs => 'all', nan_asserts => 'all');
my $planted = sample('planted');
my ($minor) = $planted->{torch}{version} =~ /^2\.(\d+)/;
# Older ones do not tell a tensor's layout.
@cases = grep { $_->[0] !~ /sparse|mkldnn/ } @cases if $minor < 11;
my @wanted = grep { $_->[0] =~ /$only/ } @cases;
my @results = @wanted ? run_cases($planted, built($planted, %levels), @wanted) : ();
judge($wanted[$_], $results[$_]) for 0 .. $#wanted;

# launches: the pattern of each one's name, by its number.
sub judge_sample {
    my ($name, $launches, @cases) = @_;
    my @wanted = grep { $_->[0] =~ /$only/ } @cases;
    return if !@wanted;
    my $sample = sample($name);
    my @found = run_cases($sample, built($sample, %levels), @wanted);
    @launch = @$launches;
    judge($wanted[$_], $found[$_]) for 0 .. $#wanted;
    return;
}

my @odd = map { ["odd parts, input $_", '0', undef, { inputs => $_ }] } 0 .. 2;
judge_sample('odd', [], @odd);

# Inputs that the model writes.
my @caches = (
    ['a cache', '0', undef],
    ['NaN in a row of the cache that is not written', 'inputs[1][3, 1] = nan', [1],
        qr/NaN arrived in run 1 with the input 'args\[1\]'/, qr/\[3, 1\]/,
        { without => qr/born/ }],
    # What stands where the kernel stores explains nothing; elsewhere it may be of the kernel's own.
    ['NaN in a row of the cache that is overwritten', 'inputs[1][2, 1] = nan', undef],
    ['NaN in two rows of the cache, of which one is overwritten',
        'inputs[1][0, 3] = inputs[1][1, 2] = nan', [1],
        qr/'args\[1\]', given to launch 1: /, qr/NaN in 2 of 16 elements, .*\[0, 3\]/,
        qr/perhaps of its own: NaN in 1 of 16 elements, the first at \[1, 2\]$/m],
    ['NaN in the cache, and another one where it is overwritten',
        'inputs[1][2, 1] = inputs[0][1, 1] = nan', [1], qr/'args\[0\]', read by launch 1: /,
        qr/'args\[1\]', given to launch 1: /,
        (map { qr/NaN of the input 'args\[$_\]' .*passed on by 1 launch\n.*perhaps to arg\d+_1 /,
            qr/'args\[$_\]'.*\n.*\n +also bad there, perhaps of another origin: .*\[2, 1\]$/m }
            0, 1)],
    ['NaN in a row that the first run left in the cache', 'inputs[0][1, 1] = nan', [1],
        qr/NaN arrived in run 2 with the input 'args\[0\]', read by launch 1: /,
        qr/NaN arrived in run 2 with the input 'args\[1\]', given to launch 1: /,
        (map { qr/run 2: NaN of the input 'args\[$_\]' .*passed on by 1 launch\n.*perhaps to arg/ }
            0, 1), { runs => 2, without => qr/run 1: [^\n]*perhaps|born/ }],
    ['NaN in what is changed in place', 'inputs[3][1, 2] = nan', [1],
        qr/NaN arrived in run 1 with the input 'args\[3\]'/, qr/\[1, 2\]/,
        { without => qr/born/ }],
);
judge_sample('cache', [undef, 'cpp_fused_\w+_0'], @caches);

# Kernels in which a bad value has more than one cause: the last one writes all but two outputs.
my $here = qr/\(index \d+\): \S+ bits 0x\w+/;
my @origins = (
    ['several causes, none of them there', '0', undef],
    ['NaN in what a kernel adds to', 'inputs[1][3, 2] = nan', [1], qr/NaN arrived.*'args\[1\]'/,
        qr/passed on by 2 launches\n  launch 1 .*\n  launch 3 /, { without => qr/born|perhaps/ }],
    ['NaN in one input, a root of its own in another',
        'inputs[4][0, 0] = nan; inputs[5][1, 1] = -1', [3], qr/NaN arrived.*'args\[4\]'/,
        qr/NaN born in run 1, launch 3: /, qr/\[0, 0\] $here; reached by arg4_1 with NaN\n/,
        qr/\[1, 1\] $here\n/, qr/^ +with NaN, which does not reach buf\d+$/m,
        { without => qr/; perhaps |\[1, 1\] $here;|does not reach [^\n]*,/ }],
    ['a constant NaN is selected, and there is a root of its own',
        'inputs[4][2, 2] = nan; inputs[6][3, 3] = -1', [3],
        qr/\[3, 3\] $here; perhaps there on purpose\n/, qr/\[3, 3\] $here\n/,
        { without => qr/; perhaps reached|\[2, 2\] $here; perhaps|\[3, 3\] $here; reached/ }],
    # In buf12, the product, the Inf of args[5] has become NaN: the one that is there is not of it.
    ['Inf in one input, an overflow in another',
        "inputs[5][4, 4] = float('inf'); inputs[4][5, 5] = 100", [3],
        qr/\+Inf born in run 1, launch 3: /, qr/NaN made of Inf/,
        qr/passed on by 1 launch\n  launch 3 .*, to buf(?!12\b)\d+ /,
        qr/buf12:[^\n]*\n +\+Inf in 1 of 128 [^\n]*\[5, 5\] [^\n]*; reached by arg5_1 with /],
    ['NaN in two inputs', 'inputs[4][0, 0] = nan; inputs[5][3, 3] = nan', [3],
        qr/NaN of the input 'args\[4\]' passed on by 1 launch/,
        qr/NaN of the input 'args\[5\]' passed on by 1 launch/, { without => qr/perhaps|born/ }],
    ['Inf in one input, a logarithm of its own in another',
        "inputs[5][4, 4] = float('inf'); inputs[6][3, 3] = -1", [3],
        qr/NaN made of Inf/, qr/\[3, 3\] $here; born here, no Inf reaches it\n/],
);
judge_sample('origins', [undef, 'cpp_fused_\w+_0', undef, 'cpp_fused_\w+_1'], @origins);

# What a kernel may select away or make finite explains its output only perhaps, at whatever place.
sub perhaps_own {
    my ($input, $found) = @_;
    my $step = qr/perhaps passed on by 1 launch\n  launch 1 [^\n]*, perhaps to buf\d+ [^\n]*\n/;
    return qr/of the input 'args\[$input\]' $step +also bad there, perhaps of its own: $found$/m;
}

sub surely {
    my ($input, $kind) = @_;
    return (qr/$kind of the input 'args\[$input\]' passed on by 1 launch\n  launch 1 /,
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
        qr/$kind of the (?:input|weight) '\Q$name\E' perhaps passed on by /, @how);
}
my @partly = (
    ['parts of what is given', '0', undef],
    ['NaN in a part of a cache that is overwritten', weight('cache', '[1, 1] = float("nan")'), undef],
    ['NaN in columns that are not read', 'inputs[1][0, 0] = nan', undef],
    ['NaN in a row that is not gathered', 'inputs[2][2, 3] = nan', undef],
    ['NaN in a part of a cache that is kept', weight('cache', '[3, 3] = float("nan")'), [1],
        given_perhaps('NaN', 'cache', { without => qr/born/ })],
    ['NaN in columns that are not read, a root of its own',
        'inputs[1][0, 0] = nan; inputs[0][3, 5] = -1', [1, 3],
        given_perhaps('NaN', 'args[1]'), qr/NaN born in run 1, launch 3: /],
    ['NaN in a row that is not gathered, a root of its own',
        'inputs[2][2, 3] = nan; inputs[0][2, 1] = -1', [3], given_perhaps('NaN', 'args[2]')],
    ['Inf in columns that are not read, a root of its own',
        "inputs[1][0, 0] = float('inf'); inputs[0][2, 5] = -1", [1, 3],
        qr/NaN perhaps made of Inf in run 1, launch/, { without => qr/NaN made of Inf/ }],
    ['NaN in a row that is gathered', 'inputs[2][3, 3] = nan', [3],
        given_perhaps('NaN', 'args[2]', { without => qr/born/ })],
);
if (my @wanted = grep { $_->[0] =~ /$only/ } @partly) {
    my $sample = sample('partly');
    my @found = run_cases($sample, built($sample, %levels), @wanted);
    @launch = (undef, 'cpp_fused_\w+_0', 'aoti_torch_cpu_mm_out', 'cpp_fused_\w+_1');
    judge($wanted[$_], $found[$_]) for 0 .. $#wanted;
}

# Memory that nothing wrote is no birth: the launch that left it so is named, with the tensor.
my @unwritten = (
    ['memory that is written', 'model.poison()', undef],
    (map { my ($name, $poke, $at, $buffer, @patterns) = @$_;
            [$name, "model.poison(); $poke", $at, qr/^aotigen: NaN found in run 1, launch $at: /m,
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
if (my @wanted = grep { $_->[0] =~ /$only/ } @unwritten) {
    my $sample = sample('unwritten');
    my @found = run_cases($sample, built($sample, %levels), @wanted);
    # The allocator may have handed out other memory than what was poisoned.
    for my $time (1 .. 3) {
        my @silent = grep { defined $wanted[$_][2] && $found[$_]{err} eq '' } 0 .. $#wanted;
        last if !@silent;
        @found[@silent] = run_cases($sample, built($sample, %levels), @wanted[@silent]);
    }
    @launch = (undef, 'cpp_fused_\w+_0', 'unwritten::copy_into', 'aoti_torch_cpu_masked_scatter');
    judge($wanted[$_], $found[$_]) for 0 .. $#wanted;
}

# A kernel that stores a part and reads the whole: memory that it fills is no finding, and what
# reaches the part reaches the whole.
my %no_birth = (without => qr/born|does not reach|perhaps|found in/);
my @parts = (
    ['parts put together', '0', undef],
    ['parts put together in memory that held NaN', 'model.poison()', undef],
    ['NaN in a part that is copied', 'inputs[3][1, 1] = nan', 'born',
        qr/NaN arrived in run 1 with the input 'args\[3\]'/, qr/\[1, 1\]/,
        qr/passed on by 2 launches\n/, \%no_birth],
    ['NaN in the first of three parts', 'model.poison(); inputs[0][1, 1] = nan', 'born',
        qr/NaN arrived in run 1 with the input 'args\[0\]'/, qr/\[1, 1\]/,
        qr/passed on by 6 launches\n/, \%no_birth],
);
judge_sample('parts', [], @parts);

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
    # only the next operator relies on what this one returned
    (map { [$_, fault($_), 9, qr/launch failed/, qr/^  input +buf12: /m,
        qr/^ +made by promises::first \(\S+\), whose dtype and shape the wrapper does not tell$/m] }
        'first r = r.double()', 'first r = r.reshape(-1)', 'first r = r.t().contiguous()'),
    ['an honest operator of a wrong input', fault('first r = r[:4].contiguous()'), 9,
        qr/^  output +buf14: .*\n +storage: expected at least 128 bytes/m,
        qr/^  look also at  promises::first \(\S+\), which made 'buf12', whose shape the /m],
    ['a view that cannot be taken', fault('complex r = r.real'), 'born',
        qr/^aotigen: run 1 failed after launch 10 \(promises::complex\)$/m,
        qr/^  error +aoti_torch_cpu_view_as_real\(.* API call failed/m,
        qr/^  last launch +10: promises::complex, launched at \S+:\d+, in run_impl$/m],
);
judge_sample('promises', [undef, '', 'promises::pair', '', 'promises::double_', ('') x 4,
    'promises::second', ('') x 5, 'promises::add_', ('') x 4, 'promises::first', ('') x 3,
    'cpp_fused_\w+_8'], @promises);

# In a loop: the iteration is told.
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
