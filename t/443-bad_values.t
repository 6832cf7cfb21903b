# samples/bad_values.py on a CPU: each report ends with the operation that made NaN or Inf.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Explained;

my $s = sample('bad_values');
explains_bad_values($s,
    built($s, printer => 0, check_inputs => 'off', nan_asserts => 'all'), 'on a CPU');
done_testing;
