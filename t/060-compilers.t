# The whole tree builds with gcc and with clang, with warnings as errors. The build that the tests
# use is one of the two.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my $llvm = $ENV{LLVM} // '/usr/lib/llvm-19';
# Each compiler leaves its name in its objects.
my $used = slurp(build() . '/runtime/base/json.o') =~ /clang version/ ? 'clang' : 'gcc';
for my $c (['gcc', 'gcc'], ['clang', "$llvm/bin/clang"]) {
    my ($name, $cc) = @$c;
    if ($used eq $name && $root . '/build' eq build()) {
        ok(-x build() . '/aotigen' && -e build() . '/libaotigen.a',
            "$name has built what is tested");
        next;
    }
    delete local @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS AOTIGEN_BUILD)};
    my $r = run_cmd(['make', '-C', $root, "B=build/cc-$name", 'K=build/kernels', "CC=$cc",
        'CFLAGS=-O0', 'all'], timeout => 600);
    is($r->{status}, 0, "builds with $name") or diag(substr $r->{err}, -3000);
    ok(-x "$root/build/cc-$name/aotigen" && -e "$root/build/cc-$name/libaotigen.a",
        'and leaves the program and the library');
}
done_testing;
