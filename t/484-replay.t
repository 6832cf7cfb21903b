# aotigen replay with torch: a capsule of a run that made a NaN ends with the diagnosis that
# 'aotigen run' gives of the same inputs, and tells whether the outputs are the same bits.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;
use File::Copy 'copy';

my $s = sample('nan_inside');
my $torch = need_torch();
my $dir = tempdir() . '/a b';
mkdir $dir;
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;
my @inputs = ("$s->{dir}/inputs.pt", 0);
my $samples = root() . '/samples';
spew("$dir/export.py", <<"PY");
import sys
sys.path.insert(0, "$samples")
import nan_inside, torch
torch.export.save(torch.export.export(nan_inside.model(), nan_inside.inputs()[0]), "ep.pt2")
PY
must(run_forked({ file => "$dir/export.py" }, cwd => $dir, timeout => 300), 'it is exported');

my @options = ("--torch=$torch->{dir}", "--exported=$dir/ep.pt2");
my %how = (cwd => $dir, timeout => 300, env => { PYTHON => $torch->{python},
        OMP_NUM_THREADS => undef });
sub replay { return run_cmd([build() . '/aotigen', 'replay', @options, @_], %how) }
sub diagnosed { my ($r) = @_; return ($r->{err} =~ /^(aotigen: diagnosis of .*)/ms)[0] // '' }

# A capsule of the run of that package; $more is what it says else, as JSON.
sub capsule {
    my ($name, $more, $package) = @_;
    must(run_forked({ file => root() . '/t/lib/make_capsule.py',
                arguments => [$package // 'model.pt2', @inputs, $name, $more] },
            cwd => $dir, timeout => 300), "a capsule: $name");
}
capsule('none.capsule', '{}');
my ($hash) = replay('none.capsule')->{err} =~ /has the hash (\w+)/;
my $model = qq("model":{"so_hash":"$hash"});

# ---- as 'aotigen run' says it
spew("$dir/program.py", <<'PY');
import sys, torch
torch._inductor.aoti_load_package("model.pt2")(*torch.load(sys.argv[1])[0])
PY
my $run = run_cmd([build() . '/aotigen', 'run', @options, '--model=model.pt2', '--',
        $torch->{python}, '-W', 'ignore', 'program.py', $inputs[0]], %how);
capsule('one.capsule', "{$model}");
my $r = replay('one.capsule');
is("$r->{status} $r->{out}", '0 ', 'a capsule is replayed') or diag($r->{err});
my ($of_run, $of_replay) = (diagnosed($run), diagnosed($r));
for my $label ('what', 'element', 'source nodes', 'model line', 'how', 'why') {
    my ($told) = $of_run =~ /^(  \Q$label\E .*?\n)(?=  \S|\z)/ms;
    ok(defined $told, "aotigen run tells '$label'") or diag($run->{err});
    my ($same) = $of_replay =~ /^(  \Q$label\E .*?\n)(?=  \S|\z)/ms;
    is(($same // '') =~ s{[^\s']*/}{}gr, ($told // '') =~ s{[^\s']*/}{}gr, 'and replay the same');
}
like($of_replay, qr/^  what          NaN born in run 1, launch 1: cpp_fused_log_sub_sum_0$/m,
    'what');
like($of_replay, qr/^  element       buf0\[2,3\]: /m, 'where');
like($of_replay, qr/^  model line    \S*nan_inside\.py:\d+  logarithm = torch\.log\(difference\)/m,
    'and in which line') or diag($r->{err});
my $whole = $of_replay =~ s/\n {16}/ /gr;
like($whole, qr/^  capsule       run 7 of process \d+ on host at \N+, on cpu$/m,
    'of which run');
like($whole, qr/^  outputs       those of the capsule, bit for bit$/m, 'with the same outputs');

$whole = diagnosed(replay('--repeat=3', 'one.capsule')) =~ s/\n {16}/ /gr;
like($whole, qr/^  repeated +3 runs: the same outputs, bit for bit; 3 of 3 had the finding: it /m,
    'three times');
like($whole, qr/^  checked       \N+: 3 runs, the last up to launch 3$/m, 'in three runs');

# ---- outputs with other bits: also of a NaN
capsule('other.capsule', "{$model," . '"do":"outputs[1].view(torch.int32).bitwise_xor_(1)"}');
$whole = diagnosed(replay('other.capsule')) =~ s/\n {16}/ /gr;
like($whole, qr/^  outputs       differ from the capsule's: output 1, first at \[\], 1 of 1 /m,
    'another NaN is another output');
capsule('less.capsule', "{$model," . '"do":"outputs[0] = None; said[\'outputs\'][0][\'why\'] = '
        . '\'no room\'"}');
$whole = diagnosed(replay('less.capsule')) =~ s/\n {16}/ /gr;
like($whole, qr/^  outputs       those of the capsule, bit for bit; without output 0: no room$/m,
    'an output that was not kept is no other one');

# ---- a run that throws
capsule('wrong.capsule', "{$model," . '"do":"inputs[0] = torch.ones(5, 6); '
        . 'said[\'inputs\'][0] = describe(inputs[0])"}');
$r = replay('wrong.capsule');
is($r->{status}, 1, 'a run that throws ends with 1');
$whole = diagnosed($r) =~ s/\n {16}/ /gr;
like($whole, qr/^  what          wrong inputs in run 1$/m, 'and is diagnosed');
like($whole, qr/^  outputs       not compared: the run did not \N+ end: /m, 'as what it is');

# ---- a run that a fault ended, and that comes to its end here
capsule('ended.capsule', "{$model," . '"fault":"exception","error":"no room",'
        . '"do":"outputs.clear(); said.update(outputs=[], findings=[])"}');
$whole = diagnosed(replay('ended.capsule')) =~ s/\n {16}/ /gr;
like($whole, qr/^  capsule       run 7 \N+, on cpu: it was ended by an exception: no room$/m,
    'how the run was ended is told');
like($whole, qr/^  outputs       not compared: the run came to its end, which the capsule's did/m,
    'and that it does not end so here');

# ---- tensors that are not what the capsule says of them
capsule('lies.capsule', "{$model," . '"do":"inputs.pop()"}');
$r = replay('lies.capsule');
is($r->{status}, 1, 'a capsule that holds less than it says');
like($r->{err}, qr/^lies\.capsule: error: cannot be replayed: the capsule holds 1 inputs and 2 /m,
    'is refused');

# ---- from a watched run to its diagnosis; the package is gone, and the watch package stands for it
must(run_cmd([build() . '/aotigen', 'watch', "$s->{dir}/model.pt2", '-o', "$dir/watch.pt2"]),
    'a package is watched');
spew("$dir/watched.py", <<'PY');
import sys, torch
model = torch._C._aoti.AOTIModelPackageLoader("watch.pt2", "model", False, 1, -1)
for x in torch.load(sys.argv[1]):
    model.run(list(x))
PY
$r = must(run_forked({ file => "$dir/watched.py", arguments => [$inputs[0]] }, cwd => $dir,
        env => { AOTIGEN_CAPSULE => "$dir/watched.capsule" }, timeout => 300), 'it runs');
ok(-s "$dir/watched.capsule", 'a run with a NaN leaves a capsule') or diag($r->{err});
$r = replay('--model=watch.pt2', 'watched.capsule');
is($r->{status}, 0, 'which is replayed') or diag($r->{err});
$of_replay = diagnosed($r);
for my $label ('what', 'element', 'model line', 'how') {
    my ($told, $same) = map { /^(  \Q$label\E .*?\n)(?=  \S|\z)/ms } $of_run, $of_replay;
    is(($same // '') =~ s{[^\s']*/}{}gr, ($told // '') =~ s{[^\s']*/}{}gr, "the same $label");
}
like($of_replay, qr/^  outputs       those of the capsule, bit for bit$/m, 'the same outputs');
like($of_replay, qr/^  capsule       run 1 of process \d+ on /m, 'of that run');

# ---- what the host does with strides and bits
my $host = root() . '/gen/replay/host.py';
spew("$dir/unit.py", <<"PY" . <<'PY');
import importlib.util, os, sys
sys.path.append(os.path.dirname("$host"))
spec = importlib.util.spec_from_file_location("host", "$host")
PY
host = importlib.util.module_from_spec(spec)
spec.loader.exec_module(host)
import torch

def told(t):
    return {"dtype": str(t.dtype)[6:], "sizes": list(t.shape), "strides": list(t.stride())}

x = torch.arange(24.0).reshape(4, 6)
for t in (x, x.t(), x[::2, 1:4], x[0].expand(5, 6), x[1, 2], x[:0], torch.ones(3, 1, 2).mT,
          x.to(torch.complex64).t(), x.to(torch.float8_e5m2), x > 3,
          x.as_strided((3, 4), (2, 1))):
    made = host.lay(t.contiguous(), told(t), torch.device("cpu"))
    assert made.stride() == t.stride() and made.shape == t.shape, t
    assert host.compare(made, t) == {"equal": True}, t
odd = x.clone()
odd[1, 2] = -0.0
zero = x.clone()
zero[1, 2] = 0
found = host.compare(odd, zero)
assert found == {"equal": False, "first": [1, 2], "count": 1, "numel": 24, "now": "-0.0",
                 "kept": "0.0"}, found
assert "why" in host.compare(x, x.double()) and "why" in host.compare(x, x.t())

class Runs:
    def __reduce__(self):
        return (print, ("was run",))

def refusal(inputs, outputs, **change):
    torch.save({"capsule": "", "inputs": inputs, "outputs": outputs}, "unit.capsule")
    request = {"capsule": "unit.capsule", "inputs": [told(x)], "outputs": [told(x)],
               "constants": []}
    try:
        host.load_tensors({**request, **change})
        return None
    except host.Refused as error:
        return str(error)

assert refusal([x], [x]) is None and refusal([x], [None]) is None
for says, text in (("holds 0 inputs and 1 outputs", refusal([], [x])),
                   ("input 0 is float64 [4, 6], where", refusal([x.double()], [x])),
                   ("output 0 is float32 [3, 6], where", refusal([x], [x[1:]])),
                   ("input 0 is no tensor", refusal([None], [x])),
                   ("torch cannot load the capsule's tensors: ", refusal([x], Runs())),
                   ("torch cannot load the capsule's tensors: ",
                    refusal([x], [x], capsule="unit.py"))):
    assert text and says in text, text
try:
    host.lay(x, {**told(x), "strides": [1 << 52, 1]}, torch.device("cpu"))
    assert False
except host.Refused as error:
    assert "a tensor of float32 [4, 6] with strides [4503599627370496, 1]" in str(error), error
print("well")
PY
$r = run_forked({ file => "$dir/unit.py" }, cwd => $dir, timeout => 300);
is($r->{out}, "well\n", 'strides are kept, bits compared, and tensors are those that are described')
    or diag($r->{err});
done_testing;
