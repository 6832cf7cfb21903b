# samples/faults/put.py: what an operator stores beside a buffer is named, with the buffer, the
# element and the launch; a model that keeps to its memory computes the same in every mode, and
# nothing is said of it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('faults.put');
my %so = map { $_ => built($s, guard => $_) }
    'canary', 'canary,poison', 'page-before,poison', 'page:buf0';

# The elements that are stored, of 0 to 959.
sub stored {
    my ($so, @at) = @_;
    return run_model($s, $so,
        args => ["--poke=inputs[0][2] = torch.tensor([" . join(", ", @at) . "])"]);
}

my $line = qr/ {16}/;
sub overwritten {
    my ($elements, $first) = @_;
    $elements =~ s/ /\\ /g;
    return qr/^aotigen:\ memory\ overwritten\ in\ run\ 1,\ launch\ 2:\ faults::put\n(?:\ \ .*\n)*?
        \ \ buffer\ {8}buf0:\ float32\ \[24,\ 40\]\ on\ cpu\n
        ${line}allocated\ at\ \S*wrapper\.cpp:\d+,\ before\ the\ first\ launch\n
        ${line}$elements\ overwritten,\ the\ first\ at\ element\ $first\n
        ${line}there\ stands\ 9\.5,\ bits\ 0x41180000\n
        \ \ written\ by\ {4}launch\ 2:\ intact\ after\ launch\ 1\n
        \ \ argument\ {6}buf0:.*\n\ \ argument\ {6}arg2_1\ \(args\[2\]\):.*\n\z/mx;
}
my $behind = 'behind its end \(elements 0 to 959\)';

for my $guard (sort keys %so) {
    is(same_outputs($s, $so{$guard}, "--guard=$guard")->{err}, '', "$guard: nothing is reported");
}
for my $guard ('canary', 'canary,poison') {
    my $r = stored($so{$guard}, 960, 967, 5);
    is($r->{status}, 0, "$guard: the run goes on");
    like($r->{err}, overwritten("2 elements $behind were", 960), 'two elements behind the end');
    like(stored($so{$guard}, 5000, 5, 5)->{err},
        overwritten("1 element $behind was", 5000), 'far behind it');
    like(stored($so{$guard}, -1, 5, 5)->{err},
        overwritten('1 element before its begin \(elements 0 to 959\) was', -1), 'before it');
}
is(run_model($s, $so{'canary,poison'}, args => ['--poke=inputs[0][2] = torch.tensor([960, 1, 2])'],
    env => { AOTIGEN_ON_FAULT => 'throw' })->{status}, 3, 'on request the run ends');

# The access traps, and the line of the crash names it.
for my $case (['page:buf0', 960, '0 bytes behind the end'],
    ['page:buf0', 200959, '799996 bytes behind the end'],
    ['page-before,poison', -1, '4 bytes before the begin']) {
    my ($guard, $at, $where) = @$case;
    my $r = stored($so{$guard}, $at, 1, 2);
    is($r->{signal}, 11, "$guard: an access to element $at ends the process");
    like($r->{err}, qr/^aotigen: SIGSEGV in run 1, launch 2: faults::put \(put\), launched at/m,
        'its launch is named');
    like($r->{err}, qr/$where of 'buf0': element $at, it has 960 of float32, allocated in run 1/,
        'and the buffer and the element');
}
like(stored($so{'page:buf0'}, -1, 5, 5)->{err},
    overwritten('1 element before its begin \(elements 0 to 959\) was', -1),
    'what remains of a page is compared');

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
like(touched($page, 1, '240, 1, 2])'),
    qr/^aotigen: SIGSEGV in run 1, launch 1: .* behind the end of 'arg1_1': element 240, it/m,
    'a load behind an input traps');
like(touched($page, 2, '400, 1, 2]); given.store = 7.0'),
    qr/^aotigen: SIGSEGV in run 1, launch 2: .* behind the end of 'weight': element 400, it/m,
    'so does a store behind a weight');
my $touched = touched($canary, 1, '-1, 1, 2])');
like($touched, qr/^aotigen: memory beside a buffer read in run 1, launch 1: faults_given::touch$/m,
    'a load before an input shows the pattern there');
like($touched, qr/^  output        buf1: .*\n.*1 of 3 elements, the first at \[0\] \(index 0\)/m,
    'in which element');
unlike($touched, qr/unwritten/, 'nor is a buffer that kernels pass it on to called unwritten');
$touched = touched($canary, 2, '400, 1, 2]); given.store = 7.0');
like($touched, qr/^aotigen: memory overwritten in run 1, launch 2: faults_given::touch$/m,
    'a store behind a weight that no launch before was given');
like($touched, qr/^  written by    launch 2: intact after launch 1$/m,
    'and its launch, for the zones were compared right before it');
like($touched, qr/^  buffer {8}weight: float32 \[16, 24\] on cpu\n +this run's copy of 'weight'$/m,
    'whose it is');

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
