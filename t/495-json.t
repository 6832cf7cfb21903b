# aotigen run, replay and run --watch with --json: the diagnosis as one object.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use File::Copy 'copy';
use JSON::PP;

my $torch = need_torch();
my $s = sample('nan_inside');
my $dir = tempdir();
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;

# Runs the package on the inputs that are asked for, of which number 0 makes a NaN.
spew("$dir/program.py", <<'PY');
import os, signal, sys, torch
print("the program's own line", flush=True)
model = torch._inductor.aoti_load_package("model.pt2")
inputs = torch.load(sys.argv[1])
for which in sys.argv[3:]:
    if which == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    model(*inputs[int(which)])
sys.exit(int(sys.argv[2]))
PY

sub run_json {
    my ($options, $status, @which) = @_;
    return run_cmd([build() . '/aotigen', 'run', '--json', "--torch=$torch->{dir}", @$options,
        '--model=model.pt2', '--', $torch->{python}, '-W', 'ignore', "$dir/program.py",
        "$s->{dir}/inputs.pt", $status, @which], cwd => $dir, timeout => 600);
}

# The object is the last line, and the only one of ours.
sub object {
    my ($r) = @_;
    my @lines = split /\n/, $r->{out};
    my $object = eval { JSON::PP->new->utf8->decode($lines[-1] // '') };
    ok($object, 'the last line of standard output is an object') or diag($r->{out}, $r->{err});
    unlike($r->{err}, qr/^aotigen: (?:diagnosis|watched run) of/m, 'and no screen is printed');
    return $object // {};
}
sub report_of {
    my ($object, $label) = @_;
    return (grep { $_->{label} eq $label } @{ $object->{report} })[0] // {};
}

my $r = run_json([], 3, 1, 0);
like($r->{out}, qr/^the program's own line\n\{[^\n]*\}\n$/, 'it stands behind what is printed');
is($r->{status}, 3, "the exit status is the program's");
my $born = object($r);
is($born->{exit_status}, 3, 'and in the object');
is($born->{signal}, undef, 'no signal ended it');
is($born->{command}[-1], '0', 'the command');
is($born->{cause}, 'born', 'the cause in a word');
is($born->{event}{run}, 2, "the event's run");
cmp_ok($born->{event}{launch}, '>', 0, 'its launch');
like($born->{event}{kernel}, qr/^\w+$/, 'its kernel');
is(ref $born->{event}{first_index}, 'ARRAY', 'the element');
like("@{ $born->{event}{first_index} }", qr/^\d+(?: \d+)*$/, 'as numbers');
is($born->{counts}{born}, 1, 'how many there are');
my $what = report_of($born, 'what')->{text} // '';
is($what, "NaN born in run 2, launch $born->{event}{launch}: $born->{event}{kernel}",
    'what the screen says');
like(report_of($born, 'how')->{text} // '', qr/\n.*<- here/, 'every step of how, in one text');
like(report_of($born, 'try next')->{command} // '', qr/^\S.*aotigen run /, 'what to type next');

my $none = object(run_json([], 0, 1));
ok(exists $none->{cause} && !defined $none->{cause}, 'nothing found: the cause is null');
is_deeply($none->{counts}, {}, 'and nothing is counted');

my $killed = object(run_json([], 0, 1, 'kill'));
is($killed->{signal}, 'SIGKILL', 'a signal is named');
ok(!exists $killed->{exit_status}, 'and there is no exit status');

$r = run_json(['--watch'], 0, 1, 0);
my $watched = object($r);
is($watched->{findings}, 1, 'a watched run: its findings');
is(scalar @{ $watched->{capsules} }, 1, 'and capsules');
my $capsule = $watched->{capsules}[0];
ok(-f $capsule, 'which are there');
ok(!exists $watched->{cause}, 'it has no cause');
is_deeply(object(run_json(['--watch'], 0, 1))->{capsules}, [], 'a sound run has none');

$r = aotigen('replay', '--json', '--repeat=3', "--torch=$torch->{dir}", $capsule);
my $replay = object($r);
is($replay->{capsule}, $capsule, 'a replay names its capsule');
ok(!exists $replay->{command}, 'and no command');
is($replay->{cause}, 'born', 'its cause');
is($replay->{event}{kernel}, $born->{event}{kernel}, 'its kernel');
is_deeply([map { $_ ? 1 : 0 } @{ $replay->{outputs_equal} }], [1, 1], 'its outputs are equal');
is(join(' ', @$replay{qw(runs runs_alike runs_with_finding)}), '3 3 3', 'how many runs had it');

# Where the directory of capsules cannot be written to, that is said in place of "no finding".
{
    local $ENV{AOTIGEN_CAPSULE} = "$dir/none/there.capsule";
    like(report_of(object(run_json(["--watch"], 0, 0)), "what")->{text} // "",
        qr/^1 finding, and no capsule was written: \S/, "a capsule that is not written");
}
done_testing();
