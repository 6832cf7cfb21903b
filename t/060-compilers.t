# The whole builds with gcc and with clang, warnings as errors.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my $llvm = $ENV{LLVM} // '/usr/lib/llvm-19';
for my $c (['gcc', 'gcc'], ['clang', "$llvm/bin/clang"]) {
    my ($name, $cc) = @$c;
    delete local @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS AOTIGEN_BUILD)};
    my $r = run_cmd(['make', '-C', $root, "B=build/cc-$name", "CC=$cc", 'all'], timeout => 600);
    is($r->{status}, 0, "builds with $name") or diag(substr $r->{err}, -3000);
    ok(-x "$root/build/cc-$name/aotigen" && -e "$root/build/cc-$name/libaotigen.a",
        'and leaves the program and the library');
}
done_testing;
