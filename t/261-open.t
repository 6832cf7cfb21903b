# libaotigen-open.so: what opens a package for reading gets the debug package, by whatever name and
# function; all else is as without it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $library = build() . '/libaotigen-open.so';
ok(-e $library, 'the library is there') or diag('run make');
my $dir = tempdir();
spew("$dir/model.pt2", "original\n");
spew("$dir/debug.pt2", "the debug package\n");
spew("$dir/other", "another file\n");
mkdir "$dir/$_" for qw(notes sub);
symlink '../model.pt2', "$dir/sub/link.pt2";
link "$dir/model.pt2", "$dir/hard.pt2";

my $python = run_cmd(['python3', '-c', 'print(1)'])->{out} eq "1\n" ? 'python3' : undef;
skip_or_fail('python3', 'no python3 here') if !$python;

# The table for a file as it is now.
sub table {
    my ($debug) = @_;
    my $r = run_cmd([$python, '-c', <<'PY', "$dir/model.pt2"]);
import os, sys
s = os.stat(sys.argv[1])
print(s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns // 10**9, s.st_mtime_ns % 10**9)
PY
    chomp(my $stat = $r->{out});
    return "$dir/notes\n$stat $debug";
}

my $open = table("$dir/debug.pt2");

sub preloaded {
    my ($command, %how) = @_;
    unlink glob "$dir/notes/*";
    my $r = run_cmd($command, cwd => $how{cwd} // $dir, timeout => 60,
        env => { LD_PRELOAD => $library, AOTIGEN_OPEN => $how{table} // $open });
    $r->{notes} = join ' ', map { s{.*/}{}r } sort glob "$dir/notes/*";
    is($r->{err}, '', "'@$command[0 .. ($#$command > 1 ? 1 : $#$command)]' without an error")
        if !$how{fails};
    return $r;
}

for my $name ('model.pt2', './model.pt2', "$dir/model.pt2", "$dir/sub/../model.pt2",
    'sub/link.pt2', 'hard.pt2', '/proc/self/cwd/model.pt2') {
    my $r = preloaded(['cat', $name]);
    is($r->{out}, "the debug package\n", "cat $name: the debug package");
    is($r->{notes}, 'o0', 'which is noted');
}
my $r = preloaded(['cat', 'other', 'debug.pt2']);
is($r->{out}, "another file\nthe debug package\n", 'other files are themselves');
is($r->{notes}, '', 'and not noted');
is(preloaded(['sh', '-c', 'read x <model.pt2; echo $x; (cat model.pt2)'])->{out},
    "the debug package\nthe debug package\n", 'a shell and its children');
is(preloaded(['stat', '-c', '%s', 'model.pt2'])->{out}, "18\n", 'stat has its length');
is(preloaded(['stat', '-L', '-c', '%s', 'sub/link.pt2'])->{out}, "18\n", 'through a link too');
is(preloaded(['stat', '-c', '%N', 'sub/link.pt2'])->{out}, "'sub/link.pt2' -> '../model.pt2'\n",
    'the link itself is as it was');

$r = preloaded([$python, '-c', <<'PY']);
import ctypes, errno, mmap, os, threading
c = ctypes.CDLL(None, use_errno=True)
with open("model.pt2", "rb") as f:
    assert f.read() == b"the debug package\n"
    assert os.fstat(f.fileno()).st_size == os.stat("model.pt2").st_size == 18
    assert os.path.samestat(os.fstat(f.fileno()), os.stat("model.pt2"))
def count():
    return len(os.listdir("/proc/self/fd"))
before = count()
fd = os.open("model.pt2", os.O_RDONLY)
assert count() == before + 1 and not os.get_inheritable(fd)
os.close(fd)
at = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
fd = os.open("model.pt2", os.O_RDONLY, dir_fd=at)
assert os.pread(fd, 3, 0) == b"the"
c.fopen.restype = ctypes.c_void_p
c.fread.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
c.freopen.restype = ctypes.c_void_p
c.freopen.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p]
for name in "fopen", "fopen64":
    f = getattr(c, name)
    f.restype = ctypes.c_void_p
    text = ctypes.create_string_buffer(100)
    stream = f(b"model.pt2", b"rbe")
    assert c.fread(text, 1, 99, stream) == 18, name
    assert c.freopen(b"other", b"r", stream)
    assert c.fread(text, 1, 99, stream) == 13, name
    assert c.freopen(b"model.pt2", b"r", stream)
    assert c.fread(text, 1, 99, stream) == 18, name
c.fileno.argtypes = [ctypes.c_void_p]
assert os.pread(c.fileno(c.fopen(b"model.pt2", b"r,ccs=latin1")), 3, 0) == b"the"
for name in "open", "open64", "__open_2", "__open64_2":
    assert os.pread(getattr(c, name)(b"model.pt2", 0), 3, 0) == b"the", name
for name in "openat", "openat64", "__openat_2", "__openat64_2":
    assert os.pread(getattr(c, name)(at, b"model.pt2", 0), 3, 0) == b"the", name
ctypes.set_errno(77)
assert c.open(b"model.pt2", 0) >= 0 and c.open(b"other", 0) >= 0 and ctypes.get_errno() == 77
assert c.open(b"none", 0) == -1 and ctypes.get_errno() == errno.ENOENT
assert not c.fopen(b"none", b"r") and ctypes.get_errno() == errno.ENOENT
os.close(os.open("made", os.O_CREAT | os.O_WRONLY, 0o640))
assert os.stat("made").st_mode & 0o777 == 0o640
assert os.open("model.pt2", os.O_PATH) >= 0

def read():
    for _ in range(300):
        for name, text in ("model.pt2", "the debug package\n"), ("other", "another file\n"):
            with open(name) as f:
                assert f.read() == text
failed = []
threading.excepthook = lambda x: failed.append(x)
threads = [threading.Thread(target=read) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failed
print("good")
PY
is($r->{out}, "good\n", 'each function, errno, modes, descriptors and threads');

# If a note cannot be made, the next opening makes it.
$r = preloaded([$python, '-c', <<'PY']);
import os
os.rename("notes", "away")
open("model.pt2").close()
os.rename("away", "notes")
open("model.pt2").close()
PY
is($r->{notes}, 'o0', 'a note that could not be made is made later');

# What is preloaded beside it is called.
if (-x '/usr/bin/cc') {
    spew("$dir/count.c", <<'C');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int open(const char *path, int flags, int mode) {
  int (*next)(const char *, int, int) = (int (*)(const char *, int, int))dlsym(RTLD_NEXT, "open");
  fputs("counted\n", stdout);
  return next(path, flags, mode);
}
C
    is(run_cmd(['cc', '-w', '-shared', '-fPIC', '-o', "$dir/count.so", "$dir/count.c", '-ldl'])
            ->{status}, 0, 'another library');
    spew("$dir/opens.c", <<'C');
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  char text[100];
  int n = (int)read(open("model.pt2", O_RDONLY), text, sizeof text);
  return write(1, text, (size_t)n) != n;
}
C
    run_cmd(['cc', '-w', '-o', "$dir/opens", "$dir/opens.c"]);
    my $both = run_cmd(["$dir/opens"], cwd => $dir,
        env => { LD_PRELOAD => "$library:$dir/count.so", AOTIGEN_OPEN => $open });
    is(join(' ', sort split /\n/, $both->{out}), 'counted the debug package',
        'is called behind it');
}

# Writing, and what has changed.
$r = preloaded(['sh', '-c', 'echo more >>model.pt2; cat model.pt2']);
is($r->{out}, "original\nmore\n", 'a package that the program writes to is its own');
is($r->{notes}, 'c0 w0', 'both are noted');
is(slurp("$dir/debug.pt2"), "the debug package\n", 'the debug package is not written to');
$open = table("$dir/debug.pt2");
is(preloaded(['cat', 'model.pt2'])->{out}, "the debug package\n", 'as it is now it is replaced');
$r = preloaded([$python, '-c', 'print(open("model.pt2", "r+").read(), end="")']);
is($r->{out} . $r->{notes}, "original\nmore\nw0", 'opened for reading and writing it is itself');
unlink "$dir/model.pt2";
spew("$dir/model.pt2", "original\nnew!\n");
is(preloaded(['cat', 'model.pt2'])->{out}, "original\nnew!\n", 'a new file of the name is another');

# A table that is none, and a debug package that is gone.
$open = table("$dir/gone.pt2");
$r = preloaded(['cat', 'model.pt2']);
is($r->{out} . $r->{notes}, "original\nnew!\nm0", 'without a debug package the original is opened');
for my $odd ('', 'x', "x\n", "x\n1 2 3", "x\n1 2 3 4 5\n", "x\n\n\n", "x\n" . '9' x 60_000,
    "$dir/notes\n" . "1 2 3 4 5 /x\n" x 20) {
    is(preloaded(['cat', 'other'], table => $odd)->{out}, "another file\n",
        'a table of ' . length($odd) . ' bytes does no harm');
}
done_testing;
