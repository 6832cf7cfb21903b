# samples/faults/fill.py: what an operator left unwritten is named where a launch reads it, or where
# the model gives it away, with the buffer's life; a real NaN is told apart from it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Expected;

my $s = sample('faults.fill');
my %so = map { $_ => built($s, guard => $_) } 'canary,poison', 'poison,page';

# Those of the buffers that torch numbers, and values that were computed.
my @varying = (qr/\bbuf\K[1-9]\d*/ => 'N', qr/-?\d+\.\d+(?= to |$)/m => 'VALUE',
    qr/ to \K-?\d+\.\d+/ => 'VALUE');

sub filled {
    my ($guard, $rows, $more) = @_;
    my $poke = "inputs[0][1] = torch.tensor([$rows])" . ($more // '');
    return run_model($s, $so{$guard}, args => ["--poke=$poke"])->{err};
}

for my $guard (sort keys %so) {
    is(same_outputs($s, $so{$guard}, "--guard=$guard")->{err}, '', "$guard: nothing is reported");
    is_reported('floats, which is sure', filled($guard, '5, 8, 8'), @varying);
    is_reported('all integers', filled($guard, '8, 0, 8'), @varying);
    is_reported('some of them', filled($guard, '8, 5, 8'), @varying);
    is_reported('an output of the model', filled($guard, '8, 8, 2'), @varying);
}
is_reported('a NaN is one, and no memory that nothing wrote',
    filled('canary,poison', '8, 8, 8', '; inputs[0][0][1, 2] = nan'), @varying);

# An element is longer than the part of it that is read.
is_reported('what is known of an element', run_model($s, $so{'canary,poison'},
    args => ['--poke=import faults.fill as fill; fill.past = 1'])->{err}, @varying);

# Memory that was released holds what tells whose it was.
my $stale = sample('faults.stale');
my $poisoned = built($stale, guard => 'poison');
is(same_outputs($stale, $poisoned, '--guard=poison, an operator that keeps an address')->{err}, '',
    'nothing is reported');
is_reported('a read of released memory, whose it was, and its life', run_model($stale, $poisoned,
    args => ['--poke=from faults import stale; stale.stale = True'])->{err}, @varying);

# Its kernel loads what nothing wrote and selects it away; what it stores holds NaN on purpose.
my $padded = sample('padded');
is(same_outputs($padded, built($padded, guard => 'canary,poison'), '--guard=canary,poison')->{err},
    '', 'a circular pad selects what nothing wrote away');
done_testing;
