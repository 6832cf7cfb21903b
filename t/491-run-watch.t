# aotigen run --watch: a Python program that loads a package gets its watch package, and computes
# the same; of a bad run there is a capsule, which is named at the end, and can be replayed.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use File::Copy 'copy';

my $torch = need_torch();
my $s = sample('nan_inside');
my $dir = tempdir();
mkdir "$dir/other";
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;

# Runs a package on the inputs that are asked for, of which number 0 makes a NaN.
spew("$dir/program.py", <<'PY');
import os, sys, torch
model = torch._inductor.aoti_load_package("model.pt2")
inputs = torch.load(sys.argv[1])
os.chdir("other")
for which in sys.argv[3:]:
    out = model(*inputs[int(which)])
    with open(sys.argv[2], "ab") as f:
        f.write(b"".join(y.numpy().tobytes() for y in out))
sys.exit(5)
PY

sub program {
    my ($outputs, @which) = @_;
    return ($torch->{python}, '-W', 'ignore', "$dir/program.py", "$s->{dir}/inputs.pt",
        "$dir/$outputs", @which);
}
sub watched {
    my ($options, $command, %env) = @_;
    return run_cmd([build() . '/aotigen', 'run', '--watch', @$options, '--', @$command],
        cwd => $dir, timeout => 300, env => \%env);
}
my @model = '--model=model.pt2';

run_cmd([program('plain', 1, 0)], cwd => $dir, timeout => 300);
my $r = watched(\@model, [program('watched', 1, 0)]);
is($r->{status}, 5, "the exit status is the program's") or diag($r->{err});
is(slurp("$dir/watched"), slurp("$dir/plain"), 'it computes the same, bit for bit');
like($r->{err}, qr/^aotigen: '[^']*\.pt2': 1 model watched, .* kept as it is, /m, 'it was made');
my ($capsule) = glob "$dir/aotigen-*.capsule";
ok(defined $capsule, 'a capsule is where aotigen was started') or done_testing, exit;
ok(!glob("$dir/other/*"), 'and not where the program went');
my ($name, $pid) = $capsule =~ m{/(aotigen-(\d+)\.capsule)$};
my ($end) = $r->{err} =~ /^(aotigen: watched run of .*)/ms;
like($end, qr/^aotigen: watched run of '\Q$torch->{python}\E /, 'the end names the command');
like($end, qr{^  capsule       \S*/\Q$name\E$}m, 'the capsule');
like($end =~ s/\n {16}(?=\S)/ /gr,
    qr/^  what          output 0 had \d+ NaN and \d+ Inf, the first at \[.*\], in run 2 of/m,
    'what was found');
like($end, qr{^ +aotigen replay \S*/\Q$name\E$}m, 'and what to type');
unlike($r->{err}, qr/diagnosis|never opened/, 'and no more');

my $replay = aotigen('replay', "--torch=$torch->{dir}", $capsule);
like($replay->{err}, qr/NaN born/, 'that names where the NaN was born') or diag($replay->{err});

# A capsule of before is not named again; the package is taken from the cache.
$r = watched(\@model, [program('sound', 1)]);
like($r->{err}, qr/: made before, and unchanged$/m, 'it is made once');
like($r->{err}, qr/^  what          no finding, and so no capsule$/m,
    'a sound run') or diag($r->{err});
unlike($r->{err}, qr/\.capsule/, 'names no capsule');

$r = watched(\@model, [program('named', 0)], AOTIGEN_CAPSULE => 'a b-%%[%p]');
like($r->{err}, qr{^ +aotigen replay '\S*/a b-%\[\d+\]'$}m, 'AOTIGEN_CAPSULE names it')
    or diag($r->{err});
is(scalar(() = glob "$dir/a*\\[*"), 1, 'and it is there');

$r = watched(\@model, ['true']);
is($r->{status}, 0, 'a program that loads none');
like($r->{err}, qr/^  package       'model\.pt2': was never opened: /m, 'is told');
unlike($r->{err}, qr/no finding/, 'and nothing else');

for my $case (
    [[], qr/option '--watch' watches a package: name the one that the program opens with --model=/],
    [[@model, '--guard=page'], qr/'--guard' is for a debug package, and '--watch' makes none/],
    ) {
    $r = watched($case->[0], ['true']);
    is($r->{status}, 2, "@{ $case->[0] }: refused");
    like($r->{err}, $case->[1], 'and why');
}
$r = watched(['--model=other'], ['true']);
is($r->{err}, "other: error: is no package: --watch wants the '.pt2' that the program opens\n",
    'a directory is refused');
is(aotigen('replay', '--watch', $capsule)->{status}, 2, '--watch is of run alone');
done_testing;
