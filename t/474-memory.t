# AOTIGEN_MEMORY=1 with samples/faults/put.py: the memory of a run by launch; a buffer that an
# operator keeps from run to run is named; and nothing else is.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('faults.put');
my $so = built($s);

sub watched {
    my ($so, $poke, %more) = @_;
    my $repeat = delete $more{repeat} // 8;
    return run_model($s, $so, env => { AOTIGEN_MEMORY => 1, %more },
        args => ["--repeat=$repeat", "--poke=import faults.put as put; $poke"]);
}

my $log = tempdir() . '/log.jsonl';
my $r = watched($so, 'held = []', AOTIGEN_LOG => $log);
is($r->{status}, 0, 'the outputs are the same');
my @heads = $r->{err} =~ /^aotigen: (.*)$/mg;
is(scalar @heads, 1, 'one report') or diag($r->{err});
like($heads[0], qr/^memory of run 1 of \S+: at most 9216 bytes, from launch 2 on: faults::put$/,
    'the peak, and when it is reached');
my $at = qr/allocated at line \d+/;
like($r->{err}, qr/^  \* buf0 +3840 bytes, $at, before the first launch, released after/m,
    'a buffer that is there at the peak');
like($r->{err}, qr/^    buf\d +1536 bytes, $at, after launch 3, released after/m,
    'one that comes later');
like($r->{err}, qr/^    buf\d +2304 bytes, .* after launch 5, an output of the model$/m,
    'an output');
my $events = slurp($log);
my @allocations = $events =~ /"event":"allocation"/g;
is(scalar @allocations, 5 * 8, 'the log has each allocation of each run');
like($events, qr/"run":8,"buffer":"buf0","line":\d+,"after_launch":0,"bytes":3840\}/,
    'with its facts');

for my $guard (undef, 'canary') {
    my $kept = watched(built($s, $guard ? (guard => $guard) : ()), 'put.kept = []',
        AOTIGEN_LOG => $log, repeat => 18)->{err};
    my $name = $guard // 'no guard';
    like($kept, qr/^aotigen: memory grows from run to run of \S+: 'buf0' stays$/m,
        "$name: a buffer that an operator keeps");
    like($kept, qr/^ {16}16 of them are still held, 61440 bytes; the last is that of run 16$/m,
        'how many, of which runs');
    like($kept, qr/^  given to      launch 2 of its run: faults::put$/m, 'and who has it');
    my @grows = $kept =~ /memory grows/g;
    is(scalar @grows, 1, 'once');
    like(slurp($log),
        qr/"event":"growth",.*"of":"buf0","bytes":61440,"launch":2,"kernel":"faults::put"\}/,
        'and in the log');
}

my $copied = watched($so, 'put.copied = []', AOTIGEN_LOG => $log, repeat => 20)->{err};
like($copied, qr/^aotigen: memory grows in run 16, launch 2: faults::put$/m,
    'copies that an operator keeps: the operator');
like($copied, qr/^  kept          3840 bytes of tensors \(1\) that it made and did not return, /m,
    'how much');
my @grows = $copied =~ /memory grows/g;
is(scalar @grows, 1, 'once');
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
my $stays = run_model($returned, built($returned), env => { AOTIGEN_MEMORY => 1 },
    args => ['--repeat=20', "--poke=$poke"])->{err};
like($stays, qr/^aotigen: memory grows from run to run of \S+: 'buf2' stays\n  buffer {8}buf2, /m,
    'a tensor that an operator returned, and keeps');
like($stays, qr/^  made by       launch 2 of its run: faults_returned::rows\n  cure /m,
    'which one');
is(run_model($s, $so, args => ['--repeat=2'])->{err}, '', 'without it nothing is said');
like(run_model($s, $so, env => { AOTIGEN_MEMORY => 'yes' })->{err},
    qr/^aotigen: ignoring AOTIGEN_MEMORY='yes': expected 0 or 1$/m, 'another value is refused');
done_testing;
