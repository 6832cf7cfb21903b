# samples/short_op.py: a custom op returns half of what it promised; the guard stops the launch that would overrun it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('short_op');
my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
my $r = run_model($s, $so);
note($r->{err});
is($r->{signal}, 0, 'no crash') or diag($r->{err});
is($r->{status}, 3, 'the run is ended by the wrapper\'s own way of errors');
like($r->{err}, qr/samples[.:]+half|buf\d/, 'what is too small is named');
like($r->{err}, qr/\b(?:4096|16384|32)\b/, 'what was found');
like($r->{err}, qr/\b(?:8192|32768|64)\b/, 'what was expected');
done_testing;
