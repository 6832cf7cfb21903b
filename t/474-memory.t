# AOTIGEN_MEMORY=1 with samples/faults/put.py: the memory of a run by launch; a buffer that an
# operator keeps from run to run is named; and nothing else is.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Expected;

my $s = sample('faults.put');
my $so = built($s);

sub watched {
    my ($so, $poke, %more) = @_;
    my $repeat = delete $more{repeat} // 8;
    return run_model($s, $so, env => { AOTIGEN_MEMORY => 1, %more },
        args => ["--repeat=$repeat", "--poke=import faults.put as put; $poke"]);
}

my @varying = (qr/\bbuf\K[1-9]\d*/ => 'N');
my $log = tempdir() . '/log.jsonl';
my $r = watched($so, 'held = []', AOTIGEN_LOG => $log);
is($r->{status}, 0, 'the outputs are the same');
is_reported('the peak, and what is there then', $r->{err}, @varying);
my $events = slurp($log);
my @allocations = $events =~ /"event":"allocation"/g;
is(scalar @allocations, 5 * 8, 'the log has each allocation of each run');
like($events, qr/"run":8,"buffer":"buf0","line":\d+,"after_launch":0,"bytes":3840\}/,
    'with its facts');

for my $case ([{}, 'a buffer that an operator keeps'],
    [{ guard => 'canary' }, 'and with guards']) {
    my ($levels, $name) = @$case;
    is_reported($name, watched(built($s, %$levels), 'put.kept = []', AOTIGEN_LOG => $log,
        repeat => 18)->{err}, @varying);
    like(slurp($log),
        qr/"event":"growth",.*"of":"buf0","bytes":61440,"launch":2,"kernel":"faults::put"\}/,
        'and in the log');
}

is_reported('copies that an operator keeps',
    watched($so, 'put.copied = []', AOTIGEN_LOG => $log, repeat => 20)->{err}, @varying);
like(slurp($log),
    qr/"event":"growth",.*"of":"faults::put","bytes":61440,"launch":2,"kernel":"faults::put"\}/,
    'in the log');
for my $what ('copied = collections.deque(maxlen=12)', 'kept = collections.deque(maxlen=6)',
    'kept = collections.deque(maxlen=12)') {
    my $err = watched($so, "import collections; put.$what", repeat => 30)->{err};
    my @said = $err =~ /^aotigen: /mg;
    is(scalar @said, 1, "$what: those of the last few runs are no growth");
}
my $returned = sample('faults.returned');
my $poke = "import faults.returned as model; model.fault = 'is kept'";
is_reported('a tensor that an operator returned, and keeps', run_model($returned,
    built($returned), env => { AOTIGEN_MEMORY => 1 }, args => ['--repeat=20', "--poke=$poke"])
    ->{err});
is(run_model($s, $so, args => ['--repeat=2'])->{err}, '', 'without it nothing is said');
like(run_model($s, $so, env => { AOTIGEN_MEMORY => 'yes' })->{err},
    qr/^aotigen: ignoring AOTIGEN_MEMORY='yes': expected 0 or 1$/m, 'another value is refused');
done_testing;
