# Two recordings of samples/nan_inside.py on a GPU: processes that were given the same agree, and of
# another input the launch that reads it is named. Outputs are the plain model's.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;

FakeCuda::need_gpu();
my $torch = need_torch();
my $s = sample('nan_inside', 'cuda');
my $dir = tempdir();
must(aotigen('-q', "--torch=$torch->{dir}", "$s->{dir}/model.pt2", '-o', "$dir/dbg.pt2"),
    'a debug package of it');

spew("$dir/program.py", <<'PY');
import sys, time, torch
from torch._inductor.package import load_package
path, plain, inputs, bump, runs = sys.argv[1:]
_, (x, y) = [[t.cuda() for t in pair] for pair in torch.load(inputs)]
model, plain = [load_package(p, "model").loader for p in (path, plain)]
for i in range(int(runs)):
    a, b = x.clone(), y.clone()
    if i == 5: a[1, 2] += float(bump)
    assert all(map(torch.equal, model.run([a, b]), plain.run([a, b])))
torch.cuda.synchronize()
print("ended")
PY

sub program {
    my ($record, $bump) = @_;
    my $r = run_cmd([$torch->{python}, '-W', 'ignore', "$dir/program.py", "$dir/dbg.pt2",
            "$s->{dir}/model.pt2", "$s->{dir}/inputs.pt", $bump, 40], cwd => $dir, timeout => 200,
        env => { AOTIGEN_RECORD => "$dir/$record" });
    is("$r->{status} $r->{out}$r->{err}", "0 ended\n", "$record: it runs, and is silent");
    return;
}
program('a', 0);
program('b', 0);
program('c', 0.25);
my $r = run_cmd([build() . '/aotigen', 'diff', 'a', 'b'], cwd => $dir);
is($r->{status}, 0, 'two processes agree') or diag($r->{out}, $r->{err});
like($r->{out}, qr{^  compared      40 runs of each, 0 of which differ: bit for bit$}m,
    "in each run");
note($r->{out});
$r = run_cmd([build() . '/aotigen', 'diff', 'a', 'c'], cwd => $dir);
is($r->{status}, 1, 'another input is seen');
like($r->{out}, qr/^  what          run \d+: launch 1 \(triton_\w*\) was given another arg0_1 /m,
    'and named');
like($r->{out}, qr/40 runs of each, 1 of which differ/, 'in the run that had it');
note($r->{out});
done_testing;
