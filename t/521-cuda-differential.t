# Random programs of launches, waited for and not: what is said of them is the same.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

# A seed that fails here is looked at by SHOW=DIR 521-cuda-differential SEED; FUZZ=N tries more of
# them.
my $r = run_cmd([build() . '/t/521-cuda-differential', 1, $ENV{FUZZ} // 300], timeout => 110,
    env => { FAKE_CUDA => FakeCuda::build_fake() });
like($r->{out}, qr/^\d+ programs, 0 failed$/m, 'random programs')
    || diag(substr $r->{err}, 0, 4000);
done_testing;
