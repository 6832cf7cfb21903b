# aotigen diff: where two recordings begin to differ, and what of a damaged file is left out.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Ledger;

my $dir = tempdir();
my @sites = (
    ['cpp_fused_log_0', 'log', 'arg0_1', 'buf0'], ['aoti_torch_cpu_mm_out', 'mm', 'buf0', 'buf1'],
    ['cpp_fused_relu_1', 'relu', 'buf1', 'buf2', 'ks0'],
);
my %memory = (arg => 4096, buf0 => 8192, buf1 => 12288, buf2 => 16384);

# A run of the three launches; of each tensor the hash, else 1; and its numbers, if they are given.
sub launches {
    my (%x) = @_;
    my $t = sub {
        my ($param, $name, $when) = @_;
        my $hash = $x{"$name $when"} // $x{$name} // 1;
        return tensor($param, at => $memory{$name}, hash => $hash, numbers => [0, $hash]);
    };
    return [
        [0, [$t->(0, 'arg', 'read')], [$t->(1, 'buf0', 'wrote')]],
        [1, [$t->(0, 'buf0', 'read')], [$t->(1, 'buf1', 'wrote')]],
        [2, [$t->(0, 'buf1', 'read'), scalar_arg(2, $x{ks0} // 8)], [$t->(1, 'buf2', 'wrote')]],
    ];
}
sub recorded {
    my ($name, @runs) = @_;
    ledger("$dir/$name", sites => \@sites, runs => \@runs);
    return;
}
sub diff { return run_cmd([build() . '/aotigen', 'diff', @_], cwd => $dir) }

sub said {
    my ($name, $status, @like) = @_;
    my $r = diff('a', 'b', ref $like[0] eq 'ARRAY' ? @{ shift @like } : ());
    is($r->{status}, $status, "$name: status $status") or diag($r->{out}, $r->{err});
    is($r->{err}, '', "$name: no error");
    like($r->{out}, $_, $name) for @like;
    return $r->{out};
}

# ---- two runs of one build

recorded('a', 1 => launches(), 2 => launches());
recorded('b', 1 => launches(), 2 => launches());
is(said('equal', 0), <<'END', 'what is told of equal ones');
aotigen: diff of A 'a' and B 'b'
  what          they agree
  compared      2 runs of each, 0 of which differ: bit for bit
  A             a: 2 runs, process 71 on box
  B             b: 2 runs, process 71 on box
END

recorded('b', 1 => launches(), 2 => launches(buf1 => 3, buf2 => 4));
is(said('by itself', 1), <<'END', 'the launch that read the same and wrote something else');
aotigen: diff of A 'a' and B 'b'
  what          run 2: launch 2 (aoti_torch_cpu_mm_out) read the same and wrote something else
  source nodes  mm
  model line    model.py:1  (block)
  launched at   model.cpp:101
  input         buf0: float32 [2]: agrees: 0 to 1, norm 1
  output        buf1: float32 [2]: differs: 0 to 1, norm 1; and 0 to 3, norm 3
  follow        1 launch read what differs, and wrote something else
  compared      2 runs of each, 1 of which differ: bit for bit
  A             a: 2 runs, process 71 on box
  B             b: 2 runs, process 71 on box
END
said('only run 1', 0, ['--run=1'], qr/compared      1 run of each/);
said('only run 2', 1, ['--run=2'], qr/what          run 2: launch 2/);
said('within a bound', 0, ['--bound=9'], qr/range and norm within 9/);

recorded('b', 1 => launches(arg => 5, buf0 => 5, buf1 => 5, buf2 => 5), 2 => launches());
said('another input', 1,
    qr/what          run 1: launch 1 \(cpp_fused_log_0\) was given another arg0_1$/m,
    qr/follow        3 launches/);
recorded('b', 1 => launches('buf0 read' => 5, buf1 => 5, buf2 => 5), 2 => launches());
said('memory that was changed', 1,
    qr/launch 2 \(aoti_torch_cpu_mm_out\) read another buf0, which was changed behind\s/);
recorded('b', 1 => launches(buf0 => 5, buf2 => 7), 2 => launches());
said('two launches', 1, qr/what          run 1: launch 1/, qr/mended        1 launch read/,
    qr/also          launch 3 \(cpp_fused_relu_1\) read the same/);
recorded('b', 1 => launches(ks0 => 9, buf2 => 7), 2 => launches());
said('another scalar', 1, qr/launch 3 \(cpp_fused_relu_1\) was given another ks0$/m,
    qr/input         ks0: int64: differs: 8; and 9/);
my $short = launches();
pop @$short;
recorded('b', 1 => $short, 2 => launches());
said('a launch less', 1, qr/what          run 1: only A has launch 3 \(cpp_fused_relu_1\)/);
$short = launches();
$short->[2][2] = undef;
recorded('b', 1 => $short, 2 => launches());
said('one that did not return', 0, qr/what          they agree as far as they are known/,
    qr/not known     1 launch did not end in one of the runs/);
$short = launches('buf0 read' => 5);
$short->[1][2] = undef;
splice @$short, 2;
ledger("$dir/b", sites => \@sites, runs => [1 => $short], unended => 1);
said('one that died of what was changed', 1,
    qr/launch 2 \(aoti_torch_cpu_mm_out\) read another buf0, which was changed/);
$short = launches();
splice @$short, 2;
ledger("$dir/b", sites => \@sites, runs => [1 => $short], unended => 1);
said('a run that goes on', 0, qr/they agree as far as they are known/);
$short = launches();
$short->[1][1] = [tensor(0, has => 0, numbers => undef, at => 0)];
$short->[1][2] = [tensor(1, hash => 7, at => $memory{buf1})];
ledger("$dir/b", sites => \@sites, runs => [1 => $short]);
said('what was read is not known', 1,
    qr/launch 2 \(\w+\) wrote something else, and it is not known\s+whether it read the same/);
$short = launches();
$short->[1][1] = [tensor(0, hash => 1, at => $memory{buf0}, bad => 2**62)];
ledger("$dir/b", sites => \@sites, runs => [1 => $short]);
said('more NaN than elements', 0, qr/not known     1 launch/);
ledger("$dir/b", sites => [@sites, ['none', 'none', 'x']],
    runs => [1 => [@{ launches() }[0, 1], [2, @{ launches()->[2] }[1, 2], 3]]]);
said('a launch of two sites', 0, qr/not known     1 launch/);

# ---- two builds

sub build_of_two { # buf1's largest element in the other build
    my ($buf1) = @_;
    my $t = sub {
        my ($param, $name, $max, $hash) = @_;
        return tensor($param, at => $memory{$name}, hash => $hash, numbers => [0, $max]);
    };
    for my $side (0, 1) {
        my @in_order = (
            [0, [$t->(0, 'arg', 1, 1)], [$t->(1, 'buf0', 2, $side)]],
            [1, [$t->(0, 'buf0', 2, $side)], [$t->(1, 'buf1', $side ? $buf1 : 3, 2 + $side)]]);
        my @names = map { $_->[0] } @sites;
        @names = ('cpp_fused_log_7', 'aoti_torch_cpu_addmm_out') if $side;
        ledger("$dir/" . (qw(a b))[$side], build => $side,
            sites => [map { [$names[$_], @{ $sites[$_] }[1 .. 3]] } 0, 1],
            runs => [1 => \@in_order]);
    }
    return;
}
build_of_two(3.00001);
said('two builds within rounding', 0, qr/within what rounding explains,\s+since they are of two/);
said('two builds, bit for bit', 1, ['--bound=0'], qr/launch 1 \(cpp_fused_log_0\) read the same/);
build_of_two(3.1);
said('two builds beyond rounding', 1, qr/launch 2 \(aoti_torch_cpu_mm_out\) read the same/,
    qr/output        buf1: float32 \[2\]: differs: 0 to 3, norm 3; and 0 to 3.1, norm 3.1/);

# ---- what is refused

sub refused {
    my ($what, $like, @args) = @_;
    my $r = diff(@args);
    is("$r->{status}$r->{out}", '2', "$what is refused");
    like($r->{err}, $like, "$what: why");
    return;
}
refused('one file', qr/'diff' compares two recordings: aotigen diff \[OPTION\]\.\.\. A B/, 'a');
refused('three files', qr/'diff' compares two recordings/, 'a', 'a', 'a');
refused('no such file', qr/^gone: error: cannot be read: No such file/m, 'a', 'gone');
spew("$dir/text", "hello\n" x 1000);
refused('a text', qr/^text: error: is no file of AOTIGEN_RECORD/m, 'text', 'a');
spew("$dir/short", 'AOTILEDG');
refused('a short file', qr/^short: error: is no file of AOTIGEN_RECORD: it is too short/m,
    'a', 'short');
spew("$dir/zeros", "\0" x 65536);
refused('an empty one', qr/^zeros: error: was begun, and its process ended before/m, 'a', 'zeros');
refused('a device', qr{^/dev/null: error: is no file of AOTIGEN_RECORD}m, 'a', '/dev/null');
mkdir "$dir/d";
refused('an empty directory', qr/^d: error: has no file '\*\.ledger'/m, 'a', 'd');
spew("$dir/d/$_.ledger", slurp("$dir/a")) for 1, 2;
refused('a directory of two', qr/^d: error: has 2 files '\*\.ledger'/m, 'a', 'd');
unlink "$dir/d/2.ledger";
is(diff('a', 'd')->{status}, 0, 'a directory of one is its file');
my $newer = slurp("$dir/a");
substr $newer, 8, 4, pack 'L<', 9;
spew("$dir/newer", $newer);
refused('a newer one', qr/has version 9 of the form, and this aotigen reads version 1/,
    'a', 'newer');
my $lies = slurp("$dir/a");
substr $lies, 24, 8, pack 'Q<', 1 << 62;
spew("$dir/lies", $lies);
refused('a header that lies', qr/is damaged: its header contradicts itself/, 'lies', 'a');
refused('a run that is not there', qr/have no run to compare/, '--run=7', 'a', 'a');
refused('a bad bound', qr/value 'x' of option '--bound' must be a number from 0 on/,
    '--bound=x', 'a', 'a');
refused('a bad run', qr/value '0' of option '--run' must be a number from 1 on/,
    '--run=0', 'a', 'a');

# ---- damaged files: what is whole is compared

recorded('a', 1 => launches(), 2 => launches());
my $whole = slurp("$dir/a");
my $ring = length(ledger("$dir/x", sites => \@sites, runs => [])) - 4096;
my $cut = $whole;
substr $cut, $ring + 700, 1, chr(1 ^ ord substr $cut, $ring + 700, 1);
spew("$dir/b", $cut);
said('a torn one', 0, qr/it is torn: what follows the last whole entry is left\s+out/,
    qr/what          they agree as far as they are known/);
srand 45;
my %ended;
for my $i (1 .. 300) {
    my $bad = $whole;
    for (1 .. 1 + rand 4) {
        my $at = int rand(rand() < .3 ? 200 : length $bad);
        substr $bad, $at, 1, chr int rand 256;
    }
    $bad = substr $bad, 0, int rand length $bad if rand() < .2;
    spew("$dir/b", $bad);
    my $r = diff('a', 'b');
    $ended{ $r->{status} }++;
    diag("trial $i: $r->{status} $r->{err}") if $r->{status} !~ /\A[012]\z/;
}
is(join(' ', grep { !/\A[012]\z/ } keys %ended), '', '300 damaged files: none crashes it');
done_testing;
