# make wheel: what the wheel holds, that its tag is true, and that pip installs it beside torch. To
# make it takes a download: AOTIGEN_REQUIRE=wheel does, else one that is there is used.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $root = root();
my ($version) = slurp("$root/shared/version.h") =~ /AOTIGEN_VERSION "(.*)"/;
if (grep { $_ eq 'wheel' } split /,/, $ENV{AOTIGEN_REQUIRE} // '') {
    delete local @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS AOTIGEN_BUILD)};
    my $made = run_cmd(['make', '-C', $root, 'wheel'], timeout => 900);
    is($made->{status}, 0, 'make wheel') or diag($made->{out}, $made->{err});
}
my ($wheel) = glob "$root/build/aotigen-$version-*.whl";
skip_or_fail('wheel', 'there is no wheel in build/: run make wheel, or set AOTIGEN_REQUIRE=wheel')
    if !$wheel;
my $sources = (sort { $b <=> $a } map { (stat)[9] } grep { -f } glob "$root/gen/*/* "
    . "$root/shared/* $root/shared/*/* $root/runtime/*/* $root/kernels/* $root/templates/* "
    . "$root/man/* $root/python/*/*")[0];
skip_or_fail('wheel', 'the wheel in build/ is older than the sources: run make wheel, or set '
    . 'AOTIGEN_REQUIRE=wheel') if (stat $wheel)[9] < $sources;

# ---- what is in it
my $dir = tempdir();
my $r = run_cmd(['python3', '-', $wheel, "$dir/all"], stdin => <<'PY');
import base64, csv, hashlib, io, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
info = [n for n in z.namelist() if n.endswith(".dist-info/RECORD")][0]
rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(z.read(info).decode()))}
assert sorted(rows) == sorted(z.namelist()), set(rows) ^ set(z.namelist())
for name, (digest, size) in rows.items():
    if name == info: continue
    data = z.read(name)
    mine = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    assert (digest, size) == ("sha256=" + mine, str(len(data))), name
z.extractall(sys.argv[2])
print("whole")
PY
is($r->{out}, "whole\n", 'RECORD names each file with its checksum') or diag($r->{err});
my $home = "$dir/all/aotigen";
my $info = "$dir/all/aotigen-$version.dist-info";
ok(-s "$home/$_", "$_ is there") for qw(__init__.py __main__.py bin/aotigen lib/aotigen/libaotigen.a
    lib/aotigen/clang/include/stddef.h include/aotigen/aotigen.h src/aotigen/runtime/launch/run.c);
ok(-s "$dir/all/aotigen-$version.data/data/share/man/man1/aotigen.1", 'and the manual');
ok(-s "$info/licenses/libclang.txt", "and the libraries' licences");
like(slurp("$info/METADATA"), qr/^Name: aotigen\nVersion: \Q$version\E\n/m, 'METADATA');
like(slurp("$home/__init__.py"), qr/^__version__ = "\Q$version\E"$/m, "the module's version");

# ---- the tag: no binary asks for a newer glibc, and one asks for this
my ($tag) = $wheel =~ /-(py3-none-manylinux_2_\d+_x86_64)\.whl$/;
ok($tag, 'the name has a tag') or diag($wheel);
like(slurp("$info/WHEEL"), qr/^Tag: \Q$tag\E$/m, 'which WHEEL repeats');
my $most = 0;
for my $file ("$home/bin/aotigen", glob "$home/lib/aotigen/*.so*") {
    my $needs = run_cmd(['readelf', '-VW', $file])->{out};
    while ($needs =~ /Name: GLIBC_2\.(\d+)/g) { $most = $1 if $1 > $most }
}
is($tag, "py3-none-manylinux_2_${most}_x86_64", 'the tag is that of the oldest glibc it runs on');
my @strange;
my $libraries = run_cmd(['ldd', "$home/bin/aotigen"])->{out};
while ($libraries =~ /^\s*(\S+) => (\S.*?)(?: \(0x.*)?$/mg) {
    push @strange, "$1 => $2" if $1 !~ /^lib(?:c|m|dl|rt|pthread)\.so/ && index($2, $home) != 0;
}
is("@strange", '', 'all libraries but glibc are its own');

# ---- installed beside torch
my $torch = torch();
SKIP: {
    skip('no torch was set up', 12) if !$torch;
    my ($base) = run_cmd([$torch->{python}, '-c', 'import sys; print(sys.base_prefix, sys.version_i'
        . 'nfo.minor)'])->{out} =~ /^(.*)$/m;
    my ($prefix, $minor) = split ' ', $base;
    my $venv = "$dir/venv";
    my $made = run_cmd(["$prefix/bin/python3.$minor", '-m', 'venv', $venv], timeout => 300);
    skip("this Python makes no virtual environment: $made->{err}", 12) if $made->{status};
    my $site = "$venv/lib/python3.$minor/site-packages";
    spew("$site/torch.pth", $torch->{dir} =~ s{/[^/]+$}{}r . "\n");
    $r = run_cmd(["$venv/bin/python", '-m', 'pip', 'install', '--no-index', '--no-deps', '-q',
        $wheel], timeout => 300);
    is($r->{status}, 0, 'pip installs it') or diag($r->{err});
    $r = run_cmd(["$venv/bin/python", '-m', 'pip', 'check']);
    unlike($r->{out}, qr/^aotigen/m, 'and finds nothing wrong with it');

    my @bare = ('env', '-i', 'PATH=/usr/bin:/bin');
    like(run_cmd([@bare, "$venv/bin/aotigen", '--version'])->{out}, qr/^aotigen \Q$version\E$/m,
        'the command runs');
    like(run_cmd([@bare, "$venv/bin/python", '-m', 'aotigen', '--version'])->{out},
        qr/^aotigen \Q$version\E$/m, 'as a module of Python too');
    my $s = sample('mlp_dyn');
    $r = run_cmd([@bare, "$venv/bin/aotigen", 'list', '--here', '--json', "$s->{dir}/model.pt2"]);
    like($r->{out}, qr/"what":"torch",.*in '\Q$torch->{dir}\E'/, 'and finds the torch beside it');
    $r = run_cmd([@bare, "$venv/bin/aotigen", 'list', "--torch=$dir", "$s->{dir}/model.pt2"]);
    like($r->{err}, qr/holds no torch/, 'unless the user names one');

    my $env = { XDG_CACHE_HOME => "$dir/cache", TORCHINDUCTOR_VEC_ISA_OK => 1, PATH =>
        '/usr/bin:/bin' };
    $r = run_cmd(["$venv/bin/python", '-W', 'ignore', '-', $s->{dir}], env => $env,
        timeout => 600, stdin => <<'PY');
import os, sys, torch, aotigen
plain = sys.argv[1] + "/model.pt2"
debug = aotigen.debug(plain, nan_asserts="all", check_inputs=None)
made = os.stat(debug).st_ino
assert aotigen.debug(plain, nan_asserts="all") == debug and os.stat(debug).st_ino == made
print("at", debug)
load = torch._inductor.aoti_load_package
one, two = load(plain), load(debug)
for args in torch.load(sys.argv[1] + "/inputs.pt"):
    for a, b in zip(one(*args), two(*args)):
        assert torch.equal(a.contiguous().view(torch.uint8), b.contiguous().view(torch.uint8))
print("same")
for wrong in ({"printer": 7}, {"nonsense": 1}):
    try: aotigen.debug(plain, **wrong)
    except RuntimeError as e: print("refused:", str(e).splitlines()[0])
os.environ["XDG_CACHE_HOME"] = "/dev/null"
try: aotigen.debug(plain)
except RuntimeError as e: print("refused:", e)
PY
    like($r->{out}, qr{^at \Q$dir\E/cache/aotigen/\w+\.debug\.pt2$}m,
        'aotigen.debug() makes a debug package, once') or diag($r->{err});
    like($r->{out}, qr/^same$/m, 'which computes the same, bit for bit');
    like($r->{out}, qr{^refused: /dev/null/\S+: error: cannot be kept .*; name the result with }m,
        'and without a place for it says so');
    like($r->{out}, qr/^refused: .*'7' of option '--printer' must be 0, 1, 2 or 3\nrefused: .*unk/m,
        'and says why where it cannot');
    ok(-e "$venv/share/man/man1/aotigen.1", 'the manual is where the environment has its own');
}
done_testing;
