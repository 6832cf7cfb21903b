# Fault 15, samples/faults/two_runs.py: two threads run one model at the same time. What both write,
# a buffer of the model's or an input that both were given, is named with both launches. Fault 18:
# of a container with one model the second thread waits for the first, whose run hangs.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Expected;

my $s = sample('faults.two_runs');
my $so = built($s);
is(same_outputs($s, $so, 'a run at a time')->{err}, '', 'in silence');

# Runs the model on two threads, as `mode` says; each waits for the other within its run.
my $host = <<'PYTHON';
import os, signal, sys, threading, time, torch
so, out, samples, mode = sys.argv[1:]
sys.path.insert(0, samples)
import faults.two_runs as sample
x, cache = torch.load(out + "/inputs.pt")[0]
runner = torch._C._aoti.AOTIModelContainerRunnerCpu(so, 1 if mode == "one model" else 2)
both = threading.Barrier(2, timeout=60)
if mode != "one at a time":
    sample.meet = both.wait

# The parent ends the process that hangs, when it has said so of both threads.
if mode == "one model":
    child = os.fork()
    until = time.monotonic() + 60
    while child and time.monotonic() < until:
        with open("/proc/self/fd/2") as stderr:
            said = stderr.read()
        if said.count("C stack of thread ") == 2 and said.endswith("\n"):
            until = 0
        time.sleep(0.05)
    if child:
        os.kill(child, signal.SIGKILL)
        sys.exit(0)
threads = [threading.Thread(target=runner.run,
    args=([x, cache if mode == "one cache" else cache.clone()],)) for _ in range(2)]
for thread in threads:
    thread.start()
    if mode == "one at a time":
        thread.join()
for thread in threads:
    thread.join()
PYTHON

sub two_runs {
    my ($mode, %env) = @_;
    my $r = python($host, $so, $s->{dir}, root() . '/samples', $mode,
        { env => \%env, import => ['torch._dynamo'] });
    is($r->{status}, 0, "$mode: the host lives") or diag($r->{err});
    return $r->{err};
}

# Which run, and which thread, comes first; the stacks are of Python and torch.
my @varying = (qr/\brun \K[12](?=, launch 3)/ => 'N',
    qr/\barg\K\d(?=_1)/ => 'N', qr/^  threads +\K\d+ runs this launch, \d+/m => 'N runs this, N',
    qr/\d+\.\d s: / => 'SECONDS: ', qr/^    #\d+ .*\n/m => '');
is(two_runs('one at a time'), '', 'one run after the other');
my $log = tempdir() . '/log.jsonl';
is_reported('two runs write a buffer of the model', two_runs('own caches', AOTIGEN_LOG => $log),
    @varying);
like(slurp($log), qr/"event":"race".*"arg":"runs"/, 'the event');
is_reported('and an input that both were given', two_runs('one cache'), @varying);
my $err = two_runs('one model', AOTIGEN_WATCHDOG => 0.8, AOTIGEN_LOG => $log);
my %marked = map { $_ => 1 } $err =~ /^aotigen: (.{0,5}\d*)/mg;
is(scalar keys %marked, 1, 'each report has the number of the child that ran it');
$err =~ s/^aotigen: \K\[pid \d+\] //mg;
is_reported('a run that hangs, and the thread that waits for its model', $err, @varying);
my ($holder) = $err =~ /^aotigen: hang in run 1, .*?^  thread +(\d+)/ms;
my ($waits, $for) = $err =~ /^aotigen: hang before a run: thread (\d+).*run 1 of thread (\d+)/ms;
ok($for == $holder && $waits != $holder, 'it waits for the first thread');
done_testing;
