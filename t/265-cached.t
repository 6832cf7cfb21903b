# --cached, and aotigen.debug() of the wheel's module, which asks it: in aotigen run's cache, of
# what the package and the options are, and no package that is dropped while a process has it. The
# packages are made up, and not run; the module is that of the sources.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use File::Copy ();

my $cache = "$dir/cache/aotigen";
my ($python) = run_cmd(['python3', '-c', 'import sys; print(sys.executable)'])->{out} =~ /(.+)/;
my %env = (TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache", CXX => $noting,
    PYTHONPATH => root() . '/python', PYTHONDONTWRITEBYTECODE => 1);

sub cached {
    my ($words, %how) = @_;
    unlink "$dir/compiled";
    return run_cmd([build() . '/aotigen', "--torch=$torch", '--confine=off', '--cached', @$words],
        cwd => $at, env => { %env, %{ $how{env} // {} } });
}

# Runs Python with debug(), which has the options that the others here have.
sub python {
    my ($script, %how) = @_;
    unlink "$dir/compiled";
    my $all = <<"END" . ($how{before} // '') . $script;
import fcntl, os, shutil, subprocess, sys, aotigen
aotigen.program = "@{[build()]}/aotigen"
def debug(model="model.pt2", **options):
    return aotigen.debug(model, torch="$torch", confine="off", **options)
def refused(**options):
    try: print("made", debug(**options))
    except RuntimeError as e: print("refused:", e)
END
    return run_cmd([$python, '-', @{ $how{arguments} // [] }], cwd => $at, stdin => $all,
        env => { %env, %{ $how{env} // {} } });
}

sub kept { return join ' ', sort map { s{.*/}{}r } glob "$cache/*.debug.pt2" }

zip("$at/model.pt2", package_of({}));
zip("$at/later.pt2", with_member({ name => 'model/extra/x', data => 'later' }));
File::Copy::copy("$at/model.pt2", "$at/first.pt2");

# ---- the command
my $r = cached(['model.pt2']);
my ($made) = $r->{out} =~ m{\A(\Q$cache\E/\w+\.debug\.pt2)\n\z};
ok($made && -s $made, '--cached prints the path, and nothing else') or diag(@$r{qw(out err)});
like($r->{err}, qr/^aotigen: '?\Q$made\E/m, 'what was done is said beside it');
$r = cached(['-q', 'model.pt2']);
is("$r->{out}$r->{err}", "$made\n", 'it is found the second time');
ok(!-e "$dir/compiled", 'and not made again');

# ---- that of a run says what it is where it is loaded outside of the run, and is another file
zip("$at/launching.pt2", package_of({ $x_wrapper => $launching }));
($r) = cached(['-q', 'launching.pt2']);
unlike(slurp($r->{out} =~ s/\n//r), qr/ aotigen_kept_of\[\] = "/, 'that of --cached says nothing');
$r = run_cmd([build() . '/aotigen', 'run', "--torch=$torch", '--confine=off',
        '--model=launching.pt2', '--', 'true'], cwd => $at, env => \%env);
my ($of_run) = $r->{err} =~ m{^aotigen: '(\Q$cache\E/\w+\.debug\.pt2)': .* instrumented}m;
like(slurp($of_run // '/dev/null'), qr/ aotigen_kept_of\[\] = "'\Q$at\E\/launching\.pt2' on /,
    'that of a run is another, and says what it is') or diag($r->{err});
for my $case ([['--printer=2', 'model.pt2'], {}, 'an option'], [['model.pt2'],
        { AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER => 3 }, 'a variable'],
    [['--model=model', 'model.pt2'], {}, 'the name of a model']) {
    my ($words, $more, $name) = @$case;
    my ($other) = cached($words, env => $more)->{out} =~ /^(.*)\n\z/;
    ok($other && -s $other && $other ne $made, "$name: another");
}
spew("$torch/torch/version.py", "__version__ = '2.11.1'\n");
unlike(cached(['model.pt2'])->{out}, qr/^(?:\Q$made\E)?$/m, 'another torch in its place: another');
spew("$torch/torch/version.py", "__version__ = '2.11.0'\n");

spew("$at/plain.cpp", $wrapper);
for my $case ([['plain.cpp'], {}, qr/^plain\.cpp: error: is not a package: --cached wants a '/],
    [['model.pt2'], { XDG_CACHE_HOME => undef, HOME => undef },
        qr/^model\.pt2: error: has no cache/]) {
    my ($words, $more, $like) = @$case;
    $r = cached($words, env => $more);
    is("$r->{status} $r->{out}", '1 ', 'nothing is printed');
    like($r->{err}, $like, 'and said why');
}
for my $case ([['-o', 'x', 'model.pt2'], qr/'--output' does not go with '--cached', which names /],
    [['--dump=plan', 'model.pt2'], qr/'--dump' does not go with '--cached', which makes a package/],
    [['list', 'model.pt2'], qr/'--cached' does not go with the verb 'list'/]) {
    my ($words, $like) = @$case;
    $r = cached($words);
    is("$r->{status} $r->{out}", '2 ', "@$words: nothing is printed");
    like($r->{err}, $like, 'and said why');
}

# ---- the module
$r = python("a = debug()\nprint(a)\nprint(debug() == a, debug(printer=2) == a)\n");
is($r->{out}, "$made\nTrue False\n", 'aotigen.debug() finds that of the command')
    or diag($r->{err});
is($r->{err}, '', 'in silence');
$r = python(qq{print(debug(output="named.pt2", printer=3))\n});
is($r->{out}, "$at/named.pt2\n", 'output= names another place');
ok(-s "$at/named.pt2", 'which is written to');
for my $case (['', 1], ['no_cache=True', '']) {
    my ($options, $more) = @$case;
    $r = python("print(debug($options))\n", env => { XDG_CACHE_HOME => "$dir/other$more" });
    my @kept = map { s{.*/}{}r } glob "$dir/other$more/aotigen/*";
    is(scalar(grep { /debug\.pt2/ } @kept), 2, "debug($options): the debug package is kept")
        or diag(@$r{qw(out err)});
    is((grep { !/debug\.pt2/ } @kept) ? 1 : '', $more, 'and precompiled headers unless no_cache');
}

File::Copy::copy("$at/later.pt2", "$at/model.pt2");
$r = python(<<'END');
a = debug()
with open("model.pt2", "r+b") as f:
    before = os.fstat(f.fileno())
    text = f.read()
    f.seek(0)
    f.write(text.replace(b"model/extra/x", b"model/extra/y"))
os.utime("model.pt2", ns=(before.st_atime_ns, before.st_mtime_ns))
after = os.stat("model.pt2")
print(after.st_size == before.st_size and after.st_mtime_ns == before.st_mtime_ns, debug() == a)
END
is($r->{out}, "True False\n", 'a package that changed, but not in size and time, has another')
    or diag($r->{err});

$r = python(<<"END", env => { HOME => undef, XDG_CACHE_HOME => undef });
import pwd
pwd.getpwuid = lambda number: type("entry", (), {"pw_dir": "$dir/home"})
print(debug())
END
like($r->{out}, qr{^\Q$dir\E/home/\.cache/aotigen/\w+\.debug\.pt2\n\z},
    'without a variable for it, too') or diag($r->{err});

# ---- a package, and what an option names, that are replaced while they are read
my $replacing = spew("$dir/bin/replacing", "#!/bin/sh\n[ ! -e $at/new ] || mv $at/new "
    . "\"\$REPLACED\"\nexec g++ \"\$@\"\n");
chmod 0755, $replacing;
my $handle = '    // [Provenance debug handles] cpp_fused_0:1';
zip("$at/recorded.pt2",
    package_of({ $x_wrapper => $launching =~ s/^ +cpp_fused_0\(.*$/$handle\n$&/mr }));
spew("$at/kernels.json", '{"cpp_fused_0:1": {"post_grad_nodes": ["log"], '
    . '"stack_traces": ["File \"/m.py\", line 5, in f\n  x"]}}');
for my $case (['kernels.json', 'recorded.pt2', 'kernels.json', 'provenance="kernels.json"'],
    ['model.pt2', 'first.pt2', 'later.pt2', '']) {
    my ($file, $model, $new, $options) = @$case;
    File::Copy::copy("$at/$model", "$at/model.pt2");
    File::Copy::copy("$at/$new", "$at/new");
    my $before = kept();
    $r = python("refused($options)\n", env => { CXX => $replacing, REPLACED => "$at/$file" });
    like($r->{out}, qr/^(?:refused: )?\Q$file\E: error: changed while the debug package was made/m,
        "$file: replaced meanwhile, which is said") or diag($r->{err});
    is(kept(), $before, 'and nothing is kept');
}
$r = python(qq{print(b"model/extra/x" in open(debug(), "rb").read())\n},
    env => { CXX => $replacing });
is($r->{out}, "True\n", 'the next time it is made of the new package') or diag($r->{err});
File::Copy::copy("$at/first.pt2", "$at/model.pt2");

# ---- what a process has is not dropped
my $others = <<"END";
def use_others(made):
    os.utime(made, (1, 1))
    for i in range(9):
        with open(f"$cache/{i}.debug.pt2", "w") as f: f.write("of another\\n")
    subprocess.run([aotigen.program, "-q", "--torch=$torch", "--confine=off", "--cached",
        "--printer=" + sys.argv[1], "first.pt2"], stdout=subprocess.DEVNULL, check=True)
END
$r = python(<<'END', before => $others, arguments => [1]);
a = debug()
use_others(a)
print(a, os.path.exists(a))
END
is($r->{out}, "$made True\n", 'what debug() returned stays') or diag($r->{err});
$r = python(qq{use_others("$made")\nprint(os.path.exists("$made"))\n}, before => $others,
    arguments => [2]);
is($r->{out}, "False\n", 'until the process ends') or diag($r->{err});
$r = python(<<'END');
a = debug()
shutil.rmtree(os.path.dirname(a))
print(debug() == a and os.path.exists(a))
try: fcntl.flock(os.open(a + ".sum", os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError: print("held")
END
is($r->{out}, "True\nheld\n", 'of an emptied cache it is made again, and held') or diag($r->{err});

# One process has a debug package, whose file was changed since, and the next one's package is
# replaced while it is made anew: the first one's file stays.
$r = python(<<"END", env => { CXX => $replacing, REPLACED => "$at/model.pt2" });
a = debug()
with open(a, "ab") as f: f.write(b"x")
size = os.path.getsize(a)
shutil.copyfile("later.pt2", "new")
refused()
print(os.path.exists(a) and os.path.getsize(a) == size, [n for n in os.listdir("$cache") if a in n])
END
like($r->{out}, qr/^refused: .* changed while .*\nTrue \[\]\n\z/s,
    'a held package stays though a later one of its name cannot be kept') or diag($r->{err});
File::Copy::copy("$at/first.pt2", "$at/model.pt2");

# What a process that was killed left behind goes after a day.
my @left = map { "$cache/0000000000000001.debug.pt2.$_" } 17, 18;
spew($_, 'x') for @left;
utime time - 90000, time - 90000, $left[0];
cached(['model.pt2', '-p1']);
is(join(' ', map { -e $_ ? 1 : 0 } @left), '0 1', 'what was left behind a day ago is removed');

# Another process drops it between the program's end and the lock.
my $dropping = spew("$dir/bin/dropping", "#!/bin/sh\nmade=\$(" . build() . "/aotigen \"\$@\") || "
    . "exit\necho \"\$made\"\n! mv drop dropped || rm \"\$made.sum\" \"\$made\"\n"
    . "[ ! -e always ] || mv dropped drop\n");
chmod 0755, $dropping;
my $script = qq{aotigen.program = "$dropping"\nrefused()\nprint(os.path.exists("$made"))\n};
spew("$at/drop", '');
is(python($script)->{out}, "made $made\nTrue\n", 'one that is dropped meanwhile is made again');
spew("$at/$_", '') for qw(drop always);
like(python($script)->{out}, qr/^refused: '\Q$made\E' is removed from the cache as soon as .*\nFal/,
    'and once more is an error');

# ---- a cache that keeps nothing
spew("$dir/fail.c", <<'END');
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>
ssize_t write(int fd, const void *at, size_t n) {
  if (strcmp(getenv("FAIL"), "write") || n != 17) return syscall(SYS_write, fd, at, n);
  errno = ENOSPC; /* a checksum and its newline */
  return -1;
}
int flock(int fd, int how) {
  (void)fd, (void)how;
  errno = ENOLCK;
  return strcmp(getenv("FAIL"), "flock") ? 0 : -1;
}
int statvfs(const char *path, struct statvfs *s) {
  (void)path;
  memset(s, 0, sizeof *s);
  return strcmp(getenv("FAIL"), "statvfs") ? -1 : 0;
}
END
$r = run_cmd(['gcc', '-D_GNU_SOURCE', '-shared', '-fPIC', '-o', "$dir/fail.so", "$dir/fail.c"]);
is($r->{status}, 0, 'a disk that is full, or not locked') or diag($r->{err});
my %fail = (LD_PRELOAD => "$dir/fail.so",
    ASAN_OPTIONS => "$ENV{ASAN_OPTIONS}:verify_asan_link_order=0");
my $package = qr{\Q$cache\E/\w+\.debug\.pt2};
for my $case (['statvfs', qr/it may take 1[67]\.\d MB, and 0 bytes are free there/, {}],
    ['write', qr/No space left on device/, {}],
    ['flock', qr/it cannot be locked: No locks available/, {}],
    ['', qr{'/dev/null/aotigen': Not a directory}, { XDG_CACHE_HOME => '/dev/null' }]) {
    my ($fail, $why, $more) = @$case;
    my $at_package = $fail ? $package : qr{/dev/null/aotigen/\w+\.debug\.pt2};
    my %env_of = (%fail, FAIL => $fail, %$more);
    $r = cached(['first.pt2', '-p3'], env => \%env_of);
    is("$r->{status} $r->{out}", '1 ', "--cached prints nothing: $fail");
    like($r->{err}, qr/^$at_package: error: cannot be kept in the cache: $why; name the result/m,
        'and says why, and what to do');
    $r = run_cmd([build() . '/aotigen', 'run', "--torch=$torch", '--confine=off', '-p3',
            '--model=first.pt2', '--', 'sh', '-c', 'echo "$AOTIGEN_OPEN"'], cwd => $at,
        env => { %env, %env_of });
    like($r->{err}, qr/^$at_package: warning: could not be kept in the cache: $why; the next run /m,
        'of a run it is a warning');
    like($r->{out}, qr{ \Q$tmp\E/\S+/0\.debug\.pt2$}m,
        'and the debug package in a private directory');
}
done_testing;
