# samples/nan_inside.py: the report names the launch that made the NaN and those that passed it
# on, and the outputs are those of the plain model.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('nan_inside');
my $seen = every_level($s, 'all');
for my $printer (0 .. 3) {
    is($seen->{"${printer}off"}{err}, '', "printer $printer, checks off: nothing is reported");
}

# The plain facts, by torch itself: the second input set is sound.
my $wanted = python(<<'PY', $s->{dir});
import sys, torch
x, y = torch.load(sys.argv[1] + "/inputs.pt")[0]
bad = torch.log(x - y).isnan().flatten().nonzero().flatten().tolist()
print(len(bad), bad[0])
PY
my ($count, $first) = $wanted->{out} =~ /(\d+) (\d+)/;
is($count, 1, 'one logarithm of 36 does not exist');

my $r = $seen->{'0all'};
my $report = $r->{err};
note($report);
like($report, qr/\bborn\b/, 'a NaN was born');
like($report, qr/^aotigen: NaN born in run 1, launch 1:/m, 'in launch 1');
like($report, qr/cpp_fused_\w*log\w*/, 'the kernel is named');
like($report, qr/^  source nodes  (?:.*, )?log\b/m, 'its source node is named');
like($report, qr/^  output        buf0: /m, 'the argument is named');
like($report, qr/^ +NaN in $count of 36 elements, /m, 'the count is given');
like($report, qr/, the first at \[[\d, ]+\] \(index $first\): /, 'the first index is given, flat');
like($report, qr/, the first at \[2, 3\] /, 'and by dimension');
like($report, qr/^  launch 2 +\S/m, 'its way goes through the matrix product');
like($report, qr/^  launch 3 +\S/m, 'and the sigmoid');
like($report, qr/^  launch 2 .*mm\b.*\n  launch 3 .*sigmoid/m, 'which are named');
my $births = () = $report =~ /\bborn\b/g;
cmp_ok($births, '<=', 2, 'one report an origin: the second input set is sound, and says nothing');
is($seen->{"${_}all"}{err} =~ s/\d+\.\d+//gr, $report =~ s/\d+\.\d+//gr,
    "the report is the same at printer level $_") for 1 .. 3;

my $so =
    built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all', by => 'build');
# But for the name of the wrapper, which a package has in a form of its own.
my ($by_package, $by_build) = map { s/\d+\.\d+|\S+wrapper\.cpp//gr } $report,
    same_outputs($s, $so, "made by 'aotigen build'")->{err};
is($by_build, $by_package, 'and its report is that of the debug package');
my $thrown = run_model($s, $so, env => { AOTIGEN_ON_FAULT => 'throw' });
is($thrown->{status}, 3, 'AOTIGEN_ON_FAULT=throw ends the run by an exception');
is($thrown->{signal}, 0, 'and not by a signal');
like($thrown->{err}, qr/\bborn\b/, 'with the same report');
my $sound = run_model($s, $so, args => ['--only=1'], env => { AOTIGEN_ON_FAULT => 'throw' });
is($sound->{status}, 0, 'which a sound run passes') or diag($sound->{err});
is($sound->{err}, '', 'in silence');

# Run time only narrows: by launch, by run, by kernel.
for my $narrow ({ AOTIGEN_LAUNCHES => '99-' }, { AOTIGEN_RUNS => '2-' },
    { AOTIGEN_KERNELS => 'nothing_of_that_name' }) {
    my ($name) = keys %$narrow;
    my $quiet = same_outputs($s, $so, "$name=$narrow->{$name}", env => $narrow);
    unlike($quiet->{err}, qr/\bborn\b/, "$name=$narrow->{$name} leaves the birth out");
    my $nothing = $name eq 'AOTIGEN_RUNS' ? '' : 'selects none of the 3 ';
    like($quiet->{err}, qr/^(?:aotigen: warning: \Q$name=\E\S+ $nothing.*\n)?$/,
        'and says where nothing is left');
    is(!!length $quiet->{err}, !!$nothing, 'once, or not at all');
}
my $late = same_outputs($s, $so, 'launch 1 unseen', env => { AOTIGEN_LAUNCHES => '2-' });
my $came = 'with an input of the model, or from launch 1, whose result was not scanned';
like($late->{err}, qr/it came +$came$/m,
    'without launch 1 in view its origin is not known');
my $found = () = $late->{err} =~ /^aotigen: NaN found/mg;
is($found, 1, 'and is reported once, though the product reads it twice, as a tensor and as a view');
unlike($late->{err}, qr/\bborn\b/, 'and no birth is claimed');
my $bad = same_outputs($s, $so, 'a malformed variable', env => { AOTIGEN_LAUNCHES => '3-x' });
like($bad->{err}, qr/AOTIGEN_LAUNCHES/, 'is named');
like($bad->{err}, qr/\bborn\b/, 'and ignored');

# The log: JSON Lines.
my $log = tempdir() . '/events-%p.jsonl';
same_outputs($s, $so, 'with a log', env => { AOTIGEN_LOG => $log });
my @logs = glob $log =~ s/%p/*/r;
is(scalar @logs, 1, '%p is the process');
my $read = python(<<'PY', @logs);
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
for e in events:
    if "nan" in str(e.get("found", "")).lower() or "nan" in str(e.get("check", "")).lower():
        keys = "event", "run", "launch", "site", "kernel", "arg", "count", "first_index"
        print(*[e[key] for key in keys])
        break
PY
is($read->{status}, 0, 'each line of the log is an object') or diag($read->{err});
like($read->{out}, qr/^\S+ 1 1 1 cpp_fused_\w+ buf0 $count \[2, 3\]$/m,
    'with the event of the birth') or diag(slurp($logs[0]));
done_testing;
