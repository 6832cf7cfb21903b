# aotigen run with torch: a Python program that loads a package gets its debug package, computes the
# same, and the diagnosis names what is wrong: NaN, a crash, kill -9, nothing.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use Loads;
use Cwd ();
use File::Copy 'copy';

my $s = sample('nan_inside');
my $torch = need_torch();
my $dir = tempdir() . '/a: b';
mkdir $dir;
mkdir "$dir/bin";
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;
symlink 'model.pt2', "$dir/link.pt2";

# Loads a package, runs it on each of the inputs, saves what comes out, and then does what is asked.
spew("$dir/program.py", <<'PY');
import os, sys, torch
package, inputs, outputs, then = sys.argv[1:5]
model = torch._inductor.aoti_load_package(package)
with open(outputs, "wb") as f:
    for x in torch.load(inputs):
        f.write(b"".join(y.numpy().tobytes() for y in model(*x)))
exec(then)
PY
# The same without Inductor, which torch imports for that function: most of the time of a run.
spew("$dir/again.py", slurp("$dir/program.py") =~ s/^model = .*$/
    'model = torch._C._aoti.AOTIModelPackageLoader(package, "model", False, 1, -1)'/emr
    =~ s/model\(\*x\)/model.run(list(x))/r);

sub program {
    my ($package, $outputs, $then, $file) = @_;
    return ($torch->{python}, '-W', 'ignore', $file // "$dir/program.py", $package,
        "$s->{dir}/inputs.pt", "$dir/$outputs", $then // '');
}
sub again { return program($_[0], $_[1], $_[2], "$dir/again.py") }
sub run {
    my ($options, $command, %how) = @_;
    return run_cmd([build() . '/aotigen', 'run', @$options, '--', @$command], cwd => $dir,
        timeout => 300, env => { TORCH_SHOW_CPP_STACKTRACES => 0, %{ $how{env} // {} } });
}
sub said {
    my ($r) = @_;
    my ($text) = $r->{err} =~ /^(aotigen: diagnosis of .*)/ms;
    my @lines = split /\n/, $text // '';
    ok(@lines && @lines <= 24 && !grep({ length > 100 } @lines), 'a screen') or diag($r->{err});
    like($text // '', qr/^  program       \S/m, 'with how the program ended');
    return $text // '';
}
my @model = ('--model=model.pt2', "--torch=$torch->{dir}");

my $plain = run_cmd([program('model.pt2', 'plain.pt')], cwd => $dir, timeout => 300);
is($plain->{status}, 0, 'the plain program') or diag($plain->{err});

# ---- NaN; the package by another path
my $r = run(\@model, [program('link.pt2', 'debug.pt', 'print("the end"); sys.exit(5)')]);
is("$r->{status} $r->{out}", "5 the end\n", 'exit status and output are the program\'s');
is(slurp("$dir/debug.pt"), slurp("$dir/plain.pt"), 'it computes the same, bit for bit');
my ($debug) = $r->{err} =~ m{^aotigen: '([^']*\.debug\.pt2)': (?:made before|.*instrumented)}m;
ok(defined $debug && -s $debug, 'the debug package is named, and in the cache');
like($r->{err}, qr/^aotigen: NaN born in run 1, launch 1: cpp_fused_log_sub_sum_0$/m,
    'the debug package reports');
my $said = said($r);
like($said, qr/^  what          NaN born in run 1, launch 1: cpp_fused_log_sub_sum_0$/m, 'what');
like($said, qr/^  element       buf0\[2,3\]: expected finite, found -?nan; 1 of 36 elements$/m,
    'where');
like($said, qr/^  checked       model\.pt2: 2 runs, the last up to launch 3$/m, 'what was checked');
like($said, qr/^  package       'model\.pt2': its debug package was opened in its place$/m,
    'the package was opened');
like($said, qr/--printer=2/, 'what to try next');

# ---- a second run takes the same debug package
my $before = (stat $debug)[1];
$r = run(\@model, [again('model.pt2', 'debug.pt', 'os.kill(os.getpid(), 9)'),
    map { "--setting-$_=" . 'x' x 20 } 1 .. 40]);
like($r->{err}, qr/^aotigen: '\Q$debug\E': made before, and unchanged$/m,
    'the second run makes none');
is((stat $debug)[1], $before, 'it is the same file');
is($r->{signal}, 9, 'kill -9 between runs');
$said = said($r);
like($said, qr/^  what          NaN born.*^  program       ended by SIGKILL\b/ms,
    'what was found before is not lost');
my $narrowed = 'AOTIGEN_RUNS=1 AOTIGEN_LAUNCHES=1 aotigen run';
like($said, qr/^  checked .*^  package .*^ +$narrowed .*^ [^\n]* \.\.\.$/ms,
    'a long command is cut, what was checked is not');

# ---- a child of a shell, which is killed within a launch
spew("$dir/clean.py", slurp("$dir/again.py") =~ s/torch\.load\(inputs\)/torch.load(inputs)[1:]/r);
my @clean = program('model.pt2', 'clean.pt');
$clean[3] = "$dir/clean.py";
$r = run(\@model, ['sh', '-c', 'exec "$@"', 'sh', @clean]);
is($r->{status}, 0, 'a healthy run, through a shell');
$said = said($r);
like($said, qr/^  what          nothing was found$/m, 'nothing is found');
like($said, qr/^  checked       model\.pt2: 1 run, the last up to launch 3$/m, 'what was checked');
unlike($said, qr/try next|also found/, 'and nothing is advised');

# ---- a model of the unpacked package, loaded by its path, and a package from memory
must(run_cmd(['unzip', '-q', '-d', "$dir/up", "$dir/model.pt2"]), 'the package is unpacked');
my ($up) = glob "'$dir/up'/model/data/aotinductor/model/*.wrapper.so";
spew("$dir/dlopens.py", slurp("$dir/program.py") =~ s/^model = .*$/
    'model = torch._C._aoti.AOTIModelContainerRunnerCpu(package, 1)'/emr
    =~ s/model\(\*x\)/model.run(list(x))/r);
symlink $up, "$dir/unpacked.so";
my @dlopens = program('./unpacked.so', 'dlopened.pt');
$dlopens[3] = "$dir/dlopens.py";
$r = run(\@model, [@dlopens]);
is(slurp("$dir/dlopened.pt"), slurp("$dir/plain.pt"), 'it computes the same, bit for bit');
$said = said($r);
like($said, qr/^  what          NaN born in run 1, launch 1: cpp_fused_log_sub_sum_0$/m,
    'an unpacked model that the program loads by its path is checked');
like($said, qr/^  package       'model\.pt2': dlopen loaded its debug '\.so' in its place$/m,
    'by dlopen');

# What torch's aot_compile() leaves: the '.so' under a name that only the link command has, the
# wrapper and its kernels beside it, and another model's files.
mkdir "$dir/flat";
for my $file (glob "'$dir/up'/model/data/aotinductor/model/*.cpp") {
    my $name = $file =~ s{.*/}{}r;
    my $text = slurp($file);
    spew("$dir/flat/$name", $text =~ s{(^// .* -o \S*/)[^/\s]+\.so(?=\s)}{$1model.so}mgr);
    spew("$dir/flat/other_$name", $text =~ s/\b\w+(?=\.kernel\.o)/other_$&/gr);
}
copy($up, "$dir/flat/model.so");
$dlopens[4] = './flat/model.so';
$r = run(['--model=flat/model.so'], [@dlopens]);
$said = said($r);
like($said, qr/^  what          NaN born in run 1, launch 1: cpp_fused_log_sub_sum_0$/m,
    "what aot_compile() leaves is checked by its '.so'") or diag($r->{err});
my ($at) = $r->{err} =~ m{^  launched at +(\S+):\d+, in run_impl$}m;
ok($at && -e "$dir/$at", 'and the report names the file that exists') or diag($r->{err});
my $built = aotigen("--torch=$s->{torch}{dir}", 'build', '-q', "$dir/flat/model.so", '-o',
    "$dir/built.so");
is("$built->{status} $built->{err}", '0 ', 'build makes its debug model');
$dlopens[4] = './built.so';
like(run_cmd([@dlopens], cwd => $dir, timeout => 300)->{err},
    qr/^aotigen: NaN born in run 1, launch 1: /m, 'which reports');
for my $input ('model.so', '.') {
    my $r = run_cmd([build() . '/aotigen', "--torch=$s->{torch}{dir}", 'list', $input],
        cwd => "$dir/flat");
    like("$r->{out}$r->{err}", qr{\Amodel 'model'\n\./\w+\.wrapper\.cpp\n}, "list $input");
}
must(run_cmd(['cp', '-r', $up =~ s{/[^/]+$}{}r, "$dir/left"]), 'a directory of its files alone');
must(aotigen("--torch=$s->{torch}{dir}", '-q', "$dir/left", '-o', "$dir/left.pt2"), 'is packed');
must(run_cmd([program('left.pt2', 'left.pt')], cwd => $dir, timeout => 300), 'torch loads that');
is(slurp("$dir/left.pt"), slurp("$dir/plain.pt"), 'without a name, and it computes the same');
unlink glob "'$dir/flat'/[!o]*.kernel.cpp";
like(aotigen('list', "$dir/flat/model.so")->{err},
    qr/lacks the source of its kernels: its '\N+' names /,
    'without the source of its kernels it is refused');

# A host that does not find torch fails as it does without aotigen.
my @lacks = (loads($dir), 'dlopen', './unpacked.so');
$r = run_cmd([@lacks], cwd => $dir);
like($r->{out}, qr/^libtorch\S*\.so: cannot open shared object file/, 'a host without torch');
is(run([@model, '-q'], [@lacks])->{out}, $r->{out}, 'fails in the same way with a debug model');

spew("$dir/copies.py", <<'PY');
import io, sys, torch, zipfile
package, inputs = sys.argv[1:]
zipfile.ZipFile(package).extractall("unzipped")
with open(package, "rb") as f:
    content = f.read()
open("cached.pt2", "wb").write(content)
model = torch._inductor.aoti_load_package(io.BytesIO(content))
model(*torch.load(inputs)[1])
torch._inductor.aoti_load_package(package)
PY
$r = run(\@model, [$torch->{python}, '-W', 'ignore', 'copies.py', 'model.pt2',
        "$s->{dir}/inputs.pt"]);
is("$r->{status} $r->{out}", '0 ', 'a program that copies the package') or diag($r->{err});
is(slurp("$dir/cached.pt2"), slurp("$dir/model.pt2"), 'what it reads and copies is the package');
is(run_cmd(['diff', '-r', "$dir/unzipped", "$dir/up"])->{status}, 0, 'and what it unpacks');
$said = said($r) =~ s/\n {16}/ /gr;
like($said, qr/^  package       'model\.pt2': its debug package was opened, and dlopened$/m,
    'one that it loads from memory is checked too');

# ---- a program that does not open it, changes it, or passes no environment on
$r = run([@model, '-q'], ['env', '-i', @clean[0 .. 1], 'ignore', '-c', 'print(1)']);
like(said($r), qr/^  what          the program never opened the package$/m, 'never opened');
like($r->{err}, qr/'model\.pt2': was never opened: does the program/, 'with what may be why');
copy("$dir/model.pt2", "$dir/other.pt2");
$r = run([@model, '-q'], ['sh', '-c', 'cp other.pt2 model.pt2; cat model.pt2 >copy.pt2']);
is(slurp("$dir/copy.pt2"), slurp("$dir/other.pt2"), 'a package that is written is not replaced');
like(said($r), qr/had changed when it was opened/, 'which is said');

$r = run([@model, '-q'], [build() . '/aotigen', 'list', 'model.pt2']);
like($r->{out}, qr/cpp_fused/, 'aotigen itself reads the package as it is');

# ---- a program that loads a debug package itself, and its log
# that has an input of another shape
$r = run([], [again($debug, 'debug.pt', 'model.run([torch.ones(5, 6), torch.ones(6, 6)])')],
    env => { AOTIGEN_LOG => "$dir/events-%p.jsonl" });
is($r->{status}, 1, "without --model: the program's own debug package fails for wrong inputs");
$said = said($r);
like($said, qr/^  what          wrong inputs in run 3$/m, 'which is the cause');
like($said, qr/^  argument      .*sizes?.*expected 6, found 5$/m, 'with the argument');
is(scalar(my @logs = glob "'$dir/'events-*.jsonl"), 1, "the log is the user's");

# The same outside of a run says what it is.
$r = run_cmd([again($debug, 'debug.pt')], cwd => $dir, timeout => 300);
my $real = Cwd::realpath("$dir/model.pt2");
my $is_debug = "aotigen: this is a debug model, which 'aotigen run' made of";
is(() = $r->{err} =~ /^\Q$is_debug '$real'\E on /mg, 1,
    "a run's debug package that is loaded outside of one says once what it is") or diag($r->{err});
unlike(run_cmd([again($debug, 'debug.pt')], cwd => $dir, timeout => 300,
    env => { AOTIGEN_RUN_BY => 0 })->{err}, qr/this is a debug model/, 'and can be told not to');

# ---- a crash within a launch: a custom operator's
my $c = sample('custom_op');
my $so = built($c, printer => 0, check_inputs => 'all', nan_asserts => 'all');
my $poke = 'import custom_op, os; custom_op.fault = "crash"; '
    . 'custom_op.broken["crash"] = lambda y: os.kill(os.getpid(), 11)';
$r = run([], [$torch->{python}, '-W', 'ignore', root() . '/samples/run.py', $so, $c->{dir},
    '--model=custom_op', "--poke=$poke"]);
is($r->{signal}, 11, 'a crash: aotigen ends by the same signal');
$said = said($r);
like($said, qr/^  what          SIGSEGV in run 1, launch 2: samples::clip_rows/m, 'in that launch');
like($said, qr/^  why           the signal came while this launch was in flight$/m, 'why');

# ---- what is refused
$r = run(['--model=model.pt2', '--model=none.pt2'], ['touch', 'ran']);
is($r->{status}, 1, 'a package that is missing');
ok(!-e "$dir/ran", 'nothing is run');
done_testing;
