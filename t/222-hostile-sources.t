# Hostile packages: what the text of a wrapper or of a kernel may hold. Nothing that reads a file
# from outside of the include directories, and no assembler text.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

my $secret = "$dir/outside/secret.h";
my @texts = (
    ['an absolute path', '#include "/etc/passwd"', qr{includes '/etc/passwd' by its absolute path}],
    ['a device', '#include "/dev/zero"', qr/by its absolute path/],
    ['an absolute path in brackets', '#include </etc/passwd>', qr/by its absolute path/],
    ['a path that climbs', '#include "../../x"', qr/a path that climbs/],
    ['a path that climbs later', '#include <torch/../../../../../etc/passwd>',
        qr/a path that climbs/],
    ['a path with a backslash', '#include "..\\x"', qr/a path that climbs/],
    ['a path that opens a comment', "#if 0\n#include <x/*y>\n#endif", qr/is not a header's name/],
    ['a macro', qq{#define X "/dev/zero"\n#include X}, qr/includes what a macro names/],
    ['a digraph', '%:include "/dev/zero"', qr/by its absolute path/],
    ['a trigraph', '??=include "/dev/zero"', qr/by its absolute path/],
    ['a spliced line', "#inc\\\nlude \"/dev/zero\"", qr/joins two lines/],
    ['a line spliced between words', "# \\\n  include \\\n  \"/dev/zero\"",
        qr/by its absolute path/],
    ['a line spliced with a blank', "#inc\\ \nlude \"/dev/zero\"", qr/joins two lines/],
    ['a line spliced by a trigraph', "#inc??/\nlude \"/dev/zero\"", qr/backslash as a trigraph/],
    ['a spliced digraph', "%\\\n:include \"/dev/zero\"", qr/joins two lines/],
    ['a spliced comment', "#/\\\n* */include \"/dev/zero\"", qr/joins two lines/],
    ['a comment before the name', '#/* */include "/dev/zero"',
        qr/hides a directive behind a comment/],
    ['a comment over two lines', "#/*\n*/include \"/dev/zero\"",
        qr/hides a directive behind a comment/],
    ['a comment behind the name', '#include/* */"/dev/zero"', qr/includes what a macro names/],
    ['a comment before it', '/* */ #include "/dev/zero"', qr/by its absolute path/],
    ['a comment that ends before it', "/*\n*/#include \"/dev/zero\"", qr/by its absolute path/],
    ['a carriage return', "int a;\r#include \"/dev/zero\"", qr/carriage return in the middle/],
    ['a blank of Unicode', "\xc2\xa0#include \"/dev/zero\"", qr/by its absolute path/],
    ['#include_next', '#include_next "/dev/zero"', qr/by its absolute path/],
    ['#import', '#import "/dev/zero"', qr/by its absolute path/],
    ['#embed', '#embed "/dev/zero"', qr/by its absolute path/],
    ['__has_include', qq{#if __has_include("/dev/zero")\n#endif}, qr/asks which files there are/],
    ['__has_embed', qq{#if __has_embed("/dev/zero")\n#endif}, qr/asks which files there are/],
    ['#line', qq{#line 1 "/etc/passwd"\n}, qr/names another file as its own/],
    ['the mark of a line', qq{# 1 "/etc/passwd"\n}, qr/names another file as its own/],
    ['assembler text', 'asm(".incbin \"/dev/zero\"");', qr/holds assembler text/],
    ['assembler text, spelled otherwise', '__asm__ volatile (".incbin \"/dev/zero\"");',
        qr/holds assembler text/],
    ['assembler text behind a comment that is none',
        "// \\\n/*\nasm(\".incbin \\\"/dev/zero\\\"\"); // */", qr/holds assembler text/],
    ['assembler text behind a raw string that is none',
        qq{#define xR\n#define EAT(...)\nEAT(xR"(") asm(".incbin \\"/dev/zero\\""); EAT(")")},
        qr/holds assembler text/],
    map({ ["assembler text behind $_->[0] that a macro's name makes raw",
        qq{#define $_->[1]\nconst char *s = $_->[2]$_->[1]"(" )"; }
        . 'asm(".incbin \"/dev/zero\""); //"',
        qr/joins a raw string to the literal before it/] }
        ['a string', 'R', '"x"'], ['a character', 'u8R', "'x'"], ['a raw string', 'LR', 'R"(x)"']),
    ['assembler text behind a number',
        qq{#define EAT(...)\nEAT(1.R"(") asm(".incbin \\"/dev/zero\\""); EAT(")")},
        qr/holds assembler text/],
    ['assembler text behind a quote that separates no digits',
        qq{#define EAT(...)\nEAT(1'"') asm(".incbin \\"/dev/zero\\""); EAT('"')},
        qr/holds assembler text/],
    ['assembler text by pasting', qq{#define P(a, b) a##b\nP(a, sm)(".incbin \\"/dev/zero\\"");},
        qr/pastes tokens together/],
    ['assembler text by pasting, in digraphs',
        qq{#define P(a, b) a%:%:b\nP(a, sm)(".incbin \\"/dev/zero\\"");},
        qr/pastes tokens together/],
    ['assembler text by pasting, half in trigraphs',
        qq{#define P(a, b) a??=#b\nP(a, sm)(".incbin \\"/dev/zero\\"");},
        qr/pastes tokens together/],
    ['a section with assembler text in its name', '__attribute__((section(".x\n\t.incbin '
        . '\"/dev/zero\"\n#"))) int x = 1;', qr/names a section/],
    ['a version with assembler text in its name',
        'extern "C" __attribute__((__symver__("f@V\n\t.incbin \"/dev/zero\"\n#"))) void f() {}',
        qr/names a symbol's version/],
    ['a reference with assembler text in its name', 'extern "C" { static void f() '
        . '__attribute__((weakref("g\n\t.incbin \"/dev/zero\"\n#"))); void h() { f(); } }',
        qr/names another symbol/],
    ['a precompiled header', '#pragma GCC pch_preprocess "/dev/zero"',
        qr/a pragma that reads another file/],
    ['a precompiled header, in a pragma of two lines',
        "#pragma GCC \\\n  pch_preprocess \"/dev/zero\"", qr/a pragma that reads another file/],
    ['a precompiled header by _Pragma', '_Pragma("GCC pch_preprocess \"/dev/zero\"")',
        qr/hides a pragma/],
    ['what an assembler is told in a comment of its own', qq{#ident "x\\n.include \\"$secret\\""},
        qr/puts text of its own into the assembler's/],
    ['a pragma that breaks the parser', '#pragma clang __debug crash', qr/breaks the parser/],
    ['a file to be as old as', '#pragma GCC dependency "/dev/zero"',
        qr/a pragma that reads another file/],
);
for my $case (@texts) {
    my ($what, $body, $says) = @$case;
    refused_package("a wrapper with $what", qr/^model\.pt2\/\Q$x_wrapper\E:\d+:\d+: error: .*$says/,
        package_of({ $x_wrapper => body_of($wrapper, "\n$body\n") }));
    refused_package("a kernel with $what", qr/^model\.pt2\/\Q$x_kernel\E:\d+:\d+: error: .*$says/,
        package_of({ $x_kernel => body_of($kernel, "\n$body\n") }));
}
refused_package('a directive behind a mark of byte order', qr/by its absolute path/,
    package_of({ $x_kernel => "\xef\xbb\xbf#include \"/dev/zero\"\n$kernel" }));
my $r = refused_package('the line of an offence', qr{^model\.pt2/\Q$x_wrapper\E:13:},
    package_of({ $x_wrapper => body_of($wrapper, '#include "/etc/passwd"') }));
accepted('words in comments and strings, pragmas and splices as they are emitted',
    package_of({ $x_kernel => body_of($kernel, join "\n",
    '/*', "    # include the tail, as asm does ## twice", '    # 1 "first"', '*/',
    'const char *a = "asm section ##", *b = R"(asm #include X)";', '#define X(...) \\', '  do { \\',
    '  } while (0)',
    '#pragma GCC diagnostic push', '#pragma omp parallel', "int n = 1'000; char c = '\"';",
        '// a backslash at its end \\', '   goes on', '#include <cstddef>') }));

# What no text shows, the compiler tells.
for my $case (
    ['a link that leads out', '#include <leads_out.h>',
        qr/lies outside of the include directories/],
    ['sections for the link-time compiler',
        "#include <cstdlib>\n"
            . qq{__CONCAT(as, m)(".section .gnu.lto_.opts,\\"e\\",\@progbits\\n.byte 0\\n.text");},
        qr/has more for the linker than code and data/],
    ['assembler text put together by a header of the system',
        qq{#include <cstdlib>\n__CONCAT(as, m)(".incbin \\"$secret\\"");},
        qr/lies outside of the include directories/],
    ['a cache file that is one',
        qq{#import "$dir/outside/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h"},
        qr/lies outside of the include directories/],
    ) {
    my ($what, $body, $says) = @$case;
    spew("$dir/outside/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h", '');
    refused_package("a wrapper with $what", qr/^model\.pt2\/\Q$x_wrapper\E: error: .*$says/,
        package_of({ $x_wrapper => body_of($wrapper, $body) }), compiles => 1);
    refused_package("a kernel with $what", qr/^model\.pt2\/\Q$x_kernel\E: error: .*$says/,
        package_of({ $x_kernel => body_of($kernel, $body) }), compiles => 1);
    my $clang = spew("$dir/bin/noting-clang", slurp($noting) =~ s/exec g\+\+/exec clang++/r);
    chmod 0755, $clang;
    refused_package("a kernel with $what, by clang++",
        qr/^model\.pt2\/\Q$x_kernel\E: error: .*$says/,
        package_of({ $x_kernel => body_of($kernel, $body) }), compiles => 1,
        env => { CXX => $clang }) if run_cmd(['clang++', '--version'])->{status} == 0;
}
refused_package('an include from beside the package',
    qr/does not parse: 'beside\.h' file not found/,
    package_of({ $x_wrapper => body_of($wrapper, '#include "beside.h"') }), compiles => 1,
    elsewhere => 0)
    if spew("$at/beside.h", "int SECRET123;\n");
refused_package('a kernel that does not compile', qr/cannot be compiled/,
    package_of({ $x_kernel => body_of($kernel, '#error planted') }), compiles => 2);
done_testing;
