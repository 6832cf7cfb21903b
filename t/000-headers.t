# Every header compiles alone with gcc and with clang. The public header of the runtime also
# compiles as C++, with aotigen on and off.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my $dir = tempdir();
my $llvm = $ENV{LLVM} // '/usr/lib/llvm-19';
my @compilers = ([gcc => 'gcc', 'g++']);
push @compilers, -x "$llvm/bin/clang" ? [clang => "$llvm/bin/clang", "$llvm/bin/clang++"] : ();
cmp_ok(scalar @compilers, '==', 2, 'gcc and clang are here');

my @warn = qw(-fsyntax-only -Wall -Wextra -Wshadow -Werror);
my @where = (map({ "-I$root/$_" } '', qw(gen runtime kernels t)), '-isystem', "$llvm/include",
    '-D_GNU_SOURCE=');

for my $header (map { glob "$root/$_" }
    qw(shared/*.h shared/*/*.h gen/*/*.h runtime/*/*.h t/*.h t/5xx/*.h)) {
    (my $name = $header) =~ s/^\Q$root\E\///;
    # Those in C++ are included by aotigen.h alone, tested below; fake_batch.h is a part of
    # fake_cuda.c; numbered ones are a test's data.
    next if $name =~ m{^shared/wrapper/aotigen_(?:macros|torch)\.h$}
        || $name eq 't/5xx/fake_batch.h'
        || $name =~ m{^t/\d};
    my $source =
        spew("$dir/alone.c", "#include \"$header\"\n#include \"$header\"\nint alone_dummy;\n");
    for my $c (@compilers) {
        my $r = run_cmd([$c->[1], '-std=c11', @warn, @where, $source]);
        is($r->{status}, 0, "$name alone, C11, $c->[0]") or diag($r->{err});
    }
}

my $source = spew("$dir/alone.cc",
    "#include \"$root/shared/wrapper/aotigen.h\"\n#include \"$root/shared/wrapper/aotigen.h\"\n");
for my $c (@compilers) {
    for my $std (17, 20) {
        for my $on ([], ['-DAOTIGEN_ON']) {
            my $r = run_cmd([$c->[2], "-std=c++$std", @warn, @$on, $source]);
            is($r->{status}, 0, "aotigen.h alone, C++$std @$on, $c->[0]") or diag($r->{err});
        }
    }
}
done_testing;
