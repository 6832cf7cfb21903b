# aotigen watch: what stands in the package that it makes, and what it refuses. The models' '.so'
# are made up, and so is the library that stands in their place; t/466 has those of torch.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenZip;
use Digest::MD5 'md5_hex';

my $dir = tempdir();
my $in = 'p/data/aotinductor/';
File::Path::make_path("$dir/bin", "$dir/lib/aotigen", "$dir/tmp");
link build() . '/aotigen', "$dir/bin/aotigen" or die "cannot link the program: $!\n";
my $installed = "$dir/lib/aotigen/libaotigen-watch.so";

sub compiled {
    my ($name, $source, @words) = @_;
    my $r = run_cmd(['gcc', '-fPIC', '-o', "$dir/$name", spew("$dir/$name.c", $source), @words]);
    die "gcc does not make $name:\n$r->{err}" if $r->{status};
    return slurp("$dir/$name");
}

sub functions {
    return join '', map { my ($name, $value) = /^(\w+)=(\d+)$/ ? ($1, $2) : ($_, 1);
        "int AOTInductor$name(void) { return $value; }\n" } @_;
}

my @entries = qw(ModelContainerRun=7 ModelContainerGetNumInputs=3 ModelContainerSwapConstantBuffer);
my $so = compiled('model.so', functions(@entries) . 'int other(void) { return 1; }', '-shared');
my $ran = "$dir/tmp/ran";
my $hostile = compiled('hostile.so', functions(@entries) . <<"END", '-shared');
#include <fcntl.h>
__attribute__((constructor)) static void ran(void) { open("$ran", O_CREAT, 0600); }
END
compiled('stub.so', '', '-shared', '-Wl,-soname,$ORIGIN/torch_model.original');
compiled('library.so', <<'END', '-shared', '-Wl,--no-as-needed', "$dir/stub.so", '-ldl');
#define _GNU_SOURCE
#include <dlfcn.h>
int AOTInductorModelContainerRun(void) {
  int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "AOTInductorModelContainerRun");
  return 100 + next();
}
int AOTInductorModelContainerSwapConstantBuffer(void) { return 5; }
int AOTInductorModelContainerNewEntry(void) { return 9; }
END
my $library = spew($installed, slurp("$dir/library.so"));

my %member = (
    "${in}model/x.wrapper.so" => $so,
    "${in}model/x.wrapper.cpp" => "// of the model\n",
    "${in}model/x.cubin" => "\0\1\2" x 1000,
    "${in}model/x.blob" => 'w' x 100_000,
    'p/data/weights/model_0' => "\xff" x 4096,
    'p/extra/notes.txt' => "a note\n",
    'p/byteorder' => 'little',
);

sub members {
    my (%change) = @_;
    my %all = (%member, %change);
    return [map { { name => $_, data => $all{$_} } } grep { defined $all{$_} } sort keys %all];
}

sub watch {
    my ($members, @words) = @_;
    zip("$dir/model.pt2", $members, align => 64) if $members;
    return run_cmd(["$dir/bin/aotigen", 'watch', 'model.pt2', '-o', 'out.pt2', @words],
        cwd => $dir, env => { TMPDIR => "$dir/tmp" });
}

# name => bytes of the members of out.pt2, unpacked by Python, which torch's readers agree with.
sub unpacked {
    my $to = "$dir/unpacked";
    File::Path::remove_tree($to);
    my $r = run_cmd(['python3', '-c', <<'PY', "$dir/out.pt2", $to]);
import struct, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
raw = open(sys.argv[1], "rb")
for info in z.infolist():
    assert info.compress_type == zipfile.ZIP_STORED, info
    raw.seek(info.header_offset)
    assert (info.header_offset + 30 + sum(struct.unpack("<HH", raw.read(30)[26:]))) % 64 == 0, info
z.extractall(sys.argv[2])
print("\n".join(z.namelist()))
PY
    is($r->{status}, 0, 'the package is whole, stored and aligned') or diag($r->{err});
    return { map { $_ => slurp("$to/$_") } split /\n/, $r->{out} };
}

# The values of an entry by dlsym(), as torch's loader asks for it; '-' for one that is not there.
sub asked {
    my ($path, @names) = @_;
    my $r = run_cmd(['python3', '-c', <<'PY', $path, @names]);
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
def value(name):
    try: return str(getattr(lib, "AOTInductorModelContainer" + name)())
    except AttributeError: return "-"
print(" ".join(map(value, sys.argv[2:])))
PY
    return $r->{out} =~ s/\s+$//r || $r->{err};
}

subtest 'what is made' => sub {
    my $r = watch(members());
    is($r->{status}, 0, 'done') or diag($r->{err});
    my $made = qr/'out\.pt2': 1 model watched, [\d.]+ (?:kB|bytes) of torch's '\.so' kept/;
    like($r->{err}, qr/\Aaotigen: $made as it is, [\d.]+ s\n\z/, 'one line says what was done');
    my $all = unpacked();
    my %expected = %member;
    my $was = delete $expected{"${in}model/x.wrapper.so"};
    for my $name (sort keys %expected) {
        is(md5_hex($all->{$name} // ''), md5_hex($expected{$name}), "$name is what it was");
    }
    is(md5_hex($all->{"${in}model/torch_model.original"}), md5_hex($was), 'the .so, too');
    is(scalar keys %$all, keys(%member) + 2, 'and no more than three others');
    is(length $all->{"${in}model/x.wrapper.so"}, length slurp($library), 'ours stands there');
    my $note = $all->{"${in}model/aotigen_watch.json"};
    my ($version) = aotigen('--version')->{out} =~ /^aotigen (\S+)/;
    my $size = length $so;
    like($note, qr/\A\{"aotigen":"\Q$version\E","format":1,"model":"model",
        "package":"\Q$dir\E\/model\.pt2","so":"x\.wrapper\.so","so_bytes":$size,
        "so_hash":"[0-9a-f]{16}",
        "program":"\Q$dir\E\/bin\/aotigen"\}\n\z/x, 'with a note of what it is');
    is(asked("$dir/unpacked/${in}model/x.wrapper.so", qw(Run GetNumInputs SwapConstantBuffer
        NewEntry Other)), '107 3 5 - -', "entries are those of the model's own, ours where it has "
        . 'one');
    is(asked($library =~ s/lib\/aotigen/unpacked\/${in}model/r =~ s/[^\/]*$/torch_model.original/r,
        qw(Run NewEntry)), '7 -', 'which is loaded as it was');
    is(join(' ', glob "$dir/tmp/*"), '', 'no file is left');
    my $bytes = slurp("$dir/out.pt2");
    is(watch(undef, '-q')->{err}, '', '-q: nothing is said');
    is(md5_hex(slurp("$dir/out.pt2")), md5_hex($bytes), 'the same input gives the same bytes');
};

subtest 'several models' => sub {
    my %two = map { ("${in}$_/$_.so" => $so) } qw(decoder a/encoder);
    $two{"${in}decoder/x.so"} = delete $two{"${in}decoder/decoder.so"};
    $two{"${in}a/encoder/x.so"} = delete $two{"${in}a/encoder/a/encoder.so"};
    my %none = map { $_ => undef } grep { /model\/x/ } keys %member;
    my $r = watch(members(%none, %two));
    like($r->{err}, qr/: 2 models watched, .* kept as they are, /, 'both are watched');
    my $all = unpacked();
    for my $name ('decoder', 'a/encoder') {
        is(md5_hex($all->{"$in$name/torch_model.original"}), md5_hex($so), "$name: kept");
        like($all->{"$in$name/aotigen_watch.json"}, qr/"model":"\Q$name\E"/, 'and named');
        is(asked("$dir/unpacked/$in$name/x.so", qw(Run)), '107', 'and in front');
    }
    is(watch(undef, '--model=decoder')->{status}, 0, '--model takes one');
    $all = unpacked();
    is(md5_hex($all->{"${in}a/encoder/x.so"}), md5_hex($so), 'and leaves the other');
    ok(exists $all->{"${in}decoder/aotigen_watch.json"}, 'which is watched');
    like(watch(undef, '--model=x')->{err}, qr/holds no model 'x': it holds a\/encoder, decoder/,
        'none of that name');
    my $sources = watch(members(%none, %two, "${in}b/x.cpp" => "// b\n"));
    like($sources->{err}, qr{^model\.pt2/${in}b/x\.cpp: error: has no '\.so' beside it: }m,
        'one of sources is refused');
    is(watch(undef, '--model=decoder')->{status}, 0, 'or left out');
};

my $newer = compiled('newer.so', functions(@entries, qw(ModelContainerUpdateWeightsLater
    ModelContainerGetConstantDtype ModelUpdateConstantsMap ModelContainerSwapConstantBuffer2)),
    '-shared');
my $r = watch(members("${in}model/x.wrapper.so" => $newer));
is($r->{status}, 0, 'entries that are not known: watched');
my ($named, $so_on) =
    $r->{err} =~ /^model\.pt2: warning: updates of weights by (.*) are not noticed: (.*)$/m;
is(join(' ', sort split /, AOTInductorModelContainer/, ", $named"),
    ' SwapConstantBuffer2 UpdateWeightsLater', 'those that change weights are named, and alone');
is($so_on, "capsules will call them 'as loaded'", 'with what follows');

my $name = "${in}model/x.wrapper.so";

subtest 'a .so that is refused' => sub {
    my $object = compiled('object.o', functions(@entries), '-c');
    my $program = compiled('program', 'int main(void) { return 0; }');
    my $other = compiled('other.so', 'int f(void) { return 1; }', '-shared');
    my $needs = compiled('needs.so', functions(@entries), '-shared', '-Wl,--no-as-needed',
        "$dir/stub.so");
    my $debug = compiled('debug.so', functions(@entries)
        . '__asm__(".section .note.aotigen,\"a\"\n.long 0\n.text");', '-shared');
    my $arm = $so;
    substr($arm, 18, 2) = pack 'v', 40;
    for my $case (
        ['an object file', $object, qr/is no shared object: the linker did not finish it/],
        ['a text', "a text\n", qr/is no shared object of a model .*: it is not a 64-bit ELF file/],
        ['nothing', '', qr/it is not a 64-bit ELF file/],
        ['another processor', $arm, qr/it was made for another processor/],
        ['a cut one', substr($so, 0, -100), qr/it is cut off: its ELF header describes \d+ bytes/],
        ['another library', $other, qr/does not export 'AOTInductorModelContainerRun'/],
        ['a debug model', $debug, qr/belongs to a debug package of aotigen, .*: give the package/],
        ['a watched one', $needs, qr/is watched already: give the package that it was made from/],
        ) {
        my ($what, $bytes, $says) = @$case;
        my $refused = watch(members($name => $bytes));
        is($refused->{status}, 1, "$what: refused");
        like($refused->{err}, qr/\Amodel\.pt2\/\Q$name\E: error: .*\n\z/, 'with its name');
        like($refused->{err}, $says, 'and why');
        ok(!-e "$dir/out.pt2.tmp" && !glob("$dir/.a*"), 'nothing is left');
        unlink "$dir/out.pt2";
    }
};

subtest 'a package that is refused' => sub {
    for my $added (qw(torch_model.original aotigen_watch.json)) {
        my $refused = watch(members("${in}model/$added" => 'x'));
        is($refused->{err}, "model.pt2/${in}model/$added: error: is of a watch package: give the "
            . "package that it was made from\n", "$added is there");
        is($refused->{status}, 1, 'refused');
    }
    my $refused = watch(members($name => undef));
    like($refused->{err}, qr{/x\.wrapper\.cpp: error: has no '\.so' beside it}, 'sources');
    like(watch(members("${in}model/y.so" => $so))->{err}, qr/is a second '\.so' beside/, 'two');
    zip("$dir/empty.pt2", [{ name => 'p/byteorder', data => 'little' }]);
    spew("$dir/plain.so", $so);
    spew("$dir/w.cpp", "int x;\n");
    for my $case (
        ['empty.pt2', qr/holds no model of AOTInductor/],
        ['plain.so', qr/is no package: 'watch' takes a '\.pt2' whose models have their '\.so'/],
        ['w.cpp', qr/is no package/], ['unpacked', qr/is no package/],
        ['gone.pt2', qr/cannot be read: No such file or directory/],
        ) {
        my ($file, $says) = @$case;
        my $no = run_cmd(["$dir/bin/aotigen", 'watch', $file, '-o', 'no.pt2'], cwd => $dir);
        is($no->{status}, 1, "$file: refused");
        like($no->{err}, qr/\A\Q$file\E: error: $says/, 'and why');
    }
    ok(!-e "$dir/no.pt2", 'no output');
    watch(members());
    my $same = run_cmd(["$dir/bin/aotigen", 'watch', 'out.pt2', '-o', './out.pt2'], cwd => $dir);
    like($same->{err}, qr/the output is the input/, 'onto itself');
    my $again = run_cmd(["$dir/bin/aotigen", 'watch', 'out.pt2', '-o', 'no.pt2'], cwd => $dir);
    like($again->{err}, qr/is of a watch package/, 'a watch package');
    my $out = run_cmd(["$dir/bin/aotigen", 'watch', 'model.pt2', '-o', '-'], cwd => $dir);
    is("$out->{status} $out->{err}", "2 aotigen: error: the output of a package must be a file\n",
        'standard output');
};

# What the symbols of a hostile '.so' claim. Nothing of it is run, and nothing takes much memory.
subtest 'a hostile .so' => sub {
    my ($offset, $count) = (unpack('Q<', substr $so, 40, 8), unpack('v', substr $so, 60, 2));
    my @sections = map { $offset + 64 * $_ } 0 .. $count - 1;
    my ($dynsym) = grep { unpack('V', substr $so, $_ + 4, 4) == 11 } @sections;
    my ($dynstr) = $sections[unpack 'V', substr $so, $dynsym + 40, 4];
    my $put = sub {
        my ($at, $bytes, $in_so) = @_;
        my $changed = $in_so // $so;
        substr($changed, $at, length $bytes) = $bytes;
        return $changed;
    };
    my $huge = pack 'Q<', 1 << 62;
    for my $case (
        ['symbols beyond the file', $put->($dynsym + 24, $huge)],
        ['more symbols than the file has', $put->($dynsym + 32, $huge)],
        ['symbols of no size', $put->($dynsym + 56, pack 'Q<', 0)],
        ['symbols of another size', $put->($dynsym + 56, pack 'Q<', 7)],
        ['names beyond the file', $put->($dynstr + 24, $huge)],
        ['names of no length', $put->($dynstr + 32, pack 'Q<', 0)],
        ['names in no section', $put->($dynsym + 40, pack 'V', 60000)],
        ['no symbols at all', $put->($dynsym + 4, pack 'V', 0)],
        ['sections beyond the file', $put->(40, $huge)],
        ['more sections than the file has', $put->(60, pack 'v', 65535)],
        ['a number of sections elsewhere', $put->($offset + 32, $huge, $put->(60, pack 'v', 0))],
        ['no sections', $put->(40, pack 'Q<', 0, $put->(60, pack 'v', 0))],
        ) {
        my ($what, $bytes) = @$case;
        my $hostile_run = watch(members($name => $bytes));
        is($hostile_run->{status}, 1, "$what: refused") or diag($hostile_run->{err});
        like($hostile_run->{err}, qr/\Amodel\.pt2\/\Q$name\E: error: .*\n\z/, 'in one line');
        unlink "$dir/out.pt2";
    }
    my $many = compiled('many.so', functions('ModelContainerRun',
        map { "ModelContainerUpdate$_" } 1 .. 3000), '-shared');
    my $r = watch(members($name => $many));
    is($r->{status}, 0, 'very many entries: watched');
    cmp_ok(length $r->{err}, '<', 2000, 'and told in a few') or diag(length $r->{err});
    is(watch(members($name => $hostile))->{status}, 0, 'one that runs when it is loaded: watched');
    ok(!-e $ran, 'and not run');
    is(watch(undef, '--confine=off')->{status}, 0, '--confine=off');
    is(watch(undef, '--confine=require')->{status}, aotigen('--version')->{out} =~ /Landlock \d/
        ? 0 : 1, '--confine=require, as this kernel can');
};

# Weights are appended to a '.so', or stand beside it.
subtest 'memory does not grow with the size' => sub {
    my %kb;
    for my $size (1, 64) {
        my $weights = "\x5a" x ($size << 20);
        zip("$dir/large.pt2",
            members($name => $so . $weights, 'p/data/weights/model_0' => $weights));
        my $r = run_cmd(['python3', '-c', <<'PY', "$dir/bin/aotigen", "$dir/large.pt2", "$dir/l"]);
import resource, subprocess, sys
subprocess.run([sys.argv[1], "-q", "watch", sys.argv[2], "-o", sys.argv[3]], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
        is($r->{status}, 0, "2 x $size MiB") or diag($r->{err});
        ($kb{$size}) = $r->{out} =~ /^(\d+)$/m;
    }
    cmp_ok($kb{64} - $kb{1}, '<', 8192, 'within 8 MiB') or diag("$kb{1} and $kb{64} kB");
SKIP: {
        skip 'a sanitizer takes memory', 1 if build() =~ m{/san$};
        cmp_ok($kb{64}, '<', 32 << 10, 'and is below 32 MiB') or diag("$kb{64} kB");
    }
};

subtest 'an installation that is not complete' => sub {
    spew($installed, 'no library');
    like(watch(members())->{err}, qr{^\S+/libaotigen-watch\.so: error: is not aotigen's library},
        'the library is another file');
    unlink $installed;
    like(watch(members())->{err}, qr/^aotigen: error: 'libaotigen-watch\.so', which watches /,
        'there is none');
};
done_testing;
