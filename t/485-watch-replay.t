# From a watched run to a diagnosis: a NaN in a late run of a watched model leaves a capsule, and
# 'aotigen replay' names the launch, the element and the line that a debug package names.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;
use File::Copy 'copy';

my $torch = need_torch();
my $s = sample('nan_inside');
my $dir = tempdir();
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;
must(aotigen('watch', '-q', "$dir/model.pt2", '-o', "$dir/watched.pt2"), 'it is watched');

# Runs it RUNS times by THREADS threads, or, where that is 0, with run_single_threaded. Run BAD has
# the inputs that make a NaN; right after each call its inputs are overwritten.
spew("$dir/program.py", <<'PY');
import os, signal, sys, threading
import torch
from torch._inductor.package import load_package
path, inputs, runs, bad, threads, *kill = sys.argv[1:]
(bad_x, bad_y), (x, y) = torch.load(inputs)
how = {"num_runners": int(threads)} if int(threads) else {"run_single_threaded": True}
threads = max(1, int(threads))
model = load_package(path, "model", **how).loader
expected = [o.clone() for o in model.run([x, y])]
failed = 0
def work(first):
    global failed
    for i in range(first, int(runs), int(threads)):
        args = [t.clone() for t in ((bad_x, bad_y) if i == int(bad) else (x, y))]
        try:
            out = model.run(args)
        except RuntimeError:
            failed += 1
            continue
        for t in args: t.fill_(7)
        if i != int(bad): assert all(map(torch.equal, out, expected))
if kill: threading.Timer(float(kill[0]), os.kill, (os.getpid(), signal.SIGKILL)).start()
workers = [threading.Thread(target=work, args=(k,)) for k in range(int(threads))]
for t in workers: t.start()
for t in workers: t.join()
print("ended", failed)
PY
my @program = ("$dir/program.py", "$dir/watched.pt2", "$s->{dir}/inputs.pt");
sub program {
    my ($arguments, %env) = @_;
    return run_forked({ file => $program[0], arguments => [@program[1, 2], @$arguments],
            import => ['torch._inductor.package'] },
        cwd => $dir, timeout => 300, env => { AOTIGEN_CAPSULE => "$dir/c", %env });
}
sub capsules { return map { s{.*/}{}r } sort glob "$dir/c*" }

my $r = program([1000, -1, 1]);
is("$r->{status} $r->{out} $r->{err}", "0 ended 0\n ", 'sound runs: silent');
is(join(' ', capsules()), '', 'and without a capsule');

$r = program([1000, 900, 1]);
like($r->{err}, qr/\Aaotigen: NaN in output 0 of run 902, of a watched model\n/, 'run 902 is told');
like($r->{err}, qr/^  model         'model' of '\Q$dir\E\/model\.pt2'$/m, 'with its model');
like($r->{err}, qr/^  try next      where it was born: aotigen replay \Q$dir\E\/c$/m, 'and a way');
is(() = $r->{err} =~ /^aotigen:/mg, 1, 'and no other');
is(join(' ', capsules()), 'c', 'there is a capsule');

my @options = ("--torch=$torch->{dir}");
my %how = (cwd => $dir, timeout => 300, env => { PYTHON => $torch->{python} });
my $replay = run_cmd([build() . '/aotigen', 'replay', @options, 'c'], %how);
is($replay->{status}, 0, 'it is replayed') or diag($replay->{err});
like($replay->{err}, qr/^aotigen: NaN born in run 1, launch 1: cpp_fused_log_sub_sum_0$/m,
    'born in the logarithm');
like($replay->{err}, qr/^  element       buf0\[2,3\]: /m, 'at the element');
like($replay->{err}, qr/^  outputs       those of the capsule, bit for bit$/m,
    'with the outputs of the watched run, whose inputs were overwritten since');
my $run = run_cmd([build() . '/aotigen', 'run', @options, '--model=model.pt2', '--',
        $torch->{python}, '-W', 'ignore', $program[0], 'model.pt2', $program[2], 3, 1, 1], %how);
my ($told) = $run->{err} =~ /^(  how  .*?\n)(?=  \S|aotigen|\z)/ms;
my ($same) = $replay->{err} =~ /^(  how  .*?\n)(?=  \S|aotigen|\z)/ms;
ok(defined $told, 'a debug package explains it') or diag($run->{err});
is($same, $told, 'and replay says the same');

# The library's capsule is one that needs no Python.
my $c = run_cmd([build() . '/aotigen', 'replay', '--host=c', @options, 'c'], %how);
is($c->{status}, 0, 'it is replayed without Python') or diag($c->{err});
like($c->{err}, qr/^  outputs       those of the capsule, bit for bit$/m, 'and computes the same');
unlink glob "$dir/c*";

SKIP: {
    skip 'torch 2.6 cannot be asked for run_single_threaded', 3 if $torch->{version} =~ /^2\.6\./;
    $r = program([60, 50, 0]);
    like($r->{err}, qr/\Aaotigen: NaN in output 0 of run 52, of a watched model\n/,
        'with run_single_threaded: run 52 is told');
    $c = run_cmd([build() . '/aotigen', 'replay', '--host=c', @options, 'c'], %how);
    like($c->{err}, qr/^  element       buf0\[2,3\]: /m, 'its capsule is replayed')
        or diag($c->{err});
    like($c->{err}, qr/^  outputs       those of the capsule, bit for bit$/m, 'with its outputs');
    unlink glob "$dir/c*";
}

$r = program([400, 100, 4], AOTIGEN_ON_FAULT => 'throw');
is("$r->{status} $r->{out}", "0 ended 1\n", 'AOTIGEN_ON_FAULT=throw ends the one run alone')
    or diag($r->{err});
like($r->{err}, qr/^aotigen: NaN in output 0 of run \d+, of a watched model$/m, 'and says why');
unlink glob "$dir/c*";

# Every run is bad, and capsules are written all the time: at a SIGKILL each is whole or absent.
my $killed = 0;
for my $i (1 .. 4) {
    $r = run_cmd([$torch->{python}, '-W', 'ignore', '-c', <<'PY', "$dir/watched.pt2", $program[2],
import os, signal, sys, threading
import torch
model = torch._C._aoti.AOTIModelPackageLoader(sys.argv[1], "model", False, 1, -1)
bad = torch.load(sys.argv[2])[0]
model.run(list(bad))
threading.Timer(float(sys.argv[3]) / 1000, os.kill, (os.getpid(), signal.SIGKILL)).start()
while True: model.run(list(bad))
PY
            2 + 10 * $i], cwd => $dir, timeout => 120,
        env => { AOTIGEN_CAPSULE => "$dir/c-%p", AOTIGEN_CAPSULES => 1000000 });
    $killed += ($r->{signal} // 0) == 9;
}
is($killed, 4, 'four processes are killed');
my $read = python(<<'PY', glob("$dir/c-*"));
import sys, torch
whole = [f for f in sys.argv[1:] if not f.endswith(".part")]
for f in whole:
    c = torch.load(f, weights_only=True)
    assert c["outputs"][0].isnan().any() and len(c["inputs"]) == 2, f
print(len(whole) > 4)
PY
is($read->{out}, "True\n", 'and what they left is whole') or diag($read->{err});
done_testing;
