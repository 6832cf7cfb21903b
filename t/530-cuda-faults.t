# Faults planted in models on a GPU: each is named, and the process lives.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();

# A custom op that returns half the rows its meta promises: the next kernel's guard names the argument before it overruns.
my $c = sample('custom_op', 'cuda');
my $so = built($c, check_inputs => 'all', nan_asserts => 'nan');
my $r = run_model($c, $so);
note($r->{err});
is($r->{signal}, 0, 'a short tensor: no crash');
like($r->{err}, qr/storage/, 'a short tensor: its storage is named');

my $m = sample('mlp_dyn', 'cuda');
$so = built($m, check_inputs => 'all', nan_asserts => 'all');
my @faults = (
    ['an input on the CPU', 'inputs[0][0] = inputs[0][0].cpu()', qr/device/],
    ['an input of float64', 'inputs[0][0] = inputs[0][0].double()', qr/float64/],
    ['an input of rank 3', 'inputs[0][0] = inputs[0][0][None]', qr/rank|dimension/],
    ['a NaN in an input', 'inputs[0][0][1, 2] = nan', qr/NaN .*args\[0\]|args\[0\][\s\S]*NaN/],
    ['an Inf in an input', 'inputs[0][0][1, 2] = float("inf")', qr/Inf/],
);
for my $fault (@faults) {
    my ($what, $poke, $says) = @$fault;
    $r = run_model($m, $so, args => ["--poke=$poke", '--only=0']);
    is($r->{signal}, 0, "$what: no crash");
    like($r->{err}, $says, "$what: named") or diag($r->{err});
}

# A cubin that is not there is named at load.
my $dir = tempdir();
$r = python('import sys, torch; torch._C._aoti.AOTIModelContainerRunnerCuda(sys.argv[1], 1, "cuda", sys.argv[2])', $so, $dir);
isnt($r->{status}, 0, 'no cubins: the load fails');
like($r->{err}, qr/cubin/, 'no cubins: the file is named');

# --sync lays the device's error to its launch; an index out of range is a device-side assert.
my $s = sample('same_size', 'cuda');
is(run_model($s, built($s, sync => 1, printer => 3))->{status}, 0, 'with --sync a sound model runs');
done_testing;
