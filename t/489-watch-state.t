# The state of a watched run: a NaN that comes of what earlier runs left in a buffer, or of a weight
# that was updated since the load, is found again by 'aotigen replay', with equal outputs.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;
use File::Copy 'copy';

my $torch = need_torch();
my $s = sample('stateful');
my $dir = tempdir();
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;
must(aotigen('watch', '-q', "$dir/model.pt2", '-o', "$dir/watched.pt2"), 'it is watched');

# Before run UPDATE weights are loaded, as HOW says, whose element [1, 2] is NaN.
spew("$dir/program.py", <<'PY');
import sys
import torch
package, inputs, runs, update, how = sys.argv[1:]
x, = torch.load(inputs)[0]
model = torch._C._aoti.AOTIModelPackageLoader(package, "model", False, 1, -1)
weight = torch.linspace(-1, 1, 64).reshape(8, 8).clone()
weight[1, 2] = float("nan")
for i in range(1, int(runs) + 1):
    if i == int(update):
        model.load_constants({"fc.weight": weight}, *eval(how))
    y = model.run([x.clone()])
PY

sub watched {
    my ($name, $runs, $update, $how, %env) = @_;
    my $r = run_forked({ file => "$dir/program.py",
            arguments => ["$dir/watched.pt2", "$s->{dir}/inputs.pt", $runs, $update, $how] },
        cwd => $dir, timeout => 300, env => { AOTIGEN_CAPSULE => "$dir/$name", %env });
    is($r->{status}, 0, "$name: the program ends") or diag($r->{err});
    return $r->{err};
}

my @options = ("--torch=$torch->{dir}");
sub replay {
    my ($name, @more) = @_;
    return run_cmd([build() . '/aotigen', 'replay', @options, @more, $name], cwd => $dir,
        timeout => 300, env => { PYTHON => $torch->{python} });
}

# ---- buffers

like(watched('state', 49, -1, '()'), qr/\A\z/, '49 runs are sound');
my $err = watched('state', 50, -1, '()');
like($err, qr/\Aaotigen: NaN in output 0 of run 50, of a watched model$/m, 'the 50th is not');
like($err, qr/^  constants     buffers that the model writes to: 2$/m, 'it has what they were');

# Each repetition begins with the same state.
my $r = replay('state', '--repeat=3');
is($r->{status}, 0, 'it is replayed') or diag($r->{err});
like($r->{err}, qr/^  what          NaN born in run 1, launch \d+: cpp_fused_\w*sqrt/m,
    'born in the root');
like($r->{err}, qr/^  element       buf\d+\[7\]: expected finite, found nan; 1 of 8 elements$/m,
    'at the element');
like($r->{err}, qr/= count\[7\] = 56, before the launch$/m, 'of the buffer as it was');
like($r->{err}, qr/^  buffers       'count', 'mean' are as they were before the run$/m, 'told');
like($r->{err}, qr/^  outputs       those of the capsule, bit for bit$/m, 'the outputs are equal');
like($r->{err},
    qr/^  repeated      3 runs: the same outputs, bit for bit; 3 of 3 had the finding\b/m,
    'in each repetition');

# ---- weights

$err = watched('weight', 5, 3, '(False, False)');
like($err, qr/\Aaotigen: NaN in output 0 of run 3, of a watched model$/m, 'the third run is bad');
like($err, qr/^  constants     updated weights: 1, buffers that the model writes to: 2$/m,
    'the capsule has the weight');
$r = replay('weight');
like($r->{err}, qr/^aotigen: NaN arrived in run 1 with the weight 'fc.weight', read by launch 2: /m,
    'the diagnosis names the weight');
like($r->{err}, qr/^  element       fc_weight \(fc.weight\)\[1,2\]: expected finite, found nan; /m,
    'and its element');
like($r->{err},
    qr/^  weights       as the capsule has them, which had been updated: 'fc.weight'$/m, 'told');
like($r->{err}, qr/^  outputs       those of the capsule, bit for bit$/m, 'the outputs are equal');

$err = watched('without', 5, 3, '(False, False)', AOTIGEN_KEEP_BYTES => 100);
like($err,
    qr/^  without       1 of 1 updated weights \(256 bytes\): it is beyond AOTIGEN_KEEP_BYTES: /m,
    'what does not fit is told');

# ---- a stranger's

# What the capsule says of its weight is changed.
sub changed {
    my ($name, $from, $to) = @_;
    must(python(<<'PY', "$dir/weight", "$dir/$name", $from, $to), "$name is made");
import sys, torch, zipfile, json
source, to, old, new = sys.argv[1:]
kept = torch.load(source)
text = kept["capsule"]
assert old in text
kept["capsule"] = text.replace(old, new)
torch.save(kept, to)
with zipfile.ZipFile(to, "a") as z:
    z.writestr(z.namelist()[0].split("/")[0] + "/capsule.json", kept["capsule"])
PY
    my $r = replay($name);
    is($r->{status}, 1, "$name is refused");
    return $r->{err};
}
my $weight = '"name":"fc.weight","is":"weight","dtype":"float32",';
like(changed('other', '"name":"fc.weight"', '"name":"fc.weight\u001b[31m"'),
    qr/does not describe a run: its 'name' is no text of one line/, 'no escape comes through');
like(changed('missing', '"name":"fc.weight"', '"name":"fc.other"'),
    qr/cannot be replayed: the package has no weight or buffer 'fc.other'/, 'it is looked up');
like(changed('large', "$weight\"sizes\":[8,8]", "$weight\"sizes\":[8,800]"),
    qr/cannot be replayed: 'fc.weight' is float32 \[8, 800\], and the package's is float32 /,
    'no memory beyond the package\'s is written');
like(changed('wide', "$weight\"sizes\":[8,8],\"strides\":[8,1]",
        "$weight\"sizes\":[8,8],\"strides\":[800,1]"),
    qr/'fc.weight' takes more memory than the package has for it/, 'nor by strides');
done_testing;
