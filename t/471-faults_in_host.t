# Faults 17, 18 and 19 of samples/faults/: a custom operator's C text, or a compiled kernel, that
# crashes, that never ends, or that overwrites the host's stack or heap. Each is named by launch and
# kernel in one run of the program: a wrong address by argument and element, a hang by the stack.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('faults.in_host');
my $guarded = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'off');
my $so = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'all');
for my $env ({}, { AOTIGEN_WATCHDOG => 30 }) {
    my $r = same_outputs($s, $guarded, 'a sound model', env => $env);
    is($r->{err}, '', 'in silence');
}

# Runs the model once for each fault, each in a process of its own, which is killed when it has said
# of what it hangs; stderr of each.
my $host = <<'PYTHON';
import os, signal, sys, time, torch
so, out, samples, *wanted = sys.argv[1:]
sys.path.insert(0, samples)
import faults.in_host as sample
inputs = torch.load(out + "/inputs.pt")[0]
sample.act(inputs[0])  # Python imports much at the first call
runner = torch._C._aoti.AOTIModelContainerRunnerCpu(so, 1)

def said(what):
    end = os.lseek(2, 0, os.SEEK_CUR)
    return what in os.pread(2, end, start)

for number, fault in enumerate(wanted):
    os.write(2, f"\n== {number}\n".encode())
    start = os.lseek(2, 0, os.SEEK_CUR)
    child = os.fork()
    while child:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        if said(b" innermost first\n    #0 "):
            time.sleep(0.1)
            os.kill(child, signal.SIGKILL)
        time.sleep(0.01)
    if child:
        os.write(2, f"\nended with {status & 127}\n".encode())
        continue
    rows = 32 if fault == "few_rows" else 64
    sample.fault = None if fault == "few_rows" else fault
    x, w = sample.at_the_edge(64), sample.at_the_edge(rows)
    for _ in range(6 if fault == "take_a_while" else 1):
        runner.run([x, w])
    os._exit(0)
PYTHON

sub run_faults {
    my ($model, $env, @faults) = @_;
    my $file = tempdir() . '/err';
    my $r = run_cmd(['sh', '-c', 'exec "$@" 2<>' . $file, 'sh', $s->{torch}{python}, '-W', 'ignore',
            '-c', $host, $model, $s->{dir}, root() . '/samples', @faults],
        env => { TORCH_SHOW_CPP_STACKTRACES => 0, %$env }, cwd => tempdir(), timeout => 300);
    my $err = slurp($file);
    is($r->{status}, 0, 'the host lives') or diag($err);
    my (undef, %seen) = split /^== (\d+)\n/m, $err;
    return map { $seen{$_} // '' } 0 .. $#faults;
}

my $act = qr/run 1, launch 1: faults::act \S+, launched at \S*wrapper\.cpp:\d+/;
my $kernel = qr/run 1, launch 2: cpp_fused_\S+ \([^)]*\), launched at \S*wrapper\.cpp:\d+/;
my $x = qr/arg0_1(?: \(\S+\))?: float32 \[64, 64\]/;
my $w = qr/arg1_1(?: \(\S+\))?: float32 \[32, 64\]/;

# ---- 17 and 19: the process dies of a signal

my $used_up = qr/, at the end of the thread's stack, which is used up$/;
my @crashes = (
    [read_past => 'SIGSEGV', $act,
        qr/ \(read\), 32 bytes behind the end of $x, element 4104 of 4096$/],
    [write_before => 'SIGSEGV', $act,
        qr/ \(write\), 16388 bytes before the start of $x, element -4097 of 4096$/],
    [read_released => 'SIGSEGV', $act, qr/ \(read\), within $x, element 17 of 4096, at \[0, 17\]$/],
    [read_null => 'SIGSEGV', $act, qr/ address 0x10 \(read\), 16 bytes from a null pointer$/],
    [overflow_stack => 'SIGSEGV', $act, $used_up],
    [overflow_stack_far => 'SIGSEGV', $act, $used_up],
    [few_rows => 'SIGSEGV', $kernel,
        qr/ \(read\), 0 bytes behind the end of $w, element 2048 of 2048$/],
    [smash_stack => 'SIGABRT', $act,
        qr/; '\*\*\* stack smashing \N+: a function wrote beyond an array on its stack$/],
    [write_up_the_stack => 'SIGSEGV', $act,
        qr/ bytes behind the thread's stack, which was written beyond an array on it$/],
    [damage_heap => 'SIGABRT', $act,
        qr/': the heap was overwritten or freed wrongly, by what ran here or before$/],
);
my %number = (SIGSEGV => 11, SIGABRT => 6);

sub crashed {
    my ($how, $err, $name, $place, $cause) = @_;
    my ($line) = $err =~ /^(aotigen: .*)$/m;
    $line //= '';
    like($line, qr/^aotigen: $name (?:on thread \d+, while thread \d+ was )?in $place/,
        "$how: the launch") or diag($err);
    like($line, $cause, "$how: the cause");
    my $lines = () = $err =~ /^aotigen: /mg;
    is($lines, 1, "$how: nothing else");
    like($err, qr/^ended with $number{$name}$/m, "$how: the process dies of the signal");
    note($line);
    return;
}

my @names = map { $_->[0] } @crashes;
my @seen = run_faults($so, {}, @names);
for my $i (0 .. $#crashes) {
    my ($how, $name, $place, $cause) = @{ $crashes[$i] };
    crashed($how, $seen[$i], $name, $place, $cause);
}
my ($few) = run_faults($guarded, {}, 'few_rows');
like($few, qr/^aotigen: .* not what the model was built for, in run 1/m,
    'few_rows, with guards: met before the launch');

# Python's own handler comes next, on a stack of its own.
my @dumped = run_faults($so, { PYTHONFAULTHANDLER => 1 }, qw(read_past overflow_stack smash_stack));
for my $i (0 .. 2) {
    my ($crash) = grep { $_->[0] eq (qw(read_past overflow_stack smash_stack))[$i] } @crashes;
    my ($how, $name, $place, $cause) = @$crash;
    crashed("$how, faulthandler", $dumped[$i], $name, $place, $cause);
    like($dumped[$i], qr/^Fatal Python error: /m, "$how: and faulthandler speaks");
}

# ---- 18: nothing ends

my ($spins, $waits, $slow) = run_faults($so, { AOTIGEN_WATCHDOG => 0.8 },
    qw(spin_for_ever wait_for_ever take_a_while));
for my $hang ([$spins, 'spin_for_ever', 'runs'], [$waits, 'wait_for_ever', 'sleeps']) {
    my ($err, $how, $doing) = @$hang;
    like($err, qr/^aotigen: hang in run 1, launch 1: faults::act$/m, "$how: the launch");
    like($err, qr/^  for           \d+\.\d s: it has not returned\n  argument      $x$/m,
        "$how: its argument");
    like($err, qr/^  thread        \d+, which $doing$/m, "$how: its thread");
    like($err, qr/^    #\d+ $how\+0x[0-9a-f]+ in \S*faults\.so$/m, "$how: the stack");
    my $lines = () = $err =~ /^aotigen: /mg;
    is($lines, 1, "$how: nothing else");
    note($err);
}
unlike($slow, qr/aotigen: /, 'six slow launches, none of which has the whole time: not a word')
    or diag($slow);
like($slow, qr/^ended with 0$/m, 'and they end');
done_testing;
