# A process that ends, and a shared object that is unloaded, with runs on the device whose results
# are not reported yet.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;
use FakeCuda;

my $program = '526-cuda-record-exit';
my $dir = tempdir();
# The limit in seconds of each, a test of what it must have reported or written, and variables.
my %ends = (
    exit_waits_for_answers => [10, sub { like(shift->{err}, qr/NaN born in run 1, launch 9:/,
        'results that arrive at exit are reported') }],
    exit_waits_for_files => [20, sub {
        is(scalar(my @f = glob "$dir/*"), 8, 'files that are pending at exit are written') }],
    exit_within_a_replay => [5, sub {
        like(shift->{err}, qr/launch 2: triton_poi_fused_mul_1\n(?:.*\n)*  replay        1 of/,
        'the replay that has begun is reported') }],
    exit_beside_a_busy_thread => [5, sub { like(shift->{err}, qr/NaN born in run \d+, launch 9:/,
        'and another thread is not waited for') }],
    exit_within_a_run => [5, sub {
        like(shift->{err}, qr/NaN born in run 1, launch 1:/,
            'what was launched before is reported') }],
    exit_after_a_death => [5, sub { my $r = shift; is(scalar(() =
        $r->{err} =~ /device error in run 1, launch 60:/g), 1, 'a lost device is reported once') }],
    exit_behind_a_core_dump => [5, sub {
        like(shift->{err}, qr/device error on 'cuda:0', in which launch is not known: while the /,
            'an error that no launch shows is reported') },
        CUDA_ENABLE_COREDUMP_ON_EXCEPTION => 1],
    exit_with_a_device_that_hangs => [40, sub { }],
    exit_of_a_child => [60, sub { }],
);
my @names = CudaRecord::names($program);
is(join(' ', sort @names), join(' ', sort keys %ends), 'each way to end is tested') if !@ARGV;
for my $name (@names) {
    my ($most, $look, %env) = @{ $ends{$name} };
    my $r = CudaRecord::run_one($program, $name, AOTIGEN_OUTPUT_DIR => $dir, %env);
    FakeCuda::ended_well($name, $r) and $look->($r);
    cmp_ok($r->{seconds}, '<', $most, "$name ends promptly");
    unlink glob "$dir/*";
}

# The object with the runtime is unloaded while work is on the device: unloading waits for it, and
# leaves no thread behind.
sub unloaded {
    my (%env) = (CudaRecord::env(), @_);
    my $r = run_cmd([build() . '/t/526-host', $env{FAKE_CUDA}, build() . '/t/526-model.so'],
        timeout => 60, env => { %env, AOTIGEN_OUTPUT_DIR => "$dir/saved" });
    FakeCuda::ended_well('an object that is unloaded', $r);
    is($r->{out}, join('', map { 'threads: ' . ($_ + 1) . ", of streams: $_, mapped: 0\n" } 2 .. 4),
        'no thread is left of it, and it is gone');
    is(scalar(() = $r->{err} =~ /NaN born in run 1, launch 1:/g), 3,
        'results that were pending are reported');
    is(scalar(my @f = glob "$dir/saved/*"), 30, 'and written');
    unlink glob "$dir/saved/*";
    return;
}
# An object with a sanitizer in it is never unloaded.
for my $env ([], [AOTIGEN_WATCHDOG => 20]) {
    unloaded(@$env) if build() !~ m{/(?:t|)san$} && (!@ARGV || 'unloaded' =~ $ARGV[0]);
}
done_testing;
