# What is said of values of a watched model beyond NaN and Inf, with a real torch: limits of outputs
# and dead ones, up to the replay of their capsules; and of a large input whether it has changed.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;
use File::Copy 'copy';

my $torch = need_torch();
my $s = sample('mlp_dyn');
my $dir = tempdir();
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;
must(aotigen('watch', '-q', "$dir/model.pt2", '-o', "$dir/watched.pt2"), 'it is watched');

# Runs it on its inputs, or as often as is said on COUNT rows of the same number.
spew("$dir/program.py", <<'PY');
import sys, torch
from torch._inductor.package import load_package
path, inputs, rows, number, runs = sys.argv[1:]
model = load_package(path, "model").loader
args = list(torch.load(inputs)[0])
if int(rows):
    args = [torch.full((int(rows), *a.shape[1:]), float(number)) for a in args]
for _ in range(int(runs)):
    out = model.run(list(args))
print(float(out[0].abs().max()) > 1e-3)
PY

sub watched {
    my ($rows, $number, $runs, %env) = @_;
    unlink glob "$dir/c*";
    my $r = run_forked({ file => "$dir/program.py", import => ['torch._inductor.package'],
            arguments => ["$dir/watched.pt2", "$s->{dir}/inputs.pt", $rows, $number, $runs] },
        cwd => $dir, timeout => 300, env => { AOTIGEN_CAPSULE => "$dir/c", %env });
    is($r->{status}, 0, 'the program ends well') or diag($r->{err});
    return $r;
}
sub replay {
    my $r = run_cmd([build() . '/aotigen', 'replay', "--torch=$torch->{dir}", 'c'], cwd => $dir,
        timeout => 300, env => { PYTHON => $torch->{python} });
    is($r->{status}, 0, 'it is replayed') or diag($r->{err});
    return $r->{err} =~ s/\n {16}/ /gr;
}

my $r = watched(0, 0, 2, AOTIGEN_WATCH_LIMITS => '|out| < 1e6', AOTIGEN_WATCH_DEAD => 3);
is("$r->{out}$r->{err}", "True\n", 'within its limits it is silent');
$r = watched(0, 0, 2, AOTIGEN_WATCH_LIMITS => 'output 9 < 1; |out| < 1e6');
is($r->{err}, "aotigen: warning: the limit 'output 9 < 1' of AOTIGEN_WATCH_LIMITS applies to no "
        . "output: the model has 1, from output 0 on\n", 'an output that is not there is told');
$r = watched(0, 0, 1, AOTIGEN_WATCH_LIMITS => '|output 0| < 1e-6');
like($r->{err}, qr/\Aaotigen: a value beyond its limit in output 0 of run \d+, of a watched /,
    'a value beyond a limit is told');
my ($beyond) = $r->{err} =~ /^ +beyond \|output 0\| < 1e-6: (\d+ of \d+ elements); the first/m;
ok($beyond, 'with the elements') or diag($r->{err});
my $text = replay();
like($text, qr/^  outputs       those of the capsule, bit for bit$/m, 'its outputs are the same');
like($text, qr/^  limit         \|output 0\| < 1e-6: output 0 is beyond it again/m,
    'and beyond the limit again');
like($text, qr/^  what          nothing was found$/m, 'and there is no NaN');

$r = watched(1000, 'nan', 1);
like($r->{err}, qr/^aotigen: NaN in output 0/, 'a large input with a NaN');
like($r->{err}, qr/^  held          input 0: unchanged since the run began$/m,
    'is known to be unchanged');
like(replay(), qr/^  inputs        input 0 was held, and not copied: it was not changed between /m,
    'which a replay says');
$r = watched(1000, 'nan', 1, AOTIGEN_COPY_BYTES => 'all');
unlike($r->{err}, qr/^  held/m, 'it is copied when that is asked for');
my $said = python(<<'PY', "$dir/c");
import json, sys, torch
c = torch.load(sys.argv[1], weights_only=True)
x, told = c["inputs"][0], json.loads(c["capsule"])["inputs"][0]
M = (1 << 64) - 1
def mix(i, bits):
    h = bits ^ ((i + 1) * 0x9e3779b97f4a7c15 & M)
    h = (h ^ h >> 32) * 0x85ebca6b & M
    h = (h ^ h >> 32) * 0xc2b2ae35 & M
    return h ^ h >> 32
bits = x.reshape(-1).view(torch.int32).tolist()
hash = sum(mix(i, b & 0xffffffff) for i, b in enumerate(bits)) & M
print(told["kept"], told["hash"] == "%016x" % hash, bool(x.isnan().all()))
PY
is($said->{out}, "copied True True\n", 'as the run got it, with its hash') or diag($said->{err});

$r = watched(4, 0, 5, AOTIGEN_WATCH_DEAD => 3);
is($r->{err}, '', 'an output that is the same in each run, with several values, is not dead');
done_testing;
