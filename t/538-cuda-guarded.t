# samples/faults on a GPU: what an operator stores beside a buffer, far from it too, and memory
# that nothing wrote, are named; with pages of its own the access is an illegal one. A model
# that keeps to its memory computes the same in every mode, and nothing is said of it.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();

my $s = sample('faults.put', 'cuda');
my %so = map { $_ => built($s, guard => $_) } 'canary,poison', 'page:buf0', 'page-before';
my %sync = (guard => 'canary', sync => 1);
$so{'canary, waiting'} = built($s, %sync);

sub stored {
    my ($so, @at) = @_;
    return run_model($s, $so, args => ['--repeat=2',
        '--poke=inputs[0][2] = torch.tensor([' . join(', ', @at) . '], device="cuda")']);
}

for my $guard (sort keys %so) {
    is(same_outputs($s, $so{$guard}, "--guard=$guard")->{err}, '', "$guard: nothing is reported");
}
for my $guard ('canary,poison', 'canary, waiting') {
    for my $case ([960, 967, 5, '2 elements behind its end \(elements 0 to 959\) were', 960],
        [200959, 5, 5, '1 element behind its end \(elements 0 to 959\) was', 200959],
        [-1, 5, 5, '1 element before its begin \(elements 0 to 959\) was', -1]) {
        my ($x, $y, $z, $what, $first) = @$case;
        my $r = stored($so{$guard}, $x, $y, $z);
        is($r->{status}, 0, "$guard: the run goes on");
        like($r->{err}, qr/^aotigen: memory overwritten in run 1, launch 2: faults::put$/m,
            "$guard: element $x, its launch");
        like($r->{err}, qr/^  buffer        buf0: float32 \[24, 40\] on cuda:0$/m, 'its buffer');
        like($r->{err}, qr/^ {16}$what overwritten, the first at element $first$/m, 'its element');
        like($r->{err}, qr/^ {16}there stands 9\.5, bits 0x41180000$/m, 'and its value');
        like($r->{err}, qr/^  written by    launch 2: intact after launch 1$/m,
            'in no other');
    }
}
for my $case (['page:buf0', 200959], ['page-before', -1]) {
    my ($guard, $at) = @$case;
    my $r = stored($so{$guard}, $at, 1, 2);
    isnt($r->{status}, 0, "$guard: an access to element $at ends the run");
    like($r->{err}, qr/^aotigen: device error in run 1, launch 2: faults::put$/m, 'in its launch');
}

my $f = sample('faults.fill', 'cuda');
my $poison = built($f, guard => 'poison');
is(same_outputs($f, $poison, '--guard=poison')->{err}, '', 'nothing is reported');

sub filled {
    my ($rows) = @_;
    return run_model($f, $poison,
        args => ["--poke=inputs[0][1] = torch.tensor([$rows], device='cuda')"])->{err};
}
my $read = qr/^aotigen: unwritten memory read in run 1, launch \d+: triton_\w+$/m;
like(filled('5, 8, 8'), $read, 'floats that an operator left unwritten');
like(filled('5, 8, 8'), qr/^ {16}18 of 48 elements were not written since it was allocated$/m,
    'how many');
like(filled('5, 8, 8'), qr/^ {16}the first at \[5, 0\] \(index 30\)$/m, 'and where');
like(filled('8, 5, 8'), $read, 'integers');
like(filled('8, 8, 2'),
    qr/^aotigen:\ unwritten\ memory\ in\ an\ output\ of\ run\ 1
        \n\ \ buffer\ .*\n.*\n\ {16}36\ of\ 48/mx,
    'an output');

# Operators held to what they promise: small arguments are copied without waiting.
my $lying = sample('lying_ops', 'cuda');
for my $sync (0, 1) {
    my $ops = built($lying, guard => 'ops', sync => $sync);
    is(same_outputs($lying, $ops, "--guard=ops, sync $sync")->{err}, '', 'nothing is reported');
    my $lie = run_model($lying, $ops,
        args => ['--poke=import lying_ops; lying_ops.faults["rows"] = "writes"'])->{err};
    like($lie, qr/^aotigen: read-only input changed in run 1, launch \d+: lying::rows$/m,
        "sync $sync: an operator that writes to its input");
    like($lie, qr/^ {16}2 of 512 elements changed, the first at \[0, 5\]: it was \S+, and is \S+$/m,
        'the element, and what it held');
}
done_testing;
