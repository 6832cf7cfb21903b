# The faults of samples/faults/README.md on the CPU: each is named by launch, operator or kernel,
# argument and element, in the report and in the diagnosis of `aotigen run`; and a model without a
# fault computes the same in silence. Those of CUDA are in t/542.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use FaultTable;
use JSON::PP;

my $torch = need_torch();
my $dir = tempdir();
my %samples;

# ---- real programs, with the package of one sample

my $s = $samples{'faults.returned'} = sample('faults.returned');
my $every = 'canary,poison,ops';

spew("$dir/program.py", <<'PYTHON');
import sys, torch, faults.returned
package, inputs, fault = sys.argv[1:]
faults.returned.fault = fault or faults.returned.fault
model = torch._C._aoti.AOTIModelPackageLoader(package, "model", False, 1, -1)
model.run(list(torch.load(inputs)[0]))
PYTHON

sub program {
    my ($fault, %env) = @_;
    return run_cmd([build() . '/aotigen', 'run', "--guard=$every", "--torch=$torch->{dir}",
            "--model=$s->{dir}/model.pt2", '--', $torch->{python}, '-W', 'ignore',
            "$dir/program.py", "$s->{dir}/model.pt2", "$s->{dir}/inputs.pt", $fault // ''],
        cwd => $dir, timeout => 300, env => { TORCH_SHOW_CPP_STACKTRACES => 0,
            PYTHONPATH => root() . '/samples', %env });
}

my @rows = fault_rows('cpu');
my $debug;
for my $fault ('padded rows', 'writes') {
    my ($row) = grep { $_->{name} eq $fault } @rows;
    my $r = program($fault);
    judge_said($row, diagnosis_of($r->{err}));
    ($debug) = $r->{err} =~ m{^aotigen: '([^']*\.debug\.pt2)': (?:made before|.*instrumented)}m;
}
ok(defined $debug, 'the debug package is named');
my $r = program(undef, FAULT => 'schema');
like($r->{err}, qr/^aotigen: \S+ was compiled for another schema of faults_returned::rows than /m,
    'fault 10, a library of another version: the operator');
my $said = diagnosis_of($r->{err});
like($said, qr/^  what +the model does not fit what it was loaded into: faults_returned::rows$/m,
    'the diagnosis');
like($said, qr/^  argument +by: value: expected one, /m, 'and the argument');

# ---- the table

sub model_of {
    my ($name, $mode) = @_;
    my $sample = $samples{$name} //= sample($name);
    return $debug if $name eq 'faults.returned' && $mode eq $every;
    return built($sample, levels_of($mode));
}

my @healthy = map { [$_->{sample}, $_->{mode}] } @rows;
push @healthy, ['faults.returned', 'page-before'];
my %seen;
my @cases = map { { name => "no fault, $_->[0], $_->[1]", poke => '', same => 1, sample => $_->[0],
    mode => $_->[1] } } grep { !$seen{"@$_"}++ } @healthy;
push @cases, { name => 'an address that the CPU takes', same => 1, mode => 'default',
    sample => 'faults.returned', poke => "model.fault = 'odd address'" };
my $sound = @cases;
push @cases, @rows;

spew("$dir/cases.json", encode_json([map { my $x = $samples{$_->{sample}} //= sample($_->{sample});
    { so => model_of($_->{sample}, $_->{mode}), outdir => $x->{dir}, model => $_->{sample},
      name => $_->{name}, env => $_->{env} // {}, runs => $_->{runs} // 1,
      poke => "args, at = inputs, lambda *x: torch.tensor(x); $_->{poke}",
      $_->{same} ? (same => 1) : () } } @cases]));
must(run_cmd([$torch->{python}, '-W', 'ignore', root() . '/t/lib/run_cases.py', '-', $s->{dir},
    $s->{name}, "$dir/cases.json", "$dir/results.json"],
    env => { PYTHONPATH => root() . '/samples', TORCH_SHOW_CPP_STACKTRACES => 0,
        AOTIGEN_RUN_BY => 0 }, # the models are those that `aotigen run` has made
    timeout => 600), 'the cases run');
my @found = @{ decode_json(slurp("$dir/results.json")) };
for my $i (0 .. $sound - 1) {
    is($found[$i]{status}, 0, "$cases[$i]{name}: the outputs are the plain model's, bit for bit");
    is($found[$i]{err}, '', "$cases[$i]{name}: in silence");
}

# The diagnosis is made of the log and of how the program ended: a shell stands for the program.
sub diagnosed {
    my ($row, $found) = @_;
    my $end = $found->{signal} ? "kill -$found->{signal} \$\$" : "exit $found->{status}";
    spew("$dir/log.jsonl", $found->{log});
    my $run = run_cmd([build() . '/aotigen', 'run', '--', 'sh', '-c',
        "cat '$dir/log.jsonl' >>\"\$AOTIGEN_LOG\"; $end"], cwd => $dir);
    return diagnosis_of($run->{err});
}

for my $i (0 .. $#rows) {
    my $one = $found[$sound + $i];
    judge_report($rows[$i], $one);
    judge_said($rows[$i], diagnosed($rows[$i], $one));
}
done_testing;
