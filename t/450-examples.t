# The examples of the manual and the command lines of the README, run as printed, do what the text
# says.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('mlp_dyn');
my $root = root();
my $dir = tempdir();
mkdir "$dir/bin";
symlink "$s->{torch}{python}", "$dir/bin/$_" for qw(python python3);
symlink build() . '/aotigen', "$dir/bin/aotigen";
my $env = { PATH => "$dir/bin:$ENV{PATH}", XDG_CACHE_HOME => "$root/build/cache",
    PYTHONWARNINGS => 'ignore' };

# What is typed at a prompt, continued lines joined.
sub typed {
    my ($page) = @_;
    my ($examples) = slurp("$root/man/$page") =~ /^\.Sh EXAMPLES\n(.*?)^\.Sh /ms;
    $examples =~ s/\\e\n\s*/ /g;
    return $examples =~ /^\$ (.*)$/mg;
}

mkdir "$dir/man";
for my $file (qw(wrapper.cpp kernel.cpp model.so model.pt2)) {
    symlink "$s->{dir}/$file", "$dir/man/$file" if -e "$s->{dir}/$file";
}
must(python(<<'PY', "$root/samples", "$dir/man"), 'the exported program is saved');
import sys, torch
sys.path.insert(0, sys.argv[1])
import mlp_dyn
program = torch.export.export(mlp_dyn.model().eval(), mlp_dyn.inputs()[0],
    dynamic_shapes=mlp_dyn.shapes())
torch.export.save(program, sys.argv[2] + "/model_ep.pt2")
PY
spew("$dir/man/run.py", <<PY);
import os, torch
if os.path.exists("model_dbg.so"):
    model = torch._C._aoti.AOTIModelContainerRunnerCpu("./model_dbg.so", 1)
else:
    model = torch._inductor.aoti_load_package("model.pt2").loader
for n in range(2):
    model.run([torch.randn(8, 64)])
PY
# The run that the manual's capsule is of.
must(aotigen('watch', '-q', "$dir/man/model.pt2", '-o', "$dir/watched.pt2"), 'it is watched');
spew("$dir/bad.py", <<PY);
import torch
torch._inductor.aoti_load_package("$dir/watched.pt2")(torch.full((8, 64), float("nan")))
PY
must(run_cmd([$s->{torch}{python}, '-W', 'ignore', "$dir/bad.py"], timeout => 300,
        env => { AOTIGEN_CAPSULE => "$dir/man/aotigen-4711.capsule" }), 'and leaves a capsule');
my @lines = map { typed($_) } 'aotigen.1', 'aotigen.7';
cmp_ok(scalar @lines, '>=', 6, 'the manual has examples');
for my $line (@lines) {
    my ($kernel) = slurp("$s->{dir}/wrapper.cpp") =~ /\b(cpp_fused_\w+)\(/;
    (my $here = $line) =~ s/--kernel=\w+/--kernel=$kernel/;
    my $level1 = $line =~ /AOTIGEN_OUTPUT_DIR/;
    run_cmd(['sh', '-c', 'aotigen build -p 1 --weights=model.so wrapper_dbg.cpp -o model_dbg.so'],
        cwd => "$dir/man", env => $env, timeout => 300) if $level1;
    my $r = run_cmd(['sh', '-c', $here], cwd => "$dir/man", env => $env, timeout => 300);
    is($r->{status}, 0, "\$ $line") or diag($r->{err});
    like($r->{out}, qr/\Q$kernel\E/, 'and prints the kernel') if $here =~ /^aotigen list/;
}
my @saved = map { s{.*/}{}r } glob "$dir/man/saved/*";
ok(@saved && !grep({ !/^run0002_launch000003_/ } @saved),
    'what the example says is saved was, and nothing else');

my ($section) = slurp("$root/README.md") =~ /^## Your own model\n(.*?)^Every program/ms;
my @lines_of_readme = $section =~ /^    ((?:aotigen|python) .*)$/mg;
is(scalar @lines_of_readme, 3, 'the README has its three lines');
mkdir "$dir/readme";
spew("$dir/readme/serve.py", <<PY);
import torch
torch._inductor.aoti_load_package("model.pt2")(torch.randn(8, 64))
PY
symlink "$s->{dir}/model.pt2", "$dir/readme/model.pt2";
my $typed = run_cmd(['sh', '-e', '-c', join "\n", @lines_of_readme], cwd => "$dir/readme",
    env => $env, timeout => 300);
is($typed->{status}, 0, 'which work as they stand') or diag($typed->{err});
# The transcript in the README is what the run prints, but for where the wrapper lies, its line
# numbers, and which NaN a logarithm is: that depends on the width of the processor's vectors.
sub transcript {
    my ($text) = @_;
    return map { s{ \S*wrapper\.cpp:\d+}{ wrapper.cpp}r =~ s{: -?nan, bits 0x\w+}{: nan}r }
        split /\n/, $text;
}
my ($shown) =
    slurp("$root/README.md") =~ /<!-- transcript: begin -->\n(.*?)<!-- transcript: end -->/s;
my $n = sample('nan_inside');
my $run = run_model($n, built($n, printer => 0, check_inputs => 'all', nan_asserts => 'nan'),
    args => ['--only=0']);
my @printed = transcript($run->{err});
my @said = transcript($shown =~ s/^    //mgr);
cmp_ok(scalar @said, '>', 10, 'the README has its transcript');
SKIP: {
    skip "the transcript is of torch 2.11, not of $n->{torch}{version}", 1
        if $n->{torch}{version} !~ /^2\.11\./;
    is("@printed", "@said", 'and it is what the run prints');
}
done_testing;
