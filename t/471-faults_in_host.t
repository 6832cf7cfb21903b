# Faults 17, 18 and 19 of samples/faults/: a custom operator's C text, or a compiled kernel, that
# crashes, that never ends, or that overwrites the host's stack or heap. Each is named by launch and
# kernel in one run of the program: a wrong address by argument and element, a hang by the stack.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Expected;

my $s = sample('faults.in_host');
my $guarded = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'off');
my $so = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'all');
for my $env ({}, { AOTIGEN_WATCHDOG => 30 }) {
    my $r = same_outputs($s, $guarded, 'a sound model', env => $env);
    is($r->{err}, '', 'in silence');
}

# Runs the model once for each fault, each in a process of its own, which is killed when it has said
# of what it hangs; what is said of each, and how it ended.
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

for fault in wanted:
    os.write(2, f"\n== {fault}\n".encode())
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
    my $err = slurp($file) =~ s/^aotigen: \K\[pid \d+\] //mgr; # each fault has a child
    is($r->{status}, 0, 'the host lives') or diag($err);
    return join '', $err =~ /^(aotigen: .*\n(?:  .*\n)*|(?:== |ended with |Fatal Python ).*\n)/mg;
}

# A kernel may run on several threads, and the stack of a hang is Python's but for one function.
my @varying = (qr/ on thread \d+, while thread \d+ was(?= in run)/ => '',
    qr/cpp_fused_\S+ \([^)]*\)/ => 'KERNEL', qr/ \(args\[\d\]\)/ => '',
    qr/\d+(?= bytes behind the thread's)/ => 'N', qr/'[^']+'(?=: the heap was)/ => 'GLIBC',
    qr/^    #\d+ (?!\w+_for_ever\+).*\n/m => '', qr/#\K\d+ (?=\w+_for_ever)/ => 'N ',
    qr/_for_ever\K\+\S+ in \S+/ => '+OFFSET in LIBRARY',
    qr/\d+\.\d s: it has/ => 'SECONDS: it has', @differing);

# ---- 17 and 19: the process dies of a signal
is_expected('how each crash is named', run_faults($so, {}, qw(read_past write_before read_released
    read_null overflow_stack overflow_stack_far few_rows smash_stack write_up_the_stack
    damage_heap)), @varying);
is_expected('few_rows, with guards: met before the launch', run_faults($guarded, {}, 'few_rows'),
    @varying);
is_expected('the handler of Python comes next, on a stack of its own', run_faults($so,
    { PYTHONFAULTHANDLER => 1 }, qw(read_past overflow_stack smash_stack)), @varying);

# ---- 18: nothing ends, but for six slow launches, none of which has the whole time
is_expected('how each hang is named', run_faults($so, { AOTIGEN_WATCHDOG => 0.8 },
    qw(spin_for_ever wait_for_ever take_a_while)), @varying);
done_testing;
