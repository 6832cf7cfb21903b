# aotigen compare: the launches beside the exported program. Faults of many kinds are planted in
# what launches write, and the launch is named, no other; then in a kernel of a real package.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('mlp_dyn');
my $dir = tempdir();

# ---- launches that Python makes of the program's own nodes

my $planted = python(<<'PY', root() . '/gen', $dir);
import sys
sys.path[:0] = [sys.argv[1] + "/compare", sys.argv[1] + "/replay"]
import torch
import compare, matching, reference

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(50, 32)
        self.norm = torch.nn.LayerNorm(32)
        self.up, self.other = torch.nn.Linear(32, 64), torch.nn.Linear(32, 64)
        self.down = torch.nn.Linear(64, 32)

    def forward(self, ids, mask):
        x = self.words(ids)
        y = torch.nn.functional.gelu(self.up(self.norm(x))) * torch.sigmoid(self.other(x))
        x = x + self.down(y)
        return torch.softmax(x.masked_fill(mask, -1e9), -1).sum(0), (x * x).mean()

class Kept:
    def __init__(self, argument, value):
        self.argument, self.value = argument, value
    def load(self):
        return self.value
    def digest(self):
        return matching.digest(self.value)

def record(program, inputs, step, fault):
    """Launches of `step` nodes each, and the model's outputs. fault: (launch, how it changes what
    it writes), or ("weight", name, value)."""
    values = dict(zip(program.inputs, inputs))
    arguments = {}
    for name, node in program.weights.items():
        values[node] = program.find_weight(name)
        arguments[node] = name.replace(".", "_")
        if fault and fault[0] == "weight" and fault[1] == name:
            values[node] = fault[2](values[node])
    for node in program.inputs:
        arguments[node] = node.name
    groups = []
    for node in program.nodes:
        if node.op == "call_function":
            part = reference.operator_of(node) == "getitem"  # of several outputs of one operator
            if not groups or len(groups[-1]) >= step and not part:
                groups.append([])
            groups[-1].append(node)
    launches = []
    for group in groups:
        launch = compare.Launch(len(launches) + 1, "kernel_%d" % (len(launches) + 1))
        for node in dict.fromkeys(x for n in group for x in n.all_input_nodes if x not in group):
            if isinstance(values[node], torch.Tensor):
                launch.reads.append(Kept(arguments[node], values[node]))
        for node in group:
            operands = dict(values)
            if fault and fault[0] == launch.number and fault[1] == "swap":
                for old, new in fault[2].items():
                    operands[old] = values[new]
                    for read in launch.reads:
                        if read.argument == arguments[old]:
                            read.argument, read.value = arguments[new], values[new]
            values[node] = program.compute(node, operands, False, None)
            arguments[node] = "buf_" + node.name
        for node in group:
            if isinstance(values[node], torch.Tensor) and any(u not in group for u in node.users):
                if fault and fault[0] == launch.number and fault[1] == "left out":
                    values[node] = values[left_out(program, node)]
                elif fault and fault[0] == launch.number and fault[1] != "swap":
                    values[node] = fault[1](values[node])
                launch.writes.append(Kept(arguments[node], values[node]))
        launches.append(launch)
    return launches, [values[n] for n in program.outputs]

def left_out(program, node):
    """The operand that is there in its stead, or None."""
    for x in node.all_input_nodes:
        value, made = x.meta["val"], node.meta["val"]
        if (not reference.is_move(node) and isinstance(made, torch.Tensor)
                and isinstance(value, torch.Tensor) and value.shape == made.shape
                and value.dtype == made.dtype):
            return x
    return None

def find(program, inputs, step, fault):
    launches, outputs = record(program, inputs, step, fault)
    names = {name.replace(".", "_"): name for name in program.weights}
    found = matching.Matching(program, names)
    found.begin(inputs)
    for launch in launches:
        found.step(launch)
    found.finish([(str(i), *x) for i, x in enumerate(zip(program.outputs, outputs))])
    found.made = outputs
    return found, launches

def one(t):
    t = t.clone()
    t.reshape(-1)[t.numel() // 2] += 0.5
    return t

def row(t):
    t = t.clone()
    t.reshape(-1)[:max(t.numel() // 8, 1)] = 0
    return t

faults = {
    "constant": lambda t: t * 1.001, "index": lambda t: t.roll(1), "element": one, "mask": row,
    "stride": lambda t: t.reshape(-1).flip(0).reshape(t.shape),
    "accumulation": lambda t: t.bfloat16().to(t.dtype),
    "left as it was": lambda t: torch.rand(t.shape, generator=torch.Generator().manual_seed(1)),
}

# Where nothing of a tensor is right, or several are wrong, that launch or one with it is the first
# to be named.
unlike = ("index", "stride", "left as it was")

torch.manual_seed(0)
torch.set_grad_enabled(False)
model = Block().eval()
inputs = (torch.randint(0, 50, (6, 8)), torch.rand(6, 8, 32) > 0.7)
exported = torch.export.export(model, inputs)
program = reference.Program(exported, torch.device("cpu"))
program.run([x.clone() for x in inputs])
for step in (1, 7):
    found, launches = find(program, inputs, step, None)
    print("healthy", step, len(found.faults), len(found.undecided), len(found.changed),
          found.tensors > 3)
    for name, how in faults.items():
        wrong = []
        for launch in launches:
            if not all(w.value.is_floating_point() for w in launch.writes) or not launch.writes:
                continue
            changed = [not torch.equal(how(w.value), w.value) for w in launch.writes]
            if not all(changed):
                continue
            got, _ = find(program, inputs, step, (launch.number, how))
            numbers = {f.launch.number for f in got.faults}
            if numbers and (name in unlike or len(launch.writes) > 1):
                first = min(got.faults, key=lambda f: f.launch.number)
                if launch.number not in [x.number for x in first.launches]:
                    wrong.append((launch.number, sorted(numbers), "first"))
                continue
            is_harmless = not numbers and all(
                torch.allclose(a, b, 1e-5, 1e-6) for a, b in zip(got.made, found.made))
            if not is_harmless and (numbers != {launch.number} or got.undecided):
                wrong.append((launch.number, sorted(numbers), len(got.undecided)))
        print(name, step, wrong)
wrong, tried = [], 0
_, launches = find(program, inputs, 1, None)
nodes = {"buf_" + n.name: n for n in program.nodes}
for launch in launches:
    node = nodes.get(launch.writes[0].argument) if len(launch.writes) == 1 else None
    if node is None or left_out(program, node) is None:
        continue
    tried += 1
    got, _ = find(program, inputs, 1, (launch.number, "left out"))
    is_harmless = not got.faults and all(
        torch.allclose(a, b, 1e-5, 1e-6) for a, b in zip(got.made, found.made))
    if not is_harmless and (not got.faults or any(
            launch.number not in [x.number for x in f.launches] for f in got.faults)):
        wrong.append((launch.number, node.name, [(f.launch.number, f.node.name,
                      [x.number for x in f.launches]) for f in got.faults]))
print("left out", tried > 5, wrong)
found, _ = find(program, inputs, 3, ("weight", "down.weight", lambda w: w + 0.125 * (w == w[1, 2])))
print("weight", list(found.changed), len(found.faults))
nodes = {n.name: n for n in program.nodes}
weights = program.weights
_, launches = find(program, inputs, 1, None)
swapped = []
for launch in launches:
    if any(r.argument == "other_bias" for r in launch.reads):
        got, _ = find(program, inputs, 1, (launch.number, "swap",
                      {weights["other.bias"]: weights["up.bias"]}))
        swapped.append((launch.number, [f.launch.number for f in got.faults]))
print("swapped", len(swapped), all(b == [a] for a, b in swapped))

# Complex numbers, as their parts; a sum of many terms, in another order.
class Other(torch.nn.Module):
    def forward(self, x):
        return torch.fft.fft(x * 2), (x + 100).var(0), (x * x).sum()

other = reference.Program(torch.export.export(Other(), (torch.ones(300000),)),
                          torch.device("cpu"))
x = torch.rand(300000, generator=torch.Generator().manual_seed(2))
other.run([x])
def differs(name, change):
    launches, outputs = record(other, [x], 1, None)
    found = matching.Matching(other, {})
    found.begin([x])
    for launch in launches:
        for w in launch.writes:
            w.value = change(w.value) if w.argument == "buf_" + name else w.value
        found.step(launch)
    outputs = [change(v) if n.name == name else v for n, v in zip(other.outputs, outputs)]
    found.finish([(str(i), *r) for i, r in enumerate(zip(other.outputs, outputs))])
    return [(f.node.name == name, f.comparison.shape[-1:]) for f in found.faults], found.skipped
makes = [n.name for n in other.outputs]
for name, change in ((makes[0], lambda t: t), (makes[0], lambda t: t.conj().resolve_conj()),
                     (makes[1], lambda t: t * (1 + 4e-6)), (makes[1], lambda t: t * 1.001),
                     (makes[2], lambda t: t * (1 + 4e-6)), (makes[2], lambda t: t * 1.001)):
    print("other", differs(name, change))

# A file's name has 100 bytes of a kernel's, and letters and digits alone.
import os
long, to = "triton_" + "x" * 120, sys.argv[2] + "/names"
os.mkdir(to)
for name in ("1_1_before_%s_arg0_1" % long[:100], "2_2_after_at__native_buf0"):
    open("%s/run0001_launch00000%s.pt" % (to, name), "w").close()
for launch in compare.read_saved(to, ["triton", long, "at::native"], None):
    print("names", launch.kernel == long or launch.kernel,
          [x.argument for x in launch.reads + launch.writes])
print("json", compare.as_json({"a": [float("nan"), -float("inf"), 1.5, 2]}))
PY
is($planted->{status}, 0, 'launches are made of the nodes') or diag($planted->{err});
my @said = grep { !/warn/i } split /\n/, $planted->{out};
for my $step (1, 7) {
    ok((grep { $_ eq "healthy $step 0 0 0 True" } @said), "$step nodes a launch: none is accused");
    for my $fault (qw(constant index element mask stride accumulation), 'left as it was') {
        my ($line) = grep { /^\Q$fault\E $step / } @said;
        is($line, "$fault $step []", "$step nodes a launch, $fault: it is named");
    }
}
ok((grep { $_ eq "weight ['down.weight'] 0" } @said), 'a stale weight is named, and no launch');
ok((grep { $_ eq 'left out True []' } @said), 'a launch that leaves an operation out is named')
    or diag(join "\n", grep { /left out/ } @said);
ok((grep { $_ eq 'swapped 1 True' } @said), 'a launch that is given another weight is named')
    or diag(join "\n", grep { /swapped/ } @said);
is(join('; ', grep { /\Anames/ } @said), "names True ['arg0_1']; names at::native ['buf0']",
    'a kernel whose name is cut or changed in the names of files');
is(join('; ', map { s/^other //r } grep { /\Aother/ } @said), join('; ', '([], [])',
    '([(True, torch.Size([2]))], [])', ('([], [])', '([(True, torch.Size([]))], [])') x 2),
    'complex numbers, and sums of many terms: what rounding explains, and what it does not');
ok((grep { $_ eq 'json {"a": ["nan", "-inf", 1.5, 2]}' } @said), 'JSON has no NaN');

# ---- a package

my $made = python(<<'PY', root() . '/samples', $dir, $s->{dir});
import sys, zipfile
samples, to, plain = sys.argv[1:]
sys.path.insert(0, samples)
import torch, mlp_dyn
torch.manual_seed(0)
with torch.no_grad():
    model, inputs = mlp_dyn.model().eval(), mlp_dyn.inputs()
    torch.export.save(torch.export.export(model, tuple(inputs[0]),
        dynamic_shapes=mlp_dyn.shapes()), to + "/model_ep.pt2")
torch.save(list(inputs[0]), to + "/inputs.pt")
old = zipfile.ZipFile(plain + "/model.pt2")
with zipfile.ZipFile(to + "/bad.pt2", "w") as new:
    for member in old.infolist():
        data = old.read(member)
        if member.filename.endswith(".cpp"):
            data = data.replace(b"0.7071067811865476", b"0.7171067811865476")
        new.writestr(member, data)
PY
is($made->{status}, 0, 'the program is exported') or diag($made->{err});
my $env = { PYTHON => $s->{torch}{python}, XDG_CACHE_HOME => root() . '/build/cache' };
sub compare {
    return run_cmd([build() . '/aotigen', 'compare', '-q', "--exported=$dir/model_ep.pt2", @_],
        env => $env, timeout => 300);
}
my $r = compare("$s->{dir}/model.pt2");
is($r->{status}, 0, 'a healthy package: status 0') or diag($r->{out}, $r->{err});
like($r->{out}, qr/^each of 4 launches computes what the exported program does, but for rounding$/m,
    'it says so');
like($r->{out}, qr/^output 0: differs from eager's by at most \d/m, 'and how near its output is');

$r = compare("--inputs=$dir/inputs.pt", "$dir/bad.pt2");
is($r->{status}, 1, 'a wrong constant: status 1') or diag($r->{err});
like($r->{out}, qr/\Alaunch 2: cpp_fused_gelu_0 computes something else than the exported prog/,
    'it names the launch');
like($r->{out}, qr/^  output +buf\d+, which is \S+ \(aten\.mul\.Tensor\)$/m, 'the node');
like($r->{out}, qr/^  wrong +\d+ of 2048 elements /m, 'how much of it');
like($r->{out}, qr/^  element +\[\d+, \d+\]: \S+\n  expected +\S+ as in eager, \S+ in float64/m,
    'the element');
like($r->{out}, qr/^  model line +mlp_dyn\.py:\d+  /m, 'the line');
like($r->{out}, qr/^  how +buf\d+\[\d+, \d+\] = \S+, as computed ag.*:\n(?: {16}.*\n)*.*0\.71710/m,
    'and how it was computed, with the constant');
is(scalar(() = $r->{out} =~ /^launch /mg), 1, 'and no other launch');
my ($shown) = slurp(root() . '/README.md')
    =~ /<!-- comparison: begin -->\n(.*?)<!-- comparison: end -->/s;
my ($told, $printed) = map { s/-?\b\d[\d.]*(?:e[-+]\d+)?\b/N/gr } $r->{out}, $shown =~ s/^ {4}//mgr;
is($told =~ s/\bmlp_dyn\.py/model.py/r, $printed, 'the README shows it, but for numbers');
SKIP: {
    skip 'no JSON', 1 unless eval { require JSON::PP };
    $r = compare('--json', "$dir/bad.pt2");
    my $object = JSON::PP::decode_json($r->{out});
    is("@{[map { $_->{launch} } @{ $object->{faults} }]}", '2', '--json tells the same');
}

# An input that the model changes and nothing else; the wrapper names no device.
# This text is no file, so that the program has no lines of the model's.
$made = python(<<'PY', "$dir/kept.pt2", "$dir/kept_ep.pt2", "$dir/kept_bad.pt2");
import sys, zipfile
import torch
class Kept(torch.nn.Module):
    def forward(self, x, kept):
        kept.mul_(1.25).add_(x)
        return x
with torch.no_grad():
    program = torch.export.export(Kept(), (torch.rand(3, 4), torch.rand(3, 4)))
    torch.export.save(program, sys.argv[2])
    torch._inductor.aoti_compile_and_package(program, package_path=sys.argv[1])
old = zipfile.ZipFile(sys.argv[1])
with zipfile.ZipFile(sys.argv[3], "w") as new:
    for member in old.infolist():
        data = old.read(member)
        new.writestr(member, data.replace(b"(1.25)", b"(1.5)")
                     if member.filename.endswith(".cpp") else data)
PY
is($made->{status}, 0, 'a model that changes an input') or diag($made->{err});
for (['kept', 0, qr/^each of 1 launches computes/m],
    ['kept_bad', 1, qr/\Alaunch 1: cpp_fused_\w+ .*\n  output +arg\d+_1\w*, which is /]) {
    my ($name, $status, $like) = @$_;
    $r = run_cmd([build() . '/aotigen', 'compare', '-q', "--exported=$dir/kept_ep.pt2",
        "$dir/$name.pt2"], env => $env, timeout => 300);
    is($r->{status}, $status, "$name: status $status") or diag($r->{err});
    like($r->{out}, $like, 'it says so');
}

# ---- what cannot be compared

spew("$dir/three.pt", '');
$r = python(<<'PY', "$dir/three.pt", "$dir/wide.pt", "$dir/named.pt");
import sys, torch
torch.save([torch.ones(2)] * 3, sys.argv[1])
torch.save([torch.ones(4, 7)], sys.argv[2])
torch.save({"y": torch.ones(4, 7)}, sys.argv[3])
PY
for ([['--inputs=' . "$dir/wide.pt"],
        qr/input 0 \(x\) of '.*' is float32 \[4, 7\], and the program wants float32 \[any, 64\]/],
    [['--inputs=' . "$dir/named.pt"], qr/has the tensors y, and the model's inputs are x\n/],
    [['--inputs=' . "$dir/three.pt"], qr/has 3 tensors, and the model wants 1\n/],
    [['--inputs=' . "$dir/model_ep.pt2"], qr/cannot read|has \d+ tensors/]) {
    my ($options, $like) = @$_;
    $r = compare(@$options, "$s->{dir}/model.pt2");
    is($r->{status}, 2, "@$options: status 2");
    like($r->{err}, $like, 'it is said why');
}
$r = run_cmd([build() . '/aotigen', 'compare', '-q', "--exported=$dir/inputs.pt",
    "$s->{dir}/model.pt2"], env => $env, timeout => 300);
is($r->{status}, 2, 'what is no exported program: status 2');
like($r->{err}, qr/inputs\.pt: error: holds no exported program/, 'it is said');
done_testing;
