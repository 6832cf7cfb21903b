# What a wrapper asks of the parser, without any check of its text before: the parser runs in a
# process of its own, which is confined and limited. Its death is the input's fault.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

# A sanitizer's own reports would follow the parser's death.
plan(skip_all => 'how a parser dies does not depend on a sanitizer') if build() =~ m{/san$};

my @quick = ('--limits=parser=2,cpu=5,clock=30,file=16', 'model.pt2', '-o', 'out.pt2');
my %confined = (confine => 1, env => { CXX => 'g++' }, words => \@quick);
my %cage = (%confined, unchecked => 1, compiles => 2);
my $dead = qr/the parser gave up on it|nests too deep|takes the parser too long/;

zip("$at/model.pt2", $sound);
my $r = generate(['model.pt2', '-o', 'out.pt2'], %confined);
is($r->{status}, 0, 'a sound package is taken') or diag($r->{err});
my $kernel_confines = $r->{err} !~ /not run confined/;
$r = generate(['list', 'model.pt2'], %confined);
is($r->{status}, 0, 'and listed') or diag($r->{err});
like($r->{out}, qr/4096 bytes/, 'with its weights');

# A kernel without Landlock, as far as aotigen can tell: the call is refused.
my $landlock = 444;
my $without = <<'END';
my ($call, @command) = @ARGV;
my @filter = ([0x20, 0, 0, 0], [0x15, 0, 1, $call], [0x06, 0, 0, 0x50000 | 38],
    [0x06, 0, 0, 0x7fff0000]);
my $filter = join '', map { pack 'SCCL', @$_ } @filter;
my $program = pack 'S x6 P', scalar @filter, $filter;
syscall(157, 38, 1, 0, 0, 0) == 0 && syscall(157, 22, 2, $program) == 0 or exit 99;
exec { $command[0] } @command;
END
SKIP: {
    skip 'the filter is written for x86-64', 8 if (POSIX::uname())[4] ne 'x86_64';
    my %old = (%confined, under => [$^X, '-e', $without, $landlock]);
    $r = generate(['model.pt2', '-o', 'old.pt2'], %old);
    is($r->{status}, 0, 'without Landlock: taken') or diag($r->{err});
    my @said = $r->{err} =~ /^(aotigen: warning: .*)$/mg;
    is(scalar @said, 1, 'with one warning') or diag($r->{err});
    like($said[0] // '', qr/parser and compiler do not run confined: this kernel has no Landlock/,
        'that says so');
    $r = generate(['--confine=off', 'model.pt2', '-o', 'old.pt2'], %old);
    unlike($r->{err}, qr/confined/, 'but not where it is not asked for');
    for my $words (['model.pt2', '-o', 'old.pt2'], ['--dump=model', 'model.pt2'],
        ['list', 'model.pt2']) {
        my @words = $words->[0] eq 'list' ? (@$words, '--confine=require')
            : ('--confine=require', @$words);
        $r = generate(\@words, %old);
        ok($r->{status} == 1 && $r->{err} =~ /^aotigen: error: --confine=require: this kernel has/m,
            "required, and refused: @$words") or diag($r->{err});
    }
    $r = run_cmd([$^X, '-e', $without, $landlock, build() . '/aotigen', '--version']);
    like($r->{out}, qr/do not run confined: this kernel has no Landlock/, '--version says so');
}
unlink glob "$at/*";
File::Path::remove_tree("$dir/cache");

# ---- files

spew("$dir/outside/secret.txt", "SECRET123\n");
symlink "$dir/outside/secret.txt", "$dir/link";
POSIX::mkfifo("$dir/outside/pipe", 0600);
# Standard input is /dev/null, which may be read.
my @files = ('/etc/passwd', '/etc/hostname', "$dir/outside/secret.txt", "$dir/link",
    "$dir/outside/pipe", "$dir/at/model.pt2", '/proc/self/environ', '/proc/self/maps',
    '/proc/self/root/etc/passwd', '/proc/thread-self/root/etc/passwd', '/proc/self/fd/3',
    '/proc/1/environ', '/dev/zero', '/dev/full', '/dev/random',
    '/sys/kernel/notes', '/root/.bashrc', '/tmp/../etc/passwd', '../outside/secret.txt',
    'leads_out.h');
if ($kernel_confines) {
    for my $file (@files) {
        refused_package("a file by #include: $file", qr/does not parse/,
            package_of({ $x_wrapper => body_of($wrapper, qq{#include "$file"}) }), %cage);
    }
    my $file = "$dir/outside/secret.txt";
    for my $text (qq{#define F <$file>\n#include F}, qq{#include_next "$file"},
        qq{#import "$file"}, qq{#pragma GCC dependency "$file"\n#error dependency},
        qq{static const char x[] = {\n#embed "$file"\n};},
        qq{#pragma clang module import X\n#error module},
        qq{#include </proc/self/cwd/model.pt2>},
        qq{#include "$dir/outside/../outside/secret.txt"}) {
        refused_package('a file by ' . $text =~ s/\n.*//sr, qr/does not parse/,
            package_of({ $x_wrapper => body_of($wrapper, $text) }), %cage);
    }
    # The same when it is listed, which compiles nothing.
    for my $file (@files[0 .. 5]) {
        refused_package("listed, a file: $file", qr/does not parse/,
            package_of({ $x_wrapper => body_of($wrapper, qq{#include "$file"}) }), %cage,
            words => ['list', 'model.pt2'], compiles => 0);
    }
}

# Variables of the user's do not reach the parser of a package.
spew("$dir/outside/planted.h", "int planted;\n");
my %variables = map { $_ => "$dir/outside" } qw(CPATH CPLUS_INCLUDE_PATH C_INCLUDE_PATH);
refused_package('a header by CPATH', qr/does not parse: 'planted\.h' file not found/,
    package_of({ $x_wrapper => body_of($wrapper, '#include <planted.h>') }), %cage,
    env => { CXX => 'g++', %variables, DEPENDENCIES_OUTPUT => "$dir/outside/dependencies" });
ok(!-e "$dir/outside/dependencies", 'nor is a file written that one of them names');

# ---- time, memory, crashes

my $twice = qq{#ifndef DEPTH\n#define DEPTH\n#endif\n#include __FILE__\n#include __FILE__\n};
my $deep = join "\n", '#define A0 + 1',
    map { my $i = $_ - 1; "#define A$_ " . "A$i " x 8 } 1 .. 12;
my $growing = <<'END';
template <unsigned long N, class... T> struct G : G<N - 1, T..., T..., int> {};
template <class... T> struct G<0, T...> {};
G<40> grown;
END
my $for_ever = <<'END';
constexpr unsigned long f(unsigned long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
static_assert(f(70) == 1);
END
my @deaths = (
    map({ ["#pragma clang __debug $_", "#pragma clang __debug $_"],
        ["__debug $_ by _Pragma", qq{#define P(x) _Pragma(#x)\nP(clang __debug $_)}] }
        qw(crash parser_crash llvm_fatal_error overflow_stack)),
    ['macros that grow', "$deep\nint grown = 0 A12;"],
    ['a wrapper that includes itself twice', $twice],
    ['parentheses', 'int z = ' . '(' x 3_000_000 . '1' . ')' x 3_000_000 . ';'],
    ['nested blocks', 'void f() ' . '{' x 3_000_000 . '}' x 3_000_000],
    ['templates that grow', $growing],
    ['templates that double', <<'END'],
template <class T, class U> struct P {};
template <unsigned N, class T> struct G { using t = typename G<N - 1, P<T, P<T, T>>>::t; };
template <class T> struct G<0, T> { using t = T; };
G<900, int>::t grown;
static_assert(sizeof(grown) == 7);
END
    ['a constant that takes for ever', $for_ever],
    ['a constant loop', <<'END'],
constexpr int f() { int s = 0; for (long i = 0; i < 100000000000; i++) s ^= i; return s; }
static_assert(f() == 1);
END
    ['an array of constants', 'constexpr struct { int x[100000000]; } grown = {};'
        . "\nstatic_assert(grown.x[77777777] == 1);"],
);
# Those that time ends take as long as they may: the limit is a second.
my @brief = map { s/parser=\K\d+/1/r } @quick;
for my $case (@deaths) {
    my ($what, $text) = @$case;
    for my $goes (['package', %cage, words => \@brief], ['listed package', %cage, compiles => 0,
        words => ['list', '--limits=parser=1', 'model.pt2']]) {
        my ($as, %how) = @$goes;
        refused_package("$what, in a $as", qr/$dead|does not parse/,
            package_of({ $x_wrapper => body_of($wrapper, $text) }), %how, kb => 1_100_000);
    }
    spew("$at/w.cpp", body_of($wrapper, $text));
    refused("$what, in a wrapper", qr/$dead|does not parse/, input => 'w.cpp', confine => 1,
        words => ['--no-cache', '--limits=parser=1', 'w.cpp', '-o', 'out.cpp'], kb => 1_100_000,
        elsewhere => 1);
}

# The limits are the user's, and --confine=off is without those for a wrapper.
spew("$at/w.cpp", body_of($wrapper, "$deep\nint grown = 0 A6;"));
$r = generate(['--limits=parser-memory=1', 'w.cpp', '-o', 'out.cpp'], confine => 1);
is($r->{status}, 1, 'with 1 MiB nothing can be parsed');
$r = generate(['--limits=parser-memory=0,parser=0', 'w.cpp', '-o', 'out.cpp'], confine => 1);
is($r->{status}, 0, '0 is no limit') or diag($r->{err});
$r = generate(['--limits=parser-memory=1', '--confine=off', 'w.cpp', '-o', 'out.cpp']);
is($r->{status}, 0, 'nor are there any with --confine=off') or diag($r->{err});
unlink glob "$at/*";
File::Path::remove_tree("$dir/cache");

# ---- the compiler's limits, by a kernel

SKIP: {
    skip 'the compilers are not confined here', 4 if !$kernel_confines;
    for my $case (['a kernel that includes itself twice', $twice =~ s/__FILE__/"unit1.o.cpp"/gr],
        ['a large array', "char grown[1 << 28] = {1};"],
        ['a constant that takes for ever', $for_ever], ['templates that grow', $growing]) {
        my ($what, $text) = @$case;
        $text = body_of($kernel, $text)
            =~ s/ -O0/ -O0 -fconstexpr-ops-limit=2000000000 -ftemplate-depth=2000/r;
        refused_package($what, qr/cannot be compiled/, package_of({ $x_kernel => $text }), %cage,
            kb => 20_000_000);
    }
}
done_testing;
