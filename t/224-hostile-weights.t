# Hostile packages: the '.so' or object file that the weights are taken from.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

my $elf = sub { # a field of the header, or of each section's
    my ($at_header, $pack, $value) = @_;
    my $text = $so;
    substr $text, $at_header, length pack($pack, $value), pack $pack, $value;
    return $text;
};
my ($shoff, $shentsize, $shnum) =
    (unpack('Q<', substr $so, 0x28, 8), unpack 'v2', substr $so, 0x3a, 4);
my @sections = map { my @h = unpack 'V2 Q<4 V2 Q<2', substr $so, $shoff + 64 * $_, 64;
    +{ at => $shoff + 64 * $_, type => $h[1], offset => $h[4], size => $h[5] } } 0 .. $shnum - 1;
my ($symbols) = grep { $_->{type} == 2 } @sections;
my $names = $sections[unpack 'V', substr $so, $symbols->{at} + 40, 4];
sub symbol_of { # where in the file the table's entry of this symbol is
    my ($name) = @_;
    my $string = index(substr($so, $names->{offset}, $names->{size}), "\0$name\0") + 1;
    for (my $i = $symbols->{offset}; $i < $symbols->{offset} + $symbols->{size}; $i += 24) {
        return $i if unpack('V', substr $so, $i, 4) == $string;
    }
    return;
}
my ($start, $end) = map { symbol_of("_binary_constants_bin_$_") } qw(start end);
ok($symbols && $names && $start && $end, "the '.so' has symbols of its weights");
my $base = unpack 'Q<', substr $so, $start + 8, 8;
my $weights = $sections[unpack 'v', substr $so, $start + 6, 2];
my $behind = unpack('Q<', substr $so, $weights->{at} + 16, 8) + $weights->{size};
my $taken = qr/the weights cannot be taken from it/;
for my $case (
    ['text', "not an ELF file\n" x 100, $taken], ['empty', '', $taken],
    ['a head', "\x7fELF", $taken],
    ['an object file', $object, qr/is an object file, not a shared object/],
    ['cut off', substr($so, 0, -1000),
        qr/$taken: it is cut off: .* the last 1000 of which are missing/],
    ['of 32 bits', $elf->(4, 'C', 1), $taken],
    ['of the other byte order', $elf->(5, 'C', 2), $taken],
    ['for another machine', $elf->(18, 'v', 243), qr/made for another processor/],
    ['with sections outside of it', $elf->(0x28, 'Q<', 1 << 40), $taken],
    ['with sections at its end', $elf->(0x28, 'Q<', length($so) - 8), $taken],
    ['with 65535 sections', $elf->(0x3c, 'v', 65535), $taken],
    ['with no sections', $elf->(0x3c, 'v', 0), $taken],
    ['with weights of 2^62 bytes', $elf->($weights->{at} + 32, 'Q<', 1 << 62),
        qr/does not lie inside of the file/], ['with weights at 2^62',
        $elf->($weights->{at} + 24, 'Q<', 1 << 62), qr/does not lie inside of the file/],
    ['with weights that end past it', $elf->($weights->{at} + 32, 'Q<', length($so)),
        qr/does not lie inside of the file/], ['with weights of no bytes',
        $elf->($weights->{at} + 32, 'Q<', 0), qr/do not lie inside of their section/],
    ['with weights of no kind', $elf->($weights->{at} + 4, 'V', 8),
        qr/does not lie inside of the file/],
    ['with symbols of 2^60 bytes', $elf->($symbols->{at} + 32, 'Q<', 1 << 60), $taken],
    ['with symbols at 2^60', $elf->($symbols->{at} + 24, 'Q<', 1 << 60), $taken],
    ['with symbols of odd size', $elf->($symbols->{at} + 56, 'Q<', 1), $taken],
    ['with symbols of no size', $elf->($symbols->{at} + 56, 'Q<', 0), $taken],
    ['with names outside of it', $elf->($names->{at} + 24, 'Q<', 1 << 50), $taken],
    ['with names of no size', $elf->($names->{at} + 32, 'Q<', 0), $taken],
    ['with names in another table', $elf->($symbols->{at} + 40, 'V', 4_000_000), $taken],
    ['with weights that begin before their section', $elf->($start + 8, 'Q<', 0),
        qr/do not lie inside of their section/], ['with weights that end behind their section',
        $elf->($end + 8, 'Q<', $behind + 1), qr/do not lie inside of their section/],
    ['with weights that end before they begin', $elf->($end + 8, 'Q<', $base - 1),
        qr/do not lie inside of their section/],
    ['with weights in section 60000', $elf->($start + 6, 'v', 60_000), $taken],
    ['with weights in no section', $elf->($start + 6, 'v', 0), $taken],
    ['with weights that have a start only', $elf->($end, 'V', 0), $taken],
    ['with fewer weights than the wrapper takes', $elf->($end + 8, 'Q<', $base + 64),
        qr/holds 64 bytes of weights, but the wrapper declares 4096/],
    ) {
    my ($what, $text, $says) = @$case;
    refused_package("a '.so' that is $what", qr/^model\.pt2\/\Q$x_so\E: error: .*$says/,
        package_of({ $x_so => $text }), compiles => 1);
}
my $appended = $wrapper =~ s/-O0/-DUSE_MMAP_SELF/r;
refused_package('appended weights that are not there', qr/are not whole/,
    package_of({ $x_wrapper => $appended }), compiles => 1);
for my $case (
    ['larger than the file', 1 << 40, 42, qr/is cut off: with the weights appended/],
    ['of another magic number', 4096, 43], ['of no bytes', 0, 42], ['of 2^64 bytes', ~0, 42]) {
    my ($what, $says, $magic, $text_says) = @$case;
    my $text = $so;
    substr $text, $weights->{offset} + $base - $behind + $weights->{size}, 16, pack 'Q<2',
        $says, $magic;
    $text .= "\0" x (-length($text) % 0x4000) . 'w' x 4088 . pack 'Q<', 42;
    refused_package("appended weights that are $what", $text_says // qr/are not whole/,
        package_of({ $x_wrapper => $appended, $x_so => $text }), compiles => 1);
}
for my $case (['text', "no object\n", qr/not an object file with the model's weights/],
    ['empty', '', qr/not an object file/], ["a '.so'", $so, qr/not an object file/],
    ['cut off', substr($object, 0, 700), qr/not an object file/], ['for another machine',
    substr($object, 0, 18) . "\xf3\0" . substr($object, 20), qr/not an object file/]) {
    my ($what, $text, $says) = @$case;
    refused_package("an object file that is $what", qr/^model\.pt2\/\Q$x_object\E: error: .*$says/,
        package_of({ $x_so => undef }, { name => $x_object, data => $text }));
}
{ # What is handed to the linker: whatever it makes of it, nothing but that.
    my ($sections_at, $n) =
        (unpack('Q<', substr $object, 0x28, 8), unpack 'v', substr $object, 0x3c, 2);
    my $merged = 0;
    for my $i (1 .. $n - 1) {
        my $text = $object;
        substr $text, $sections_at + 64 * $i + 32, 8, pack 'Q<', 1 << 61;
        zip("$at/model.pt2", package_of({ $x_so => undef, $x_wrapper => $launching },
            { name => $x_object, data => $text }));
        my $r = generate(['model.pt2', '-o', 'out.pt2']);
        my $refused = qr/(?:is not an object file|cannot be linked with the runtime)/;
        my @errors = $r->{err} =~ /^model\.pt2\/\Q$x_object\E: error: $refused/mg;
        ok($r->{signal} == 0 && $r->{kb} <= MAX_KB && !glob("$tmp/* $at/.a*") && ($r->{status} == 0
            ? -e "$at/out.pt2" : $r->{status} == 1 && @errors == 1 && !-e "$at/out.pt2"),
            "an object file whose section $i lies about its size") or diag($r->{err});
        $merged++ if $r->{err} =~ /cannot be linked with the runtime/;
        unlink glob("$at/*");
        File::Path::remove_tree("$dir/cache");
    }
    cmp_ok($merged, '>', 0, 'the linker saw some of them');
    spew("$dir/lto.c", "__asm__(\".globl leaks\\nleaks: .incbin \\\"$dir/outside/secret.h\\\"\");\n"
        . slurp("$dir/old.c"));
    is(run_cmd(['gcc', '-fPIC', '-flto', '-ffat-lto-objects', '-c', '-o', "$dir/lto.o",
        "$dir/lto.c"])->{status}, 0, 'an object file for a linker that compiles');
    accepted('it', package_of({ $x_wrapper => $launching, $x_so => undef },
        { name => $x_object, data => slurp("$dir/lto.o") =~ s/SECRET123/........./gr }), keep => 1);
    unlike(slurp("$at/out.pt2"), qr/SECRET123/, 'and is not compiled');
    like(slurp("$at/out.pt2"), qr/\x07{4096}/, 'and its weights are there');
    unlink glob("$at/*");
}
done_testing;
