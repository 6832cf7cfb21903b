# samples/faults/two_runs.py on a GPU: two threads run one model at the same time, on two streams.
# What both write is named with both launches; on one stream their launches are in order.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();

my $s = sample('faults.two_runs', 'cuda');
my $host = <<'PYTHON';
import os, sys, threading, torch
so, out, samples, mode = sys.argv[1:]
sys.path.insert(0, samples)
import faults.two_runs as sample
x, cache = torch.load(out + "/inputs.pt")[0]
runner = torch._C._aoti.AOTIModelContainerRunnerCuda(so, 2, "cuda", os.path.abspath(out))
runner.run([x, cache.clone()])
torch.cuda.synchronize()
both = threading.Barrier(2, timeout=60)
sample.meet = both.wait

def run():
    torch.cuda.set_device(0)
    stream = torch.cuda.Stream() if mode == "two streams" else torch.cuda.default_stream()
    with torch.cuda.stream(stream):
        runner.run([x, cache])

threads = [threading.Thread(target=run) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
torch.cuda.synchronize()
PYTHON

sub two_runs {
    my ($so, $mode) = @_;
    my $r = run_cmd([$s->{torch}{python}, '-W', 'ignore', '-c', $host, $so, $s->{dir},
            root() . '/samples', $mode], timeout => 120);
    is($r->{status}, 0, "$mode: the host lives") or diag($r->{err});
    return $r->{err};
}

for my $sync (0, 1) {
    my $so = built($s, sync => $sync);
    my $waits = $sync ? ', waiting' : '';
    my $err = two_runs($so, 'two streams');
    like($err, qr/^aotigen: race between two runs in run [23], launch \d+: triton_\w+$/m,
        "two streams$waits: the launch");
    like($err, qr/^  argument      $_: /m, "its argument $_") for 'runs \(runs\)', 'arg\d_1 .*';
    like($err, qr/run [23], launch \d+: triton_\w+ \(line \d+\) writes it as 'runs'/,
        'and the other launch');
    is(two_runs($so, 'one stream'), '', "one stream$waits: in order");
}
done_testing;
