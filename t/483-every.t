# AOTIGEN_EVERY=N on real models: one run of N is checked. A fault of each run is found in those
# alone, one that comes and goes in between is not, and one that stays is found by the next.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

# Runs a package as `plan` says, a letter a run: b with a NaN, s sound. Prints what run numbers the
# log has of each event, and whether the outputs are the plain package's.
my $host = <<'PYTHON';
import json, os, sys, threading, torch
plain, package, out, plan, mode, log = sys.argv[1:]
bad, sound = torch.load(out + "/inputs.pt")

def load(path):
    if mode == "single":
        return torch._C._aoti.AOTIModelPackageLoader(path, "model", True, 1, -1)
    return torch._C._aoti.AOTIModelContainerRunnerCpu(path, 4)

models = [load(x) for x in (plain, package)]
expected = {k: [x.clone() for x in models[0].run(list(i))] for k, i in (("b", bad), ("s", sound))}

def run(kind):
    for x, y in zip(models[1].run(list(bad if kind == "b" else sound)), expected[kind]):
        if not torch.equal(x.view(torch.int32), y.view(torch.int32)):
            print("another output")

if mode == "threads":
    threads = [threading.Thread(target=lambda: [run(k) for k in plan]) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
else:
    for k in plan:
        run(k)
seen = {}
for line in open(log) if os.path.exists(log) else []:
    e = json.loads(line)
    if "run" in e and e["event"] != "in_flight":
        seen.setdefault(e["event"], []).append(e["run"])
if mode == "threads":
    seen = {k: len(set(x)) for k, x in seen.items()}
print(json.dumps({k: x if isinstance(x, int) else sorted(set(x)) for k, x in seen.items()}))
PYTHON

my $s = sample('nan_inside');

sub seen {
    my ($model, $plan, $mode, %env) = @_;
    my $log = tempdir() . '/log';
    my ($kind) = $model =~ /(\w+)$/;
    my $r = python($host, "$s->{dir}/model.$kind", $model, $s->{dir}, $plan, $mode, $log,
        { env => { AOTIGEN_LOG => $log, AOTIGEN_ON_FAULT => 'report', %env } });
    is($r->{status}, 0, "$plan ($mode): the host ends well") or diag($r->{err});
    return $r;
}

my $so = built($s);
my @four = (AOTIGEN_EVERY => 4);
like(seen($so, 'b' x 6, 'plain')->{out}, qr/^\{.*"born": \[1, 2, 3, 4, 5, 6\]/m,
    'without it a NaN is found in each run');
like(seen($so, 'b' x 10, 'plain', @four)->{out}, qr/^\{.*"born": \[1, 5, 9\]/m,
    'with it in runs 1, 5, 9: the numbers are those of all runs');
my $r = seen($so, 'sbbbssss', 'plain', @four);
is($r->{out}, "{}\n", 'one that is gone by then is not found');
is($r->{err}, '', 'in silence');
like(seen($so, 'b' x 10, 'plain', @four, AOTIGEN_RUNS => '3-')->{out},
    qr/^\{.*"born": \[3, 7\]/m, 'of the runs that AOTIGEN_RUNS selects');
SKIP: {
    skip 'torch 2.6 cannot be asked for it', 2 if $s->{torch}{version} =~ /^2\.6\./;
    like(seen(repackaged($s), 'b' x 6, 'single', @four)->{out}, qr/^\{.*"born": \[1, 5\]/m,
        'with run_single_threaded');
}
like(seen($so, 'b' x 10, 'threads', @four)->{out}, qr/^\{.*"born": 10[,}]/m,
    'and in one of four of 40 runs on four threads of four models');
my $guarded = built($s, guard => 'page,poison', printer => 3);
$r = seen($guarded, 'bsbsb', 'plain', @four);
like($r->{out}, qr/^\{.*"born": \[1, 5\]/m, 'memory that only some runs guard');
my $names = () = $r->{out} =~ /^\[ before_launch: /mg;
my $all = () = seen($guarded, 'bsbsb', 'plain')->{out} =~ /^\[ before_launch: /mg;
is($names * 5, $all * 2, 'the printer prints the runs that are checked');

# What stays in memory: a NaN that run 2 leaves in the caller's cache.
$s = sample('cache');
my $cache = python(<<'PYTHON', repackaged($s), $s->{dir},
import sys, torch
from torch._inductor import aoti_load_package
model = aoti_load_package(sys.argv[1])
new, cache, rows, x, y = torch.load(sys.argv[2] + "/inputs.pt")[0]
for i in range(5):
    model(torch.full_like(new, float("nan")) if i == 1 else new, cache,
          rows if i == 1 else torch.tensor([1, 3]), x, y)
PYTHON
    { env => {@four}, import => ['torch._inductor.package'] });
is($cache->{status}, 0, 'the host of the cache ends well') or diag($cache->{err});
my @said = $cache->{err} =~ /^(aotigen: NaN .*) with (\S+)/mg;
is($said[0], 'aotigen: NaN arrived in run 5', 'what an unchecked run left in an input is found')
    or diag($cache->{err});
is(scalar @said, 2, 'once');
done_testing;
