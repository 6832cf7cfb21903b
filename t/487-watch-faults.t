# Faults that end a run of a watch package: what torch does of them is as without it, and each
# leaves a capsule.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;

my $torch = need_torch();
my $dir = tempdir();
mkdir "$dir/kept";
my $samples = root() . '/samples';

sub watched {
    my ($sample) = @_;
    my $s = sample($sample);
    my $to = "$dir/$sample.pt2";
    must(aotigen('watch', '-q', "$s->{dir}/model.pt2", '-o', $to), "$sample is watched");
    return ("$s->{dir}/model.pt2", $to, "$s->{dir}/inputs.pt");
}
my $load = <<'PY';
import sys, torch
path, inputs, samples = sys.argv[1:4]
sys.path.insert(0, samples)
inputs = torch.load(inputs)
def load(): return torch._C._aoti.AOTIModelPackageLoader(path, "model", False, 1, -1)
PY
sub program {
    my ($code, $package, $inputs, %env) = @_;
    return run_cmd([$torch->{python}, '-W', 'ignore', '-c', $load . $code, $package, $inputs,
            $samples], cwd => $dir, timeout => 300,
        env => { AOTIGEN_CAPSULE => "$dir/kept/c", %env });
}

# What a capsule says, by Python's expression of it.
sub told {
    my ($expression, $file) = @_;
    my $r = python(<<"PY", $file // "$dir/kept/c");
import json, sys, torch
c = torch.load(sys.argv[1], weights_only=True)
t = json.loads(c["capsule"])
print($expression)
PY
    return $r->{out} || $r->{err};
}

# ---- a run that throws
my ($plain, $watched, $inputs) = watched('custom_op');
my $throws = <<'PY';
import custom_op
model = load()
args = list(inputs[0])
before = [a.clone() for a in args]
expected = [o.clone() for o in model.run([a.clone() for a in args])]
custom_op.fault = "no such fault"
for i in range(20):
    try: model.run([a.clone() for a in args])
    except RuntimeError as e: text = str(e).splitlines()[0]
custom_op.fault = None
assert all(map(torch.equal, expected, model.run(args)))
print(text)
torch.save(before, "before.pt")
PY
my ($as_plain, $r) = map { program($throws, $_, $inputs) } $plain, $watched;
is($r->{status}, 0, 'runs that throw end no program') or diag($r->{err});
is($r->{out}, $as_plain->{out}, 'and the exception is as it is without us');
like($r->{err}, qr/^aotigen: exception in run 2, of a watched model\n  model  /m, 'it is reported');
is(() = $r->{err} =~ /^aotigen: exception/mg, 5, 'and again at the 2nd, 4th, 8th and 16th one');
my $keeps_text = $torch->{version} =~ /^2\.(\d+)/ && $1 >= 13;
like($r->{err}, $keeps_text ? qr/^  error         (?!torch wrote)/m
    : qr/^  error         torch wrote it to standard error$/m, 'with what torch said, or where');
is(join(' ', map { s{.*/}{}r } sort glob "$dir/kept/*"), 'c c.2', 'with bounded capsules');
is(told('t["fault"], t["run"], len(t["outputs"]), all(map(torch.equal, c["inputs"], '
            . 'torch.load("' . $dir . '/before.pt")))'), "exception 2 0 True\n",
    'which have the inputs of the run');
unlink glob "$dir/kept/*";

# ---- a crash in a kernel: a lookup whose index is not checked. The last element is a worker's of
# OpenMP, the first one the thread's that runs the model.
must(python(<<'PY', "$dir/plain.pt2", "$dir/data.pt", { timeout => 600 }), 'without checks');
import sys, torch
class Lookup(torch.nn.Module):
    def forward(self, table, index): return table[index] * 2.0 + 1.0
args = (torch.randn(100, 8), torch.randint(0, 100, (5000,)))
exported = torch.export.export(Lookup(), args)
torch._inductor.aoti_compile_and_package(exported, package_path=sys.argv[1], inductor_configs={
    "assert_indirect_indexing": False, "cpp.threads": 2})
torch.save(args, sys.argv[2])
PY
must(aotigen('watch', '-q', "$dir/plain.pt2", '-o', "$dir/watched.pt2"), 'it is watched');
my $crashes = <<'PY';
import os, resource
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
model = load()
model.run(list(inputs))
bad = [t.clone() for t in inputs]
where = os.environ["WHERE"]
if where == "elsewhere":
    import ctypes
    ctypes.string_at(8)
bad[1][-1 if where == "worker" else 0] = 1 << 40
model.run(bad)
PY
sub crash_of {
    my ($package, $where, %env) = @_;
    unlink glob "$dir/kept/*";
    my $got = program($crashes, $package, "$dir/data.pt", WHERE => $where, OMP_NUM_THREADS => 2,
        %env);
    note($got->{err});
    return $got;
}
for my $where (qw(own worker)) {
    my $as_before = crash_of("$dir/plain.pt2", $where);
    my $got = crash_of("$dir/watched.pt2", $where);
    is($got->{signal}, 11, "$where: the process dies of SIGSEGV");
    is($got->{signal}, $as_before->{signal}, 'as without us');
    like($got->{err}, qr/^aotigen: SIGSEGV in run 2, of a watched model\n  model         /m,
        'the run is named');
    my $other = qr/on thread \d+, while the run was in progress on thread \d+; /;
    like($got->{err}, $where eq 'own' ? qr/^  error         address 0x\w+ \(read\)/m
        : qr/^  error         ${other}address 0x/m, 'with the fault');
    is(join(' ', map { s{.*/}{}r } glob "$dir/kept/*"), 'c', 'there is a capsule');
    my $at = $where eq 'own' ? 0 : -1;
    is(told('t["fault"], t["run"], int(c["inputs"][1]['
                . $at . ']) == 1 << 40, [i["kept"] for i in t["inputs"]]'),
        "SIGSEGV 2 True ['copied', 'copied']\n", 'with the inputs as they were');
}
my %how = (cwd => $dir, timeout => 300, env => { PYTHON => $torch->{python} });
$r = run_cmd([build() . '/aotigen', 'replay', "--torch=$torch->{dir}", 'kept/c'], %how);
my $whole = $r->{err} =~ s/\n {16}/ /gr;
like($whole, qr/^  capsule       run 2 \N+, on cpu: it was ended by a SIGSEGV: on thread /m,
    'aotigen replay tells how the run ended') or diag($r->{err});
like($whole, qr/^  what          \N+ in run 1, launch 1: \S*fused\S*index/m,
    'and which launch of a debug package it is');
isnt($r->{status}, 0, 'and fails');

$r = crash_of("$dir/watched.pt2", 'own', PYTHONFAULTHANDLER => 1);
like($r->{err}, qr/^aotigen: SIGSEGV in run 2.*^Fatal Python error: Segmentation fault/ms,
    "Python's faulthandler speaks next");
is($r->{signal}, 11, 'and the process dies of it');
$r = crash_of("$dir/watched.pt2", 'elsewhere');
is("$r->{signal} $r->{err}", '11 ', 'a crash outside of a run is none of ours');
$r = crash_of("$dir/watched.pt2", 'own', AOTIGEN_SIGNALS => 0);
is("$r->{signal} $r->{err}", '11 ', 'AOTIGEN_SIGNALS=0: nothing is written');
is(join(' ', glob "$dir/kept/*"), '', 'in neither');
done_testing;
