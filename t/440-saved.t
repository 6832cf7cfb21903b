# Tensors that level 1 saves: torch.load(weights_only=True) and numpy.load open them, and they
# hold the values of the run.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('nan_inside');
my $so = built($s, printer => 1, check_inputs => 'all', nan_asserts => 'all');
my $dir = tempdir();

same_outputs($s, $so, 'saving as .pt', dir => "$dir/pt");
my @files = map { s{.*/}{}r } glob "$dir/pt/*";
cmp_ok(scalar @files, '>=', 8, 'there are files');
is(join(' ', grep { !/^run\d{4}_launch\d{6}_(?:0_input|1_before|2_after)_\w+\.pt$/ } @files), '',
    'named by run, launch, kernel and argument');
ok((grep { /^run0002_/ } @files), 'a second run writes files of its own');

my $check = <<'PY';
import glob, sys, torch, numpy
form, folder, outdir = sys.argv[1:]
x, y = torch.load(outdir + "/inputs.pt")[0]
wanted = torch.log(x - y)
def load(part):
    files = sorted(glob.glob(f"{folder}/run0001_launch000001_{part}.{form}"))
    assert len(files) == 1, (part, files)
    if form == "pt":
        return torch.load(files[0], weights_only=True)
    return torch.from_numpy(numpy.load(files[0]))
buf0 = load("2_after_*_buf0")
form0 = buf0.dtype, tuple(buf0.shape), buf0.stride()
assert form0 == (torch.float32, (6, 6), (6, 1)), form0
assert torch.allclose(buf0, wanted, equal_nan=True), (buf0, wanted)
assert int(buf0.isnan().sum()) == 1 and bool(buf0[2, 3].isnan())
given = load("1_before_*_arg0_1")
assert torch.equal(given, x), given
has_total = glob.glob(f"{folder}/run0001_launch000001_2_after_*_buf3.{form}")
total = load("2_after_*_buf3") if has_total else None
assert total is None or (total.shape == () and bool(total.isnan())), total
count = 0
for file in glob.glob(f"{folder}/*.{form}"):
    t = torch.load(file, weights_only=True) if form == "pt" else numpy.load(file)
    count += 1
print("opened", count)
PY
my $r = python($check, 'pt', "$dir/pt", $s->{dir});
is($r->{status}, 0, 'torch.load(weights_only=True) opens them, with what the run computed')
    or diag($r->{err});
is($r->{out}, 'opened ' . @files . "\n", 'all of them');

same_outputs($s, $so, 'saving as .npy', dir => "$dir/npy", env => { AOTIGEN_SAVE_FORMAT => 'npy' });
my @arrays = glob "$dir/npy/*.npy";
$r = python($check, 'npy', "$dir/npy", $s->{dir});
is($r->{status}, 0, 'numpy.load opens them too') or diag($r->{err});
is($r->{out}, 'opened ' . @arrays . "\n", 'all of them');

# Run time narrows what is saved; and what is there is never overwritten.
same_outputs($s, $so, 'one launch of one run', dir => "$dir/one",
    env => { AOTIGEN_RUNS => 2, AOTIGEN_LAUNCHES => 2 });
my @one = map { s{.*/}{}r } glob "$dir/one/*";
cmp_ok(scalar @one, '>', 0, 'something is saved');
is(join(' ', grep { !/^run0002_launch000002_/ } @one), '', 'and nothing else');
my %before = map { $_ => join ',', (stat "$dir/one/$_")[1, 9] } @one;
same_outputs($s, $so, 'once more into the same directory', dir => "$dir/one",
    env => { AOTIGEN_RUNS => 2, AOTIGEN_LAUNCHES => 2 });
is(join(' ', grep { join(',', (stat "$dir/one/$_")[1, 9]) ne $before{$_} } @one), '',
    'what was there is as it was');

# Names of one file hold what each launch had, as where it alone is saved and there is no other
# file. The model changes inputs in place, and its second run has the memory of the first.
$s = sample('cache');
$so = built($s, printer => 1);
my $host = <<'PY';
import sys, torch
so, out = sys.argv[1:]
runner = torch._C._aoti.AOTIModelContainerRunnerCpu(so, 1)
inputs = [x.clone() for x in torch.load(out + "/inputs.pt")[0]]
for i in range(3):
    runner.run(inputs)
PY
my $launches = 0;
for my $launch ('all', 0 .. 9) {
    last if $launch ne 'all' && $launch > $launches;
    my $saved = python($host, $so, $s->{dir}, { env => { AOTIGEN_OUTPUT_DIR => "$dir/$launch",
        $launch eq 'all' ? () : (AOTIGEN_LAUNCHES => $launch, AOTIGEN_RUNS => 3) } });
    is($saved->{status}, 0, "launch $launch is saved") or diag($saved->{err});
    $launches = (sort { $b <=> $a } map { /launch(\d+)/ } glob "$dir/all/*")[0] + 0;
}
$r = python(<<'PY', $dir);
import glob, os, sys, torch
def load(file):
    return torch.load(file, weights_only=True)
alone, files = 0, glob.glob(sys.argv[1] + "/all/*")
for file in (x for x in files if "/run0003" in x):
    (other,) = glob.glob(sys.argv[1] + "/[0-9]/" + os.path.basename(file))
    a, b = load(file), load(other)
    assert a.dtype == b.dtype and a.stride() == b.stride() and torch.equal(a, b), (file, a, b)
    alone += 1
print(alone, "alike;", "links" if any(os.stat(x).st_nlink > 1 for x in files) else "no links")
PY
like($r->{out}, qr/^[1-9]\d* alike; links$/, 'and each is what it is alone') or diag($r->{err});
done_testing;
