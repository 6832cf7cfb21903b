# What operators return whose sizes the exported program gives as expressions of its symbols: the
# inputs of each run decide them. And what torch's own operators return that are called by name.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $dir = tempdir();
spew("$dir/sized.py", <<'PYTHON'); # a model's lines are those of a file
import lying_ops, torch
class Model(torch.nn.Module):
    def forward(self, x, y):
        both = torch.cat([x * 2, y, y])
        q, r = torch.linalg.qr(both)
        return torch.ops.lying.last(both), q, r
PYTHON
must(python(<<'PYTHON', root() . '/samples', $dir, { timeout => 300 }), 'the model is compiled');
import sys, torch
sys.path[:0] = sys.argv[1:3]
import sized
rows, more = torch.export.Dim("rows", min=2, max=64), torch.export.Dim("more", min=2, max=64)
program = torch.export.export(sized.Model(), (torch.randn(6, 8), torch.randn(5, 8)),
    dynamic_shapes=({0: rows}, {0: more}))
torch.export.save(program, sys.argv[2] + "/program.pt2")
torch._inductor.aoti_compile_and_package(program, package_path=sys.argv[2] + "/model.pt2",
    inductor_configs={"aot_inductor.compile_wrapper_opt_level": "O0"})
PYTHON
must(aotigen("--torch=$torch->{dir}", "--exported=$dir/program.pt2", '-p0', '--check-inputs=all',
    "$dir/model.pt2", '-o', "$dir/dbg.pt2"), 'a debug package with its exported program');

# Runs the model with inputs of m and n rows, and an operator that lies.
my $host = <<'PYTHON';
import sys, torch
sys.path.insert(0, sys.argv[1])
import lying_ops
m, n, fault = int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
if fault in lying_ops.lies:
    lying_ops.faults["last"] = fault
library = torch.library.Library("aten", "IMPL")
def lie(x, mode="reduced"):
    q, r = torch.zeros(m + 2 * n, 8), torch.zeros(8, 8)
    return (q[1:].clone(), r) if fault == "rows" else (q, r.double())
if fault in ("rows", "numbers"):
    library.impl("linalg_qr", lie, "CPU")
model = torch._inductor.aoti_load_package(sys.argv[2] + "/dbg.pt2")
model(torch.randn(m, 8), torch.randn(n, 8))
PYTHON
for (
    ['no fault', 3, 4, 'none of them'],
    ['no fault in other sizes', 20, 9, 'none of them'],
    ['half of the rows', 3, 4, 'half', 'lying::last', 'shape', '[11, 8]', '[5, 8]'],
    ['half of the rows of others', 20, 9, 'half', 'lying::last', 'shape', '[38, 8]', '[19, 8]'],
    ["torch's own: a row less", 3, 4, 'rows', 'aten::linalg_qr', 'shape', '[11, 8]', '[10, 8]'],
    ["torch's own: another dtype", 3, 4, 'numbers', 'aten::linalg_qr', 'dtype', 'float32',
        'float64']) {
    my ($what, $m, $n, $fault, $op, $check, $expected, $found) = @$_;
    my $r = python($host, root() . '/samples', $dir, $m, $n, $fault,
        { timeout => 120, env => { AOTIGEN_ON_FAULT => 'report' } });
    is($r->{status}, 0, "$what: the run ends") or diag($r->{err});
    my @told = $r->{err} =~ /^aotigen: .*\n(?:  .*\n)*/mg;
    if (!$op) {
        is(join('', grep { /^aotigen: (?!note)/ } @told), '', "$what: nothing is said");
        next;
    }
    like(join('', @told), qr/launch \d+: \Q$op\E/, "$what: the operator")
        or diag($r->{err});
    like(join('', @told), qr/\b$check: expected \Q$expected, found $found\E\n/, "$what: $check");
}
done_testing;
