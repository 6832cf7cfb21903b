# Hostile packages: recorded commands. The same flags are refused for the wrapper, for a kernel and
# for the linker, and no recorded directory is looked into.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

spew("$dir/bin/evil", "#!/bin/sh\ntouch $dir/outside/ran\n");
chmod 0755, "$dir/bin/evil";
my $loads = qr/loads code into the compiler/;
my @flags = (
    ['-fplugin=/tmp/x.so', $loads], ['-fplugin-arg-x=1', $loads],
    ['-fpass-plugin=/tmp/x.so', $loads], ['-Xclang -load', qr/hands flags past/],
    ['-mllvm -x', qr/hands flags past/],
    ['@/tmp/response', qr/is a response file/], ['-specs=/tmp/specs', qr/reads files of its own/],
    ['--specs=/tmp/specs', qr/reads files/], ["-wrapper $dir/bin/evil", qr/runs another program/],
    ["-B$dir/bin", qr/names another tool/], ["-B $dir/bin", qr/names another tool/],
    ["--prefix=$dir/bin", qr/names another tool/], ['-fuse-ld=/tmp/ld', qr/names another tool/],
    ["--ld-path=$dir/bin/evil", qr/names another tool/],
    ['--gcc-toolchain=/tmp', qr/names another tool/], ['--config=/tmp/x', qr/reads files/],
    ['--sysroot=/tmp', qr/reads files/], ['-isysroot /tmp', qr/reads files/],
    ['-imacros /etc/passwd', qr/reads files/], ['-include /etc/passwd', qr/includes a file/],
    ['-Wl,-plugin,/tmp/x.so', qr/hands the linker/], ['-Wl,@/tmp/x', qr/hands the linker/],
    ['-Wl,-T,/tmp/x', qr/hands the linker/], ['-Wl,--dynamic-linker=/tmp/x', qr/hands the linker/],
    ['-Wl,-init,evil', qr/hands the linker/], ['-Wl,-z,now,/tmp/x.a', qr/hands the linker/],
    ['-Wl,-rpath,/tmp,-T,/tmp/x', qr/hands the linker/], ['-Xlinker -plugin', qr/hands flags past/],
    ['-Wa,-I/tmp', qr/hands flags past/], ['-Wp,-MD,/tmp/x', qr/hands flags past/],
    ['-Xassembler --x', qr/hands flags past/], ['-Xpreprocessor -x', qr/hands flags past/],
    ['-T /tmp/script', qr/hands the linker/], ['-MD', qr/writes files/],
    ['-MF/tmp/x', qr/writes files/], ['-save-temps', qr/writes files/],
    ['-dumpbase /tmp/x', qr/writes files/], ['-fdump-tree-all=/tmp/x', qr/writes files/],
    ['-fprofile-generate=/tmp', qr/writes files/], ['-fmodules-ts', qr/reads files/],
    ['-x c', qr/asks for a language/], ['-std=c99', qr/asks for a language/],
    ['-std=c++98', qr/asks for a language/],
    ['-fsanitize-ignorelist=/etc/passwd', qr/names a file/],
    ['-l/tmp/x.so', qr/is not the name of a library/], ['-l../x', qr/is not the name of a library/],
    ['-DX(a)=asm', qr/asks for a shell/], ["'-DX(a)=asm'", qr/defines a macro as something other/],
    ['-DX=$(id)', qr/asks a shell/], ['`id`', qr/asks a shell/], ['; id', qr/asks for a shell/],
    ['| id', qr/asks for a shell/], ['>/tmp/x', qr/asks for a shell/],
    ['&& id', qr/asks for a shell/], ['"unclosed', qr/quote that does not close/],
    ['\\', qr/ends in a backslash/], ["-DX=a\eb", qr/control character/],
    ['/etc/passwd', qr/is neither a flag nor a source/], ['-', qr/is neither a flag/],
);
for my $case (@flags) {
    my ($words, $says) = @$case;
    refused_package("a wrapper compiled with $words",
        qr/^model\.pt2\/\Q$x_wrapper\E:15:\d+: error: .*$says/,
        package_of({ $x_wrapper => $wrapper =~ s/(x\.wrapper\.cpp.* -c) .*/$1 $words/r }));
    refused_package("a wrapper linked with $words",
        qr/^model\.pt2\/\Q$x_wrapper\E:17:\d+: error: .*$says/,
        package_of({ $x_wrapper => $wrapper =~ s/(-o x\.wrapper\.so)/-shared $words/r }))
        if $words !~ /^(?:-D|'-D)/;
    refused_package("a kernel compiled with $words",
        qr/^model\.pt2\/\Q$x_kernel\E:5:\d+: error: .*$says/,
        package_of({ $x_kernel => $kernel =~ s/(x\.kernel\.cpp.* -c) .*/$1 $words/r }));
}
for my $compiler ("$dir/bin/evil", 'sh', 'python3', './g++ ', '../g++-evil', 'env g++', 'g++evil',
    '-g++', '/bin/sh -c g++', 'CXX=g++ g++', 'clang') {
    my $is_one = $compiler =~ /^(?:\.\/g\+\+ |clang)$/; # a known name: ours is run in its place
    my $text = $wrapper =~ s/(Compile cmd\n\/\/) g\+\+/$1 $compiler/r;
    if ($is_one) { accepted("the compiler '$compiler'", package_of({ $x_wrapper => $text })) }
    else {
        refused_package("the compiler '$compiler'",
            qr/:15:4: error: .*is not g\+\+ or clang\+\+|:15:\d+: error: .*is neither a flag/,
            package_of({ $x_wrapper => $text }));
    }
}
refused_package('a heading without a command', qr/is followed by no command/,
    package_of({ $x_wrapper => $wrapper =~ s/(Compile cmd\n)\/\/.*/$1/r }));
# GCC's driver passes on at most 128 KiB, and says of more only that a program cannot be run.
for my $of (8100, 8300) {
    my $flags = join ' ', map { sprintf '-DA%05d=1', $_ } 1 .. $of;
    my $members = package_of({ $x_kernel => $kernel =~ s/-O0/-O0 $flags/r });
    $of == 8100
        ? accepted("$of macros", $members)
        : refused_package("$of macros", qr/kernel\.cpp: error: the flags of .* are too long for/,
            $members, compiles => 1);
}
# Directories of the stranger's choice are not looked into, whatever lies there.
File::Path::make_path("$dir/outside/include", "$dir/outside/lib");
spew("$dir/outside/include/planted.h", "int SECRET123;\n");
spew("$dir/outside/lib/libplanted.so", '');
refused_package("an include directory of its own ($_)",
    qr/does not parse: 'planted\.h' file not found/, package_of({ $x_wrapper => body_of($wrapper,
    '#include <planted.h>') =~ s/ -O0/ $_$dir\/outside\/include/r }), compiles => 1)
    for '-I', '-I ', '-isystem', '-iquote', '-idirafter ';
refused_package('a library of its own', qr/cannot be linked/,
    package_of({ $x_wrapper => $wrapper =~ s/-o x\.wrapper\.so/-L$dir\/outside\/lib -lplanted/r }),
    compiles => 2);
done_testing;
