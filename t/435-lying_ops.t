# Operators that break their promise: each finding names the operator's own launch, and nothing is
# said where the wrapper's text does not rely on what was broken.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Expected;

my $s = sample('lying_ops');
my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
same_outputs($s, $so, 'operators that keep their promises');

# One of the operators returns a list; without wrapper.json it may be any of them.
my $call = 'aoti_torch_proxy_executor_call_function';
my $roomy = qr/^ *#define $call AOTIGEN_WITH_ROOM\($call\)\n(?:.*\n){1,3}? *$call\(\w+, (\d+)/m;
my @torch = "--torch=$s->{torch}{dir}";
my $text = must(aotigen(@torch, '-o', '-', "$s->{dir}/wrapper.cpp"), 'rewritten')->{out};
is(join(' ', $text =~ /$roomy/g), 5, 'a longer list has room where it is returned');
my $listed = must(aotigen(@torch, 'list', "$s->{dir}/wrapper.cpp"), 'listed')->{out};
like($listed, qr/ lying::scale .*\n(?: {6}.*\n)* {6}in      value   by = 3\.0\n/,
    'list has what it is passed');
my $alone = tempdir();
spew("$alone/wrapper.cpp", slurp("$s->{dir}/wrapper.cpp"));
$text = must(aotigen(@torch, '-o', '-', "$alone/wrapper.cpp"), 'rewritten alone')->{out};
is(join(' ', $text =~ /$roomy/g), '0 1 2 3 4 5 6', 'and where it may be');

# Runs the model once for each set of faults, each in a process of its own: what is said of each,
# what torch prints of a broken guard, and the status at the end, 768 where the run fails.
my $host = <<'PYTHON';
import ast, os, sys, torch
so, out, samples, plans = sys.argv[1:5]
sys.path.insert(0, samples)
import lying_ops
inputs = torch.load(out + "/inputs.pt")[0]
runner = torch._C._aoti.AOTIModelContainerRunnerCpu(so, 1)
for plan in ast.literal_eval(plans):
    os.write(2, f"\n== {plan}\n".encode())
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        os.write(2, f"\nended with {status}\n".encode())
        continue
    lying_ops.faults.update(plan)
    try:
        runner.run([x.clone() for x in inputs])
        os._exit(0)
    except RuntimeError:
        os._exit(3)
PYTHON

sub run_plans {
    my ($env, @plans) = @_;
    my $list = '[' . join(', ', map { '{' . join(', ', map { "'$_'" } %$_) . '}' } @plans) . ']';
    $list =~ s/'([^']*)', '([^']*)'/'$1': '$2'/g;
    my $r = python($host, $so, $s->{dir}, root() . '/samples', $list, { timeout => 300,
        env => { TORCH_SHOW_CPP_STACKTRACES => 0, %$env }, cwd => tempdir(),
        import => ['torch._dynamo'] });
    is($r->{status}, 0, 'the host lives') or diag($r->{err});
    my $other = qr/(?:== |ended with |Error: \w+: guard ).*\n/;
    my $err = $r->{err} =~ s/^aotigen: \K\[pid \d+\] //mgr; # each plan has a child
    return join '', $err =~ /^(aotigen: .*\n(?:  .*\n)*|$other)/mg;
}

# How torch words an error of its own.
my @varying = (qr/^  error +\K(?:.*\n {16})?.* API call failed at .*/m => 'CALL API call failed at',
    @differing);

my @faults = ({ scale => 'raise' }, { scale => 'none' }, { scale => 'itself' },
    { scale => 'dtype' }, { scale => 'device' }, { pair => 'few' }, { pair => 'second' },
    { pair => 'second half' }, { fill => 'raise' }, { choose => 'none' }, { rows => 'half' },
    { rows => 'dtype' }, { parts => 'many' }, { parts => 'few' }, { last => 'none' });
# What the text does not rely on, or what it says nothing of.
my @harmless = ({}, { choose => 'itself' }, { rows => 'itself' }, { last => 'itself' },
    { pair => 'second is first' }, { last => 'half' });

my $log = tempdir() . '/log.jsonl';
is_expected('each fault, and what is none', run_plans({ AOTIGEN_LOG => $log }, @faults, @harmless),
    @varying);
my $events = slurp($log);
like($events, qr/"event":"failed",.*"launch":2,.*"kernel":"lying::scale",.*"check":"exception"/,
    'the log has a launch that failed');
like($events, qr/"event":"failed",.*"launch":2,.*"values":"by = 3\.0"/, 'and what it was passed');
like($events, qr/"event":"guard",.*"launch":2,.*"arg":"buf2",.*"found":"none: /,
    'and an output that is not there');

is_expected('an operator that the filter leaves out: the next call is passed no missing tensor',
    run_plans({ AOTIGEN_KERNELS => '!lying::choose' }, { choose => 'none' }), @varying);
# What the exported program says of their outputs: of one that the model returns, nothing else does.
my $program = tempdir();
must(python(<<'PYTHON', root() . '/samples', "$program/program.pt2"), 'the model is exported');
import sys, torch
sys.path.insert(0, sys.argv[1])
import lying_ops
program = torch.export.export(lying_ops.model(), lying_ops.inputs()[0])
torch.export.save(program, sys.argv[2])
PYTHON
must(aotigen(@torch, "--exported=$program/program.pt2", "$s->{dir}/model.pt2", '-o',
    "$program/dbg.pt2"), 'a debug package with its exported program');
$so = "$program/model.so";
AotigenE2E::unpacked("$program/dbg.pt2", $so);
is_expected('an output of the model, by the exported program', run_plans({}, {},
    map { { last => $_ } } qw(half dtype rank transposed none itself)), @varying);
done_testing;
