# Texts of a package that would control a terminal, or look like lines of aotigen's own, wherever
# they are shown; and small things in texts and in the environment that once refused or broke a
# package.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

my @orders = ("\e]0;evil\a", "\x7f", "\xc2\x9b2J", "\xe2\x80\xae", "\xe2\x81\xa6", "\xff\xfe");
my $control = qr/[^\n\t -~\x80-\xff]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xff/;

# ---- what is shown of a model

my $orders = join '', @orders;
my $shown = $launching
    =~ s/\.name = "w";/.name = "w"; constants_info_[0].original_fqn = "a$orders\\nweight   b";/r
    =~ s/(    cpp_fused_0\()/    \/\/ Source Nodes: [n$orders], Original ATen: [aten.$orders]\n$1/r;
$shown =~ s{#include <torch/csrc/inductor/launch.h>}
    {#include <torch/csrc/inductor/launch.h>\n#define original_fqn name};
for my $how (['list'], ['list', '--json'], ['list', '--kernel=cpp_fused_0'],
    ['list', '--json', '--kernel=cpp_fused_0'],
    map { ["--dump=$_"] } qw(command model plan edits)) {
    zip("$at/model.pt2",
        package_of({ $x_wrapper => $shown, $x_kernel => body_of($kernel, "// $orders") }));
    my $r = generate([@$how, 'model.pt2', $how->[0] eq 'list' ? () : ('-o', '-')]);
    is($r->{status}, 0, "@$how: is shown") or diag($r->{err});
    unlike($r->{out} . $r->{err}, $control, "@$how: without control characters");
    like($r->{out}, qr/\\(?:x|u00)1b\]0;evil/, "@$how: but escaped")
        if "@$how" =~ /^list( --json)?$/;
    unlike($r->{out}, qr/^\s*weight +b/m, "@$how: without a line that the package made up");
    utf8::decode(my $text = $r->{out});
    unlike($text, qr/\x{fffd}(?!\x{fffd}|")/, "@$how: in UTF-8") if $how->[-1] ne '--json';
    unlink glob("$at/*");
}

# ---- the compiler's messages

my $r = refused_package('a kernel with many errors',
    qr/cannot be compiled: '\S+' says \(exit status 1\): \S+: error: /,
    package_of({ $x_kernel => body_of($kernel, join "\n",
        map { "#error \"planted $_ $orders\"" } 1 .. 30) }), compiles => 1);
is(scalar(() = $r->{err} =~ /error: /g), 2, 'its first error is named in the line');
like($r->{err}, qr/planted 1 /, 'and that is the first');
unlike($r->{err}, $control, 'without control characters');
zip("$at/model.pt2", package_of({ $x_kernel => body_of($kernel, "#error one\n#error two") }));
$r = generate(['-v', 'model.pt2', '-o', 'out.pt2']);
like($r->{err}, qr/error: .*two/, 'with -v all follow');
refused_package('many kernels with errors', qr/cannot be compiled/,
    with_member(map { { name => "${in}k$_.kernel.cpp", data => body_of($kernel, "#error $_") } }
        1 .. 9), compiles => 1);

refused_package('a wrapper that needs what is not there',
    qr/cannot be linked: '\S+' says \(exit status 1\): .*(?:undefined reference|undefined symbol)/,
    package_of({ $x_wrapper => body_of($wrapper,
        'extern "C" int missing(); int needs() { return missing(); }')
        =~ s/-shared/-shared -Wl,--no-undefined/r }), compiles => 1);

# ---- a byte-order mark

my $mark = "\xef\xbb\xbf";
like(accepted('sources with a byte-order mark', package_of({ $x_wrapper => $mark . $launching,
    $x_kernel => $mark . $kernel =~ s/float \*\)/float *, float *)/r,
    "${in}x.wrapper_metadata.json" => "$mark\{\"a\": 1}" }))->{err}, qr/1 cpu instrumented/,
    'and are instrumented');
spew("$at/m.cpp", $mark . $launching);
$r = generate(['m.cpp', '-o', 'out.cpp']);
is($r->{status}, 0, 'a wrapper with one is rewritten') or diag($r->{err});
unlike(slurp("$at/out.cpp"), qr/\xef\xbb\xbf/, 'and does not keep it');
unlink glob("$at/*");

# ---- the environment

for my $case (['x', qr/must be a number/], ['-1', qr/must be a number/],
    ['1' x 30, qr/must be a number/], ["\e[2J", qr/must be a number/]) {
    my ($date, $says) = @$case;
    zip("$at/model.pt2", $sound);
    my $r = generate(['model.pt2', '-o', 'out.pt2'], env => { SOURCE_DATE_EPOCH => $date });
    is($r->{status}, 2, 'SOURCE_DATE_EPOCH of another kind is refused');
    like($r->{err}, $says, 'which is said');
    unlike($r->{err}, $control, 'without control characters');
}
accepted("SOURCE_DATE_EPOCH=$_", $sound, env => { SOURCE_DATE_EPOCH => $_ }) for 0, 1_700_000_000;
for my $name ('a:b', ':', 'a: b', 'a b:', 'a\\:b', '#:$') {
    mkdir "$tmp/$name" or die;
    my $r = generate([do { zip("$at/model.pt2", $sound); 'model.pt2' }, '-o', 'out.pt2'],
        env => { TMPDIR => "$tmp/$name" });
    is($r->{status}, 0, "TMPDIR may be '$name'") or diag($r->{err});
    rmdir "$tmp/$name" or fail("'$name' is left empty");
    unlink glob("$at/*");
}
done_testing;
