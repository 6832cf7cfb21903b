# GPT-2, small: a mask of -inf on purpose is no fault, and an overflow that is planted deep inside
# is found where it is born.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use AotigenFaults;

my $s = sample('gpt2_tiny');
my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
is(same_outputs($s, $so, 'a sound GPT-2 under NaN asserts of every kind')->{err}, '', 'is silent');
overflow_in_gpt2($s, $so, 'h.1.up.weight');
done_testing;
