# aotigen run: what is said of a signal: where the run was, which thread got it, who sent it, and
# that none is laid to a launch that has nothing to do with it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Diagnosis;
use Expected;

my $said;
# What the run was at when the signal came, and whether its own thread got it.
my $at = sub { logged($segv =~ s/"at":"launched"/"thread":7,"at":"$_[0]"/r . "\n") };
like($at->('launched'), qr/^  why           the signal came while this launch was in flight$/m,
    'a signal within a launch');
is_expected('one before it', $at->('checking'));
is_expected('one after it', $at->('returned'));
$said = logged($segv =~ s/"launch":5.*?"at":"launched"/"launch":0,"at":"starting"/r . "\n");
like($said, qr/^  what          SIGSEGV in run 2, before its first checked launch$/m,
    'one before all launches');
is_expected('a signal to a thread that is in no run',
    logged($segv =~ s/"at"/"thread":478,"at"/r . "\n"));

my $canary = 'aotigen --guard=canary PACKAGE -o DEBUG_PACKAGE';

# Signals that came in no run: the last of them is the one that ended the program.
my $outside = sub {
    return qq/{"event":"signal","time":$_[0],"pid":7,"signal":"$_[1]","signal_thread":$_[2]}\n/ };
my $going = '{"event":"in_flight","time":"1.5 ","pid":7,"thread":9,"source":"w.cpp","run":3,'
    . '"launch":2,"line":7,"at":"launched","kernel":"cpp_fused_log_0"}';
is_expected('a signal outside of all runs, though another thread went on to a launch',
    logged($outside->(1, 'SIGSEGV', 3) . "$going\n" . $outside->(2, 'SIGSEGV', 4),
    'kill -SEGV $$'));
$said = logged($outside->(1, 'SIGSEGV', 3) . "$going\n", 'kill -ABRT $$');
like($said, qr/^  what          process 7 ended within run 3, launch 2: cpp_fused_log_0$/m,
    'but not one of another signal, which the program handled');
like(logged($outside->(1, 'SIGTERM', 3) . "$born\n", 'kill -TERM $$'), qr/^  what +NaN born/m,
    'nor where something was found before');
unlike(logged($outside->(1, 'SIGTERM', 3), 'kill -TERM $$'), qr/canary/,
    'who ends a program looks for no fault');
for my $signal (qw(SIGTERM SIGINT SIGHUP)) {
    unlike(logged("$born\n" . $outside->(2, $signal, 3), 'exit 0'), qr/also found/,
        "$signal is no finding");
}
like(logged("$born\n" . $outside->(2, 'SIGTERM', 3) . $outside->(3, 'SIGSEGV', 3), 'exit 0'),
    qr/^  also found    1 x signal outside of all runs$/m, 'another signal is one');
unlike(logged($outside->(1, 'SIGTERM', 3) . $outside->(2, 'SIGSEGV', 3), 'kill -SEGV $$'),
    qr/also found/, 'that is told once');

# Where a bad value went is no finding, however often it went on.
my $passed = $born =~ s/"born"/"passed"/r . "\n";
$said = logged("$born\n$born\n" . $passed x 120, 'exit 0');
like($said, qr/^  also found    1 x bad value born\n  passed on     120 times, from launch /m,
    'a value that is passed on is told in one line');
like(logged("$born\n$passed", 'exit 0'), qr/^  passed on     1 time, /m, 'once');

# What the library found out of the launch after the signal.
my $explained =
    '{"event":"explained","pid":7,"run":2,"launch":5,"how":"x[2] = 0 makes the divisor 0"}';
my $divided = $segv =~ s/SIGSEGV/SIGFPE/r;
is_expected('how a launch came to a signal', logged("$divided\n$explained\n", 'kill -FPE $$'));
for my $other (['"run":2', '"run":3'], ['"pid":7', '"pid":8'], ['"launch":5', '"launch":4']) {
    my ($field, $by) = @$other;
    unlike(logged("$divided\n" . $explained =~ s/$field/$by/r . "\n", 'kill -FPE $$'), qr/^  how/m,
        "$by: not that of another launch");
}
unlike(logged("$explained\n", 'kill -FPE $$'), qr/^  how/m, 'nor one alone');

# What the run was given stands beside it, if the model was not compiled for that.
my $warned = '{"event":"warning","time":1.5,"pid":7,"source":"w.cpp","run":2,"arg":"args[0]",'
    . '"check":"size of dimension 0","expected":"at least 2","found":"0"}';
my $timed = $divided =~ s/"pid"/"time":2.5,"pid"/r;
my $given = qr/; the model was not compiled for what run 2 was given: args\[0\]: size of (?#
    )dimension 0: expected at least 2, found 0$/m;
sub why { return logged(join('', map { "$_\n" } @_), 'kill -FPE $$') =~ s/\n {16}/ /gr }
like(why($warned, $timed, $explained), qr/^  why .*'how' says$given/m, 'a warning of the same run');
like(why($warned =~ s/warning/input/r, $timed), $given, 'an input that was reported');
like(why($warned =~ s/"run":2/"run":1/r, $warned, $timed), $given, 'that of the last run');
like(why($warned =~ s/"run":2/"run":1/r, $timed), qr/for what run 1 was given: args/,
    'of an earlier run, since it is said once');
unlike(why($warned =~ s/warning/input/r =~ s/"run":2/"run":1/r, $timed), qr/was given/,
    'but no wrong input of an earlier run, which has ended by it');
unlike(why($warned =~ s/1\.5/3.5/r, $timed), qr/was given/, 'nor one that came behind it');
unlike(why($warned =~ s/size of dimension 0/alignment/r, $timed), qr/was given/,
    'nor what the wrapper copies');

# An argument that is wrong, and the operator that made it for the kernel.
my $wrong =
    $born =~ s/"born"/"guard"/r =~ s/"check"/"launch_is":"kernel","maker":"my::op","check"/r;
is_expected('who made a wrong argument', logged("$wrong\n", 'exit 1'));

my $sent = $segv =~ s/\}$/,"sender":99,"cause":"sent by process 99"}/r;
is_expected('a signal that another process sent', logged("$sent\n", 'kill -SEGV $$'));

# Nothing is advised that the package has, also where another command made it.
for my $case (['', 1], [',"guards":"poison,ops"', 1], [',"guards":"canary,poison"', 0],
    [',"guards":"page-before"', 0], [',"guards":"page:NAMES,ops"', 1]) {
    my ($built, $advised) = @$case;
    is(index(logged($segv =~ s/\}$/$built}/r . "\n"), $canary) > 0 ? 1 : 0, $advised,
        "--guard=canary for a package with '$built'");
}
# On a terminal the line that matters is in colour, unless the user wants none.
my $terminal = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';
for my $case ([{}, 1], [{ NO_COLOR => 1 }, 0], [{ TERM => 'dumb' }, 0]) {
    my ($env, $coloured) = @$case;
    $said = run_cmd(['python3', '-c', $terminal, build() . '/aotigen', 'run', '--', 'true'],
        env => { TERM => 'xterm', NO_COLOR => '', %$env })->{out};
    my ($tone, $end) = $coloured ? ("\e[1m", "\e[0m") : ('', '');
    like($said, qr/^  what          \Q$tone\Enothing is known: \N+ the log\Q$end\E\r?$/m,
        "a terminal, with @{[ %$env ]}");
}
done_testing;
