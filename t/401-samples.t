# torch emits what the tests after this one need, in forks of one process: Inductor's import takes
# as long as a sample.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

need_torch();
my %seen;
for my $test (sort glob root() . '/t/4*.t') {
    for my $name (slurp($test) =~ /(?<![a-z])sample\('([\w.]+)'(?!, ')/g) {
        next if $seen{$name}++;
        my $s = sample($name);
        ok(-s "$s->{dir}/wrapper.cpp", "$name is emitted");
    }
}
cmp_ok(scalar keys %seen, '>', 20, 'as many samples as tests name');
done_testing;
