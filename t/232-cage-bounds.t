# The cage around packages: what the user's surroundings do not open, and what a whole package may
# take, beside each of its processes.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use AotigenZip;

plan(skip_all => 'the limits do not fit what a sanitizer needs') if build() =~ m{/san$};

my %how = (confine => 1, env => { CXX => 'g++' });
my @words = ('model.pt2', '-o', 'out.pt2');

zip("$at/model.pt2", $sound);
my $r = generate(['--confine=require', @words], %how);
plan(skip_all => 'this kernel has no Landlock') if $r->{err} =~ /this kernel has no Landlock/;
is($r->{status}, 0, 'a sound package is taken') or diag($r->{err});

# ---- nothing but the kernel lets a package out

sub taken {
    my ($what, $words, %more) = @_;
    zip("$at/model.pt2", $sound);
    unlink "$at/out.pt2";
    my $r = generate([@$words, @words], %how, %more);
    ok($r->{status} == 0 && -s "$at/out.pt2", "$what: taken") or diag($r->{err});
    unlike($r->{err}, qr/not run confined/, "$what: confined");
    return;
}
sub under_shell { return (under => ['/bin/sh', '-c', "$_[0]; exec \"\$\@\"", 'sh']) }

for my $case (['standard input', '<&-'], ['standard output', '>&-'], ['standard error', '2>&-'],
    ['all three', '<&- >&- 2>&-']) {
    my ($what, $closed) = @$case;
    taken("$what closed", [], under_shell("exec $closed"));
    taken("$what closed, unconfined", ['--confine=off'], under_shell("exec $closed"));
}
taken('without PATH', [], env => { PATH => undef, CXX => undef });

for my $case (['1 MiB of memory', ['--limits=memory=1'], qr/memory=1\b/],
    ['too few processes', ['--limits=processes=1'], qr/processes=1\b/, 1],
    ['an assembler that is not there', [], qr/GCC_EXEC_PREFIX/, 0,
        env => { CXX => 'g++', GCC_EXEC_PREFIX => '/nowhere/' }],
    ['too few descriptors', [], qr/./, 0, under_shell('ulimit -n 8')]) {
    my ($what, $limits, $says, $but_root, %more) = @$case;
    next if $but_root && !$>;
    zip("$at/model.pt2", $sound);
    unlink "$at/out.pt2";
    my $r = generate([@$limits, @words], %how, %more);
    is($r->{status}, 1, "$what: refused") or diag($r->{err});
    like($r->{err}, qr/^aotigen: error: .*$says|^model\.pt2.*: error: .*$says/m,
        "$what: and it says why");
    unlike($r->{err}, qr/warning: .*not run confined/, "$what: nothing ran unconfined");
    ok(!-e "$at/out.pt2", "$what: no result");
}
unlink glob "$at/*";
File::Path::remove_tree("$dir/cache");

# ---- the user's search paths are those of libraries, never of all files

my $passwd = qq{#include <sys/cdefs.h>\n__CONCAT(as,m)(".incbin \\"/etc/passwd\\"");};
for my $variable (qw(LD_LIBRARY_PATH LIBRARY_PATH COMPILER_PATH)) {
    for my $value ('/', '//', '/.', '/etc', '/usr/../etc/', '/usr/lib:/etc', '/proc/self/root') {
        refused_package("/etc/passwd, where $variable is $value", qr/cannot be compiled/,
            package_of({ $x_kernel => body_of($kernel, $passwd) }), %how, unchecked => 1,
            compiles => 2, kb => 4_000_000, env => { CXX => 'g++', $variable => $value });
    }
}

# ---- all processes of a package together

my $for_ever = <<'END';
constexpr unsigned long f(unsigned long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
static_assert(f(70) == 1);
END
# Each is within the steps that the parser's compiler counts for one expression.
my $long = $for_ever =~ s/^static_assert.*\n//mr . "static_assert(f(24) == 46368);\n" x 1000;
my $slow = body_of($kernel, $for_ever) =~ s/ -O0/ -O0 -fconstexpr-ops-limit=2000000000/r;

sub limited {
    my ($what, $limits, $says, $members, %more) = @_;
    return refused_package($what, $says, $members, %how, compiles => 2, elsewhere => 1,
        kb => 20_000_000, words => ["--limits=$limits", @words], %more);
}

limited('the clock of one compiler', 'clock=2', qr/--limits=clock=/,
    package_of({ $x_kernel => $slow }));
$r = limited('the processor time of one compiler', 'cpu=1', qr/cannot be compiled/,
    package_of({ $x_kernel => $slow }));
like($r->{err}, qr/--limits=cpu=/, 'and the limit is named');
limited('the clock of the package', 'total=3', qr/--limits=total=/,
    package_of({ $x_kernel => $slow }));
limited('the clock of the package, for its parser', 'total=2,parser=30', qr/--limits=total=/,
    package_of({ $x_wrapper => body_of($wrapper, $long) }));
limited('a constant array', 'file=2048', qr/compiles to an object of \d+ MiB/,
    package_of({ $x_kernel => body_of($kernel, 'char grown[200 << 20] = {1};') }));
limited('a constant array, in the wrapper', 'file=2048', qr/compiles to an object of \d+ MiB/,
    package_of({ $x_wrapper => body_of($wrapper, 'char grown[200 << 20] = {1};') }));
# The limit ends a compiler, or the reader of the package's '.so' beside it: each says the limit.
limited('temporary files', 'disk=20', qr/--limits=disk=/,
    package_of({ $x_kernel => body_of($kernel, 'char grown[90 << 20] = {1};') })) for 1 .. 8;

# Models share what the parser may take.
my @many = map { ["model/data/aotinductor/m$_/x.wrapper.cpp",
    body_of($wrapper, 'int x' . '[1]' x 12_000 . ';')] } 1 .. 6;
zip("$at/model.pt2", [map({ ({ name => $_->[0], data => $_->[1] },
    { name => $_->[0] =~ s/cpp$/so/r, data => $so }) } @many),
    { name => 'model/archive_format', data => 'pt2' }, { name => 'model/byteorder',
    data => 'little' }]);
refused('the parser, of all models', qr/--limits=parser-total=/, %how, elsewhere => 1,
    words => ['list', '--limits=parser-total=2', 'model.pt2'], kb => 2_000_000);

# At most so many compilers at once as there are processors and memory.
my @kernels = map { { name => "${in}k$_.kernel.cpp", data => $slow } } 1 .. 6;
zip("$at/model.pt2", package_of({ $x_kernel => $slow }, @kernels));
my $child = fork // die;
if (!$child) {
    generate(['--limits=memory=600,cpu=3,clock=30', @words], %how);
    POSIX::_exit(0);
}
my $most = 0;
while (waitpid($child, POSIX::WNOHANG()) == 0) {
    my $n = 0;
    for my $process (glob '/proc/[0-9]*') {
        open my $line, '<', "$process/cmdline" or next;
        my $text = <$line> // '';
        $n++ if $text =~ m{cc1plus\0} && index($text, $dir) >= 0;
    }
    $most = $n if $n > $most;
    let_pass(0.1); # between two counts
}
ok($most > 0, 'compilers were seen');
cmp_ok($most, '<=', 2, 'no more at once than the memory is for');
unlink glob "$at/*";
File::Path::remove_tree("$dir/cache");

# ---- what a compiler says is escaped

for my $text ("\x9b31mred", "\xc2\x9b31mred", "\xe2\x80\xaered", "\e[31mred") {
    zip("$at/model.pt2", package_of({ $x_kernel => body_of($kernel, "#error $text") }));
    my $r = generate(['-v', @words], %how);
    is($r->{status}, 1, '#error');
    unlike($r->{err}, qr/\e|\x9b|\xe2\x80\xae/, 'with -v its text is escaped');
}
unlink glob "$at/*";
File::Path::remove_tree("$dir/cache");

# ---- a torch of links

my ($links, $plain) = ("$dir/links", "$torch/torch");
is(system('cp', '-rs', $torch, $links), 0, 'a torch whose files are links');
taken('a torch of links that --torch names', ["--torch=$links"]);
spew("$dir/outside/other.h", "int SECRET123;\n");
File::Path::remove_tree("$dir/cache");
symlink "$dir/outside/other.h", "$links/torch/include/other.h";
refused_package('but not a link elsewhere', qr/does not parse/,
    package_of({ $x_wrapper => body_of($wrapper, '#include "other.h"') }), %how, unchecked => 1,
    words => ["--torch=$links", @words]);
refused_package('nor what lies beside the headers', qr/does not parse/,
    package_of({ $x_wrapper => body_of($wrapper, qq{#include "$plain/version.py"}) }), %how,
    unchecked => 1, words => ["--torch=$links", @words]);

done_testing;
