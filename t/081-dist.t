# make dist: the archive works where it is unpacked. To make it takes a download:
# AOTIGEN_REQUIRE=dist does, else one that is there is used.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my ($version) = slurp("$root/shared/version.h") =~ /AOTIGEN_VERSION "(.*)"/;
my $name = "aotigen-$version-linux-x86_64";
my $archive = "$root/build/$name.tar.xz";
if (grep { $_ eq 'dist' } split /,/, $ENV{AOTIGEN_REQUIRE} // '') {
    delete local @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS AOTIGEN_BUILD)};
    my $made = run_cmd(['make', '-C', $root, 'dist'], timeout => 900);
    is($made->{status}, 0, 'make dist') or diag($made->{out}, $made->{err});
}
skip_or_fail('dist', "there is no build/$name.tar.xz: run make dist, or set AOTIGEN_REQUIRE=dist")
    if !-e $archive;
my $sources = (sort { $b <=> $a } map { (stat)[9] } grep { -f } glob "$root/gen/*/* "
    . "$root/shared/* $root/shared/*/* $root/runtime/*/* $root/kernels/* $root/templates/* "
    . "$root/man/*")[0];
skip_or_fail('dist', "build/$name.tar.xz is older than the sources: run make dist, or set "
    . "AOTIGEN_REQUIRE=dist") if (stat $archive)[9] < $sources;
cmp_ok(-s $archive, '<', 60 << 20, 'the archive is below 60 MiB');

my $dir = tempdir();
my $place = "$dir/some place";
mkdir $place or die;
is(run_cmd(['tar', '-C', $place, '-xf', $archive])->{status}, 0, 'it unpacks');
is(join(' ', map { s{.*/}{}r } glob "'$place'/*"), $name, 'into one folder');
my $home = "$place/$name";

# Without an environment: HOME too.
sub bare {
    my (@words) = @_;
    return run_cmd(['env', '-i', 'PATH=/usr/bin:/bin', @words], cwd => $dir, timeout => 300);
}

like(bare("$home/bin/aotigen", '--version')->{out},
    qr/^aotigen \Q$version\E\ncompilers of packages /, 'the program runs');
symlink "$home/bin/aotigen", "$dir/link" or die;
like(bare("$dir/link", '--version')->{out}, qr/^aotigen \Q$version\E$/m, 'through a link too');

# ---- what is in it
my (@missing, @empty, @strange);
for my $file ("$home/bin/aotigen", glob "'$home'/lib/aotigen/*.so*") {
    my $short = $file =~ s{.*/}{}r;
    my $ldd = run_cmd(['ldd', $file], env => { LD_LIBRARY_PATH => "$home/lib/aotigen" });
    push @missing, "$short: $1" while $ldd->{out} =~ /^\s*(\S+) => not found/mg;
    my $dynamic = run_cmd(['readelf', '-d', $file])->{out};
    push @empty, "$short: $1" while $dynamic =~ /R(?:UN)?PATH.*\[((?:.*:)?(?::.*)?|[^\$].*)\]/g;
}
is("@missing", '', 'no library is missing');
is("@empty", '', 'none is looked for in the current directory, nor where it was built');
my $libraries = run_cmd(['ldd', "$home/bin/aotigen"])->{out};
while ($libraries =~ /^\s*(\S+) => (.*) \(0x/mg) {
    push @strange, $2 if $1 !~ /^lib(?:c|m|dl|rt|pthread)\.so/ && index($2, "$home/") != 0;
}
is("@strange", '', 'all but glibc is its own');
my @unused = grep { index($libraries, "/$_ (") < 0 }
    map { s{.*/}{}r } glob "'$home'/lib/aotigen/*.so*";
is("@unused", '', 'and it uses all of these');
ok(-s "$home/$_", "$_ is there") for qw(lib/aotigen/libaotigen.a
    lib/aotigen/clang/include/stddef.h include/aotigen/aotigen.h src/aotigen/runtime/launch/run.c
    src/aotigen/kernels/stats.cu share/man/man1/aotigen.1 share/doc/aotigen/licences/libclang.txt
    lib/pkgconfig/aotigen.pc);
ok(!-l "$home/lib/aotigen/clang/include", "clang's headers are in it");
my $compiled = run_cmd(['sh', '-c', 'cd "$0" && cc -std=c11 -D_GNU_SOURCE= -O1 -fPIC -I. -Iruntime '
    . '-Ikernels -fsyntax-only runtime/*/*.c shared/*.c', "$home/src/aotigen"]);
is($compiled->{status}, 0, "the runtime's sources are whole") or diag($compiled->{err});

# ---- a wrapper, where there is a torch
SKIP: {
    my $torch = torch();
    skip('no torch was set up', 4) if !$torch;
    my $sample = corpus_of($torch) . '/cpu/nan_inside';
    my $listed = bare("$home/bin/aotigen", 'list', "--torch=$torch->{dir}", "$sample/wrapper.cpp");
    like($listed->{out}, qr/cpp_fused_log_sub_sum_0/, 'list') or diag($listed->{err});
    my $rewritten =
        bare("$home/bin/aotigen", "--torch=$torch->{dir}", "$sample/wrapper.cpp", '-o', 'dbg.cpp');
    is($rewritten->{status}, 0, 'a wrapper is rewritten') or diag($rewritten->{err});
    aotigen("--torch=$torch->{dir}", "$sample/wrapper.cpp", '-o', "$dir/own.cpp");
    is(slurp("$dir/dbg.cpp"), slurp("$dir/own.cpp"), 'as by the program built here');
    my $so = bare("$home/bin/aotigen", 'build', "--torch=$torch->{dir}", 'dbg.cpp',
        "$sample/kernel.cpp", '-o', 'dbg.so');
    is($so->{status}, 0, 'and built') or diag($so->{err});
}
done_testing;
