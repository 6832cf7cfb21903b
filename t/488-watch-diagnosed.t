# AOTIGEN_ON_FAULT=diagnose of a real model: while the program goes on, another process finds out
# where the NaN of one of its runs was born. Its counters are in a file.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use File::Copy 'copy';

my $torch = need_torch();
my $s = sample('nan_inside');
my $dir = tempdir();
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;
must(aotigen('watch', '-q', "$dir/model.pt2", '-o', "$dir/watched.pt2"), 'it is watched');

# Runs until the diagnosis is there, if it waits for one; or for 5 minutes.
spew("$dir/program.py", <<'PY');
import sys, threading
import torch
path, inputs, awaited = sys.argv[1:]
bad, sound = torch.load(inputs)
model = torch._C._aoti.AOTIModelPackageLoader(path, "model", False, 1, -1)
expected = [o.clone() for o in model.run(list(sound))]
model.run(list(bad))
for i in range(3000 if awaited else 1):
    assert all(map(torch.equal, model.run(list(sound)), expected))
    if awaited and '"event":"diagnosis"' in open(awaited).read(): break
    threading.Event().wait(0.1)
print("ended")
PY

sub program {
    my ($awaited, %env) = @_;
    return run_cmd([$torch->{python}, '-W', 'ignore', "$dir/program.py", "$dir/watched.pt2",
            "$s->{dir}/inputs.pt", $awaited], cwd => $dir, timeout => 500,
        env => { AOTIGEN_CAPSULE => "$dir/c", AOTIGEN_ON_FAULT => 'diagnose', %env });
}

spew("$dir/message", '');
my $r = program("$dir/log", AOTIGEN_METRICS => "$dir/m.prom", AOTIGEN_LOG => "$dir/log",
    AOTIGEN_TERMINATION_LOG => "$dir/message");
is("$r->{status} $r->{out}", "0 ended\n", 'the program goes on') or diag($r->{err});
like($r->{err}, qr/^aotigen: diagnosis of \Q$dir\E\/c; it stands in \Q$dir\E\/c\.txt$/m,
    'a diagnosis is told');
my $born = qr/^aotigen: NaN born in run 1, launch 1: cpp_fused_log_sub_sum_0$/m;
like($r->{err}, $born, 'with the launch');
like($r->{err}, qr/^  element       buf0\[2,3\]: /m, 'and the element');
like(slurp("$dir/c.txt"), $born, 'beside the capsule, too');
like(slurp("$dir/message"), $born, 'and in the termination message');
my $log = -e "$dir/log" ? slurp("$dir/log") : '';
like($log, qr/"event":"finding",.*"capsule":"\Q$dir\E\/c"/, 'the log has the finding');
like($log, qr/"event":"diagnosis",.*"capsule":"\Q$dir\E\/c","file":"\Q$dir\E\/c\.txt"/,
    'and its diagnosis');
my $counts = slurp("$dir/m.prom");
like($counts, qr/^aotigen_watch_findings_total\{model="model",package="\Q$dir\E\/model\.pt2",
    device="cpu",host="[^"]+",pid="\d+",kind="nan"\}[ ]1$/mx, 'the counters have the finding');
like($counts, qr/^aotigen_watch_capsules_total\{[^}]*\} 1$/m, 'and its capsule');

# A program that ends does not wait for it; nothing of it is left.
unlink glob "$dir/c*";
$r = program('');
is("$r->{status} $r->{out}", "0 ended\n", 'a short program');
like($r->{err}, qr/^aotigen:\ no\ diagnosis\ of\ \Q$dir\E\/c:\ the\ model\ was\ unloaded,\ or\ the
    \ program\ ended,\ before\ it\ was\ made$/mx, 'ends first, which is said');
is(join(' ', map { s{.*/}{}r } glob "$dir/c*"), 'c', 'the capsule is left');
my $ended = wait_until {
    !grep { my $in = readlink "$_/cwd"; defined $in && $in eq $dir } glob '/proc/[0-9]*'
} 30;
ok($ended, 'and no process');
done_testing;
