# What the text of a kernel tells the checks: which input decided an output, which NaN is there on
# purpose, and how many elements are touched.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $dir = tempdir();

# Launch 3 computes two outputs that have nothing in common but an input.
my $code = <<'PY';
import sys, torch
class Model(torch.nn.Module):
    def forward(self, x, w, y):
        brought = torch.relu(torch.exp(x) @ w) * y
        empty = y.new_empty(4, 4)
        empty[:2] = y[:2]
        return brought, torch.exp(y), empty
ones = torch.ones(4, 4)
program = torch.export.export(Model(), (ones, ones, ones))
torch._inductor.aoti_compile_and_package(program, package_path=sys.argv[1] + "/model.pt2")
PY
must(python($code, $dir), 'torch compiles the model');
must(aotigen("--torch=$torch->{dir}", '-q', '--check-inputs=launch', '--nan-asserts=all',
    "$dir/model.pt2", '-o', "$dir/dbg.pt2"), 'aotigen makes a debug package');

my $run = <<'PY';
import sys, torch
model = torch._inductor.aoti_load_package(sys.argv[1] + "/dbg.pt2")
x, y = torch.zeros(4, 4), torch.ones(4, 4)
if sys.argv[2] == "bad":
    x[1, 2], y[2, 0] = 100., 200.
if sys.argv[2] == "short":
    y = y[:2].clone()
try:
    outputs = model(x, torch.ones(4, 4), y)
    print(int(outputs[2].isnan().sum()))
except RuntimeError:
    print("thrown")
PY
sub ran {
    my ($how) = @_;
    my $r = must(python($run, $dir, $how), "the model runs with $how inputs");
    my ($reports) = $r->{err} =~ /^(aotigen: .*)/ms;
    return ($r->{out}, $reports // '');
}

my ($nans, $silent) = ran('sound');
is($silent, '', 'a sound model is silent');
SKIP: {
    skip 'this torch gives new_empty no NaN', 1 if !$nans;
    cmp_ok($nans, '>', 0, 'although one of its outputs holds NaN: it was put there on purpose');
}

my (undef, $bad) = ran('bad');
note($bad);
like($bad, qr/^aotigen: \+Inf born in run 1, launch 1: cpp_fused_\w*exp/m, 'exp(x) overflows');
my @births = $bad =~ /^aotigen: \+Inf born in run 1, launch (\d+):/mg;
is(@births, 2, 'and exp(y) overflows of its own') or diag($bad);
my ($second) = $bad =~ /^(aotigen: \+Inf born in run 1, launch $births[1]:.*?)(?=^aotigen)/ms;
my $element = qr/\+Inf in 1 of 16 elements, the first at \[2, 0\] \(index 8\): inf/;
like($second, qr/^  output .*\n +$element/m,
    'with its element, although the launch reads another Inf');
like($second, qr/^  input         \w+ \(args\[2\]\): .*\n +clean, 1 to 200; at \[2, 0\]: 200/m,
    'and its input');
if ($bad =~ /propagated through 2 launches/) {
    like($second, qr/^ +\+Inf in \d+ of 16 elements.*; reached by buf\d+ with \+Inf$/m,
        'the other output of the launch is set apart');
    like($second, qr/^ +with \+Inf, which does not reach buf\d+$/m,
        'and so is the input that brought it');
}

my ($thrown, $short) = ran('short');
is($thrown, "thrown\n", 'a run with half of an input ends');
like($short, qr/^aotigen: guard failed in run 1, launch \d+: cpp_fused_/m, 'at the kernel');
my $expected = qr/expected at least 16 elements \(64 bytes\) from its first, found 8 \(32 bytes\)/;
like($short, qr/^  argument +\w+ \(args\[2\]\): float32 \[2, 4\] on cpu\n +storage: $expected$/m,
    'that would have read past it') or diag($short);
done_testing;
