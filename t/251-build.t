# aotigen build: what it refuses, and which words it passes to the compiler (a script that writes
# them down).
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my $torch = "$dir/site-packages";
File::Path::make_path("$torch/torch/include/torch/csrc/inductor",
    "$torch/torch/include/torch/csrc/api/include", "$dir/tmp", "$dir/empty", "$dir/bin");
spew("$torch/torch/version.py", "__version__ = '2.11.0'\n");

# A compiler that notes its words and makes the file behind -o.
my $fake = spew("$dir/bin/fakexx", <<"END");
#!/bin/sh
[ "\$1" = --version ] && exit 0
printf '%s\\n' ---- "\$@" >>$dir/words
for word; do [ "\$last" = -o ] && echo made >"\$word"; last=\$word; done
[ -z "\$(ls $dir/tmp | grep -v '^aotigen-')" ]
END
chmod 0755, $fake;

my $constant = "    constants_info_[0].data_size = 64;\n"
    . "    constants_info_[0].from_folded = false;\n";
my $plain = "int x;\nvoid AOTInductorModel::run_impl() {}\n";
my $model = sub { "AOTInductorModel::AOTInductorModel(int x)\n"
    . "    : AOTInductorModelBase(1, true) {\n$_[0]}\n" };
my $end = "// Compile cmd\n"
    . "// g++ a.cpp -D  USE_X -O1 -fPIC -std=c++17 -fnew-flag -I/gone -c -o a.o\n// Link cmd\n"
    . "// g++ a.o b.o -O3 -shared -fPIC -o a.so -ltorch -L/gone\n";

sub build_with {
    my ($words, %env) = @_;
    unlink "$dir/words";
    return run_cmd([build() . '/aotigen', 'build', "--torch=$torch", @$words], cwd => $dir,
        env => { TMPDIR => "$dir/tmp", CXX => $fake, %env });
}

sub left { return join ' ', map { s{.*/}{}r } glob("$dir/tmp/* $dir/tmp/.a* $dir/.aotigen*") }

sub refused {
    my ($name, $r, $status, $says) = @_;
    is($r->{status}, $status, "$name: status $status") or diag($r->{err});
    like($r->{err}, $says, "$name: the message says so");
    ok(!-e "$dir/m.so", "$name: no output");
    is(left(), '', "$name: nothing is left");
    return;
}

# ---- refusals
spew("$dir/m.cpp", $plain . $model->('') . $end);
spew("$dir/weights.cpp", $plain . $model->($constant) . $end);
spew("$dir/declares.cpp", $plain . "extern \"C\" void cpp_fused_0(float*);\n$end");
spew("$dir/text.cpp", "int main() {}\n");
spew("$dir/nothing.cpp", '');
spew("$dir/nul.cpp", "$plain\0");
spew("$dir/debug.cpp", "#include \"aotigen.h\"\n$plain$end");
spew("$dir/package.pt2", 'PK');
mkdir "$dir/folder.cpp";
my $by = 'rewritten and built by';
for my $case (
    ['missing input', ['gone.cpp', '-o', 'm.so'], 1,
        qr/(?m)^gone\.cpp: error: cannot be read: No such file/],
    ['a directory', ['folder.cpp', '-o', 'm.so'], 1, qr/(?m)^folder\.cpp: error: holds no model/],
    ['an empty file', ['nothing.cpp', '-o', 'm.so'], 1, qr/(?m)^nothing\.cpp: error: .*empty/],
    ['a binary file', ['nul.cpp', '-o', 'm.so'], 1, qr/(?m)^nul\.cpp: error: .*binary/],
    ['no wrapper', ['text.cpp', '-o', 'm.so'], 1,
        qr/(?m)^text\.cpp: error: is not a wrapper that AOTInductor emitted/],
    ['a package', ['package.pt2', '-o', 'm.so'], 2,
        qr/'build' takes a wrapper: a package is $by 'aotigen package\.pt2 -o OUTPUT'/],
    ['output in no directory', ['m.cpp', '-o', 'no/m.so'], 1,
        qr{(?m)^no/m\.so: error: cannot be written}],
    ['output is a directory', ['m.cpp', '-o', 'empty'], 1, qr/(?m)^empty: error: .*directory/],
    ['output onto the input', ['m.cpp', '-o', './m.cpp'], 1,
        qr{(?m)^\./m\.cpp: error: the output is the input}],
    ['output onto the weights', ['m.cpp', '-o', 'text.cpp', '--weights=text.cpp'], 1,
        qr/(?m)^text\.cpp: error: the output is the input/],
    ['no output', ['m.cpp'], 2, qr/error: no output/],
    ['lines for what is rewritten', ['m.cpp', '-o', 'm.so', '--exported=ep.pt2'], 2,
        qr/m\.cpp: error: is a wrapper, which is rewritten before 'build': give '--exported' to /],
    ['an option of another verb', ['m.cpp', '-o', 'm.so', '--json'], 2,
        qr/'--json' does not go with the verb 'build'/],
    ['an operand of no kind', ['m.cpp', 'notes.txt', '-o', 'm.so'], 2, qr/'notes\.txt'/],
    ['a missing object', ['m.cpp', 'gone.o', '-o', 'm.so'], 1,
        qr/(?m)^gone\.o: error: cannot be read/],
    ['a missing kernel file', ['m.cpp', 'gone.cpp', '-o', 'm.so'], 1,
        qr/(?m)^gone\.cpp: error: cannot be read/],
    ['kernels that are nowhere', ['declares.cpp', '-o', 'm.so'], 1,
        qr/(?m)^declares\.cpp: error: declares kernels that it does not define/],
    ['weights that were not named', ['weights.cpp', '-o', 'm.so'], 1,
        qr/(?m)^weights\.cpp: error: has 64 bytes of weights.*--weights=FILE/],
    ['weights that are missing', ['weights.cpp', '-o', 'm.so', '--weights=gone.so'], 1,
        qr/(?m)^gone\.so: error: the weights cannot be taken from it: No such file/],
    ['weights that are none', ['weights.cpp', '-o', 'm.so', '--weights=text.cpp'], 1,
        qr/(?m)^text\.cpp: error: the weights cannot be taken from it: it is not a 64-bit ELF/],
    ['weights of a program', ['weights.cpp', '-o', 'm.so', '--weights=/proc/self/exe'], 1,
        qr/error: the weights cannot be taken from it: it does not define/],
    ['an unknown level', ['m.cpp', '-o', 'm.so', '-p', '9'], 2,
        qr/value '9' of option '--printer'/],
    ) {
    my ($name, $words, $status, $says) = @$case;
    refused($name, build_with($words), $status, $says);
}
refused('no such torch',
    run_cmd([build() . '/aotigen', 'build', 'm.cpp', '-o', 'm.so', '--torch=empty'], cwd => $dir),
    1, qr/(?m)^empty: error: holds no torch/);
refused('a compiler with arguments', build_with(['m.cpp', '-o', 'm.so'], CXX => 'ccache g++'), 2,
    qr/'ccache g\+\+' of the environment variable 'CXX'/);
refused('a compiler that is not there',
    build_with(['m.cpp', '-o', 'm.so'], CXX => 'no-such-compiler'), 1,
    qr/error: the compiler 'no-such-compiler', which \$CXX names, does not run/);
refused('no compiler', build_with(['m.cpp', '-o', 'm.so'], CXX => undef, PATH => "$dir/empty"), 1,
    qr/error: no C\+\+ compiler: neither 'g\+\+' nor 'clang\+\+'/);
refused('no place for temporary files', build_with(['m.cpp', '-o', 'm.so'], TMPDIR => "$dir/gone"),
    1, qr/(?m)^\Q$dir\E\/gone: error: cannot make a temporary directory/);

# A compiler that fails, and one that dies.
spew("$dir/bin/failing",
    "#!/bin/sh\n[ \"\$1\" = --version ] && exit 0\n"
    . "printf 'm.cpp:1:1: error: planted \\033[2J\\n' >&2\nexit 1\n");
spew("$dir/bin/dying", "#!/bin/sh\n[ \"\$1\" = --version ] && exit 0\nkill -9 \$\$\n");
spew("$dir/bin/silent", "#!/bin/sh\n[ \"\$1\" = --version ] && exit 0\nexit 4\n");
chmod 0755, map { "$dir/bin/$_" } qw(failing dying silent);
my $r = build_with(['m.cpp', '-o', 'm.so'], CXX => "$dir/bin/failing");
my $says = qr/'\Q$dir\E\/bin\/failing' says \(exit status 1\):\n/;
refused('a file that does not compile', $r, 1,
    qr/(?m)^m\.cpp: error: cannot be compiled: $says(?:.*\n)*m\.cpp:1:1: error: planted \\x1b/);
refused('a compiler that dies', build_with(['m.cpp', '-o', 'm.so'], CXX => "$dir/bin/dying"), 1,
    qr/error: cannot be compiled: .*died of signal 9/);
my $silent = qr/'\Q$dir\E\/bin\/silent' failed \(exit status 4\) and said nothing\n/;
refused('a compiler that says nothing',
    build_with(['m.cpp', '-o', 'm.so'], CXX => "$dir/bin/silent"), 1,
    qr/(?m)^m\.cpp: error: cannot be compiled: $silent/);

# What it would say may have no room: the disk is full.
SKIP: {
    mkdir "$dir/small";
    my @mounted = ('unshare', '-rm', 'sh', '-c',
        'mount -t tmpfs -o size=64k none "$0" && exec "$@"', "$dir/small");
    skip 'no file system can be mounted here', 4 if run_cmd([@mounted, 'true'])->{status};
    my $full = run_cmd([@mounted, build() . '/aotigen', 'build', "--torch=$torch",
        qw(m.cpp -o m.so)], cwd => $dir, env => { TMPDIR => "$dir/small",
            CXX => "$dir/bin/silent" });
    is($full->{status}, 1, 'a full disk: status 1');
    like($full->{err}, $silent, 'the compiler said nothing');
    my ($note) = $full->{err} =~ /^m\.cpp: note: (.*)$/m;
    my $where = qr{temporary directory '\Q$dir\E/small/aotigen-[^']+'};
    like($note, qr/^the file system of the $where is full/, 'where the disk is full');
    like($note, qr/: \d+ KiB are left; TMPDIR=DIR chooses another directory$/, 'and what to do');
}

# ---- what the compiler is given
$r = build_with(['m.cpp', '-o', 'm.so']);
is($r->{status}, 0, 'a wrapper without weights is built') or diag($r->{err});
is(slurp("$dir/m.so"), "made\n", 'the result is there');
is(left(), '', 'and nothing else');
my @calls = map { [split /\n/] } grep { length } split /^----\n/m, slurp("$dir/words");
is(scalar @calls, 2, 'one compilation, one link');
my %compile = map { $_ => 1 } @{ $calls[0] };
ok($compile{$_}, "compiles with $_")
    for qw(-DUSE_X -O1 -fPIC -std=c++17 -c m.cpp), "-I$torch/torch/include";
ok(!$compile{$_}, "not with $_") for qw(-I/gone -fnew-flag a.cpp a.o);
my %link = map { $_ => 1 } @{ $calls[1] };
ok($link{$_}, "links with $_")
    for qw(-shared -ltorch -O3), "-L$torch/torch/lib", "-Wl,-rpath,$torch/torch/lib";
ok(!$link{$_}, "not with $_") for qw(-L/gone a.o b.o a.so);
like($r->{err}, qr/(?m)^m\.cpp:\d+:\d+: warning: unknown flag '-fnew-flag'/m,
    'an unknown flag is said');
unlink "$dir/m.so";

# Kernels beside the wrapper, levels, custom ops, names that look like flags.
spew("$dir/-m.cpp", "#include \"aotigen.h\"\n$plain" . "extern \"C\" void cpp_fused_0(float*);\n"
    . "aoti_torch_proxy_executor_call_function(x);\n" . $end);
spew("$dir/-m.kernel.cpp",
    "void cpp_fused_0(float*) {}\n// Compile cmd\n// g++ k.cpp -O3 -DKERNEL -c\n");
spew("$dir/-m.json", '{"ops": []}');
$r = build_with(['-o', 'm.so', '-p', '2', '--check-inputs=off', '-k', 'a "b",!c\\', '-q',
    '--', '-m.cpp']);
is($r->{status}, 0, 'a wrapper with a kernel is built') or diag($r->{err});
is($r->{err}, '', 'quietly');
@calls = map { [split /\n/] } grep { length } split /^----\n/m, slurp("$dir/words");
is(scalar @calls, 3, 'two compilations, one link');
my ($wrapper) = grep { $_->[-1] eq './-m.cpp' } @calls;
my ($kernel) = grep { $_->[-1] =~ /-m\.kernel\.cpp$/ } @calls;
ok($wrapper && $kernel, 'wrapper and kernel are compiled');
%compile = map { $_ => 1 } @{ $wrapper // [] };
ok($compile{$_}, "the wrapper with $_")
    for '-DAOTIGEN_PRINTER=2', '-DAOTIGEN_CHECK_INPUTS=0', '-DAOTIGEN_KERNELS="a \"b\",!c\\\\"';
ok(!grep({ /^-DAOTIGEN_(?:NAN|SYNC)/ } keys %compile),
    'levels that were not given stay as the wrapper has them');
ok(scalar(grep { /libaotigen\.a$/ } @{ $calls[-1] }), 'the runtime is linked');
%compile = map { $_ => 1 } @{ $kernel // [] };
ok($compile{'-DKERNEL'} && $compile{'-O3'} && !$compile{'-DUSE_X'},
    'the kernel by its own command');
ok(!grep({ /AOTIGEN/ } keys %compile), 'and without levels');
is(slurp("$dir/m.json"), '{"ops": []}', "the custom ops' names stand beside the result");
unlink "$dir/m.so";

# A cache file that is gone: the text is compiled with torch's own, under its own name.
my $gone = "$dir/2r/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h";
spew("$torch/torch/include/torch/csrc/inductor/cpp_prefix.h", '');
spew("$dir/old.cpp", "#include \"$gone\"\n$plain$end");
spew("$dir/bin/keeping",
    "#!/bin/sh\nfor word; do case \$word in *.cpp) cp \"\$word\" $dir/seen;; esac; done\n"
    . "exec $fake \"\$@\"\n");
chmod 0755, "$dir/bin/keeping";
$r = build_with(['old.cpp', '-o', 'm.so'], CXX => "$dir/bin/keeping");
is($r->{status}, 0, 'a wrapper of 2.7 is built') or diag($r->{err});
my $prefix = "$torch/torch/include/torch/csrc/inductor/cpp_prefix.h";
like(slurp("$dir/seen"), qr/\A#line 1 "old\.cpp"\n#include "\Q$prefix\E"\nint x;\n/,
    'with the header that is here');
done_testing;
