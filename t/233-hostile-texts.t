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

# ---- a kernel's name of ten kilobytes

my $long = 'cpp_fused_begins_' . 'k' x 10_000 . '_ends_0';
spew("$at/long.cpp", $launching =~ s/\bcpp_fused_0\b/$long/gr);
for my $how (['list'], ['list', "--kernel=$long"], ['--kernels=beginz'],
    ['list', "--kernel=$long-"]) {
    my $r = generate([@$how, 'long.cpp', $how->[0] =~ /^--/ ? ('-o', 'out.cpp') : ()]);
    my $name = join(' ', @$how) =~ s/k{999,}/k/gr;
    my $text = "$r->{out}$r->{err}" =~ s/^void cpp.*$//mgr;    # the kernel's own text
    like($text, qr/cpp_fused_begins_k+\.\.\.k+_ends_0/, "$name: a long name is cut");
    is((grep { length > 1000 } split /\n/, $text), 0, "$name: everywhere");
}
like(generate(['list', '--json', 'long.cpp'])->{out}, qr/"kernel":"$long"/, 'JSON has all of it');
unlink glob("$at/*");

# ---- what no terminal shows, by Perl's tables of Unicode

sub as_bytes {
    utf8::encode(my $c = shift);
    return join '', map { sprintf '\\x%02x', ord } split //, $c;
}

sub as_json {
    my $c = ord shift;
    my @units = $c < 0x10000 ? $c : (0xd7c0 + ($c >> 10), 0xdc00 + ($c & 0x3ff));
    return join '', map { sprintf '\\u%04x', $_ } @units;
}

my $hidden = qr/(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/;
{
    my @all = grep { !($_ >= 0xd800 && $_ < 0xe000) && chr =~ $hidden && !/\A(?:0|10|13)\z/
        && chr !~ /\p{Cn}/ && ($_ < 0xe000 || $_ > 0xf8ff) && $_ < 0xf0000 } 0 .. 0xfffff;
    my @hidden = map { chr } @all, 0xe000, 0xf8ff, 0xf0000, 0x10fffd, 0xfdd0, 0x1ffff, 0x10ffff;
    my @shown = map { chr } 0x20 .. 0x21, 0x23 .. 0x3e, 0xe9, 0x3b1, 0x5d0, 0x627, 0x4e2d, 0x301,
        0x1f600, 0x20ac;
    cmp_ok(scalar @hidden, '>', 300, 'there are more than 300 of them');
    utf8::encode(my $in_utf8 = join '', map { "($_)" } @hidden, @shown);
    my $holds = $shown =~ s/\Q$orders\E/$in_utf8/gr;
    for my $how (['list'], ['list', '--json'], ['check'], ['check', '--json'], ['--dump=plan']) {
        my ($first) = @$how;
        zip("$at/model.pt2", package_of({ $x_wrapper => $holds }));
        my $r = generate([@$how, 'model.pt2', $first =~ /^--/ ? ('-o', '-') : ()]);
        is($r->{status}, 0, "@$how: characters of all kinds are shown") or diag($r->{err});
        utf8::decode(my $text = $r->{out});
        is(join(' ', map { sprintf 'U+%04X', ord } $text =~ /((?!\n)$hidden)/g), '',
            "@$how: none of those that are not printable");
        next if $first ne 'list';
        my $escape = @$how > 1 ? \&as_json : \&as_bytes;
        is(join(' ', map { sprintf 'U+%04X', ord } grep { my $c = $escape->($_);
            index($text, "($c)") < 0 && ord > 0x1f } @hidden), '',
            "@$how: each of them is escaped");
        is(join(' ', grep { index($text, "($_)") < 0 } @shown), '',
            "@$how: others are as they are");
    }
    spew("$at/m.cpp", $holds);
    my $r = generate(['m.cpp', '-o', 'out.cpp']);
    is($r->{status}, 0, 'their wrapper is rewritten') or diag($r->{err});
    utf8::decode(my $tables = join "\n", grep { !/Source Nodes:|original_fqn = / }
        split /\n/, slurp("$at/out.cpp"));
    unlike($tables, qr/(?!\n)$hidden/, 'into tables that show none of them at run time');
    ok(index($tables, '(\\\\xe2\\\\x80\\\\x8e)') >= 0, 'but escaped');
    unlink glob("$at/*");
    File::Path::remove_tree("$dir/cache");
}

{
    my $name = "mo\xe2\x80\x8bdel\xc2\xa0";
    my @named = map { { name => $_->{name} =~ s{/model/}{/$name/}r, data => $_->{data} } } @$sound;
    my $r = accepted('a model whose name is not printable', \@named);
    like($r->{err}, qr/'mo\\xe2\\x80\\x8bdel\\xc2\\xa0'/, 'and its name is escaped');
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

$r = refused_package('a wrapper that needs what is not there',
    qr/cannot be linked: '\S+' says \(exit status 1\): .*(?:undefined reference|undefined symbol)/,
    package_of({ $x_wrapper => body_of($wrapper,
        'extern "C" int missing(); int needs() { return missing(); }')
        =~ s/-shared/-shared -Wl,--no-undefined/r }), compiles => 1);
unlike($r->{err}, qr/\Q$tmp\E/, 'without the private directory');

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
