package HostileTexts;

# HostileTexts.pm - what a hostile wrapper or kernel may hold: what it is; the text; what the check
# of texts says of it. t/222 tries each with that check, t/231 without.
use strict;
use warnings;
use AotigenHostile;
use Exporter 'import';
our @EXPORT = qw(@hostile_texts);

my $secret = "$dir/outside/secret.h";
our @hostile_texts = (
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
1;
