# samples/nan_inside.py watched on a GPU: sound runs are silent, a NaN in a late one leaves a
# capsule with the inputs as they were passed, though the caller overwrites them at once, and
# 'aotigen replay' names the launch and the element. A run that is captured into a graph is let
# through.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;
use File::Copy 'copy';

FakeCuda::need_gpu();
my $torch = need_torch();
my $s = sample('nan_inside', 'cuda');
my $dir = tempdir();
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;
must(aotigen('watch', '-q', "$dir/model.pt2", '-o', "$dir/watched.pt2"), 'it is watched');

# Runs it RUNS times, the run BAD with the inputs that make a NaN; on a stream of its own if OWN.
spew("$dir/program.py", <<'PY');
import sys, torch
from torch._inductor.package import load_package
path, inputs, runs, bad, own = sys.argv[1:]
(bad_x, bad_y), (x, y) = [[t.cuda() for t in pair] for pair in torch.load(inputs)]
if int(own): torch.cuda.set_stream(torch.cuda.Stream())
model = load_package(path, "model").loader
expected = [o.clone() for o in model.run([x, y])]
for i in range(int(runs)):
    args = [t.clone() for t in ((bad_x, bad_y) if i == int(bad) else (x, y))]
    out = model.run(args)
    for t in args: t.fill_(7)
    if i != int(bad): assert all(map(torch.equal, out, expected))
if int(bad) < 0:
    args, graph = [x.clone(), y.clone()], torch.cuda.CUDAGraph()
    one = load_package(path, "model", run_single_threaded=True).loader # which alone can be captured
    assert all(map(torch.equal, one.run(args), expected))
    with torch.cuda.graph(graph): out = one.run(args)
    for _ in range(3): graph.replay()
    assert all(map(torch.equal, out, expected))
print("ended")
PY
sub program {
    my ($bad, $own, %env) = @_;
    return run_cmd([$torch->{python}, '-W', 'ignore', "$dir/program.py", "$dir/watched.pt2",
            "$s->{dir}/inputs.pt", 300, $bad, $own], cwd => $dir, timeout => 200,
        env => { AOTIGEN_CAPSULE => "$dir/c", %env });
}

my $r = program(-1, 0);
is("$r->{status} $r->{out}", "0 ended\n", 'sound runs and a graph');
is($r->{err}, "aotigen: warning: a run of a watched model is not looked at: it is captured into a "
    . "CUDA graph; this is said once\n", 'silent, but for the graph');
is(join(' ', glob "$dir/c*"), '', 'and without a capsule');
for my $own (0, 1) {
    my $where = $own ? 'on its own stream' : 'on the default stream';
    $r = program(200, $own);
    like($r->{err}, qr/\Aaotigen: NaN in output 0 of run 202, of a watched model\n/,
        "$where: run 202 is told");
    is(() = $r->{err} =~ /^aotigen:/mg, 1, 'and no other') or diag($r->{err});
    my $replay = run_cmd([build() . '/aotigen', 'replay', "--torch=$torch->{dir}", 'c'],
        cwd => $dir, timeout => 300, env => { PYTHON => $torch->{python} });
    is($replay->{status}, 0, 'it is replayed') or diag($replay->{err});
    note($replay->{err});
    like($replay->{err}, qr/^aotigen: NaN born in run 1, launch 1: triton_\w*log\w*$/m,
        'born in the logarithm');
    like($replay->{err}, qr/^  element       buf0\[2,3\]: /m, 'at the element');
    like($replay->{err}, qr/^  outputs       those of the capsule, bit for bit$/m,
        'with the same outputs');
    unlink glob "$dir/c*";
}
$r = program(200, 0, AOTIGEN_ON_FAULT => 'throw');
isnt($r->{status}, 0, 'AOTIGEN_ON_FAULT=throw ends the run');
like($r->{err}, qr/^aotigen: NaN in output 0 of run 202, of a watched model$/m, 'and says why');
done_testing;
