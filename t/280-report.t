# aotigen report: a recording as a page of its own, and as JSON.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Digest::SHA 'sha256_base64';
use JSON::PP 'decode_json';
use Ledger;
use Page;

my $dir = tempdir();
my @sites = (
    ['cpp_fused_log_0', 'log', 'arg0_1', 'buf0'], ['aoti_torch_cpu_mm_out', 'mm', 'buf0', 'buf1'],
    ['cpp_fused_relu_1', 'relu', 'buf1', 'buf2', 'ks0'],
);

# A run of the three launches. bad: how many NaN each of arg, buf0, buf1 and buf2 has.
sub launches {
    my (%x) = (max => 1, ks0 => 8, @_);
    my $t = sub { my ($param, $name) = @_;
        return tensor($param, sizes => [2, 3], hash => 1, numbers => [-1, $x{max}],
            bad => $x{bad}{$name} // 0);
    };
    return [
        [0, [$t->(0, 'arg')], [$t->(1, 'buf0')]], [1, [$t->(0, 'buf0')], [$t->(1, 'buf1')]],
        [2, [$t->(0, 'buf1'), scalar_arg(2, $x{ks0})], [$t->(1, 'buf2')]],
    ];
}
sub recorded { ledger("$dir/$_[0]", sites => \@sites, runs => [@_[1 .. $#_]]); return }
sub report { return run_cmd([build() . '/aotigen', 'report', @_], cwd => $dir) }

sub json_of {
    my ($file) = @_;
    my $r = report('--format=json', $file);
    is("$r->{status}$r->{err}", '0', "$file: JSON") or return {};
    return decode_json($r->{out});
}
sub verdict_of { return join '; ', map {"$_->{kind}: $_->{text}"} @{ $_[0]{verdict} } }

# ---- the data

recorded('a', 1 => launches(), 2 => launches(max => 5, ks0 => 9));
my $data = json_of('a');
is(verdict_of($data), 'good: no NaN or +Inf in 2 runs', 'nothing bad');
is(join(' ', map {"$_->{launch} $_->{kernel}"} @{ $data->{launches} }),
    '1 cpp_fused_log_0 2 aoti_torch_cpu_mm_out 3 cpp_fused_relu_1', 'the launches in their order');
my $last = $data->{launches}[2];
is(join(' ', @$last{qw(nodes model_line module wrapper_line runs ended)}),
    'relu model.py:2 block 102 2 2', 'what the names say of a launch');
is(join(', ', map {"$_->{use} $_->{name}"} @{ $last->{arguments} }),
    'read buf1, read ks0, wrote buf2', 'its arguments');
my ($buf1, $ks0) = @{ $last->{arguments} };
is("$buf1->{dtype} @{ $buf1->{sizes} }", 'float32 2 3', 'dtype and sizes');
is("@{ $buf1->{min} } @{ $buf1->{max} } $buf1->{all}{min} $buf1->{all}{max}", '-1 -1 1 5 -1 5',
    'the range of each run, and of all');
is(join(' ', sort grep { !ref $buf1->{$_} } keys %$buf1), 'dtype kind name use',
    'nothing is said of what is not there');
is("@{ $ks0->{max} }", '8 9', 'a scalar that changes');
is($data->{launches}[0]{arguments}[0]{all}{scanned}, 2, 'scanned in both');
is(json_of('a')->{recording}{host}, 'box', 'where it was recorded');

recorded('a', 1 => launches(), 2 => launches(bad => { buf0 => 3, buf1 => 1 }));
$data = json_of('a');
is(verdict_of($data), 'bad: NaN in 1 of 2 runs, first in run 2: launch 1 (cpp_fused_log_0; '
        . 'model.py:0, block) wrote '
        . '3 in buf0, and read none', 'where the first NaN was made');
is("@{ $data->{launches}[0]{arguments}[1]{nan} }", '0 3', 'NaN run by run');
recorded('a', 7 => launches(bad => { arg => 2 }));
is(verdict_of(json_of('a')), 'bad: NaN in 1 of 1 run, first in run 7: launch 1 (cpp_fused_log_0; '
        . 'model.py:0, block) read 2 in arg0_1', 'a NaN that was given');
my $unread = launches(bad => { buf0 => 3 });
$unread->[0][1] = [tensor(0, numbers => undef, dtype => '', sizes => [])];
recorded('a', 1 => $unread);
like(report('--format=text', 'a')->{out}, qr/^      read  arg0_1  not scanned$/m, 'nor as text');
like(verdict_of(json_of('a')), qr/wrote 3 in buf0; not all that it read was scanned; note: 1 /,
    'a NaN that may have been given');

# ---- times

recorded('a', 1 => launches(), 2 => launches());
ok(!exists json_of('a')->{launches}[0]{median_us}, 'launches that were not timed have no time');
ledger("$dir/a", sites => \@sites, us => [12.5, 0, 3], runs => [1 => launches(), 2 => launches()]);
is(join(' ', map { $_->{median_us} // '-', $_->{least_us} // '-' } @{ json_of('a')->{launches} }),
    '12.5 12.5 - - 3 3', 'the times of those that were');
like(report('--format=text', 'a')->{out}, qr/^   1  cpp_fused_log_0  model.py:0  block  12.50 us$/m,
    'and as text');
ledger("$dir/a", sites => \@sites, us => [-1, 9**9**9, -sin 9**9**9], runs => [1 => launches()]);
is(scalar(grep { exists $_->{median_us} } @{ json_of('a')->{launches} }), 0,
    'what is no time is none');

# ---- as text

recorded('a', 1 => launches(), 2 => launches(bad => { buf0 => 3 }));
my ($said, $text) = split /\n\n/, report('--format=text', 'a')->{out};
is($said, verdict_of(json_of('a')) =~ s/^bad: //r, 'as text: the verdict');
is($text, <<'END', 'and the launches');
model.cpp: runs 1 to 2
   1  cpp_fused_log_0  model.py:0  block
      read  arg0_1  float32 [2, 3]  -1 to 1
      wrote buf0  float32 [2, 3]  -1 to 1, 3 NaN in 1 of 2 runs
   2  aoti_torch_cpu_mm_out  model.py:1  block
      read  buf0  float32 [2, 3]  -1 to 1, 3 NaN in 1 of 2 runs
      wrote buf1  float32 [2, 3]  -1 to 1
   3  cpp_fused_relu_1  model.py:2  block
      read  buf1  float32 [2, 3]  -1 to 1
      read  ks0  int64  8
      wrote buf2  float32 [2, 3]  -1 to 1
END

my @signs = map { launches() } 1 .. 3;
$signs[0][0][2] = [tensor(1, inf => [1, 0])];
$signs[$_][0][2] = [tensor(1, inf => [0, 1])] for 1, 2;
recorded('a', map { $_ + 1 => $signs[$_] } 0 .. 2);
like(report('--format=text', 'a')->{out}, qr/, 1 \+Inf in 1 of 3 runs, 2 -Inf in 2 of 3 runs$/m,
    'Inf of each sign in its own runs');
my $all = json_of('a')->{launches}[0]{arguments}[1]{all};
is("$all->{runs_with_inf} $all->{runs_with_pos_inf}", '3 1', 'and as JSON');

# ---- what is not whole

my $cut = launches();
$cut->[1][2] = undef;
splice @$cut, 2;
ledger("$dir/a", sites => \@sites, runs => [1 => launches(), 2 => $cut], unended => 1);
is(verdict_of(json_of('a')), 'good: no NaN or +Inf in 2 runs; note: run 2 is not over: launch 2 '
        . '(aoti_torch_cpu_mm_out) did not end', 'a process that died');
recorded('a');
is(verdict_of(json_of('a')), 'note: no run is in this recording', 'no runs');
recorded('a', 1 => launches(), 2 => launches());
my $bytes = slurp("$dir/a");
my $ring = unpack 'Q<', substr $bytes, 48, 8;
my $torn = $bytes;
substr $torn, $ring + 1500, 1, chr(1 ^ ord substr $torn, $ring + 1500, 1);
spew("$dir/torn", $torn);
like(verdict_of(json_of('torn')), qr/note: it is torn: what follows the last whole entry is left/,
    'a torn one');
recorded('many', map { $_ => launches(max => $_, bad => { buf2 => $_ == 150 }) } 1 .. 200);
$data = json_of('many');
my $columns = $data->{recording}{models}[0]{columns};
is(scalar @$columns, 60, 'of 200 runs several share a column');
is("$columns->[0]{first}-$columns->[0]{last} $columns->[-1]{last}", '1-4 200',
    'from the first to the last');
my $sum = 0;
$sum += $_->{runs} for @$columns;
is($sum, 200, 'each run is in one');
my $buf2 = $data->{launches}[2]{arguments}[2];
is("$buf2->{max}[0] $buf2->{max}[-1]", '4 200', 'a column has the range of its runs');
is(scalar(grep {$_} @{ $buf2->{nan} }), 1, 'and their NaN');
srand 45;
my %ended;
for my $trial (1 .. 150) {
    my $bad = $bytes;
    for (1 .. 1 + rand 4) {
        substr $bad, int rand(rand() < .3 ? 200 : length $bad), 1, chr int rand 256;
    }
    spew("$dir/bad", $bad);
    my $r = report('--format=json', $trial % 2 ? 'a' : (), 'bad');
    my $is_json = $r->{status} || eval { decode_json($r->{out}); 1 };
    $ended{ $is_json ? $r->{status} : 'no JSON' }++;
}
is(join(' ', grep { !/\A[02]\z/ } keys %ended), '', '150 damaged files: none crashes it');

# ---- the page of a stranger's texts

my @hostile = (
    q{</script><script>document.title='owned'</script>}, q{<!--<script>}, q{]]>&lt;&amp;"'},
    "line\xe2\x80\xa8end\xe2\x80\xa9", "\xe2\x80\xae" . 'gnp.exe', "bad\xff\xfebytes",
    q{<img src=x onerror="document.title='owned'">},
);
ledger("$dir/h", sites => [map { [$_, $_, $_, "$_ out"] } @hostile],
    runs => [map { $_ => [map { [$_, [tensor(0)], [tensor(1, bad => 1)]] } 0 .. $#hostile] } 1, 2]);
my $r = report('h', '-o', 'h.html');
is("$r->{status}$r->{out}$r->{err}", '0', 'a page');
my $page = slurp("$dir/h.html");
my $found = elements_of("$dir/h.html");
is("@{ $found->{wrong} }@{ $found->{open} }", '', 'its elements are closed');
my @scripts = grep { $_->{tag} eq 'script' } @{ $found->{found} };
is(scalar @scripts, 2, 'no text of the recording is a script');
is(scalar(grep { $_->{tag} eq 'img' } @{ $found->{found} }), 0, 'or another element');
my $kernels = [map { $_->{kernel} } @{ decode_json($scripts[0]{text})->{launches} }];
utf8::decode(my $first = $hostile[3]);
is_deeply([@$kernels[0 .. 4, 6]], [@hostile[0 .. 2], $first, "\x{202e}gnp.exe", $hostile[6]],
    'the data has them as they are');
is($kernels->[5], "bad\x{fffd}\x{fffd}bytes", 'but for what is no text');
my ($policy) = grep {/default-src/} map { $_->{attrs}{content} // '' } @{ $found->{found} };
like($policy, qr/\Adefault-src 'none';/, 'it may load nothing');
unlike($policy, qr/unsafe|http|data:/, 'nor from anywhere');
my ($style) = grep { $_->{tag} eq 'style' } @{ $found->{found} };
for my $part ([script => $scripts[1]{text}], [style => $style->{text}]) {
    my ($what, $text) = @$part;
    utf8::encode($text);
    my $hash = quotemeta sha256_base64($text);
    like($policy, qr/\b$what-src\s+'sha256-$hash=*'/, "only its own $what");
}
my $ours = $page =~ s{<script type="application/json".*?</script>}{}rs;
my $other = qr{(?:src|href)=|https?://(?!www\.w3\.org/2000/svg)|\bimport\b|\burl\(};
is(join(' ', $ours =~ /$other/g), '', 'it names no other file');
is(join(' ', $ours =~ /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b/g), '',
    'texts are set as text alone');

# ---- two recordings

# A run of two of the launches; a hash for each tensor that has another one.
sub pair_of {
    my ($arg, $buf0, $buf1) = @_;
    my $t = sub { tensor($_[0], hash => $_[1], at => 4096 * $_[2], numbers => [0, $_[1]]) };
    return [
        [0, [$t->(0, $arg, 1)], [$t->(1, $buf0, 2)]],
        [1, [$t->(0, $buf0, 2)], [$t->(1, $buf1, 3)]],
    ];
}
sub compared {
    my ($x, $y, @options) = @_;
    recorded('a', @$x);
    recorded('b', @$y);
    my $two = report('--format=json', @options, 'a', 'b');
    is("$two->{status}$two->{err}", '0', 'two recordings');
    return decode_json($two->{out});
}
sub outcomes_of {
    return join ' ', map { $_->{pair} ? $_->{pair}{outcome} : '-' } @{ $_[0]{launches} };
}

$data = compared([1 => pair_of(1, 1, 1), 2 => pair_of(1, 1, 1)],
    [1 => pair_of(1, 1, 1), 2 => pair_of(1, 5, 7)]);
is($data->{verdict}[0]{text}, 'run 2: launch 1 (cpp_fused_log_0) read the same and wrote something '
        . 'else', 'what diff says of them');
is("$data->{verdict}[0]{kind} $data->{verdict}[0]{launch}", 'bad 1', 'and of which launch');
like(verdict_of($data), qr/note: follow: 1 launch .*note: compared: 2 runs of each, 1 of which.*/,
    'and what else');
like(verdict_of($data), qr/note: A: no NaN or \+Inf in 2 runs; note: B: no NaN/, 'then of each');
is(outcomes_of($data), 'by_itself follows', 'each launch has its outcome');
is($data->{launches}[0]{pair}{cause}, 'read the same and wrote something else', 'and its cause');
my ($read, $wrote) = @{ $data->{launches}[0]{arguments} };
is("$read->{agreement} $wrote->{agreement}", 'agrees differs', 'which arguments agree');
is("@{ $wrote->{max} } @{ $wrote->{other}{max} }", '1 1 1 5', 'the partner beside the argument');
is("$data->{other}{run_of_a} $data->{other}{recording}{path}", '2 b', 'the runs that are compared');
is(outcomes_of(compared([1 => pair_of(1, 1, 1)], [1 => pair_of(4, 1, 7)])), 'given by_itself',
    'another input');
is(outcomes_of(compared([1 => pair_of(1, 1, 1)], [1 => pair_of(1, 1, 1)])), 'agrees agrees',
    'two that agree');
$data = compared([1 => [@{ pair_of(1, 1, 1) }[0]]], [1 => pair_of(1, 1, 1)]);
is($data->{verdict}[0]{text}, 'run 1: only B has launch 2 (aoti_torch_cpu_mm_out)',
    'a launch that only the second has');
is("$data->{other}{launches}[0]{kernel} $data->{other}{launches}[0]{pair}{outcome}",
    'aoti_torch_cpu_mm_out only_b', 'is there, too');
my @plain = @sites;
$sites[0] = ['cpp_fused_rand_0', 'rand', 'arg0_1', 'buf0'];
$data = compared([1 => pair_of(1, 1, 1)], [1 => pair_of(1, 5, 7)]);
like("@{ $data->{launches}[0]{pair}{perhaps} }", qr/\Ait draws random numbers/,
    'what may excuse a launch');
like(verdict_of($data), qr/note: perhaps: it draws random numbers/, 'stands in the verdict');
@sites = @plain;
compared([map { $_ => pair_of(1, 1, 1) } 1 .. 9], [map { $_ => pair_of(1, 4, 4) } 1 .. 9]);
report('a', 'b', '-o', 'two.html');
is(join(' ', map { @{ elements_of("$dir/two.html")->{$_} } } qw(wrong open)), '', 'a page of both');
spew("$dir/a", $bytes);

# ---- what is refused

sub refused {
    my ($what, $status, $like, @args) = @_;
    my $refused = report(@args);
    is("$refused->{status}$refused->{out}", $status, "$what is refused");
    like($refused->{err}, $like, "$what: why");
    return;
}
refused('no recording', 2, qr/'report' shows one recording or two: aotigen report \[OPTION\]/,
    '-o', 'x');
refused('three', 2, qr/'report' shows one recording or two/, 'a', 'a', 'a', '-o', 'x');
refused('text of two', 2, qr/'--format=text' is of one recording/, '--format=text', 'a', 'a');
refused('a bound for one', 2, qr/'--run' and '--bound' compare two recordings/, '--bound=1', 'a',
    '-o', 'x');
refused('two without a common run', 2, qr/'a' and 'a' have no run to compare/, '--run=9', 'a', 'a',
    '-o', 'x');
refused('no output', 2, qr/no output: name the page with -o FILE/, 'a');
refused('an unknown format', 2, qr/value 'pdf' of option '--format' must be html, json or text/,
    '--format=pdf', 'a', '-o', 'x');
refused('no such file', 2, qr/^gone: error: cannot be read: No such file/m, 'gone', '-o', 'x');
spew("$dir/text", "hello\n" x 1000);
refused('a text', 2, qr/^text: error: is no file of AOTIGEN_RECORD/m, 'text', '-o', 'x');
refused('a text beside a recording', 2, qr/^text: error: is no file of/m, 'a', 'text', '-o', 'x');
mkdir "$dir/d";
refused('an empty directory', 2, qr/^d: error: has no file '\*\.ledger'/m, 'd', '-o', 'x');
ok(!-e "$dir/x", 'and nothing is written');
refused('itself as output', 1, qr/the output is the input 'a' itself/, 'a', '-o', 'a');
is(slurp("$dir/a"), $bytes, 'it is as it was');
spew("$dir/d/one.ledger", $bytes);
refused('the recording in a directory as output', 1,
    qr/the output is the input 'd\/one\.ledger' itself/, 'd', '-o', 'd/one.ledger');
is(slurp("$dir/d/one.ledger"), $bytes, 'it is as it was, too');
refused('a directory that is not there', 1, qr/cannot be written: directory 'no'/, 'a', '-o',
    'no/x');
spew("$dir/old.html", 'old');
$r = run_cmd(['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh', build() . '/aotigen', 'report', 'many',
    '-o', 'old.html'], cwd => $dir);
isnt($r->{status}, 0, 'a page that has no room');
is(slurp("$dir/old.html"), 'old', 'is written whole or not at all');
is(join(' ', glob "$dir/.aotigen-*"), '', 'and nothing of it remains');
$r = report('a', '-o', '-');
like($r->{out}, qr/\A<!doctype html>.*<\/html>\n\z/s, 'a page on standard output');

# ---- in a browser

my $dom = dom_of("$dir/h.html", "$dir/home");
SKIP: {
    skip('no Chromium', 8) if !defined $dom;
    like($dom, qr/<html [^>]*data-drawn="7"/, 'the script has drawn each launch') or diag($dom);
    unlike($dom, qr/<title>owned|<img/, 'and nothing of theirs ran');
    like($dom, qr/class="kernel"[^>]*>&lt;!--&lt;script&gt;</, 'a kernel is shown as text');
    like($dom, qr/>\\u\{202e\}gnp\.exe</, 'what turns a text around is shown as its number');
    is(scalar(() = $dom =~ /<svg class="plot"/g), 14, 'a plot for each argument');
    report('many', '-o', 'many.html');
    ($said) = dom_of("$dir/many.html", "$dir/home", <<'END') =~ m{<title>(.*)</title>};
const $ = (id) => document.getElementById(id), said = [];
const press = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown', { key, bubbles: true }));
const at = () => document.activeElement.querySelector('.number').textContent;
const note = (f) => said.push(f());
press('j'); press('j'); note(at);
press('k'); note(at);
press('G'); note(at);
press('/'); note(() => document.activeElement.id);
$('search').value = 'tensor:buf1 op:MM';
$('search').dispatchEvent(new Event('input'));
note(() => $('count').textContent);
press('Enter'); note(at);
press('Enter'); note(() => document.activeElement.querySelectorAll('td.nan, caption').length);
press('Escape'); note(() => $('count').textContent);
press('b'); note(() => $('count').textContent);
press('n'); note(at);
press('Enter'); note(() => document.activeElement.querySelectorAll('td.nan').length);
press('?'); note(() => $('help').open);
document.title = said.join(', ');
END
    is($said, '2, 1, 3, search, 1 of 3 launches, 2, 2, 3 launches, 1 of 3 launches, 3, 1, true',
        'keys and search');
    my $both = dom_of("$dir/two.html", "$dir/home");
    is(scalar(() = $both =~ /<svg class="plot"/g), 8, 'a plot for each of two recordings');
    is(join(' ', $both =~ /class="outcome">([^<]*)</g, $both =~ /class="agreement \w+">(\w+)</g),
        'by itself follows agrees differs differs differs', 'outcomes and agreements');
}
done_testing;
