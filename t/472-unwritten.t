# samples/faults/fill.py: what an operator left unwritten is named where a launch reads it, or where
# the model gives it away, with the buffer's life; a real NaN is told apart from it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('faults.fill');
my %so = map { $_ => built($s, guard => $_) } 'canary,poison', 'poison,page';

sub filled {
    my ($guard, $rows, $more) = @_;
    my $poke = "inputs[0][1] = torch.tensor([$rows])" . ($more // '');
    return run_model($s, $so{$guard}, args => ["--poke=$poke"])->{err};
}

my $line = qr/\n {16}/;
my $head = qr/^aotigen: unwritten memory read in run 1, launch 4: cpp_fused_\w+\n(?:  .*\n)*?/m;

for my $guard (sort keys %so) {
    is(same_outputs($s, $so{$guard}, "--guard=$guard")->{err}, '', "$guard: nothing is reported");
    my $err = filled($guard, '5, 8, 8');
    like($err, qr/$head  read as       buf0: float32 \[8, 6\] on cpu\n  buffer        buf0: /,
        'floats, and what they were read as');
    like($err, qr/${line}18 of 48 elements were not written since it was allocated/, 'how many');
    like($err, qr/${line}the first at \[5, 0\] \(index 30\)\n/, 'and where');
    like($err, qr/^  written by    launch 1 \(faults_fill::fill\), the last launch that /m,
        'by whom they were to be written');
    unlike($err, qr/may have stored/, 'which is sure of floats');
    unlike($err, qr/NaN/, 'it is not taken for a NaN that was computed');
    $err = filled($guard, '8, 0, 8');
    like($err, qr/$head  read as       buf\d: int64 \[8, 6\] on cpu\n/, 'integers');
    like($err, qr/${line}none of its 48 elements was written since/, 'all of them');
    $err = filled($guard, '8, 5, 8');
    like($err, qr/${line}18 of 48 elements were not written since/, 'some of them');
    like($err, qr/${line}a launch may have stored that number: 0x7ff57ff5 stands in such memory\n/,
        'which is not sure of integers');
    like(filled($guard, '8, 8, 2'),
        qr/^aotigen:\ unwritten\ memory\ in\ an\ output\ of\ run\ 1
            \n\ \ buffer\ .*\n.*${line}36\ of\ 48/mx,
        'an output of the model');
}
my $err = filled('canary,poison', '8, 8, 8', '; inputs[0][0][1, 2] = nan');
like($err, qr/^aotigen: NaN arrived in run 1 with the input 'args\[0\]'/m, 'a NaN is one');
unlike($err, qr/unwritten/, 'and no memory that nothing wrote');

# An element is longer than the part of it that is read.
my $past = run_model($s, $so{'canary,poison'},
    args => ['--poke=import faults.fill as fill; fill.past = 1']);
like($past->{err}, qr/^aotigen: memory overwritten in run 1, launch 2: faults_fill::fill$/m,
    'behind a buffer of int64');
like($past->{err}, qr/^ {16}1 element behind its end .*, the first at element 48$/m, 'its element');
like($past->{err}, qr/^ {16}there stands 0x\w{6}07 in bytes 0 to 3 of it$/m,
    'and what is known of it');

# Memory that was released holds what tells whose it was.
my $stale = sample('faults.stale');
my $poisoned = built($stale, guard => 'poison');
is(same_outputs($stale, $poisoned, '--guard=poison, an operator that keeps an address')->{err}, '',
    'nothing is reported');
$err = run_model($stale, $poisoned,
    args => ['--poke=from faults import stale; stale.stale = True'])->{err};
like($err, qr/^aotigen: released memory read in run 1, launch 5: faults_stale::fetch$/m,
    'a read of released memory, and its launch');
like($err, qr/^  released      buf0, .*, written by launch 1 \(cpp_fused_\w+\), released after/m,
    'whose memory it was, and its life');
like($err, qr/192 of 192 elements, the first at \[0, 0\] \(index 0\): nan, bits 0x7ff17ff1$/m,
    'the element, and its bits');

# Its kernel loads what nothing wrote and selects it away; what it stores holds NaN on purpose.
my $padded = sample('padded');
is(same_outputs($padded, built($padded, guard => 'canary,poison'), '--guard=canary,poison')->{err},
    '', 'a circular pad selects what nothing wrote away');
done_testing;
