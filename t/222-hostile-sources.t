# Hostile packages: what the text of a wrapper or of a kernel may hold. Nothing that reads a file
# from outside of the include directories, and no assembler text.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use HostileTexts;

my $secret = "$dir/outside/secret.h";
for my $case (@hostile_texts) {
    my ($what, $body, $says) = @$case;
    refused_package("a wrapper with $what", qr/^model\.pt2\/\Q$x_wrapper\E:\d+:\d+: error: .*$says/,
        package_of({ $x_wrapper => body_of($wrapper, "\n$body\n") }));
    refused_package("a kernel with $what", qr/^model\.pt2\/\Q$x_kernel\E:\d+:\d+: error: .*$says/,
        package_of({ $x_kernel => body_of($kernel, "\n$body\n") }));
    refused_package("a header with $what", qr/^model\.pt2\/\Q${in}x.h\E:\d+:\d+: error: .*$says/,
        package_of({}, { name => "${in}x.h", data => "// none\n$body\n" }));
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
    ['assembler text that no assembler takes',
        qq{#include <cstdlib>\n__CONCAT(as, m)(".print \\"x error: y\\"\\nno such word");},
        qr/compiled: the assembler that '\S+' starts fails \(exit status 1\): the source makes/],
    ['a file that the assembler would quote',
        qq{#include <cstdlib>\n__CONCAT(as, m)(".include \\"$secret\\"");},
        qr/compiled: the assembler that '\S+' starts fails \(exit status 1\): the source makes/],
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

zip("$at/model.pt2", package_of({ $x_kernel =>
    body_of($kernel, qq{#include <cstdlib>\n__CONCAT(as, m)(".include \\"$secret\\"");}) }));
my $quoted = generate(['-v', 'model.pt2', '-o', 'out.pt2']);
like($quoted->{err}, qr/the assembler that '\S+' starts fails/, 'an assembler fails with -v');
unlike($quoted->{err}, qr/SECRET123/, 'and its messages are not shown');
unlink glob "$at/*";
File::Path::remove_tree("$dir/cache");
accepted('assembler text put together by a header of the system, which reads nothing',
    package_of({ $x_kernel => body_of($kernel, qq{#include <cstdlib>\n__CONCAT(as, m)("nop");}) }));

# Another run's file in the user's cache is none of the package's.
mkdir "$dir/cache", 0700;
mkdir "$dir/cache/aotigen", 0700;
my $kept = spew("$dir/cache/aotigen/another.h", "SECRET123\n");
my $reads = qq{#include <cstdlib>\n__CONCAT(as, m)(".incbin \\"$kept\\"");};
for my $case ([$x_wrapper, $wrapper], [$x_kernel, $kernel]) {
    my ($member, $text) = @$case;
    zip("$at/model.pt2", package_of({ $member => body_of($text, $reads) }));
    my $read = generate(['model.pt2', '-o', 'out.pt2']);
    is($read->{status}, 1, "a file of the cache, read by $member: refused");
    like($read->{err}, qr/: error: includes '\Q$kept\E', which lies outside of the include dir/,
        'and named');
    ok(!-e "$at/out.pt2", 'and nothing is written');
}
unlink glob "$at/*";
File::Path::remove_tree("$dir/cache");

refused_package('an include from beside the package',
    qr/does not parse: 'beside\.h' file not found/,
    package_of({ $x_wrapper => body_of($wrapper, '#include "beside.h"') }), compiles => 1,
    elsewhere => 0)
    if spew("$at/beside.h", "int SECRET123;\n");
refused_package('a kernel that does not compile', qr/cannot be compiled/,
    package_of({ $x_kernel => body_of($kernel, '#error planted') }), compiles => 2);
done_testing;
