# libaotigen-open.so: where torch's loader opens a package it gets the debug package, by whatever
# name and function; where dlopen() loads a package's '.so' it loads the debug package's; all else
# is as without it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenZip;
use Loads;

my $library = build() . '/libaotigen-open.so';
ok(-e $library, 'the library is there') or diag('run make');
my $dir = tempdir();
my $loads = loads($dir);
spew("$dir/model.pt2", "original\n");
spew("$dir/debug.pt2", "the debug package\n");
spew("$dir/other", "another file\n");
mkdir "$dir/$_" for qw(notes sub);
symlink '../model.pt2', "$dir/sub/link.pt2";
link "$dir/model.pt2", "$dir/hard.pt2";

# The table for a file as it is now. The names of the files of a test are plain.
sub table {
    my ($debug) = @_;
    my $at = run_cmd(['stat', '-c', '%d %i %s %.9Y', "$dir/model.pt2"])->{out};
    my ($stat, $seconds, $nanoseconds) = $at =~ /^(.*) (\d+)\.(\d+)$/ or die $at;
    return "$dir/notes\n$stat $seconds " . ($nanoseconds + 0) . " $debug";
}

my $open = table("$dir/debug.pt2");

sub preloaded {
    my ($command, %how) = @_;
    run_cmd(['sh', '-c', "rm -rf $dir/notes/*; ln -s ../model.pt2 $dir/notes/p0"]);
    my $r = run_cmd($command, cwd => $how{cwd} // $dir, timeout => 60,
        env => { LD_PRELOAD => $library, AOTIGEN_OPEN => $how{table} // $open });
    $r->{notes} = join ' ', grep { /^.0$/ && !/p0/ } map { s{.*/}{}r } sort glob "$dir/notes/*";
    is($r->{err}, '', "'@$command[0 .. ($#$command > 1 ? 1 : $#$command)]' without an error")
        if !$how{fails};
    return $r;
}

for my $name ('model.pt2', './model.pt2', "$dir/model.pt2", "$dir/sub/../model.pt2",
    'sub/link.pt2', 'hard.pt2', '/proc/self/cwd/model.pt2') {
    my $r = preloaded([$loads, 'load', $name]);
    is($r->{out}, "the debug package\n", "the loader opens $name: the debug package");
    is($r->{notes}, 'o0', 'which is noted');
}
my $r = preloaded([$loads, 'load', 'other', 'debug.pt2', 'none']);
is($r->{out}, "another file\nthe debug package\nby_fopen: No such file or directory\n",
    'other files are themselves');
is($r->{notes}, '', 'and not noted');
is(preloaded(['sh', '-c', "$loads load model.pt2; ($loads load model.pt2)"])->{out},
    "the debug package\n" x 2, 'a shell and its children');
$r = preloaded([$loads, 'each', 'model.pt2']);
is($r->{out} =~ s/^\w+ //gmr, "the debug package\n" x 10, 'by each function, and errno is kept')
    or diag($r->{out});
is(preloaded([$loads, 'few', 'model.pt2'])->{out}, "the debug package\n",
    'with one free descriptor');
ok(-l "$dir/notes/o0", 'which is noted without one');

# ---- what is no loader gets the package itself
for my $case (['cat', 'model.pt2'], ['sh', '-c', 'read x <model.pt2; echo $x'],
    ['sh', '-c', 'cp model.pt2 copy; cat copy'], ['sh', '-c', 'tar cf - model.pt2 | tar xOf -'],
    ['sh', '-c', 'dd if=model.pt2 2>/dev/null'], [$loads, 'reads', 'model.pt2']) {
    $r = preloaded($case);
    is("$r->{out}$r->{notes}", "original\nr0", "'@$case': the package itself");
}
is(preloaded(['stat', '-L', '-c', '%s', 'sub/link.pt2'])->{out}, "9\n", 'stat has its own length');
SKIP: {
    skip 'no python3 here', 3 if run_cmd(['python3', '-c', '1'])->{status};
    $r = preloaded(['python3', '-c', <<'PY']);
import os, shutil, threading
shutil.copy("model.pt2", "copied.pt2")
shutil.copyfileobj(open("model.pt2", "rb"), open("again.pt2", "wb"))
with open("model.pt2", "rb") as f, open("sent.pt2", "wb") as to:
    assert os.sendfile(to.fileno(), f.fileno(), 0, 100) == 9
for name in "copied.pt2", "again.pt2", "sent.pt2", "model.pt2":
    assert open(name).read() == "original\n", name
def count():
    return len(os.listdir("/proc/self/fd"))
before = count()
fd = os.open("model.pt2", os.O_RDONLY)
assert count() == before + 1 and not os.get_inheritable(fd)
os.close(os.open("made", os.O_CREAT | os.O_WRONLY, 0o640))
assert os.stat("made").st_mode & 0o777 == 0o640
assert os.open("model.pt2", os.O_PATH) >= 0
print("good")
PY
    is($r->{out} . $r->{notes}, "good\nr0", "Python's copies, modes and descriptors");
    $r = preloaded(['python3', '-c', <<'PY', "$dir/libtorch_loads.so"]);
import ctypes, os, sys, threading
loads = ctypes.CDLL(sys.argv[1])
wanted = {b"model.pt2": b"the debug package\n", b"other": b"another file\n"}
failed = []
def read():
    for _ in range(300):
        for name, text in wanted.items():
            fd = loads.by_open(name)
            if os.read(fd, 99) != text:
                failed.append(name)
            os.close(fd)
threads = [threading.Thread(target=read) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failed
print("good")
PY
    is($r->{out}, "good\n", 'threads');
}
$r = preloaded(['sh', '-c', "mv notes away; $loads load model.pt2; mv away notes; ls notes"
        . "; $loads load model.pt2"]);
is($r->{notes}, 'o0', 'a note that could not be made is made later');

# ---- what is preloaded beside it is called
spew("$dir/count.c", <<'C');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
FILE *fopen(const char *path, const char *mode) {
  FILE *(*next)(const char *, const char *) = (void *)dlsym(RTLD_NEXT, "fopen");
  fputs("counted\n", stdout);
  return next(path, mode);
}
C
run_cmd(['cc', '-w', '-shared', '-fPIC', '-o', "$dir/count.so", "$dir/count.c", '-ldl']);
my $both = run_cmd([$loads, 'load', 'model.pt2'], cwd => $dir,
    env => { LD_PRELOAD => "$library:$dir/count.so", AOTIGEN_OPEN => $open });
is($both->{out}, "counted\ncounted\nthe debug package\n", 'is called behind it');

# ---- writing, and what has changed
$r = preloaded(['sh', '-c', "echo more >>model.pt2; $loads load model.pt2"]);
is($r->{out}, "original\nmore\n", 'a package that the program writes to is its own');
is($r->{notes}, 'c0 w0', 'both are noted');
is(slurp("$dir/debug.pt2"), "the debug package\n", 'the debug package is not written to');
$open = table("$dir/debug.pt2");
is(preloaded([$loads, 'load', 'model.pt2'])->{out}, "the debug package\n",
    'as it is now it is replaced');
$r = preloaded(['sh', '-c', 'cat <>model.pt2']);
is($r->{out} . $r->{notes}, "original\nmore\nw0", 'opened for reading and writing it is itself');
unlink "$dir/model.pt2";
spew("$dir/model.pt2", "original\nnew!\n");
is(preloaded([$loads, 'load', 'model.pt2'])->{out}, "original\nnew!\n",
    'a new file of the name is another');

# ---- a table that is none, and a debug package that is gone
$open = table("$dir/gone.pt2");
$r = preloaded([$loads, 'load', 'model.pt2']);
is($r->{out} . $r->{notes}, "original\nnew!\nm0", 'without a debug package the original is opened');
for my $odd ('', 'x', "x\n", "x\n1 2 3", "x\n1 2 3 4 5\n", "x\n\n\n", "x\n" . '9' x 60_000,
    "$dir/notes\n" . "1 2 3 4 5 /x\n" x 20) {
    is(preloaded([$loads, 'load', 'other'], table => $odd)->{out}, "another file\n",
        'a table of ' . length($odd) . ' bytes does no harm');
}

# ---- dlopen of a model's '.so'
mkdir "$dir/$_" for qw(up deep other.d);
my $name = 'm/data/aotinductor/model/x.wrapper.so';
model("$dir/deep/libbeside.so", 0);
my $so = model("$dir/up/x.wrapper.so", 1, size => 40_000);
my $debug_so = model("$dir/debug.so", 2, beside => "$dir/deep");
model("$dir/up/alike.so", 3, size => 40_000);
spew("$dir/up/x.wrapper.json", '{}');
run_cmd(['cp', "$dir/up/x.wrapper.so", "$dir/other.d/renamed"]);
symlink 'up/x.wrapper.so', "$dir/link.so";

sub packaged {
    my (%how) = @_;
    my @first = ({ name => 'm/first', data => 'x' x 70_000 },
        map { { name => "m/data/aotinductor/$_/y.so", data => $_ } } 1 .. $how{others} // 0);
    zip("$dir/model.pt2", [@first, { name => $name, data => $how{so} // $so,
        %{ $how{member} // {} } }, { name => 'm/version', data => '1' }], %{ $how{zip} // {} });
    zip("$dir/debug.pt2", [@first, { name => $name, data => $debug_so }], align => 64);
    return $open = table("$dir/debug.pt2");
}
packaged();
for my $path ("$dir/up/x.wrapper.so", 'up/x.wrapper.so', './up/../link.so', 'other.d/renamed') {
    $r = preloaded([$loads, 'dlopen', $path]);
    is("$r->{out}$r->{notes}", "2 beside\nd0", "dlopen of $path: the debug package's");
}
$r = preloaded([$loads, 'dlopen', 'up/x.wrapper.so', 'up/x.wrapper.so', 'up/alike.so', 'debug.so',
    'other.d/renamed', 'up/none.so']);
is($r->{out} =~ s/: .*//r, "2 beside\n2 beside\n3\n2 beside\n2 beside\nup/none.so\n",
    'of several each, and what is another file, and one that is not there');
my @made = sort map { s{.*/}{}r } map { glob "$_/*" } glob "$dir/notes/so0-*";
is("@made", 'alike.so renamed x.wrapper.json x.wrapper.so',
    'what stands beside it is found beside it');
is(slurp((glob "$dir/notes/so0-*/x.wrapper.json")[0]), '{}', 'by a link');
symlink 'x.wrapper.so', "$dir/up/by_link.so";
link "$dir/up/x.wrapper.so", "$dir/up/by_name.so";
is(preloaded([$loads, 'dlopen', map { "up/$_.so" } qw(x.wrapper by_link by_name x.wrapper)])->{out},
    "2 beside\n" x 4, 'by other names beside it, too');
unlink "$dir/up/by_link.so", "$dir/up/by_name.so";
is(preloaded([$loads, 'memory', 'up/x.wrapper.so'])->{out}, "2 beside\n", 'a copy without a name');
is(preloaded([$loads, 'dlmopen', 'up/x.wrapper.so'])->{out}, "2 beside\n", 'by dlmopen');
$r = preloaded([$loads, 'fewload', 'up/x.wrapper.so']);
is($r->{out} =~ s/2.*/2/r . $r->{notes}, "2\nd0", 'with one free descriptor');

# By a name without a directory, or with $ORIGIN: the file that the loader would take.
run_cmd(['cp', "$dir/up/x.wrapper.so", "$dir/named.so"]);
$r = preloaded([$loads, 'dlopen', 'named.so', '$ORIGIN/up/x.wrapper.so', '${ORIGIN}/named.so']);
is("$r->{out}$r->{notes}", "2 beside\n2 beside\n2 beside\nd0",
    'by the run path of its caller, and by $ORIGIN');
for my $case (['up', "2 beside\n"], ['other.d:up', "2 beside\n"], ["$dir/wrong:up", "3\n"],
    ["$dir/fast:up", "1\n"]) {
    my ($path, $value) = @$case;
    mkdir "$dir/$_" for qw(wrong fast fast/glibc-hwcaps);
    run_cmd(['cp', "$dir/up/alike.so", "$dir/wrong/x.wrapper.so"]);
    $r = preloaded(['sh', '-c', "LD_LIBRARY_PATH=$path exec $loads dlopen x.wrapper.so"]);
    is($r->{out}, $value, "by LD_LIBRARY_PATH=$path");
}
like(preloaded([$loads, 'dlopen', 'none.so', '$ORIGIN/none.so', '$LIB/none.so'])->{out},
    qr/\A(?:\N+: cannot open shared object file: No such file or directory\n){3}\z/,
    'of a name that is nowhere the loader says so');
my @others = ($loads, 'dlopen', 'libtorch_loads.so', 'libc.so.6');
is(preloaded(\@others)->{out}, run_cmd(\@others, cwd => $dir)->{out}, 'others are as they were');

# Of a package with several models, a file may hold one after the other.
{
    my @two = map { "m/data/aotinductor/$_/x.wrapper.so" } 'a', 'b';
    my $other_so = model("$dir/debug2.so", 5, beside => "$dir/deep");
    zip("$dir/model.pt2", [{ name => $two[0], data => $so },
        { name => $two[1], data => slurp("$dir/up/alike.so") }]);
    zip("$dir/debug.pt2", [{ name => $two[0], data => $debug_so },
        { name => $two[1], data => $other_so }], align => 64);
    $open = table("$dir/debug.pt2");
    my $copies = join ';', map { "cat up/$_.so >held.so; $loads dlopen ./held.so" }
        qw(x.wrapper alike x.wrapper);
    is(preloaded(['sh', '-c', $copies])->{out}, "2 beside\n5 beside\n2 beside\n",
        'a file that holds another model gets that one');
    packaged();
}

# A library that a library loads by name is looked for where that one says.
model("$dir/caller.so", 4, beside => "$dir/deep");
is(preloaded([$loads, 'dlopen', "$dir/caller.so"])->{out}, "4 beside\n",
    'who calls dlopen decides where a library is looked for');

for my $case (['compressed', member => { deflate => 1 }], ['of the long form', zip => {
        zip64 => {} }], ['with a comment', zip => { comment => 'x' x 1000 }],
    ['of 100 models', others => 100]) {
    my ($what, %how) = @$case;
    packaged(%how);
    $r = preloaded([$loads, 'dlopen', 'up/x.wrapper.so']);
    is($r->{out}, "2 beside\n", "a package $what");
}
packaged(so => $so =~ s/.\z/x/sr);
$r = preloaded([$loads, 'dlopen', 'up/x.wrapper.so']);
is($r->{out} . $r->{notes}, "1\n", 'one byte differs: the program loads its own');
packaged(member => { deflate => 1 }, so => $so =~ s/.\z/x/sr);
is(preloaded([$loads, 'dlopen', 'up/x.wrapper.so'])->{out}, "1\n", 'of a compressed one too');
packaged();
$r = preloaded(['sh', '-c', "touch model.pt2; $loads dlopen up/x.wrapper.so"]);
is($r->{out}, "1\n", 'a package that has changed since: the program loads its own');
packaged();
$r = preloaded(['sh', '-c', "rm debug.pt2; $loads dlopen up/x.wrapper.so"]);
is($r->{out} . $r->{notes}, "1\nf0", 'a debug package that is gone is noted');
for my $cut (1 .. 40) {
    my $whole = slurp("$dir/model.pt2");
    packaged();
    my $text = slurp("$dir/model.pt2");
    truncate "$dir/model.pt2", length($text) - $cut * 7 or die;
    $open = table("$dir/debug.pt2");
    my $plain = preloaded([$loads, 'dlopen', 'up/x.wrapper.so']);
    ok($plain->{out} =~ /\A[12]/ && !$plain->{signal}, "a package cut by @{[ $cut * 7 ]} bytes")
        or last;
}
done_testing;
