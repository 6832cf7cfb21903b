# aotigen run: what is said of a signal: where the run was, which thread got it, who sent it, and
# that none is laid to a launch that has nothing to do with it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Diagnosis;

my $said;
# What the run was at when the signal came, and whether its own thread got it.
my $at = sub { logged($segv =~ s/"at":"launched"/"thread":7,"at":"$_[0]"/r . "\n") };
like($at->('launched'), qr/^  why           the signal came while this launch was under way$/m,
    'a signal within a launch');
$said = $at->('checking');
like($said, qr/^  what          SIGSEGV in run 2, while the arguments of launch 5 were checked: /m,
    'one before it');
like($said, qr/^  why           the signal came as the library read what this launch was /m, 'why');
$said = $at->('returned');
like($said, qr/^  what          SIGSEGV in run 2, after launch 5: cpp_fused_exp_1$/m,
    'one after it');
like($said, qr/^  why           this launch had returned when the signal came, /m, 'why');
$said = logged($segv =~ s/"launch":5.*?"at":"launched"/"launch":0,"at":"starting"/r . "\n");
like($said, qr/^  what          SIGSEGV in run 2, before its first checked launch$/m,
    'one before all launches');
$said = logged($segv =~ s/"at"/"thread":478,"at"/r . "\n") =~ s/\n {16}/ /gr;
like($said, qr/^ +what +SIGSEGV on thread 7, while thread 478 was in run 2, launch 5: cpp_\w+$/m,
    'a signal to a thread that is in no run');
like($said, qr/^ +why +the thread .* or one of the program's own, which may have nothing /m,
    'which need not be of the launch');

my $canary = 'aotigen --guard=canary PACKAGE -o DEBUG_PACKAGE';

# Signals that came in no run: the last of them is the one that ended the program.
my $outside = sub {
    return qq/{"event":"signal","time":$_[0],"pid":7,"signal":"$_[1]","signal_thread":$_[2]}\n/ };
my $going = '{"event":"under_way","time":"1.5 ","pid":7,"thread":9,"source":"w.cpp","run":3,'
    . '"launch":2,"line":7,"at":"launched","kernel":"cpp_fused_log_0"}';
$said = logged($outside->(1, 'SIGSEGV', 3) . "$going\n" . $outside->(2, 'SIGSEGV', 4),
    'kill -SEGV $$') =~ s/\n {16}/ /gr;
like($said, qr/^  what          SIGSEGV on thread 4, which is in no run of the model$/m,
    'a signal outside of all runs, though another thread went on to a launch');
like($said, qr/^  why           no launch was under way on another thread: the reason is in the /m,
    'why');
like($said, qr/^  also found    1 x signal outside of all runs$/m, 'and what else there was');
like($said, qr/\Q$canary\E/, 'what to try next');
$said = logged($outside->(1, 'SIGSEGV', 3) . "$going\n", 'kill -ABRT $$');
like($said, qr/^  what          process 7 ended within run 3, launch 2: cpp_fused_log_0$/m,
    'but not one of another signal, which the program handled');
like(logged($outside->(1, 'SIGTERM', 3) . "$born\n", 'kill -TERM $$'), qr/^  what +NaN born/m,
    'nor where something was found before');
unlike(logged($outside->(1, 'SIGTERM', 3), 'kill -TERM $$'), qr/canary/,
    'who ends a program looks for no fault');

# What the library found out of the launch after the signal.
my $explained =
    '{"event":"explained","pid":7,"run":2,"launch":5,"how":"x[2] = 0 makes the divisor 0"}';
my $divided = $segv =~ s/SIGSEGV/SIGFPE/r;
$said = logged("$divided\n$explained\n", 'kill -FPE $$') =~ s/\n {16}/ /gr;
like($said, qr/^  how           x\[2\] = 0 makes the divisor 0$/m, 'how a launch came to a signal');
like($said, qr/^  why .* and its kernel, computed again, fails as 'how' says$/m, 'and why');
unlike($said, qr/canary/, 'whose reason needs not be looked for');
for my $other (['"run":2', '"run":3'], ['"pid":7', '"pid":8'], ['"launch":5', '"launch":4']) {
    my ($field, $by) = @$other;
    unlike(logged("$divided\n" . $explained =~ s/$field/$by/r . "\n", 'kill -FPE $$'), qr/^  how/m,
        "$by: not that of another launch");
}
unlike(logged("$explained\n", 'kill -FPE $$'), qr/^  how/m, 'nor one alone');

# An argument that is wrong, and the operator that made it for the kernel.
my $given =
    $born =~ s/"born"/"guard"/r =~ s/"check"/"launch_is":"kernel","maker":"my::op","check"/r;
$said = logged("$given\n", 'exit 1');
like($said, qr/^  what          guard failed in run 2, launch 4: .*^  made by       my::op$/ms,
    'who made a wrong argument');
unlike($said, qr/aotigen check/, 'of which the text of the model says nothing');

my $sent = $segv =~ s/\}$/,"sender":99,"cause":"sent by process 99"}/r;
$said = logged("$sent\n", 'kill -SEGV $$') =~ s/\n {16}/ /gr;
like($said, qr/^ +what +SIGSEGV in run 2, launch 5: .*^ +fault +sent by process 99$/ms,
    'a signal that another process sent');
like($said, qr/^  why           the signal came while .*: it hangs, or the program was ended /m,
    'is no fault of the launch');
unlike($said, qr/canary/, 'which is not looked for');

# Nothing is advised that the package has, also where another command made it.
for my $case (['', 1], [',"guards":"poison,ops"', 1], [',"guards":"canary,poison"', 0],
    [',"guards":"page-before"', 0], [',"guards":"page:NAMES,ops"', 1]) {
    my ($built, $advised) = @$case;
    is(index(logged($segv =~ s/\}$/$built}/r . "\n"), $canary) > 0 ? 1 : 0, $advised,
        "--guard=canary for a package with '$built'");
}
done_testing;
