# Faults and oddities planted in CPU models: each is named with its launch, its op or kernel, its
# argument and its element, or the model is rightly silent. No report names another launch.
#
#   perl t/436-planted-cpu.t [NAME]    those whose name matches
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Planted;

# The launches of samples/planted.py.
my @launch = (undef, 'aoti_torch_cpu_addmm_out', 'cpp_fused_\w+_0', 'planted::scale',
    'cpp_fused_\w+_1', 'planted::pair', 'cpp_fused_\w+_2', 'planted::add_into',
    'aoti_torch_cpu_addmm_out', 'cpp_fused_exp_mul_3');

# What an operator of a library made is bad, and nothing that it read explains that.
sub found_in {
    my ($kind, $buffer) = @_;
    my $doubt = qr/born here, or left unwritten: the operator allocated/;
    return qr/^aotigen: $kind found in .*\n  $doubt '$buffer'/m;
}

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
    (map { [$_, fault($_), undef] } 'scale returns more rows',
        'scale returns transposed strides'),
    # no row of elements, which the kernel's text needs
    (map { [$_->[0], fault($_->[0]), 4, qr/made by planted::scale/, $_->[1]] }
        ['scale returns a slice',
            qr/96 elements in a row, .* \[32, 1\], where element 16 is a gap/],
        ['scale returns an expanded row',
            qr/96 elements in a row, .* \[0, 1\], where elements share memory/]),
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

    # values of an operator, which need not have written what it allocated
    ['scale returns NaN', fault('scale returns NaN'), 3, found_in('NaN', 'buf3'), qr/\[2, 5\]/],
    # whose sine is NaN
    ['scale returns Inf', fault('scale returns Inf'), [3, 4],
        found_in('\+Inf', 'buf3'), qr/\[4, 1\]/,
        qr/NaN perhaps made of Inf.*perhaps of +the \+Inf of launch 3 \(planted::scale, buf3\)/s],
    ['scale returns -Inf', fault('scale returns -Inf'), [3, 4],
        found_in('-Inf', 'buf3'), qr/\[0, 7\]/,
        qr/NaN perhaps made of Inf.*perhaps of +the -Inf of launch 3 \(planted::scale, buf3\)/s],
    ['pair returns NaN in the second', fault('pair returns NaN in the second'), 5,
        found_in('NaN', 'buf7'), qr/\[1, 2\]/],
    ['add_into writes NaN', fault('add_into writes NaN'), 7, qr/NaN born/, qr/\[3, 3\]/],

    # weights
    ['NaN in a weight', weight('first.weight', '[3, 4] = nan'), 1, qr/NaN arrived/,
        qr/first\.weight/, qr/\[3, 4\]/],
    ['Inf in a bias', weight('first.bias', '[7] = float("inf")'), [1, 4], qr/\+Inf arrived/,
        qr/first\.bias/, qr/\[7\]/, qr/perhaps of +the \+Inf of the weight 'first\.bias'/],
    ['NaN in a buffer', weight('gain', '[2] = nan'), 2, qr/NaN arrived/, qr/gain/, qr/\[2\]/],
    ['NaN in a row that is looked up', weight('table.weight', '[9, 1] = nan'), 6,
        qr/NaN arrived/, qr/table\.weight/, qr/\[9, 1\]/],
    ['a product that overflows', weight('last.weight', '[:] = 3e38'), 8, qr/Inf born/, qr/buf11/],
    ['the first product overflows', weight('first.weight', '[:] = 3e38'), [1, 4], qr/Inf born/,
        qr/buf0/, qr/perhaps of +the \+?Inf of launch 1 \(/],
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

my ($minor) = sample('planted')->{torch}{version} =~ /^2\.(\d+)/;
# Older ones do not tell a tensor's layout.
@cases = grep { $_->[0] !~ /sparse|mkldnn/ } @cases if $minor < 11;
judge_sample('planted', \@launch, @cases);

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
        (map {
            qr/NaN of the input 'args\[$_\]' .*propagated through 1 launch\n.*perhaps to arg\d+_1 /,
            qr/'args\[$_\]'.*\n.*\n +also bad there, perhaps of another origin: .*\[2, 1\]$/m }
            0, 1)],
    ['NaN in a row that the first run left in the cache', 'inputs[0][1, 1] = nan', [1],
        qr/NaN arrived in run 2 with the input 'args\[0\]', read by launch 1: /,
        qr/NaN arrived in run 2 with the input 'args\[1\]', given to launch 1: /,
        (map {
            qr/run 2: NaN of the input 'args\[$_\]' .*propagated through 1 launch\n.*perhaps to arg/
        } 0, 1), { runs => 2, env => { AOTIGEN_REPORTS => 'all' },
            without => qr/run 1: [^\n]*perhaps|born/ }],
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
        qr/propagated through 2 launches\n  launch 1 .*\n  launch 3 /,
        { without => qr/born|perhaps/ }],
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
        qr/\+Inf born in run 1, launch 3: /, qr/NaN perhaps made of Inf/,
        qr/propagated through 1 launch\n  launch 3 .*, to buf(?!12\b)\d+ /,
        qr/buf12:[^\n]*\n +\+Inf in 1 of 128 [^\n]*\[5, 5\] [^\n]*; reached by arg5_1 with /],
    ['NaN in two inputs', 'inputs[4][0, 0] = nan; inputs[5][3, 3] = nan', [3],
        qr/NaN of the input 'args\[4\]' propagated through 1 launch/,
        qr/NaN of the input 'args\[5\]' propagated through 1 launch/,
        { without => qr/perhaps|born/ }],
    ['Inf in one input, a logarithm of its own in another',
        "inputs[5][4, 4] = float('inf'); inputs[6][3, 3] = -1", [3],
        qr/NaN perhaps made of Inf/, qr/\[3, 3\] $here; born here, no Inf reaches it\n/],
);
judge_sample('origins', [undef, 'cpp_fused_\w+_0', undef, 'cpp_fused_\w+_1'], @origins);
done_testing();
