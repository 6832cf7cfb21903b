# Input that is not a wrapper and output that cannot be written: one clear line, the right exit
# status, and no file left behind.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Cwd 'getcwd';

my $torch = need_torch();
my $dir = tempdir();
my $good = corpus_of($torch) . '/cpu/nan_inside/wrapper.cpp';
my @torch = ("--torch=$torch->{dir}");
my @left;

# What is in a directory, the files that the test itself put there left out.
sub stray {
    my ($in, %known) = @_;
    opendir my $d, $in or die;
    return grep { !/^\.\.?$/ && !$known{$_} } readdir $d;
}

sub refused {
    my ($what, $status, $pattern, @arguments) = @_;
    my $out = tempdir();
    my $r = aotigen(@torch, @arguments, '-o', "$out/out.cpp");
    is($r->{status}, $status, "$what: status $status") or diag($r->{err});
    is($r->{signal}, 0, "$what: no signal");
    like($r->{err}, $pattern, "$what: said so");
    my @errors = grep { /error: / } split /\n/, $r->{err};
    is(scalar @errors, 1, "$what: in one line") or diag($r->{err});
    is_deeply([stray($out)], [], "$what: no output, no temporary file");
    return;
}

refused('a missing file', 1, qr{^\Q$dir\E/none\.cpp: error: cannot be read: No such file},
    "$dir/none.cpp");
refused('a directory without a model', 1, qr/error: holds no model: neither a /, $dir);
refused('an empty file', 1, qr/error: is empty/, spew("$dir/empty.cpp", ''));
refused('a binary file', 1, qr/error: is binary/, spew("$dir/binary.cpp", "int x;\0" x 10));
refused('a device', 1, qr/error: is not a regular file/, '/dev/null');
refused('another program', 1, qr/is not a wrapper that AOTInductor emitted/,
    spew("$dir/other.cpp", "int main() { return 0; }\n"));
refused('an unknown option', 2, qr/error: .*'--nonsense'/, '--nonsense', $good);
refused('a level out of range', 2, qr/error: .*'9'/, '-p', '9', $good);
refused('a broken wrapper.json', 1, qr/error: is not the 'wrapper\.json'/,
    '--ops=' . spew("$dir/ops.json", '{"nodes": 3}'), $good);

my $huge = "$dir/huge.cpp";
open my $h, '>', $huge or die;
truncate $h, 300 << 20;
close $h;
refused('an enormous file', 1, qr/error: is too large/, $huge);

# A wrapper that was instrumented already.
my $once = "$dir/once.cpp";
is(aotigen(@torch, $good, '-o', $once)->{status}, 0, 'once goes');
refused('an instrumented wrapper', 1, qr/once\.cpp:1:1: error: is instrumented already/, $once);

# A truncated one: cut within the run function.
my $text = slurp($good);
my $cut = spew("$dir/cut.cpp", substr $text, 0, index($text, 'cpp_fused_sigmoid_1((float*)'));
my $r = aotigen(@torch, $cut, '-o', "$dir/cut_out.cpp");
is($r->{status}, 1, 'a truncated wrapper: status 1');
like($r->{err}, qr/cut\.cpp:\d+:\d+: error: does not parse: /, 'a truncated wrapper: where');
ok(!-e "$dir/cut_out.cpp", 'a truncated wrapper: no output');

# Dtypes that torch emits under names that its headers lack.
for my $case (['float8_e8m0fnu', 'at::Float8_e8m0fnu *odd;'],
    ['bcomplex32', 'CACHE_TORCH_DTYPE(bcomplex32);']) {
    my ($dtype, $line) = @$case;
    my $file = spew("$dir/odd.cpp", $text =~ s/^CACHE_TORCH_DTYPE.*\n/$&$line\n/mr);
    my $r = aotigen(@torch, 'list', $file);
    like($r->{err}, qr/note: it is torch's own fault: torch, \N* emits the dtype $dtype under /,
        "$dtype is refused by its name");
    unlike($r->{err}, qr/--torch/, 'not for the torch in use');
}

# A line of Python that torch 2.11 emits with triton.debug_sync_graph.
my $python = spew("$dir/python.cpp",
    $text =~ s/^( *)AOTI_TORCH_ERROR_CODE_CHECK/    torch.cuda.synchronize()\n$&/mr);
$r = aotigen(@torch, 'list', $python);
like($r->{err}, qr/note: it is torch's own fault: told triton\.debug_sync_graph or /,
    'a line of Python is refused by the option that makes it');
unlike($r->{err}, qr/--torch/, 'not for the torch in use');

# 200,000 nested parentheses, alone and within a wrapper: an end, not a crash.
my $deep = ('(' x 200_000) . '1' . (')' x 200_000);
for my $case ([alone => "int x = $deep;\n"],
    [within => $text =~ s/(void AOTInductorModel::run_impl\()/int deep = $deep;\n$1/r]) {
    my $file = spew("$dir/deep_$case->[0].cpp", $case->[1]);
    $r = aotigen(@torch, $file, '-o', "$dir/deep_out.cpp");
    is($r->{status}, 1, "200,000 parentheses, $case->[0]: status 1")
        or diag(substr $r->{err}, 0, 500);
    is($r->{signal}, 0, "200,000 parentheses, $case->[0]: no signal");
    like($r->{err}, qr/error: /, "200,000 parentheses, $case->[0]: said so");
    ok(!-e "$dir/deep_out.cpp", "200,000 parentheses, $case->[0]: no output");
}

# Output: onto the input by its name, by a link and by another path; into a missing directory; onto
# a full disk.
spew("$dir/in.cpp", $text);
symlink "$dir/in.cpp", "$dir/link.cpp";
link "$dir/in.cpp", "$dir/hard.cpp";
for my $target ("$dir/in.cpp", "$dir/./in.cpp", "$dir/link.cpp", "$dir/hard.cpp") {
    $r = aotigen(@torch, "$dir/in.cpp", '-o', $target);
    is($r->{status}, 1, "onto the input as $target: status 1");
    like($r->{err}, qr/error: /, 'and said so');
    is(slurp("$dir/in.cpp"), $text, 'the input is as it was');
}
$r = aotigen(@torch, $good, '-o', "$dir/none/out.cpp");
is($r->{status}, 1, 'into a missing directory: status 1');
like($r->{err}, qr/error: /, 'into a missing directory: said so');
$r = aotigen(@torch, $good, '-o', '/dev/full');
is($r->{status}, 1, 'onto a full disk: status 1');
like($r->{err}, qr/error: .*No space left/, 'onto a full disk: said so');
$r = run_cmd([build() . '/aotigen', @torch, $good, '-o', '-'], out => '/dev/full');
is($r->{status}, 1, 'onto a full standard output: status 1');

# No headers: named, with what to do.
$r = aotigen("--torch=$dir", $good, '-o', "$dir/no_headers.cpp");
is($r->{status}, 1, 'no torch there: status 1');
like($r->{err}, qr/--torch names/, q(no torch there: what to do));
ok(!-e "$dir/no_headers.cpp", 'no torch there: no output');

# A wrapper with no launch at all is copied, byte for byte.
my $none = corpus_of($torch) . '/cpu/no_launch/wrapper.cpp';
SKIP: {
    skip "t/corpus holds no such wrapper of torch $torch->{version}", 2 if !-e $none;
    $r = aotigen(@torch, $none, '-o', "$dir/copied.cpp");
    is($r->{status}, 0, 'no launch: status 0');
    is(slurp("$dir/copied.cpp"), slurp($none), 'no launch: copied as it is');
}

# Input that nests without brackets: as deep as the stack goes, and then a clear end.
my ($head, $tail) = slurp($good) =~ /\A(.*auto inputs = steal_from[^\n]*\n)(.*)\z/s;
spew("$dir/ifs.cpp", $head . 'if(1)' x 1_000_000 . ";\n$tail");
spew("$dir/nots.cpp", $head . 'int z = ' . '!' x 1_000_000 . "1;\n$tail");
spew("$dir/sum.cpp", $head . 'int z = 1' . '+1' x 20_000 . ";\n$tail");
refused('a million nested ifs', 1, qr/ifs\.cpp: error: nests too deep to be parsed/,
    "$dir/ifs.cpp");
refused('a million negations', 1, qr/nots\.cpp: error: nests too deep to be parsed/,
    "$dir/nots.cpp");
is(aotigen(@torch, '-q', "$dir/sum.cpp", '-o', "$dir/sum_dbg.cpp")->{status}, 0,
    'a sum of 20,000 terms goes');

# A kernel whose text is not understood costs what its text would tell, and no more.
my $of_cuda = headers('2.11');
my $kernel = slurp(corpus_of($of_cuda) . '/cuda/layernorm/wrapper.cpp');
$kernel =~ s/tl\.store\(/'tl.store(' . '(' x 10_000 . '0' . ')' x 10_000 . ' + '/e;
spew("$dir/deep.cpp", $kernel);
$r = aotigen("--torch=$of_cuda->{dir}", "$dir/deep.cpp", '-o', "$dir/deep_dbg.cpp");
is($r->{status}, 0, 'a kernel that nests 10,000 parentheses: status 0') or diag($r->{err});
like($r->{err}, qr/^aotigen: 1 triton.* instrumented/m, 'and its launch is instrumented');

# A wrapper of another torch than the headers are of is said to be one, with what to do.
my ($foreign) = grep { !/\Q@{[corpus_of($torch)]}\E/ }
    map { root() . "/t/corpus/$_/cpu/nan_inside/wrapper.cpp" } '2.6.0', '2.15.0';
$r = aotigen(@torch, $foreign, '-o', "$dir/foreign.cpp");
my $emitted = qr/warning: the wrapper was emitted by torch 2\.(?:6|15)\b.*/;
my $headers = qr/, the headers in '\S+' are of \Q$torch->{version}\E/;
like($r->{err},
    qr/$emitted$headers: install that version of torch and name it with --torch=DIR/,
    'a wrapper of another torch: said so, with what to do');

# Through a pipe, and from a relative path.
$r = aotigen(@torch, '-q', $good, '-o', '-');
is($r->{status}, 0, 'to standard output: status 0');
is($r->{err}, '', 'quiet');
like($r->{out}, qr/AOTIGEN_BEFORE\(0, arg0_1, arg1_1, buf0, buf3\);/,
    'to standard output: the text');
done_testing;
