# Runs that do not wait, on streams of the fake libcuda that lag behind the host: each test is a process of its own.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $program = build() . '/t/519-cuda-record';
# A build under ThreadSanitizer wants its fake so too: FAKE_CFLAGS.
my %env = (FAKE_CUDA => FakeCuda::build_fake(split q( ), $ENV{FAKE_CFLAGS} // q()), FAKE_DEVICE => 'cuda', CMOCKA_MESSAGE_OUTPUT => 'TAP');

sub run_one {
    my ($name, %more) = @_;
    return run_cmd([$program, $name], timeout => 60, env => { %env, %more });
}

sub ended_well {
    my ($name, $r) = @_;
    my $ok = ok(!$r->{timed_out} && !$r->{signal} && $r->{status} == 0, $name);
    diag($r->{timed_out} ? 'it ran out of time' : "status $r->{status}, signal $r->{signal}", "\n", substr($r->{out}, -2000), substr $r->{err}, -3000) if !$ok;
    return $ok;
}

my @names = grep { !@ARGV || $_ =~ $ARGV[0] } split ' ', run_cmd([$program, 'list'])->{out};
for my $name (@names) {
    my $r = run_one($name);
    ended_well($name, $r) and like($r->{out}, qr/^ok 1 - \Q$name\E$/m, "$name ran");
}

my $dir = tempdir();
my @ends = (
    [exit_waits_for_answers => 10, sub { like(shift->{err}, qr/NaN born in run 1, launch 9:/, 'what is still to come at exit is told') }],
    [exit_waits_for_files => 20, sub { is(scalar(my @f = glob "$dir/*"), 8, 'files that are still to come at exit are written') }],
    [exit_within_a_replay => 5, sub { like(shift->{err}, qr/launch 2: triton_poi_fused_mul_1\n(?:.*\n)*  replay        1 of/, 'the replay that has begun is told') }],
    [exit_beside_a_busy_thread => 5, sub { like(shift->{err}, qr/NaN born in run \d+, launch 9:/, 'and another thread is not waited for') }],
    [exit_within_a_run => 5, sub { like(shift->{err}, qr/NaN born in run 1, launch 1:/, 'what was launched before is told') }],
    [exit_after_a_death => 5, sub { my $r = shift; is(scalar(() = $r->{err} =~ /device error in run 1, launch 60:/g), 1, 'a death is told once') }],
    [exit_with_a_device_that_hangs => 40, sub { }],
    [exit_of_a_child => 60, sub { }],
);
for (grep { !@ARGV || $_->[0] =~ $ARGV[0] } @ends) {
    my ($name, $most, $look) = @$_;
    my $r = run_one($name, AOTIGEN_OUTPUT_DIR => $dir);
    ended_well($name, $r) and $look->($r);
    cmp_ok($r->{seconds}, '<', $most, "$name ends promptly");
    unlink glob "$dir/*";
}

# The object that the runtime is in goes away with work on the device: it is waited for, and no thread of ours is left in it.
sub unloaded {
    my @flags = (qw(-std=c11 -D_GNU_SOURCE= -O1 -g -Wall -Wextra -Werror -I), root() . '/runtime', '-I' . root() . '/kernels', '-I' . root() . '/t');
    for my $step (
        [@flags, '-DHOST', '-o', "$dir/host", root() . '/t/5xx/unload.c', '-ldl'],
        [@flags, qw(-fPIC -shared -o), "$dir/model.so", root() . '/t/5xx/unload.c', root() . '/t/shim.c', build() . '/libaotigen.a', qw(-lm -ldl -lpthread -lcmocka)],
    ) {
        my $r = run_cmd([$ENV{CC} // 'cc', @$step]);
        return fail('the object that is unloaded builds') || diag($r->{err}) if $r->{status};
    }
    my $r = run_cmd(["$dir/host", $env{FAKE_CUDA}, "$dir/model.so"], timeout => 60, env => { %env, AOTIGEN_OUTPUT_DIR => "$dir/saved" });
    ended_well('an object that is unloaded', $r);
    is($r->{out}, join('', map { 'threads: ' . ($_ + 1) . ", of streams: $_, mapped: 0\n" } 2 .. 4), 'no thread is left of it, and it is gone');
    is(scalar(() = $r->{err} =~ /NaN born in run 1, launch 1:/g), 3, 'what was still to come is told');
    is(scalar(my @f = glob "$dir/saved/*"), 30, 'and written');
    return;
}
# An object with a sanitizer in it is never unloaded.
unloaded() if build() !~ m{/(?:t|)san$} && (!@ARGV || 'unloaded' =~ $ARGV[0]);
done_testing;
