package FaultTable;

# FaultTable.pm - the faults of samples/faults/README.md, and what names each; for t/476 and t/542.
#
#   fault_rows($device)      -> the rows that there are on cpu or cuda
#   judge_report($row, $r)   tests of what a debug model said: { err, status, signal }
#   judge_said($row, $text)  tests of the diagnosis of `aotigen run`
#   diagnosis_of($err)       -> its text, each entry on one line
#
# A row: { n (the number of the fault), name, sample, mode, options (of aotigen run), poke (Python,
# with `model`, the sample's module, `args`, its inputs, and `at`, a tensor of indices), env, runs,
# head (of the report, behind "aotigen: "), lines (of the report), said (of the diagnosis), ends (0,
# 3 where the run throws, a signal's name, or 'badly') }. The mode: one of --guard, 'default', or a
# key of %levels.

use strict;
use warnings;
use Test::More;
use Exporter 'import';
our @EXPORT = qw(fault_rows judge_report judge_said diagnosis_of levels_of);

my %levels = (
    default => {},
    'no scans' => { printer => 0, check_inputs => 'all', nan_asserts => 'off' },
    'no checks' => { printer => 0, check_inputs => 'off', nan_asserts => 'all' },
);

sub levels_of { my ($mode) = @_; return %{ $levels{$mode} // { guard => $mode } } }

my $pad = ' {16}';
my %kernel = (cpu => 'cpp_fused_\w+', cuda => 'triton_\w+');
my %shown = map { $_ => $kernel{$_} =~ s/\\w/[\\w ]/r } keys %kernel; # where a line may end in it

# ---- 1, 2, 3: what faults::put stores beside buf0

sub stores {
    my ($n, $name, $at, @cases) = @_;
    return map { { n => $n, name => $name, sample => 'faults.put', poke => "args[2] = at($at)",
        %$_ } } @cases;
}

sub overwritten {
    my ($mode, $device, $how_many, $where, $first) = @_;
    my $was = $how_many == 1 ? 'element' : 'elements';
    my $verb = $how_many == 1 ? 'was' : 'were';
    return {
        mode => $mode, ends => 0, head => 'memory overwritten in run 1, launch 2: faults::put',
        lines => [qr/^  buffer        buf0: float32 \[24, 40\] on $device/m,
            qr/^$pad$how_many $was $where \(elements 0 to 959\) $verb overwritten, the first at /m,
            qr/the first at element $first$/m,
            qr/^${pad}there stands 9\.5, bits 0x41180000$/m,
            qr/^  written by    launch 2: intact after launch 1$/m],
        said => [qr/^  what +memory overwritten in run 1, launch 2: faults::put$/m,
            qr/^  buffer +buf0: $how_many elements? beside it, the first at element $first; /m],
    };
}

sub trapped {
    my ($mode, $device, $element) = @_;
    return { mode => $mode, ends => 'badly', head => 'device error in run 1, launch 2: faults::put',
        lines => [qr/^  argument      buf0: float32 \[24, 40\] on cuda:0, at 0x/m],
        said => [qr/^  what +device error in run 1, launch 2: faults::put$/m] }
        if $device eq 'cuda';
    my $place = qr/of 'buf0': element $element, it has 960 of float32, allocated in run 1 /;
    return { mode => $mode, ends => 'SEGV', head => 'SIGSEGV in run 1, launch 2: faults::put',
        lines => [qr/^aotigen: SIGSEGV .*$place/m],
        said => [qr/^  what +SIGSEGV in run 1, launch 2: faults::put$/m,
            qr/^  fault +address 0x\w+ \(write\), .*$place/m] };
}

sub put_rows {
    my ($device) = @_;
    my $behind = 'behind its end';
    my $before = $device eq 'cuda' ? 'page-before' : 'page-before,poison';
    my @near = $device eq 'cuda' ? () : trapped('page:buf0', $device, 960);
    return (
        stores(1, '8 elements behind the buffer', '960, 963, 967',
            overwritten('canary', $device, 3, $behind, 960),
            overwritten('canary,poison', $device, 3, $behind, 960), @near),
        stores(2, '800 KB behind it', '200959, 5, 5',
            ($device eq 'cuda' ? overwritten('canary', $device, 1, $behind, 200959) : ()),
            trapped('page:buf0', $device, 200959)),
        stores(3, 'an element before it', '-1, 5, 5',
            overwritten('canary', $device, 1, 'before its begin', -1),
            trapped($before, $device, -1)),
    );
}

# ---- 4 to 10, 12, 13: what the operators of faults/returned.py return, or do

sub returned {
    my ($n, $fault, $mode, $ends, $what, $launch, $kernel, %how) = @_;
    my $head = "$what in run 1, launch $launch: $kernel";
    my $said = $what =~ /changed|shares/ ? 'an operator breaks its schema' : $what;
    return { n => $n, name => $fault, sample => 'faults.returned', mode => $mode, ends => $ends,
        poke => "model.fault = '$fault'", head => $head, lines => $how{lines},
        said => [qr/^  what +$said in run 1, launch $launch: $kernel$/m, @{ $how{said} }] };
}

# A violation of a guard: the argument, the check, and what was found.
sub violates {
    my ($n, $fault, $launch, $op, $arg, $check, $finding, $shape) = @_;
    my ($kind, $name) = $arg =~ /^(\w+) (\w+)$/;
    $shape //= 'float32 \[24, 40\]';
    return returned($n, $fault, 'default', 3, 'guard failed', $launch, "faults_returned::$op",
        lines => [qr/^  $kind +$name: $shape/m, qr/^$pad$check: $finding/m],
        said => [qr/^  argument +$name: $check: $finding/m]);
}

# 4, 5, 6, 9
sub result_rows {
    my ($device) = @_;
    my $half = 'expected at least 3840 bytes, for 960 elements, found 1920 bytes';
    my $gone = 'expected a tensor, found none: the tensor is undefined, it has no data';
    return (
        violates(4, 'fewer rows', 2, 'rows', 'output buf2', 'storage', $half,
            'float32 \[12, 40\]'),
        violates(4, 'second has fewer rows', 4, 'pair', 'output buf6', 'storage', $half,
            'float32 \[12, 40\]'),
        violates(5, 'dtype', 2, 'rows', 'output buf2', 'dtype', 'expected float32, found float64',
            'float64 \[24, 40\]'),
        violates(6, 'padded rows', 2, 'rows', 'output buf2', 'strides',
            "expected 960 elements in a row, as $kernel{$device} reads them, "
                . 'found \[48, 1\], where element 40 is a gap',
            'float32 \[24, 40\], strides \[48, 1\],'),
        violates(6, 'negated', 2, 'rows', 'output buf2', 'memory',
            "expected the tensor's values, found the negative bit, which a compiled kernel "
                . 'ignores'),
        violates(9, 'none', 2, 'rows', 'output buf2', 'handle', $gone, 'undefined'),
        violates(9, 'second is none', 4, 'pair', 'output buf6', 'handle', $gone, 'undefined'),
        returned(9, 'one output', 'default', 3, 'launch failed', 4, 'faults_returned::pair',
            lines => [qr/^  input +buf3: float32 \[24, 40\] on $device/m,
                qr/^  error +the call failed, which the wrapper ignores$/m],
            said => [qr/^  found +the call failed, which the wrapper ignores$/m]),
    );
}

# 7, 8
sub effect_rows {
    my ($device) = @_;
    my $every = 'canary,poison,ops';
    return (
        (map { violates(7, $_, 2, 'rows', 'output buf2', 'memory',
            "expected memory of its own, found that of 'buf0'") } 'its input',
            'a view of its input'),
        returned(7, 'second is first', $every, 0, 'output shares memory with another output', 4,
            'faults_returned::pair', lines => [qr/^  output +buf6: float32 \[24, 40\] on $device/m,
                qr/^${pad}memory: expected memory of its own, found that of 'buf5'$/m],
            said => [qr/^  argument +buf6: memory: .* found that of 'buf5'$/m]),
        returned(8, 'writes', $every, 0, 'read-only input changed', 2, 'faults_returned::rows',
            lines => [qr/^  input +buf0: float32 \[24, 40\] on $device/m,
                qr/^${pad}2 of 960 elements changed, the first at \[1, 5\]: it was \S+, and is /m,
                qr/^  schema +faults_returned::rows\(Tensor x\) -> Tensor$/m],
            said => [qr/^  element +buf0\[1,5\]: expected \S+, found \S+; 2 of 960 elements$/m]),
        returned(8, 'sets', $every, 0, 'read-only input changed', 2, 'faults_returned::rows',
            lines => [qr/^  input +buf0: float32 \[24, 40\] on $device/m,
                qr/^${pad}960 of 960 elements changed, the first at \[0, 0\]: /m,
                qr/^${pad}the call gave the tensor other memory, as set_\(\) does$/m],
            said => [qr/^  element +buf0\[0,0\]: expected \S+, found \S+; 960 of 960 elements$/m]),
        returned(8, 'writes NaN', 'default', 0, 'read-only input changed', 2,
            'faults_returned::rows', lines => [qr/^  input +buf0: float32 \[24, 40\] on $device/m,
                qr/^${pad}it held 0 NaN and 0 Inf before the call, and 2 and 0 after$/m],
            said => [qr/^  argument +buf0: content: expected as before the call, found it /m]),
    );
}

# 12, 13: what there is on one of the devices
sub address_row {
    my ($device) = @_;
    return { n => 12, name => 'odd address', sample => 'faults.returned', mode => 'default',
        poke => "model.fault = 'odd address'", ends => 3,
        head => "guard failed in run 1, launch 3: $kernel{cuda}",
        lines => [qr/^  argument +buf2: float32 \[24, 40\] on cuda/m,
            qr/^${pad}alignment: expected an address that 16 divides, .*, found 0x\w+4$/m,
            qr/^${pad}made by faults_returned::rows /m],
        said => [qr/^  what +guard failed in run 1, launch 3: triton_/m,
            qr/^  argument +buf2: alignment: expected an address that 16 divides/m] }
        if $device eq 'cuda';
    my $late = qr/in 'buf0': element 0, it has 960 of float32, .* and released after launch 2$/m;
    return { n => 13, name => 'released', sample => 'faults.returned', mode => 'page',
        poke => "model.fault = 'released'", ends => 'SEGV',
        head => 'SIGSEGV in run 1, launch 6: faults_returned::load',
        lines => [qr/^aotigen: SIGSEGV .*$late/m],
        said => [qr/^  what +SIGSEGV in run 1, launch 6: faults_returned::load$/m,
            qr/^  fault +address 0x\w+ \(read\), $late/m] };
}

sub returned_rows {
    my ($device) = @_;
    my $released = violates(13, 'releases', 2, 'rows', 'argument buf0', 'storage',
        'expected at least 3840 bytes from its first element, as before the call, found 0 ');
    return (result_rows($device), effect_rows($device), $released, address_row($device));
}

# ---- 11: indices out of range

sub looks_up {
    my ($device, $name, $poke, $element, $index, $bound) = @_;
    my $how = qr/arg\d+_1\Q$element\E makes the index $index, which must be $bound/;
    my $what = $device eq 'cuda' ? 'device error' : 'launch failed';
    return { n => 11, name => $name, sample => 'looked_up', mode => 'no scans', poke => $poke,
        ends => $device eq 'cuda' ? 'badly' : 3,
        head => "$what in run 1, launch \\d+: $kernel{$device}", lines => [qr/^  how +$how:$/m],
        said => [qr/^  what +$what in run 1, launch \d+: $shown{$device}$/m,
            qr/^  how +$how(?::|$)/m] };
}

sub lookup_rows {
    my ($device) = @_;
    return (
        looks_up($device, 'embedding', 'args[0][1, 2] = 100', '[1, 2] = 100', 100,
            'less than 100'),
        looks_up($device, 'gather, negative', 'args[2][3, 1] = -6', '[3, 1] = -6', -1,
            'at least 0'),
        looks_up($device, 'index_select', 'args[7][1] = 6', '[1] = 6', 6, 'less than 6'),
    );
}

# ---- 14: what faults::fill leaves unwritten

sub fills {
    my ($device, $name, $rows, $head, $count, $buffer, $first, $writer) = @_;
    my $shown = $shown{$device};
    my $none = $count == 48 ? 'none of its 48 elements was written'
        : "$count of 48 elements were not written";
    return { n => 14, name => $name, sample => 'faults.fill', mode => 'poison', ends => 0,
        poke => "args[1] = at($rows)", head => "unwritten memory $head",
        lines => [qr/^  buffer +$buffer: \w+ \[8, 6\] on $device/m, qr/^$pad$none since/m,
            qr/^  written by +launch $writer \(faults_fill::fill\), /m],
        said => [
            $name =~ /output/
            ? qr/^  what +unwritten memory left in an output in run 1, launch $writer: faults_fill/m
            : qr/^  what +unwritten memory read in run 1, launch \d+: $shown/m,
            qr/^  buffer +$buffer: $count elements in it, the first at element $first/m,
            qr/^  written by +launch $writer: faults_fill::fill, the last launch that /m] };
}

sub fill_rows {
    my ($device) = @_;
    my $read = "read in run 1, launch \\d+: $kernel{$device}";
    my $given = 'in an output of run 1';
    return (
        fills($device, 'floats, in part', '5, 8, 8', $read, 18, 'buf\d', 30, 1),
        fills($device, 'integers, all', '8, 0, 8', $read, 48, 'buf\d', 0, 2),
        fills($device, 'an output, in part', '8, 8, 2', $given, 36, 'buf\d', 12, 3),
    );
}

# ---- 16: one of 200 launches

my $first_warp = qr/, block .*, thread \(\d+,0,0\) (?:of|\.\.\.)/;

# With the driver's core dump. Beside many launches it may name any of those behind the one that
# failed, or the program may even end without an error: what it says then is not tested.
sub dump_row {
    my ($far) = trapped('default', 'cuda', 1 << 30);
    return { %$far, n => 16, options => ['--core-dump'], sample => 'faults.put',
        name => 'a core dump', poke => 'args[2] = at(5, 1 << 30, 6)',
        head => 'device error in run 1, launch \d+: .*', lines => [], said => [
            qr/^  what +device error in run 1, at launch \d+ or before it: put_kernel$/m,
            qr/^  on the GPU +Warp \w+ .*in put_kernel$first_warp/m,
            qr{^  kernel line +\S+/faults/put\.py:\d+  tl\.store\(x \+ tl\.load\(at}m] };
}

# The dump of a Triton kernel of the model's own tells the launch.
sub own_dump_row {
    my ($dump) = dump_row();
    return { %$dump, sample => 'faults.stored', name => 'a core dump of a kernel of the model',
        said => [qr/^  what +device error in run 1, launch 2: store_kernel$/m,
            qr/^  launched at +\S+:\d+$/m, qr/^  arguments +to is buf0, at is arg2_1$/m,
            qr/^  on the GPU +Warp \w+ .*in store_kernel$first_warp/m,
            qr{^  kernel line +\S.*\.py:\d+ +tl\.store\(to \+ tl\.load\(at}m] };
}

sub many_rows {
    return map { my ($call, $launch) = ($_, 2 * $_ + 2);
        { n => 16, name => "launch $launch of 200", sample => 'faults.many', mode => 'default',
            poke => "args[1][$call] = 1 << 34", ends => 'badly',
            head => "device error in run 1, launch $launch: faults::put",
            lines => [qr/^  not finished  launch $launch: faults::put$/m],
            said => [qr/^  what +device error in run 1, launch $launch: faults::put$/m] } } 57, 99;
}

# ---- 17, 18, 19: what happens in the host

sub in_host {
    my ($n, $fault, $ends, $head, $line, %more) = @_;
    return { n => $n, name => $fault, sample => 'faults.in_host', mode => 'no checks',
        poke => "args[:] = [model.at_the_edge(64), model.at_the_edge(64)]; model.fault = '$fault'"
            . ($more{poke} // ''),
        env => $more{env}, ends => $ends, head => $head, lines => [$line],
        said => $more{said} // [qr/^  what +SIG$ends in run 1, launch 1: faults::act$/m, $line] };
}

sub division_row {
    my $how = qr/arg5_1\[17\] = 0 makes the divisor 0/;
    return { n => 17, name => 'an integer divided by 0', sample => 'divided', mode => 'no scans',
        poke => 'args[5][17] = 0', ends => 'FPE',
        head => "SIGFPE in run 1, launch 1: $kernel{cpu}", lines => [qr/^  how +$how:$/m],
        said => [qr/^  what +SIGFPE in run 1, launch 1: $shown{cpu}$/m, qr/^  how +$how(?::|$)/m] };
}

sub host_rows {
    my $at = 'in run 1, launch 1: faults::act';
    return (
        in_host(17, 'read_past', 'SEGV', "SIGSEGV $at",
            qr/ 32 bytes behind the end of arg0_1.*: float32 \[64, 64\], element 4104 of 4096$/m),
        in_host(17, 'read_null', 'SEGV', "SIGSEGV $at", qr/16 bytes from a null pointer$/m),
        in_host(18, 'spin_for_ever', 'ALRM', "hang $at",
            qr/^  argument      arg0_1.*: float32 \[64, 64\]/m,
            env => { AOTIGEN_WATCHDOG => '0.8' },
            poke => '; import signal; signal.setitimer(signal.ITIMER_REAL, 2)',
            said => [qr/^  what +hang of \d+ s $at$/m]),
        in_host(19, 'smash_stack', 'ABRT', "SIGABRT $at",
            qr/: a function wrote beyond an array on its stack$/m),
        in_host(19, 'damage_heap', 'ABRT', "SIGABRT $at",
            qr/: the heap was overwritten or freed wrongly, by what ran here or before$/m),
    );
}

# ---- 20: memory that grows

sub growth_rows {
    return { n => 20, name => 'an operator keeps its tensors', sample => 'faults.put',
        mode => 'canary', poke => 'model.kept = []', runs => 18, env => { AOTIGEN_MEMORY => '1' },
        ends => 0, head => "memory grows from run to run of \\S+: 'buf0' stays",
        lines => [qr/^$pad\d+ of them are still held, \d+ bytes; the last is that of run \d+$/m,
            qr/^  given to +launch 2 of its run: faults::put$/m],
        said => [qr/^  what +memory grows from run to run in run \d+, launch 2: faults::put$/m,
            qr/^  buffer +buf0: \d+ bytes are held$/m] };
}

sub fault_rows {
    my ($device) = @_;
    my @own = $device eq 'cuda' ? (many_rows(), dump_row(), own_dump_row())
        : (division_row(), host_rows());
    return (put_rows($device), returned_rows($device), lookup_rows($device), fill_rows($device),
        @own, growth_rows());
}

# ---- judging

sub name_of { my ($row) = @_; return "fault $row->{n}, $row->{name}, $row->{mode}" }

my %signals = (SEGV => 11, ABRT => 6, FPE => 8, ALRM => 14);

sub judge_report {
    my ($row, $r) = @_;
    my $name = name_of($row);
    my $ok = like($r->{err}, qr/^aotigen: $row->{head}(?:$| \()/m, "$name: the launch");
    $ok &= like($r->{err}, $_, "$name: $_") for @{ $row->{lines} };
    my $ends = $row->{ends};
    if ($ends eq 'badly') { $ok &= isnt($r->{status}, 0, "$name: the program fails") }
    else {
        my $signal = $signals{$ends} // 0;
        $ok &= is(($r->{status} // '-') . " $r->{signal}",
            $signal ? ($r->{status} // '-') . " $signal" : "$ends 0", "$name: its end");
    }
    diag($r->{err}) if !$ok;
    return;
}

sub judge_said {
    my ($row, $text) = @_;
    my $ok = 1;
    $ok &= like($text, $_, name_of($row) . ": diagnosis: $_") for @{ $row->{said} };
    diag($text) if !$ok;
    return;
}

sub diagnosis_of {
    my ($err) = @_;
    my ($text) = $err =~ /^(aotigen: diagnosis of .*)/ms;
    return ($text // $err) =~ s/\n {16}(?! )/ /gr;
}

1;
