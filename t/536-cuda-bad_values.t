# samples/bad_values.py and products.py on a GPU: each report ends with the operation, or the term
# of a matrix product, that made NaN or Inf; in runs that wait and in others.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use Explained;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();

my $values = sample('bad_values', 'cuda');
my $products = sample('products', 'cuda');
for my $sync (1, 0) {
    my $how = $sync ? 'with --sync' : 'without waiting';
    my @levels = (printer => 0, check_inputs => 'off', nan_asserts => 'all', sync => $sync);
    explains_bad_values($values, built($values, @levels), $how);
    my $report = same_outputs($products, built($products, @levels), "products, $how",
        env => { AOTIGEN_REPORTS => 'all' })->{err};
    note($report);
    explains_products($report, $how);
}
done_testing;
