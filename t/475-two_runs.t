# Fault 15, samples/faults/two_runs.py: two threads run one model at the same time. What both write,
# a buffer of the model's or an input that both were given, is named with both launches.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('faults.two_runs');
my $so = built($s);
is(same_outputs($s, $so, 'a run at a time')->{err}, '', 'in silence');

# Runs the model on two threads, as `mode` says; each waits for the other within its run.
my $host = <<'PYTHON';
import sys, threading, torch
so, out, samples, mode = sys.argv[1:]
sys.path.insert(0, samples)
import faults.two_runs as sample
x, cache = torch.load(out + "/inputs.pt")[0]
runner = torch._C._aoti.AOTIModelContainerRunnerCpu(so, 2)
both = threading.Barrier(2, timeout=60)
if mode != "one at a time":
    sample.meet = both.wait
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

my $other = qr/run [12], launch 3: cpp_fused_\w+ \(line \d+\)/;
my $what = qr/aotigen: race between two runs in run [12], launch 3: cpp_fused_\w+\n/;
is(two_runs('one at a time'), '', 'one run after the other');
my $log = tempdir() . '/log.jsonl';
my $err = two_runs('own caches', AOTIGEN_LOG => $log);
my @heads = $err =~ /^aotigen: /mg;
is(scalar @heads, 1, 'one report') or diag($err);
like($err, qr/^$what/m, 'two runs write a buffer of the model: the launch');
like($err, qr/^  argument      runs \(runs\): float32 \[64\] on cpu\n/m, 'the buffer');
like($err, qr/^ +this launch writes it, .*\n +$other writes it as 'runs'$/m, 'the other launch');
like(slurp($log), qr/"event":"race".*"arg":"runs"/, 'the event');
$err = two_runs('one cache');
like($err, qr/^  argument      arg\d_1 \(args\[1\]\): float32 \[8, 64\] on cpu\n/m,
    'an input that both were given');
like($err, qr/^  argument      runs /m, 'and the buffer');
@heads = $err =~ /^aotigen: /mg;
is(scalar @heads, 2, 'each once');
done_testing;
