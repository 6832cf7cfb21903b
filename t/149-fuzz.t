# A short run of each fuzz target, of at most 4000 inputs of each length for a reader. Inputs that
# once failed are among the seeds. It is clang that builds them, with warnings as errors, as gcc
# builds what the other tests use.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $llvm = $ENV{LLVM} // '/usr/lib/llvm-19';
skip_or_fail('fuzz', 'no libFuzzer here: libclang-rt-19-dev has it')
    if !glob "$llvm/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a";
skip_or_fail('fuzz', 'it has sanitizers of its own') if build() =~ m{/san$};
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS AOTIGEN_BUILD)};
my $r = run_cmd(['make', '--no-print-directory', 'fuzz-build', 'FUZZ_O=-O0'],
    cwd => root(), timeout => 1800);
is($r->{status}, 0, 'the targets are built') or diag($r->{out} . $r->{err});
$r = run_cmd(['t/fuzz/run.pl', '--runs=4000', 30], cwd => root(), timeout => 600);
is($r->{status}, 0, 'and find nothing') or diag($r->{out});
my @read = $r->{out} =~ /^([\w-]+) +(\d+) /mg;
cmp_ok(@read / 2, '>=', 28, 'in each reader');
note($r->{out});
done_testing;
