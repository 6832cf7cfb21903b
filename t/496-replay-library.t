# A capsule of a model with operators of its own: replay --library loads what registers them.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $s = sample('custom_op');
my $dir = tempdir();
must(aotigen('watch', '-q', "$s->{dir}/model.pt2", '-o', "$dir/watched.pt2"), 'it is watched');

# What registers the operator, which here has a fault.
spew("$dir/lab_ops.py", "import sys\nsys.path.insert(0, '" . root() . "/samples')\n" .
    "import custom_op\ncustom_op.fault = 'nan'\n");
my $capsule = "$dir/c.capsule";
my $r = run_cmd([$torch->{python}, '-W', 'ignore', '-c', <<'PY', "$dir/watched.pt2", $dir],
import sys, torch
sys.path.insert(0, sys.argv[2])
import lab_ops
torch._C._aoti.AOTIModelPackageLoader(sys.argv[1], "model", False, 1, -1).run([torch.ones(64, 128)])
PY
    timeout => 300, env => { AOTIGEN_CAPSULE => $capsule });
ok(-f $capsule, 'a NaN of an operator of its own leaves a capsule') or diag($r->{err});

sub replay {
    my (@options) = @_;
    return aotigen('replay', "--torch=$torch->{dir}", @options, $capsule);
}
# Its name may be that of a module that Python has loaded.
mkdir "$dir/ops";
spew("$dir/ops/operator.py", slurp("$dir/lab_ops.py"));
$r = replay("--library=$dir/ops/operator.py");
is($r->{status}, 0, 'it is replayed with what registers the operator') or diag($r->{err});
like($r->{err}, qr/what          NaN found in run 1, launch \d+: samples::clip_rows/,
    'the operator made the NaN') or diag($r->{err});
like($r->{err}, qr/^  outputs       those of the capsule, bit for bit$/m, 'the outputs are equal');

$r = replay();
like($r->{err}, qr/--library=FILE/, 'without it the diagnosis names the option') or diag($r->{err});
unlike($r->{err}, qr/^  what          NaN/m, 'and accuses nobody');

for my $case (
    ["$dir/none.py", qr/cannot be replayed: '\Q$dir\E\/none\.py' of --library cannot be loaded: /],
    ["$dir/x.txt", qr/value '\S*x\.txt' of option '--library' must be the name of a '\.so' or/]) {
    $r = replay("--library=$case->[0]");
    isnt($r->{status}, 0, "$case->[0] is refused");
    like($r->{err}, $case->[1], 'with the reason');
}
$r = replay('--host=c', "--library=$dir/lab_ops.py");
like($r->{err}, qr/cannot be replayed without Python: torch's Python is to load what --library/,
    'a host without Python cannot load it');
done_testing();
