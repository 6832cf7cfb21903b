# Faults planted in models on a GPU: each is named, and the process lives.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use AotigenFaults;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();
plant_all('cuda');

# A cubin that is not there is named at load.
my $m = sample('mlp_dyn', 'cuda');
my $so = built($m, check_inputs => 'all', nan_asserts => 'all');
my $dir = tempdir();
my $r = python('import sys, torch; torch._C._aoti.AOTIModelContainerRunnerCuda(sys.argv[1], 1, '
    . '"cuda", sys.argv[2])', $so, $dir);
isnt($r->{status}, 0, 'no cubins: the load fails');
like($r->{err}, qr/cubin/, 'no cubins: the file is named') or diag($r->{err});

# An index out of range asserts on the device: the launch is named, waited for or not, and the
# process ends by an exception.
my $e = sample('embed', 'cuda');
is(run_model($e, built($e, sync => 1, printer => 3))->{status}, 0,
    'with --sync a sound model runs');
for my $how ([1, {}], [0, {}], [0, { AOTIGEN_ON_FAULT => 'throw' }]) {
    my ($sync, $env) = @$how;
    $r = run_model($e, built($e, sync => $sync, printer => 0),
        args => ['--only=0', '--poke=inputs[0][0][3] = 1000000'], env => $env);
    note($r->{err});
    like($r->{err}, qr/device error .*launch 1: triton_\w*embedding/,
        'a device-side assert: its launch is named, ' . ($sync ? 'with --sync' : 'without'));
    # Torch treats a process with a lost context alike with aotigen and without.
    my $plain = run_model($e, "$e->{dir}/model.so",
        args => ['--only=0', '--poke=inputs[0][0][3] = 1000000'], env => $env);
    is("$r->{signal} $r->{status}", "$plain->{signal} $plain->{status}",
        'and the process ends as with the plain model');
}
done_testing;
