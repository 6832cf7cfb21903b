# The runtime's own tests with their tensors on a device that does not wait (the fake libcuda's):
# what is said is the same.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $library = FakeCuda::build_fake();
for my $unit (qw(308-nan 312-printer 313-saver 314-runs)) {
    subtest $unit => sub {
        Aotigen::c_test($unit, timeout => 120,
            env => { LD_PRELOAD => $library, FAKE_DEVICE => 'cuda' });
    };
}
done_testing;
