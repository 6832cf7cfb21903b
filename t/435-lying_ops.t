# Operators that break their promise: each finding names the operator's own launch, and nothing is
# said where the wrapper's text does not rely on what was broken.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('lying_ops');
my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
same_outputs($s, $so, 'operators that keep their promises');

# One of the operators returns a list; without wrapper.json it may be any of them.
my $call = 'aoti_torch_proxy_executor_call_function';
my $roomy = qr/^ *#define $call AOTIGEN_WITH_ROOM\($call\)\n(?:.*\n){1,3}? *$call\(\w+, (\d+)/m;
my @torch = "--torch=$s->{torch}{dir}";
my $text = must(aotigen(@torch, '-o', '-', "$s->{dir}/wrapper.cpp"), 'rewritten')->{out};
is(join(' ', $text =~ /$roomy/g), 5, 'a longer list has room where it is returned');
my $alone = tempdir();
spew("$alone/wrapper.cpp", slurp("$s->{dir}/wrapper.cpp"));
$text = must(aotigen(@torch, '-o', '-', "$alone/wrapper.cpp"), 'rewritten alone')->{out};
is(join(' ', $text =~ /$roomy/g), '0 1 2 3 4 5 6', 'and where it may be');

# Runs the model once for each set of faults, each in a process of its own; stderr of each.
my $host = <<'PYTHON';
import ast, os, sys, torch
so, out, samples, plans = sys.argv[1:5]
sys.path.insert(0, samples)
import lying_ops
inputs = torch.load(out + "/inputs.pt")[0]
runner = torch._C._aoti.AOTIModelContainerRunnerCpu(so, 1)
for number, plan in enumerate(ast.literal_eval(plans)):
    os.write(2, f"\n== {number}\n".encode())
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
    my (undef, %seen) = split /^== (\d+)\n/m, $r->{err};
    return map { $seen{$_} // '' } 0 .. $#plans;
}

# What stands in the report, once, and what the run ended with: 0, or 3 << 8 where it failed.
sub reported {
    my ($what, $err, $head, @lines) = @_;
    my ($report) = $err =~ /^(aotigen: .*\n(?:  .*\n)*)/m;
    $report //= '';
    my @heads = $err =~ /^(aotigen: .*)$/mg;
    like($report, qr/^aotigen: $head\n/, "$what: $head") or diag($err);
    is(scalar @heads, 1, "$what: nothing else");
    like($report, $_, "$what: $_") for @lines;
    like($err, qr/^ended with 768$/m, "$what: the run fails");
    note($report);
    return;
}

sub silent {
    my ($what, $err) = @_;
    unlike($err, qr/aotigen/, "$what: nothing is said");
    like($err, qr/^ended with 0$/m, "$what: the run ends well");
    return;
}

my $failed = 'launch failed in run 1, launch';
my $guard = 'guard failed in run 1, launch';
my $undefined =
    qr/^ +handle: expected a tensor, found none: the tensor is undefined, it has no data$/m;
my $elsewhere =
    qr/^  error +the call failed, which .* ignores\n +torch wrote .* 'Exception in aoti_torch'$/m;
my $used = qr/^ +used by cpp_fused_\w+ \(\S+:\d+\)$/m;
my $told = qr/made by lying::\w+ \(\S+:\d+\), whose dtype and shape the wrapper does not tell$/m;
my @faults = (
    [{ scale => 'raise' }, "$failed 2: lying::scale",
        qr/^  input +buf0: float32 \[32, 16\] on cpu$/m, $elsewhere],
    [{ scale => 'none' }, "$guard 2: lying::scale", qr/^  output +buf2: undefined$/m, $undefined,
        $used],
    [{ scale => 'itself' }, "$guard 2: lying::scale",
        qr/^  output +buf2: float32 \[32, 16\] on cpu$/m,
        qr/^ +memory: expected memory of its own, found that of 'buf0'$/m,
        qr/^ +cpp_fused_\w+ \(\S+:\d+\) overwrites the one while the other is needed$/m],
    [{ scale => 'dtype' }, "$guard 2: lying::scale",
        qr/^ +dtype: expected float32, found float64$/m, $used],
    [{ scale => 'device' }, "$guard 2: lying::scale", qr/^ +device: expected cpu, found meta$/m],
    [{ pair => 'few' }, "$failed 4: lying::pair", qr/^  input +buf3: float32/m, $elsewhere],
    [{ pair => 'second' }, "$guard 4: lying::pair", qr/^  output +buf6: undefined$/m, $undefined],
    [{ pair => 'second half' }, "$guard 4: lying::pair",
        qr/^  output +buf6: float32 \[16, 16\] on cpu\n +storage: expected at least 2048 bytes,/m,
        qr/^ +used by cpp_fused_/m],
    [{ fill => 'raise' }, "$failed 5: lying::fill", qr/buf7: float32 \[32, 16\] on cpu$/m,
        $elsewhere],
    [{ choose => 'none' }, "$guard 7: lying::choose", qr/^  output +buf12: undefined$/m,
        qr/^ +used by lying::rows /m],
    [{ rows => 'half' }, "$guard 8: lying::rows", qr/^  output +buf14: float32 \[16, 16\] on cpu$/m,
        qr/^ +storage: expected at least 2048 bytes, for 512 elements, found 1024 bytes$/m,
        qr/^ +used by aoti_torch_cpu_mm_out /m, $told],
    [{ rows => 'dtype' }, "$failed 9: aoti_torch_cpu_mm_out", qr/^  input +buf14: float64 /m,
        qr/^ +made by lying::rows /m, qr/^  error (?:.*\n {16})?.* API call failed at /m],
    [{ parts => 'many' }, "$guard 10: lying::parts",
        qr/^  tensors +expected 2, as when the model was compiled, found 3$/m],
    [{ parts => 'few' }, "$failed 10: lying::parts", qr/^  input +buf15: /m, $elsewhere],
    [{ last => 'none' }, "$guard 14: lying::last", qr/^  output +buf25: undefined$/m, $undefined,
        qr/^ +used as an output of the model$/m],
);
# What the text does not rely on, or what it says nothing of.
my @harmless = ({}, { choose => 'itself' }, { rows => 'itself' }, { last => 'itself' },
    { pair => 'second is first' }, { last => 'half' });

my $log = tempdir() . '/log.jsonl';
my @seen = run_plans({ AOTIGEN_LOG => $log }, (map { $_->[0] } @faults), @harmless);
my ($more) = grep { /^Error: .*lying::parts, tensors: /m } @seen;
like($more, qr/^Error: aotigen: $guard 10: lying::parts, tensors: expected 2, .* found 3; the /m,
    'what is thrown, which torch prints, has both numbers of a longer list');
for my $fault (@faults) {
    my ($plan, $head, @lines) = @$fault;
    reported(join(' ', %$plan), shift @seen, $head, @lines);
}
silent('faults ' . (join(' ', %$_) || 'none'), shift @seen) for @harmless;
my $events = slurp($log);
like($events, qr/"event":"failed",.*"launch":2,.*"kernel":"lying::scale",.*"check":"exception"/,
    'the log has a launch that failed');
like($events, qr/"event":"guard",.*"launch":2,.*"arg":"buf2",.*"found":"none: /,
    'and an output that is not there');

# If the operator's own launch is left out, the next call is not passed a missing tensor.
my ($err) = run_plans({ AOTIGEN_KERNELS => '!lying::choose' }, { choose => 'none' });
reported('an operator that the filter leaves out', $err, "$guard 8: lying::rows",
    qr/^  argument +buf12: undefined$/m,
    qr/^ .*found none: the tensor is undefined, it has no data\n +made by lying::choose/m);
done_testing;
