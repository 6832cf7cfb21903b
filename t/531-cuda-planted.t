# Faults planted in real kernels on a GPU: the report names the right launch, and the process
# ends.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();

sub planted { return run_cmd([build() . '/t/531-cuda-planted', @_], timeout => 120) }
sub times_of { my ($text, $what) = @_; return scalar(() = $text =~ /$what/g) }

sub ended {
    my ($r, $what) = @_;
    return FakeCuda::ended_well("$what: the process ends by itself", $r);
}

my %error = (assert => qr/710\)/, illegal => qr/700\)/);
for my $kind (qw(nan inf assert illegal)) {
    for my $where (1, 101, 200) {
        for my $streams (1, 2) {
            my $what = "$kind in launch $where, $streams stream(s)";
            my $r = planted('fault', $kind, $where, $streams);
            ended($r, $what);
            my $err = $r->{err};
            if ($kind eq 'nan' || $kind eq 'inf') {
                my $name = $kind eq 'nan' ? 'NaN' : '\+Inf';
                like($err, qr/^aotigen: $name born in run \d+, launch $where: bad$/m,
                    "$what: it is named");
                like($err, qr/$name in 1 of 4096 elements, the first at \[77\]/,
                    "$what: and the element");
                is(times_of($err, ' born in '), 1, "$what: nothing else is") or diag($err);
                is($r->{out}, '', "$what: nothing is thrown");
                next;
            }
            my $kernel = $kind eq 'assert' ? 'fail' : 'stray';
            like($err, qr/^  not finished  launch $where: $kernel$/m, "$what: it is named")
                or diag($err);
            like($err, $error{$kind}, "$what: with the driver's error");
            my $suspects = times_of($err, qr/^  not finished/m);
            cmp_ok($suspects, '<=', $streams, "$what: of $streams at most");
            like($err, qr/aotigen: device error in run \d+, launch $where: $kernel$/m,
                "$what: at the head"); # CUDA's own words may stand before it
            like($r->{out}, qr/whose launch is $where:\naotigen: device error/,
                "$what: and it is what the run throws");
            like($r->{out}, qr/, launch $where: $kernel[,;\n]/, "$what: with the launch");
            next if $where == 1;
            my $before = $where - 1;
            like($err, qr/^  last finished launch $before: step\n  not finished  launch $where:/m,
                "$what: the one before it was the last that finished");
        }
    }
}

my $r = planted('graph', 'none');
ended($r, 'a graph');
is($r->{err}, '', 'a clean graph is silent');
is(times_of($r->{out}, 'outputs are the same'), 3, 'and its outputs are those without the library')
    or diag($r->{out});

$r = planted('graph', 'nan');
ended($r, 'a graph with a NaN');
my $replay = qr/  replay        2 of the graph that run 2 was captured into$/m;
like($r->{err}, qr/NaN born in run \d+, launch 3: bad\n(?:  .*\n)*$replay/,
    'the report names its replay') or diag($r->{err});
is(times_of($r->{err}, ' born in '), 1, 'and of no other');
is(times_of($r->{out}, 'outputs are the same'), 2, 'the others are as they were');

$r = planted('graph', 'illegal');
ended($r, 'a graph with a stray store');
like($r->{out}, qr/^replay 2: 700$/m, 'it kills the second replay');
like($r->{err}, qr/^  replay        2 of the graph that run 2 was captured into$/m,
    'the report names the replay');
like($r->{err}, qr/^  last finished launch 2: step\n  not finished  launch 3: stray$/m,
    'with its launch') or diag($r->{err});

$r = planted('quiet', 4000);
ended($r, 'two threads');
is($r->{err}, '', 'two threads of thousands of launches have nothing to say');
is(times_of($r->{out}, 'outputs are the same'), 2, 'and the same outputs');
done_testing;
