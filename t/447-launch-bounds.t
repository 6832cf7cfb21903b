# Kernels whose index leaves the memory for some size, or for all: the launch is refused before the
# access, with the kernel's line. The same model as it is, and at the sizes that stay inside, is
# silent.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $dir = tempdir();

my $code = <<'PY';
import sys, torch
class Model(torch.nn.Module):
    def forward(self, x, y):
        return torch.relu(x * 2 + y[:, 3:5].sum(1, keepdim=True))
x, y = torch.ones(6, 8), torch.ones(6, 7)
rows = torch.export.Dim("rows", min=2, max=4096)
program = torch.export.export(Model(), (x, y), dynamic_shapes=({0: rows}, {0: rows}))
torch._inductor.aoti_compile_and_package(program, package_path=sys.argv[1] + "/model.pt2")
torch.export.save(program, sys.argv[1] + "/program.pt2")
PY
must(python($code, $dir), 'torch compiles the model');

# The package with a text of its kernels replaced.
my $change = <<'PY';
import sys, zipfile
directory, name, old, new = sys.argv[1:]
changed = 0
with zipfile.ZipFile(f"{directory}/model.pt2") as model, \
        zipfile.ZipFile(f"{directory}/{name}.pt2", "w") as to:
    for member in model.namelist():
        data = model.read(member)
        if member.endswith(".cpp"):
            text = data.decode()
            data, changed = text.replace(old, new).encode(), changed + text.count(old)
        to.writestr(member, data)
print(changed)
PY

my $run = <<'PY';
import sys, torch
model = torch._inductor.aoti_load_package(sys.argv[1])
for sizes in sys.argv[2:]:
    n, m = map(int, (sizes + ":" + sizes).split(":")[:2])
    try:
        model(torch.ones(n, 8), torch.ones(m, 7))
        print(n, "made")
    except RuntimeError:
        print(n, "refused")
PY

my $of_y = 'in_ptr1[static_cast<int64_t>(4L + 7L*x0)]';
my $quotient = 'c10::div_floor_integer(static_cast<int64_t>(ks0), static_cast<int64_t>(64L))';

my @options;

sub ran {
    my ($name, $old, $new, @sizes) = @_;
    my $r = must(python($change, $dir, $name, $old, $new), "$name: the kernel's text is changed");
    cmp_ok($r->{out}, '>', 0, "$name: there is such a text");
    must(aotigen("--torch=$torch->{dir}", '-q', @options, "$dir/$name.pt2", '-o',
        "$dir/dbg.pt2"),
        "$name: aotigen makes a debug package");
    $r = must(python($run, "$dir/dbg.pt2", @sizes), "$name: it runs");
    my ($reports) = $r->{err} =~ /^(aotigen: .*)/ms;
    return ($r->{out} =~ s/\n/ /gr, $reports // '');
}

my ($made, $text) = ran('sound', 'in_ptr1', 'in_ptr1', 2, 6, 63, 64, 4096);
is($made, '2 made 6 made 63 made 64 made 4096 made ', 'a sound kernel runs at all sizes');
is($text, '', 'and nothing is said of it');

($made, $text) = ran('one size', $of_y,
    "in_ptr1[static_cast<int64_t>(4L + 7L*x0 + 3L*($quotient))]", 6, 63, 64, 16);
is($made, '6 made 63 made 64 refused 16 made ', 'the size that leads out of the memory is refused');
is(() = $text =~ /^aotigen: guard failed/mg, 1, 'with one report');
my ($line) = $text =~ /element 448 is read at line (\d+) of cpp_fused_\w+, with x0 = 63$/m;
ok($line, 'which names the access') or diag($text);
like($text, qr/^ +where s\d+ = 64$/m, 'and the size');
my $size = qr{449 elements \(1796 bytes\) from its first, found 448 \(1792 bytes\)};
like($text, qr/^  argument +arg1_1 \(args\[1\]\): float32 \[64, 7\] on cpu
                storage: expected at least $size$/m, 'and the argument');
my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/one size.pt2");
my @undecided = grep { /"line":$line,.*"argument":"arg1_1"/ } split /\n/, $r->{out};
unlike("@undecided", qr/"verdict":"proved"/, 'aotigen check does not prove that access');
cmp_ok(scalar @undecided, '>', 0, 'which it lists');

($made, $text) = ran('before', $of_y, 'in_ptr1[static_cast<int64_t>((-3L) + 7L*x0)]', 6);
is($made, '6 refused ', 'an index below 0 is refused');
like($text, qr/storage: expected no access before its first element, found element -3$/m,
    'with the element');
like($text, qr/element -3 is read at line $line of cpp_fused_\w+, with x0 = 0$/m, 'and the line');

($made, $text) = ran('stride', 'out_ptr0 + static_cast<int64_t>(x1 + 8L*x0)',
    'out_ptr0 + static_cast<int64_t>(x1 + 16L*x0)', 6);
is($made, '6 refused ', 'a store past the end is refused');
like($text, qr/^  argument +buf0: float32 \[6, 8\] on cpu\n +storage: .*found 48 /m,
    'with its buffer');
like($text, qr/element 8\d is written at line \d+ of cpp_fused_\w+, with .*x0 = 5/,
    'and its line');

# What the exported program promises: guards of sizes, also where the package carries the program.
my $guards = <<'PY';
import json, sys, zipfile
directory = sys.argv[1]
def program(guards, rows=None):
    with zipfile.ZipFile(f"{directory}/program.pt2") as archive:
        name, = [x for x in archive.namelist() if x.endswith("models/model.json")]
        text = json.loads(archive.read(name))
    for node in text["graph_module"]["graph"]["nodes"]:
        node["metadata"]["stack_trace"] = 'File "/m/m.py", line 3, in forward\n  return x'
    text["guards_code"] = text["guards_code"] + guards
    for bounds in text["range_constraints"].values():
        bounds["max_val"] = rows or bounds["max_val"]
    return json.dumps(text)
even = "(L['x'].size()[0] % 2) == 0"
texts = {
    "even": program([even, "(2*L['x'].size()[0] % 4) == 0", "(L['x'].size()[0] // 2) != 1",
        "L['x'].numel() == 48"]),
    "contradicted": program(["L['x'].size()[0] <= 100", "(L['y'].size()[0] % 4) == 0"]),
    "other": program([even], 100), "wide": program([even], 8192)}
for name, text in texts.items():
    open(f"{directory}/{name}.json", "w").write(text)
for name in ("even", "other"):
    with zipfile.ZipFile(f"{directory}/model.pt2") as model, \
            zipfile.ZipFile(f"{directory}/carries {name}.pt2", "w") as to:
        for member in model.namelist():
            to.writestr(member, model.read(member))
        to.writestr(model.namelist()[0].split("/")[0] + "/models/model.json", texts[name])
PY
must(python($guards, $dir), 'programs with guards are written');

# Makes the package's debug package, and runs it. Returns what aotigen said, too.
sub promised {
    my ($name, $package, $options, @sizes) = @_;
    my $r = must(aotigen("--torch=$torch->{dir}", @$options, "$dir/$package.pt2", '-o',
        "$dir/dbg.pt2"), "$name: aotigen makes a debug package");
    my $said = $r->{err};
    $r = must(python($run, "$dir/dbg.pt2", @sizes), "$name: it runs");
    return ($r->{out} =~ s/\n/ /gr, $r->{err}, $said);
}

my $odd = qr/size of dimension 0: expected \(args\[0\]\.size\(0\) % 2\) == 0, by the exported /;
($made, $text, my $said) = promised('carried', 'carries even', [], 6, 7, '6:8', 2, 2);
is($made, '6 made 7 refused 6 refused 2 made 2 made ', 'what breaks a guard is refused');
like($text, qr/${odd}program's guard, found 7$/m, 'by the guard, with the size');
like($text, qr/expected 6, the same \(s\d+\) as dimension 0 of args\[0\], found 8/,
    'and two inputs that differ');
is(() = $text =~ /warning: .* has size 2 .*: its results may be right all the same$/mg, 1,
    'a guard that excludes a size is a warning');
my $unread = qr/has 1 guard of a form that is not read and not checked: 'L\['x'\]\.numel\(\) /;
like($said, $unread, 'what is not read is said');
my $contradicted = qr/has 2 guards that the wrapper's sizes contradict, .*: 'L\['x'\].* <= 100'/;
($made, $text, $said) = promised('contradicted', 'model',
    ["--exported=$dir/contradicted.json"], 102, 7);
is($made, '102 made 7 made ', 'guards that the wrapper contradicts are not checked');
unlike($text, qr/not what the model was built for/, 'and a sound run is silent');
like($said, $contradicted, 'which is said');
my $other = qr/is another export of the model: input 'args\[0\]' has other sizes /;
my @even = ('(args[0].size(0) % 2) == 0', '(args[0].size(0) // 2) != 1');
my @wide = map {
    "dimension 0 of arg${_}_1 may have sizes up to 8192 by the export, not by the compiler" } 0, 1;
for my $case ([['carries even'], $unread, @even],
    [["--exported=$dir/even.json", 'model'], $unread, @even],
    [["--exported=$dir/contradicted.json", 'model'], $contradicted],
    [["--exported=$dir/other.json", 'model'], $other], [['carries other'], $other],
    [["--exported=$dir/wide.json", 'model'], qr/\A\z/, @wide, $even[0]]) {
    my ($arguments, $pattern, @promises) = @$case;
    my ($package, @options) = reverse @$arguments;
    my $r = must(aotigen('list', "--torch=$torch->{dir}", @options, "$dir/$package.pt2"),
        "@$arguments: is listed");
    is_deeply([$r->{out} =~ /^  promise  (.*)$/mg], \@promises, 'with what it promises');
    like($r->{err}, $pattern, 'and what is not checked');
}

# The proof relies on the length of y, which is that of x: the wrapper has one symbol for both.
my $one = qr/of dimension 0: expected 6, the same \(s\d+\) as dimension 0 of args\[0\], found 5$/m;
($made, $text) = ran('sound again', 'in_ptr1', 'in_ptr1', '6:5', '6:6');
is($made, '6 refused 6 made ', 'two inputs that must have one length, and do not');
like($text, $one, 'with both inputs and both lengths');
@options = ('--check-inputs=launch');
($made, $text) = ran('sound again', 'in_ptr1', 'in_ptr1', '6:5', '6:6');
is($made, '6 refused 6 made ', 'an input that is too short is refused');
like($text, qr/element 3\d is read at line \d+ of cpp_fused_\w+, with x0 = 5$/m,
    'with the access that needs more') or diag($text);
done_testing;
