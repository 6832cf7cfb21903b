# AOTIGEN_TIME on a GPU: every launch is timed on its own stream, also by two threads, in waiting
# runs, and beside a captured graph, which is not; the outputs are those without it.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;
use JSON::PP 'decode_json';

FakeCuda::need_gpu();
need_torch();

# Prints the nanoseconds of the runs, from an idle device to an idle one.
my $host = <<'PYTHON';
import os, sys, threading, time, torch
plain, package, out, how = sys.argv[1:]
inputs = torch.load(out + "/inputs.pt")[1]
load = torch._C._aoti.AOTIModelContainerRunnerCuda
expected = [x.clone() for x in load(plain, 1, "cuda", out).run(list(inputs))]
if how == "graph":  # which takes a model of a single thread
    model = torch._C._aoti.AOTIModelPackageLoader(package, "model", True, 1, -1)
else:
    model = load(package, 2, "cuda", out)

def runs():
    torch.cuda.set_device(0)
    with torch.cuda.stream(torch.cuda.Stream()):
        for _ in range(6):
            for x, y in zip(model.run(list(inputs)), expected):
                if not torch.equal(x.view(torch.int32), y.view(torch.int32)):
                    print("another output")

torch.cuda.synchronize()
began = time.monotonic_ns()
threads = [threading.Thread(target=runs) for _ in range(2 if how == "threads" else 1)]
for t in threads:
    t.start()
for t in threads:
    t.join()
torch.cuda.synchronize()
print(time.monotonic_ns() - began)
if how == "graph":
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        model.run(list(inputs))
    graph.replay()
    torch.cuda.synchronize()
PYTHON

my $s = sample('nan_inside', 'cuda');
my ($so, $waiting) = map { built($s, sync => $_) } 0, 1;

sub timed {
    my ($how, $model, $runs) = @_;
    my $log = tempdir() . '/log';
    my $r = run_cmd([$s->{torch}{python}, '-W', 'ignore', '-c', $host, "$s->{dir}/model.so", $model,
            $s->{dir}, $how], timeout => 200,
        env => { AOTIGEN_TIME => 1, AOTIGEN_LOG => $log, AOTIGEN_ON_FAULT => 'report' });
    like($r->{out}, qr/\A\d+\n\z/, "$how: the outputs are the same") or diag($r->{err});
    my @events = grep { $_->{event} eq 'timed' } map { decode_json($_) } split /\n/, slurp($log);
    cmp_ok(scalar @events, '>', 1, "$how: launches are timed");
    is(scalar(grep { $_->{count} != $runs - 1 } @events), 0, "$how: each of them");
    my $sum = 0;
    $sum += $_->{first_ns} + $_->{total_ns} for @events;
    cmp_ok($sum, '>', 0, "$how: they take some time");
    cmp_ok($sum, '<=', $r->{out} * ($how eq 'threads' ? 2 : 1), "$how: no more than their runs");
    unlike($r->{err}, qr/not timed/, "$how: none is left out") if $how ne 'graph';
    return $r->{err};
}

timed('plainly', $so, 6);
timed('waiting', $waiting, 6);
timed('threads', $so, 12);
like(timed("graph", repackaged($s), 6),
    qr/launches were not timed: they were captured into a graph$/m,
    'a captured run is not timed, and that is told');
done_testing;
