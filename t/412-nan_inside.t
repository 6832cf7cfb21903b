# samples/nan_inside.py: the report names the launch that made the NaN and those that passed it
# on, and the outputs are those of the plain model.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Expected;

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
is($wanted->{out}, "1 15\n", 'one logarithm of 36 does not exist');

# The sign and the bits of a NaN are the processor's; old torch calls no transpose an operator.
my @varying = (qr/-?\bnan, bits 0x\w+/ => 'nan', qr/\b(?:aten\.)?t, (?=(?:aten\.)?mm\b)/ => '',
    qr/\bcpp_fused_\w*log\w*/ => 'LOG', qr/\bcpp_fused_\w*sigmoid\w*/ => 'SIGMOID');
sub is_whole {
    my ($r) = @_;
    return is_reported('the launch that made it, and those that passed it on', $r->{err}, @varying);
}
is_whole($seen->{"${_}all"}) for 0 .. 3;
my $so =
    built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all', by => 'build');
is_whole(same_outputs($s, $so, "made by 'aotigen build'"));
my $thrown = run_model($s, $so, env => { AOTIGEN_ON_FAULT => 'throw' });
is($thrown->{status}, 3, 'AOTIGEN_ON_FAULT=throw ends the run by an exception');
is($thrown->{signal}, 0, 'and not by a signal');
is_whole($thrown);
my $sound = run_model($s, $so, args => ['--only=1'], env => { AOTIGEN_ON_FAULT => 'throw' });
is($sound->{status}, 0, 'which a sound run passes') or diag($sound->{err});
is($sound->{err}, '', 'in silence');

is_reported('run time only narrows, by launch, run and kernel, and says where nothing is left',
    join '', map { same_outputs($s, $so, join('=', %$_), env => $_)->{err} }
    { AOTIGEN_LAUNCHES => '99-' }, { AOTIGEN_RUNS => '2-' }, { AOTIGEN_KERNELS => 'of_no_name' });
my %late = (AOTIGEN_LAUNCHES => '2-');
is_reported('without launch 1 in view the origin is not known, and is reported once',
    same_outputs($s, $so, 'launch 1 unseen', env => \%late)->{err}, @varying);
is_reported('a malformed variable is named, and ignored', same_outputs($s, $so,
    'a malformed variable', env => { AOTIGEN_LAUNCHES => '3-x' })->{err}, @varying);

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
like($read->{out}, qr/^\S+ 1 1 1 cpp_fused_\w+ buf0 1 \[2, 3\]$/m,
    'with the event of the birth') or diag(slurp($logs[0]));
done_testing;
