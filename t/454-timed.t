# AOTIGEN_TIME on real models on the CPU: each launch is counted and takes some time, all of them no
# more than their runs, and the outputs are the same.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use JSON::PP 'decode_json';

# Runs a model and prints the nanoseconds that its runs took, and whether an output changed.
my $host = <<'PYTHON';
import os, signal, sys, threading, time, torch
plain, package, out, how = sys.argv[1:]
inputs = torch.load(out + "/inputs.pt")[1]
load = torch._C._aoti.AOTIModelContainerRunnerCpu
expected = [x.clone() for x in load(plain, 1).run(list(inputs))]
model = load(package, 4)

def runs():
    for _ in range(6):
        for x, y in zip(model.run(list(inputs)), expected):
            if not torch.equal(x.view(torch.int32), y.view(torch.int32)):
                print("another output")

began = time.monotonic_ns()
threads = [threading.Thread(target=runs) for _ in range(4 if how == "threads" else 1)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(time.monotonic_ns() - began)
sys.stdout.flush()
if how == "fork":
    child = os.fork()
    if not child:
        sys.exit(0)
    os.waitpid(child, 0)
if how == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
PYTHON

my $s = sample('nan_inside');
my $so = built($s);

sub timed {
    my ($how, %env) = @_;
    my $r = python($host, "$s->{dir}/model.so", $so, $s->{dir}, $how,
        { env => { AOTIGEN_TIME => 1, AOTIGEN_ON_FAULT => 'report', %env } });
    like($r->{out}, qr/\A\d+\n\z/, "$how: it runs, and the outputs are the same")
        or diag($r->{err});
    return $r;
}

sub events {
    my ($log) = @_;
    return grep { $_->{event} eq 'timed' } map { decode_json($_) } split /\n/, slurp($log);
}

# The launches of a table: number => [times, total in microseconds].
sub launches {
    my ($text) = @_;
    return { map { /^ +(\d+) +(\d+) +[\d.]+ +[\d.]+ +[\d.]+ +([\d.]+) +[\d.]+%  \w/
                ? ($1 => [$2, $3]) : () } split /\n/, $text };
}

my $log = tempdir() . '/log';
my $r = timed('plainly', AOTIGEN_LOG => $log);
my @events = events($log);
my $n = () = run_cmd([build() . '/aotigen', 'list', '--json', "--torch=$s->{torch}{dir}",
        "$s->{dir}/wrapper.cpp"])->{out} =~ /"type":"site"/g;
is(scalar @events, $n, 'an event for each launch of a run');
is(join(' ', sort { $a <=> $b } map { $_->{launch} } @events), join(' ', 1 .. $n), 'by number');
is(scalar(grep { $_->{count} == 5 } @events), $n, 'six runs: the first stands apart');
is(scalar(grep { $_->{first_ns} <= 0 || $_->{least_ns} <= 0 || $_->{median_ns} < $_->{least_ns}
        || $_->{total_ns} < 5 * $_->{least_ns} } @events), 0, 'each takes some time');
my $sum = 0;
$sum += $_->{first_ns} + $_->{total_ns} for @events;
cmp_ok($sum, '<=', $r->{out}, 'all of them no more than the runs');
my ($table, @more) = $r->{err} =~ /^(aotigen: time by launch of .*(?:\n .*)*\n)/mg;
is(scalar @more, 0, 'one table');
like($table, qr/wrapper\.cpp, 6 runs, in microseconds; the first of each launch stands apart$/m,
    'its head');
my $launches = launches($table);
is(join(' ', sort { $a <=> $b } keys %$launches), join(' ', 1 .. $n), 'a row for each launch');
my @totals = $table =~ /^ +\d+ +5 +[\d.]+ +[\d.]+ +[\d.]+ +([\d.]+) /mg;
is("@totals", join(' ', sort { $b <=> $a } @totals), 'the largest first');
like($table, qr/^ +launches +a run +total +share +kernel$/m, 'by kernel');

$r = timed('threads', AOTIGEN_LOG => "$log.threads");
is(scalar(grep { $_->{count} == 23 } events("$log.threads")), $n, 'four threads: all are counted');

my $file = tempdir() . '/%p.time';
$r = timed('fork', AOTIGEN_TIME => $file);
unlike($r->{err}, qr/time by launch/, 'a file: nothing on stderr');
my @files = glob $file =~ s/%p/*/r;
is(scalar @files, 1, 'a child that ran nothing writes none');
is(scalar keys %{ launches(slurp($files[0])) }, $n, 'all launches are in it');

$r = timed('kill');
is($r->{signal}, 9, 'it is killed');
unlike($r->{err}, qr/time by launch/, 'and says nothing');
unlike(timed('plainly', AOTIGEN_TIME => 0)->{err}, qr/time by launch/, '0 is off');
is(scalar keys %{ launches(timed('plainly', AOTIGEN_LAUNCHES => 2)->{err}) }, 1,
    'what a filter leaves out is not timed');
like(timed('plainly', AOTIGEN_TIME => '/nowhere/time')->{err},
    qr{cannot write what is printed to '/nowhere/time': No such file}, 'a file that cannot be');
done_testing;
