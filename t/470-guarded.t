# samples/faults/put.py: what an operator stores beside a buffer is named, with the buffer, the
# element and the launch; a model that keeps to its memory computes the same in every mode, and
# nothing is said of it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Expected;

my $s = sample('faults.put');
my @trapped;
my %so = map { $_ => built($s, guard => $_) }
    'canary', 'canary,poison', 'page-before,poison', 'page:buf0';

# The elements that are stored, of 0 to 959.
sub stored {
    my ($so, @at) = @_;
    return run_model($s, $so,
        args => ["--poke=inputs[0][2] = torch.tensor([" . join(", ", @at) . "])"]);
}

for my $guard (sort keys %so) {
    is(same_outputs($s, $so{$guard}, "--guard=$guard")->{err}, '', "$guard: nothing is reported");
}
for my $guard ('canary', 'canary,poison') {
    my $r = stored($so{$guard}, 960, 967, 5);
    is($r->{status}, 0, "$guard: the run goes on");
    is_reported('two elements behind the end', $r->{err});
    is_reported('far behind it', stored($so{$guard}, 5000, 5, 5)->{err});
    is_reported('before it', stored($so{$guard}, -1, 5, 5)->{err});
}
is(run_model($s, $so{'canary,poison'}, args => ['--poke=inputs[0][2] = torch.tensor([960, 1, 2])'],
    env => { AOTIGEN_ON_FAULT => 'throw' })->{status}, 3, 'on request the run ends');

# The access traps, and the line of the crash names it.
for my $case (['page:buf0', 960], ['page:buf0', 200959], ['page-before,poison', -1]) {
    my ($guard, $at) = @$case;
    my $r = stored($so{$guard}, $at, 1, 2);
    is($r->{signal}, 11, "$guard: an access to element $at ends the process");
    push @trapped, $r->{err};
}
is_reported('an access beside a buffer', join '', @trapped);
is_reported('what remains of a page is compared', stored($so{'page:buf0'}, -1, 5, 5)->{err});

# Copies of inputs and weights are guarded on request, or where they are named.
my $given = sample('faults.given');
my ($page, $canary) = ('page:arg1_1+weight', 'canary,poison,inputs,weights');
my %copies = map { $_ => built($given, guard => $_) } $page, $canary;
for my $guard (sort keys %copies) {
    is(same_outputs($given, $copies{$guard}, "--guard=$guard")->{err}, '', 'nothing is reported');
}
sub touched {
    my ($guard, $input, $poke) = @_;
    return run_model($given, $copies{$guard}, args =>
            ["--poke=from faults import given; inputs[0][$input] = torch.tensor([$poke"])->{err};
}
is_reported('a load behind an input traps', touched($page, 1, '240, 1, 2])'));
is_reported('so does a store behind a weight', touched($page, 2, '400, 1, 2]); given.store = 7.0'));
is_reported('a load before an input shows the pattern there', touched($canary, 1, '-1, 1, 2])'));
is_reported('a store behind a weight that no launch before was given',
    touched($canary, 2, '400, 1, 2]); given.store = 7.0'));

# A tensor over guarded memory may outlive the model, and the library that made it.
my $host = <<'PYTHON';
import gc, sys, torch
so, out, samples = sys.argv[1:]
sys.path.insert(0, samples)
from faults import put
put.kept = []
runner = torch._C._aoti.AOTIModelContainerRunnerCpu(so, 1)
runner.run([x.clone() for x in torch.load(out + "/inputs.pt")[0]])
del runner
gc.collect()
print(len(put.kept), bool(put.kept[0].isfinite().all()), flush=True)
put.kept.clear()
print("released")
PYTHON
for my $guard (sort keys %so) {
    my $r = python($host, $so{$guard}, $s->{dir}, root() . '/samples',
        { cwd => tempdir(), timeout => 300, import => ['torch._dynamo'] });
    is($r->{status}, 0, "$guard: a tensor that an operator keeps outlives the model")
        or diag($r->{err});
    like($r->{out}, qr/^1 True\nreleased\n/, 'it holds its values until it is released');
}
done_testing;
