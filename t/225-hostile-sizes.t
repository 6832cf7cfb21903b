# Hostile packages: sources that are large, nest deep, or grow without end in the parser.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

my $lines = "// 0123456789012345678901234567890123456789012345678901234567890\n" x 16384; # 1 MiB
for my $case ([$x_wrapper, $wrapper], [$x_kernel, $kernel]) {
    my ($name, $text) = @$case;
    refused_package("$name of 33 MiB", qr/is too large to be what AOTInductor emits/,
        package_of({ $name => undef }, { name => $name, data => body_of($text, $lines x 33) }));
}
accepted('a wrapper of 31 MiB of comments',
    package_of({ $x_wrapper => body_of($wrapper, $lines x 31) }));
refused_package('kernels of 80 MiB', qr/is more source text than a package holds/, with_member(
    map { { name => "${in}k$_.kernel.cpp", data => body_of($kernel, $lines x 20) } } 1 .. 4));
refused_package('a million nested ifs', qr/nests too deep to be parsed/,
    package_of({ $x_wrapper => $wrapper =~ s/(run_impl\(\) \{)/$1 . 'if(1)' x 1_000_000 . ';'/er }),
    compiles => 1);
refused_package('two hundred thousand parentheses', qr/does not parse/,
    package_of({ $x_wrapper => $wrapper
    =~ s/(run_impl\(\) \{)/$1 . 'int z = ' . '(' x 200_000 . '1' . ')' x 200_000 . ';'/er }),
    compiles => 1);
# Texts that would take hours if a part were read again for each of its lines.
for my $case (['directives with a comment that does not end',
    "#define X /*\n*/\n" . "#define Y\n" x 500_000], ['sizes of weights',
    "/*\nAOTInductorModel::AOTInductorModel(\n" . "].data_size = \n" x 500_000 . "*/\n"],
    ['lines of blanks', ('    ' x 100_000 . "\n") x 5 . "\\\n" x 10 . "\n"],
    ["comments that name launches", "/*\n" . "// Source Nodes: [a], Original ATen: [\n" x 200_000
        . "*/\n"], ['headings', "// Compile cmd\n// g++ -c\n" x 100_000],
        ['cache files', "#define X \\\n  1\n" x 100_000]) {
    my ($what, $body) = @$case;
    accepted("a text of many $what", package_of({ $x_wrapper => body_of($wrapper, $body) }),
        timeout => 30);
}
for my $case (['calls within each other', "#if 0\n" . 'f(' x 60_000 . "\n#endif\n"],
    ['functions within each other', "#if 0\n" . 'f(){' x 60_000 . "\n#endif\n"],
    ['constants of Triton within each other', "/*\nasync_compile.triton(" . 'tl.full(' x 60_000
        . "\n*/\n"], ['includes in one line', '/*' . ' #include "' x 30_000 . "*/\n"],
    ['pragmas in one line', '/**/ #pragma GCC ' x 30_000 . "\n"]) {
    my ($what, $body) = @$case;
    accepted("a text of many $what", package_of({ $x_wrapper => body_of($launching, $body),
        $x_kernel => body_of($kernel, $body) }), timeout => 30);
}
for my $case ([0, sub { '#include "a"' }], [1, sub { "#include <$_[0].h>" }]) {
    my ($different, $line) = @$case;
    my $body = "/*\n" . join('', map { $line->($_) . "\n" } 1 .. 1_500_000) . "*/\n";
    my $members = package_of({ $x_wrapper => body_of($launching, $body),
        $x_kernel => body_of($kernel, $body) });
    $different
        ? refused_package('a million different includes', qr/more than 10000 different files/,
            $members)
        : accepted('a million includes', $members, timeout => 30);
}
zip("$at/model.pt2", package_of({ $x_wrapper => $launching
    =~ s/(void cpp_fused_0\(float \*)/$1 . ', float *' x 20_000/er
    =~ s/(    cpp_fused_0\(.*)\);/$1 . ', (float*)(buf0.data_ptr())' x 20_000 . ');'/er }));
my $r = generate(['list', 'model.pt2']);
like($r->{out}, qr/left alone: has more than 1024 arguments/, 'a launch of 20000 is left alone');
cmp_ok($r->{kb}, '<=', MAX_KB, 'within 300 MiB');
unlink glob("$at/*");
{
    my @names = map { "cpp_fused_k$_" } 1 .. 4000;
    my $declared = join '', map { "extern \"C\" void $_(float *, float *);\n" } @names;
    my $launched = join '',
        map { "    $_((float*)(arg0_1.data_ptr()), (float*)(buf0.data_ptr()));\n" } @names;
    zip("$at/model.pt2", package_of({ $x_wrapper => $launching
        =~ s{(?=void AOTInductorModel::run_impl)}{$declared}r
        =~ s{(?=    cpp_fused_0\()}{$launched}r,
        $x_kernel => $kernel . join '', map { "extern \"C\" void $_(float *a, float *b) {"
        . 'b[0] = a[0]; ' x 10 . '} ' } @names }));
    my $r = generate(['list', 'model.pt2'], timeout => 30);
    is($r->{status}, 0, 'kernels in one line') or diag($r->{err});
    cmp_ok($r->{kb}, '<=', MAX_KB, 'within 300 MiB');
    unlink glob("$at/*");
}
{
    spew("$at/w.cpp", $launching =~ s/(    cpp_fused_0\(.*\n)/$1 x 32_000/er);
    accepted('a wrapper of 32000 launches', undef, input => 'w.cpp', output => 'out.cpp');
}
# A sanitizer keeps what was freed: it says nothing of how memory grows.
for my $launches (8_000, build() =~ m{/san$} ? () : 24_000) {
    spew("$at/w.cpp", $launching =~ s/(    cpp_fused_0\(.*\n)/$1 x $launches/er);
    spew("$at/kernel.cpp", $kernel =~ s/\(float \*\) \{\}/(const float *a, float *b) {
        for (long i = 0; i < 64; i++) b[i] = b[i] + a[i]; }/r);
    my $r = generate(['check', 'w.cpp'], timeout => 60);
    like($r->{out}, qr/^${\($launches * 3)} accesses of $launches kernel launches: /m,
        "a check of $launches launches");
    like($r->{out}, qr/one needs: $launches proved, 0 refuted, 0 not decided$/m, 'each of them');
    cmp_ok($r->{kb}, '<=', MAX_KB, 'within 300 MiB');
    unlink glob("$at/*");
    File::Path::remove_tree("$dir/cache");
}
if (build() !~ m{/san$}) {
    my $launches = 24_000;
    # The text is so long that what is printed, 160 MB, is not out of all proportion to it.
    my $stores = join ' ', map { "b[i + $_] = a[$_ * i];" } 0 .. 11;
    spew("$at/w.cpp", body_of($launching, $lines x 10)
        =~ s/(    cpp_fused_0\(.*\n)/$1 x $launches/er);
    spew("$at/kernel.cpp", $kernel =~ s/\(float \*\) \{\}/(const float *a, float *b) {
        for (long i = 0; i < 64; i++) { $stores } }/r);
    my $r = generate(['check', '-v', 'w.cpp'], timeout => 120);
    is(() = $r->{out} =~ /^  access  /mg, 37 * $launches, "all findings of $launches launches");
    like($r->{out}, qr/^${\(24 * $launches)} accesses of $launches kernel/m, 'and their sums');
    cmp_ok($r->{kb}, '<=', MAX_KB, 'within 300 MiB');
    unlink glob("$at/*");
    File::Path::remove_tree("$dir/cache");
}
for my $list (0, 1) {
    refused_package('a recorded command of 8 MB' . ($list ? ', listed' : ''),
        qr/recorded command is longer than 256 kB/, package_of({ $x_wrapper
            => $wrapper =~ s/-O0/'-O0 ' . '-DA=1 ' x (8 << 20 >> 3)/er }),
        $list ? (words => ['list', 'model.pt2']) : ());
}
# What grows in the parser is stopped, if not as early.
for my $bomb (['macros', join "\n", '#define A0 + 1',
    (map { my $i = $_ - 1; "#define A$_ " . "A$i " x 4 } 1 .. 16), 'int grown = 0 A16;'],
    ['templates', "template <unsigned long N> struct G { static constexpr unsigned long v = G<N - "
        . "1>::v + G<N - 2 + (N & 1) * 100000>::v; };\nunsigned long grown = G<1000000>::v;"]) {
    # A sanitizer that is left without memory does not end.
    next if build() =~ m{/san$} && $bomb->[0] eq 'macros';
    refused_package("$bomb->[0] that grow without end",
        qr/the parser gave up on it|recursive template|does not parse/,
        package_of({ $x_wrapper => body_of($wrapper, $bomb->[1]) }), compiles => 1,
        kb => 1_000_000);
}
done_testing;
