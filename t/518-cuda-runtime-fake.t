# Units of the runtime with their tensors on an asynchronous device (that of the fake libcuda):
# they report the same.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $library = FakeCuda::build_fake();
my @units = qw(308-nan 312-printer 313-saver 314-runs 320-kernel-text 360-poisoned
    361-nan-unwritten 365-subnormals 369-collectives 373-watched 374-earlier-file
    384-ledger 386-saved-weights 387-handed-on 389-feed 370-constants 377-watch-faults
    378-watch-counts 379-watch-diagnosis 383-capsule-machine);
for my $unit (@units) {
    subtest $unit => sub {
        Aotigen::c_test($unit, timeout => 120,
            env => { LD_PRELOAD => $library, FAKE_DEVICE => 'cuda' });
    };
}
done_testing;
