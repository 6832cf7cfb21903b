# 4 GiB of weights are copied within 300 MiB of memory. Needs 17 GB of disk and some minutes, so
# it runs only on request: AOTIGEN_REQUIRE=torch,large.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

skip_or_fail('large', 'wants 17 GB of disk and some minutes: ask for it with '
    . 'AOTIGEN_REQUIRE=torch,large') if ($ENV{AOTIGEN_REQUIRE} // '') !~ /\blarge\b/;
my $torch = need_torch();
my $dir = tempdir();
my $packages = <<'PY';
import sys, torch
class Big(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(1 << 20, 1024)
    def forward(self, ids):
        return self.words(ids).sum(1)
torch.manual_seed(0)
program = torch.export.export(Big().eval(), (torch.tensor([[0, 1, (1 << 20) - 1]]),))
torch._inductor.aoti_compile_and_package(program, package_path=sys.argv[1])
PY
must(run_cmd([$torch->{python}, '-W', 'ignore', '-c', $packages, "$dir/model.pt2"],
    timeout => 1500), 'torch packages an embedding of 4 GiB');
cmp_ok(-s "$dir/model.pt2", '>', 4 << 30, 'the package holds them');

# The peak of the process itself, read while it runs: the last reading is the highest.
my $child = fork // die "cannot fork: $!\n";
if (!$child) {
    $ENV{TMPDIR} = $dir;
    exec build() . '/aotigen', '-q', "--torch=$torch->{dir}", "$dir/model.pt2", '-o',
        "$dir/dbg.pt2";
    die "cannot run aotigen: $!\n";
}
my $peak = 0;
while (waitpid($child, 1) == 0) {
    if (open my $in, '<', "/proc/$child/status") {
        while (<$in>) { $peak = $1 if /^VmHWM:\s+(\d+)/ && $1 > $peak }
    }
    let_pass(0.02); # between two readings
}
is($?, 0, 'aotigen rewrites it');
note('peak: ', int($peak / 1024), ' MiB');
cmp_ok($peak, '>', 0, 'its memory was read');
cmp_ok($peak, '<=', 300 * 1024, 'within 300 MiB');
my $runs_both = <<'PY';
import sys, torch
from torch._inductor import aoti_load_package
ids = torch.tensor([[5, 7, (1 << 20) - 1]])
outputs = []
for path in sys.argv[1:]:
    model = aoti_load_package(path)
    outputs.append(model(ids).clone())
    del model
assert torch.equal(*outputs)
print("same")
PY
my $r = run_cmd([$torch->{python}, '-W', 'ignore', '-c', $runs_both, "$dir/model.pt2",
    "$dir/dbg.pt2"], timeout => 900);
like($r->{out}, qr/^same$/m, 'and torch loads it: outputs are the plain one\'s')
    or diag(substr $r->{err}, -2000);
unlike($r->{err}, qr/aotigen/, 'in silence');
done_testing;
