#!/usr/bin/perl
# embed.pl - turns files into C, so that a program carries them.
#
#   embed.pl templates FILE.tpl...  the table that gen/base/template.h declares: name (without
#                                   directory and ending), text, size, hash
#   embed.pl bytes NAME FILE        const unsigned char NAME[] and const size_t NAME_size
#
# Writes to standard output. Bytes are written as numbers: no limit on the length of a string,
# nothing to escape.
use strict;
use warnings;
use Digest::SHA;

sub bytes_of {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "embed.pl: cannot read '$file': $!\n";
    local $/;
    my $data = <$in>;
    return defined $data ? $data : '';
}

sub array {
    my ($data) = @_;
    my @bytes = unpack 'C*', $data;
    my $text = '';
    $text .= '  ' . join(',', splice @bytes, 0, 32) . ",\n" while @bytes;
    return $text;
}

# Of the text without its last newlines, as a slot is filled with it.
sub hash_of {
    my ($data) = @_;
    my $hash = Digest::SHA::sha256_base64($data =~ s/\n+\z//r);
    return $hash . '=' x (-length($hash) % 4);
}

my $what = shift // '';
if ($what eq 'templates') {
    my $table = '';
    print qq(#include "base/template.h"\n\n);
    for my $i (0 .. $#ARGV) {
        my ($name) = $ARGV[$i] =~ m{([^/]+)\.tpl$}
            or die "embed.pl: '$ARGV[$i]' does not end in .tpl\n";
        my $data = bytes_of($ARGV[$i]);
        die "embed.pl: '$ARGV[$i]' holds a NUL\n" if $data =~ /\0/;
        print "static const char text_$i\[] = {\n", array($data), "  0\n};\n\n";
        $table .= sprintf qq(  { "%s", text_%d, %d, "%s" },\n), $name, $i, length $data,
            hash_of($data);
    }
    print "const template_file template_files[] = {\n$table};\nconst unsigned template_files_n = ",
        scalar @ARGV, ";\n";
} elsif ($what eq 'bytes' && @ARGV == 2) {
    my ($name, $file) = @ARGV;
    print "#include <stddef.h>\n\n";
    print "extern const unsigned char ${name}[];\nextern const size_t ${name}_size;\n\n";
    print "_Alignas(64) const unsigned char ${name}[] = {\n", array(bytes_of($file)), "};\n";
    print "const size_t ${name}_size = sizeof ${name};\n";
} else {
    die "usage: embed.pl templates FILE.tpl... | embed.pl bytes NAME FILE\n";
}
