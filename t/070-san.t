# Units and golden rewrites once more, under AddressSanitizer and UndefinedBehaviorSanitizer.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS AOTIGEN_BUILD HARNESS_ACTIVE SHARED_TORCH)};
my $r = run_cmd(['make', '-C', root(), 'san'], timeout => 1500);
is($r->{status}, 0, 'make san ends well')
    or diag(substr($r->{out}, -4000), substr($r->{err}, -4000));
like($r->{out}, qr/^Result: PASS$/m, 'its tests pass');
my ($files) = $r->{out} =~ /^Files=(\d+)/m;
cmp_ok($files // 0, '>', 3, 'and are some');
unlike($r->{out} . $r->{err}, qr/ERROR: AddressSanitizer|runtime error:/, 'no finding');
done_testing;
