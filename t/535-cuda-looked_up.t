# samples/looked_up.py on a GPU: a failed index assert ends the device, and the report still says
# from which element the index came, in runs that wait and in others.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use AotigenFaults;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();

# Each: the fault, the first line of the explanation, and the line of the bound.
my @faults = (
    ['too large, in an embedding',
        qr/\[1, 2\] = 100 makes the index 100, which must be less than 100:/,
        qr/100 is the length of \w+ \(table\.weight\) in dimension 0: float32 \[100, 32\]/],
    ['negative, in gather',
        qr/\[3, 1\] = -6 makes the index -1, which must be at least 0:/,
        qr/5 is the length of \w+ \(args\[1\]\) in dimension 1: float32 \[6, 5\] on cuda/],
    ['behind the end of a batch',
        qr/\[1\] = 7 makes the index 7, which must be less than 7:/,
        qr/ks\d = s\d+ = 7, the length of \w+ \(args\[3\]\) in dimension 0/],
    ['in index_select',
        qr/\[1\] = 6 makes the index 6, which must be less than 6:/,
        qr/6 is the length of \w+ \(args\[1\]\) in dimension 0: float32 \[6, 5\] on cuda/],
    ['an offset of a jagged tensor',
        qr/\[2\] = 21 makes the index 21, which must be less than 20:/,
        qr/20 is the length of \w+ \(args\[5\]\) in dimension 0: float32 \[20\] on cuda/],
);

my $s = sample('looked_up', 'cuda');
for my $sync (0, 1) {
    my $how = $sync ? 'with --sync' : 'without waiting';
    my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'off', sync => $sync);
    is(same_outputs($s, $so, "without a fault, $how")->{err}, '', 'nothing is reported');
    for my $fault ($sync ? @faults[0, 2] : @faults) {
        my ($what, $first, $bound) = @$fault;
        my $r = run_model($s, $so, args => ['--poke=' . looked_up_fault($what)]);
        isnt($r->{status}, 0, "$what, $how: the run fails");
        my ($found) = $r->{err} =~ /^(  how  .*\n(?: {16}.*\n)*)/m;
        like($found // $r->{err}, qr/^  how +arg\d+_1$first$/m, "$what: the element");
        like($found // '', qr/^ {16}$bound/m, "$what: its bound");
        like($found // '', qr/^ {16}\w+ \(args\[\d\]\): an input of the model$/m,
            "$what: its origin");
    }
}
done_testing;
