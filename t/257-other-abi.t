# A wrapper that another version of aotigen rewrote is refused in one line that says what to do: by
# aotigen build, and by a compiler that is called by hand. t/311-load.c has the library.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my $dir = tempdir();
my $torch = headers('2.11.0')->{dir};
my ($abi) = slurp("$root/shared/wrapper/aotigen_tables.h") =~ /^#define AOTIGEN_ABI (\d+)$/m;
my $r = run_cmd([build() . '/aotigen', '-p3', "--torch=$torch", '-o', "$dir/this.cpp",
    "$root/t/corpus/2.11.0/cpu/attn/wrapper.cpp"]);
is($r->{status}, 0, 'a wrapper is rewritten') or diag($r->{err});
my $text = slurp("$dir/this.cpp");
ok($text =~ /^#define AOTIGEN_MADE_FOR $abi\n#include "aotigen\.h"\n/m, 'and names its ABI');

sub build_of {
    my ($text) = @_;
    spew("$dir/m.cpp", $text);
    return run_cmd([build() . '/aotigen', 'build', "--torch=$torch", 'm.cpp', '-o', 'm.so'],
        cwd => $dir, env => { CXX => 'no-such-compiler' });
}

my $other = $abi + 1;
for my $case (
    [$other, $text =~ s/(?<=AOTIGEN_MADE_FOR )\d+/$other/r],
    ['17 or less', $text =~ s/^#define AOTIGEN_MADE_FOR.*\n//mr]) {
    my ($made, $changed) = @$case;
    $r = build_of($changed);
    is($r->{status}, 1, "ABI $made is refused");
    is($r->{err}, "m.cpp: error: the wrapper was made for ABI $made of libaotigen.a and would be "
        . "linked with ABI $abi: make it again with this aotigen\n", 'in one line');
}
like(build_of($text)->{err}, qr/the compiler 'no-such-compiler'/, 'this ABI comes to the compiler');

# ---- by hand: the tables of the wrapper and a marker, without torch

my ($head) = $text =~ /\A(.*?)^#line 1 /ms;
$head .= "void run_impl() { AOTIGEN_AFTER(0); }\n";

sub errors_of {
    my ($compiler, $text) = @_;
    spew("$dir/m.cpp", $text);
    my $r = run_cmd([$compiler, '-std=c++17', '-fsyntax-only', '-I', "$root/shared/wrapper",
        "$dir/m.cpp"]);
    return [$r->{err} =~ /\berror: (.*)/g];
}

for my $compiler (grep { run_cmd([$_, '--version'])->{status} == 0 } 'g++', 'clang++',
    ($ENV{LLVM} // '/usr/lib/llvm-19') . '/bin/clang++') {
    my $errors = errors_of($compiler, $head =~ s/AOTIGEN_AFTER\(0\);//r);
    is("@$errors", '', "$compiler: this ABI compiles");
    $errors = errors_of($compiler, $head =~ s/(?<=AOTIGEN_MADE_FOR )\d+/$other/r);
    is(scalar @$errors, 1, "$compiler: another is one error");
    my $says = "the wrapper was made for ABI $other of libaotigen.a and compiled with ABI $abi: "
        . 'make it again with this aotigen';
    like($errors->[0], qr/\Q$says\E"?$/, 'which says what, and what to do');
}
done_testing;
