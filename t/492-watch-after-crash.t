# AOTIGEN_AFTER_CRASH: a watched model whose process a crash has ended begins the next one as a
# debug package, for some runs.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;

my $torch = need_torch();
my $dir = tempdir();
mkdir "$dir/kept";

# A lookup whose index is not checked, with a weight and a buffer that the model writes to.
must(python(<<'PY', "$dir/plain.pt2", "$dir/data.pt", { timeout => 600 }), 'a model');
import sys, torch
class Lookup(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(16))
        self.register_buffer("calls", torch.zeros(16))
    def forward(self, table, index):
        self.calls.add_(1.0)
        return table[index] * self.weight + self.calls
args = (torch.randn(100, 16), torch.randint(0, 100, (500,)))
with torch.no_grad():
    exported = torch.export.export(Lookup(), args)
    torch._inductor.aoti_compile_and_package(exported, package_path=sys.argv[1], inductor_configs={
        "assert_indirect_indexing": False, "cpp.threads": 1})
torch.save(args, sys.argv[2])
PY
must(aotigen('watch', '-q', "$dir/plain.pt2", '-o', "$dir/watched.pt2"), 'is watched');

# Its lines of output: a checksum of each run. The weight is changed before the 4th and 6th.
my $program = <<'PY';
import os, resource, sys, torch
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
path, inputs = sys.argv[1:3]
inputs = torch.load(inputs)
model = torch._C._aoti.AOTIModelPackageLoader(path, "model", False, 1, -1)
name = [f for f in model.get_constant_fqns() if "weight" in f][0]
bad = int(os.environ.get("BAD", 0))
held = torch.full((16,), 0.5)
for i in range(1, 8):
    if i == 4: model.load_constants({name: torch.arange(16.0)}, False, False)
    if i == 6: model.load_constants({name: held}, False, False, True)
    args = [t.clone() for t in inputs]
    if i == bad: args[1][0] = 1 << 40
    [out] = model.run(args)
    print(i, float(out.double().sum()), float(out[7][3]), flush=True)
PY
sub program {
    my ($package, %env) = @_;
    my $got = run_cmd([$torch->{python}, '-W', 'ignore', '-c', $program, "$dir/$package.pt2",
            "$dir/data.pt"], cwd => $dir, timeout => 600,
        env => { AOTIGEN_CAPSULE => "$dir/kept/c", OMP_NUM_THREADS => 1, %env });
    note($got->{err});
    return $got;
}
sub left {
    return join ' ', map { s{.*/}{}r =~ s/-[0-9a-f]{16}\./-HASH./r } sort glob "$dir/kept/*";
}
my $crash = qr/^aotigen: SIGSEGV in run 2, of a watched model$/m;
my $says = qr/^aotigen: warning: 'model' of '\S+plain\.pt2': AOTIGEN_AFTER_CRASH: /m;

my $plain = program('plain');
is($plain->{status}, 0, 'it runs') or diag($plain->{err});

# ---- the mark
my $r = program('watched', BAD => 2);
is("$r->{signal} " . left(), '11 c', 'AOTIGEN_AFTER_CRASH is not set: there is no mark');
unlink glob "$dir/kept/*";
$r = program('watched', BAD => 2, AOTIGEN_AFTER_CRASH => 'debug:5');
like($r->{err}, $crash, 'a crash is reported');
unlike($r->{err}, $says, 'a process that finds no mark is as ever');
is("$r->{signal} " . left(), '11 aotigen-HASH.crashed c', 'and leaves a mark');
my ($mark) = glob "$dir/kept/*.crashed";
like(slurp($mark), qr/\ASIGSEGV in run 2 of process \d+\n\z/, 'which says of what');

$r = program('watched');
is("$r->{status} $r->{err}", '0 ', 'without the variable nothing is said');
is($r->{out}, $plain->{out}, 'or changed');

# ---- who can not have it
$r = program('watched', AOTIGEN_AFTER_CRASH => 'debug:5', AOTIGEN_PROGRAM => '/no/such/aotigen');
like($r->{err}, qr/${says}no debug package takes its place: the program of AOTIGEN_PROGRAM /m,
    'without a program it says so');
is("$r->{status} $r->{out}", "0 $plain->{out}", 'and the model runs');
rename "$dir/plain.pt2", "$dir/away.pt2";
$r = program('watched', AOTIGEN_AFTER_CRASH => 'debug:5');
like($r->{err}, qr/${says}no debug package takes its place: \N*plain\.pt2: error: \N*cannot /m,
    'without the package, too');
is("$r->{status} $r->{out}", "0 $plain->{out}", 'and the model runs');
rename "$dir/away.pt2", "$dir/plain.pt2";
$r = program('watched', AOTIGEN_AFTER_CRASH => 'debug:0');
like($r->{err}, qr/^aotigen: ignoring AOTIGEN_AFTER_CRASH='debug:0': expected debug, or debug:N /m,
    'a wrong number is told');
is(left(), 'aotigen-HASH.crashed c', 'the mark is still there');

# ---- the debug package
my $after = qr/after SIGSEGV in run 2 of process \d+, at [-\d]+ [:\d]+/;
$r = program('watched', AOTIGEN_AFTER_CRASH => 'debug:5', BAD => 3);
like($r->{err}, qr/$says$after, the first 5 runs /m, 'it tells why it begins as a debug package');
like($r->{err}, qr/^aotigen: SIGSEGV in run 3, launch \d+: \S*index/m,
    'which names the launch of the next crash');
is($r->{signal}, 11, 'the process dies of it');
is($r->{out}, join('', ($plain->{out} =~ /^(.*\n)/mg)[0, 1]), 'the runs before it are right');
like(slurp($mark), qr/\ASIGSEGV in run 3 of process \d+\n\z/, 'and there is a new mark');

# The 6th run is the model's own again: its buffer and its weight are as they were left.
$r = program('watched', AOTIGEN_AFTER_CRASH => 'debug:5');
is($r->{status}, 0, 'it runs to its end') or diag($r->{err});
is($r->{out}, $plain->{out}, 'each run is as without it: weights and buffers are shared');
like($r->{err}, qr/${says}the debug package has made its runs, and /m, 'and it tells the end');
unlike(left(), qr/crashed/, 'the mark is gone');
$r = program('watched', AOTIGEN_AFTER_CRASH => 'debug:5');
is("$r->{status} $r->{err}", '0 ', 'so the next process is as ever');
done_testing;
