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

sub ran {
    my ($name, $old, $new, @sizes) = @_;
    my $r = must(python($change, $dir, $name, $old, $new), "$name: the kernel's text is changed");
    cmp_ok($r->{out}, '>', 0, "$name: there is such a text");
    must(aotigen("--torch=$torch->{dir}", '-q', "$dir/$name.pt2", '-o', "$dir/dbg.pt2"),
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

# The proof relies on the length of y, which the wrapper need not check.
($made, $text) = ran('sound again', 'in_ptr1', 'in_ptr1', '6:5', '6:6');
is($made, '6 refused 6 made ', 'an input that is too short is refused');
like($text, qr/element 3\d is read at line \d+ of cpp_fused_\w+, with x0 = 5$/m,
    'with the access that needs more') or diag($text);
done_testing;
