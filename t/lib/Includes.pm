package Includes;

# Includes.pm - what the sources include, found as the compiler finds it.
#
#   named($text)               -> the names in the #include lines of a source, each with its " or <
#                                 in front; what a macro names is returned as its words
#   found($file, $name, @path) -> the file below the root that the name stands for, or undef: beside
#                                 $file, and below the folders @path
#   depended($dependencies)    -> the files below the root that a file of gcc -MMD names
#   normal($path)              -> a path without '.', '..' and '//'

use strict;
use warnings;
use Aotigen ();

sub normal {
    my ($path) = @_;
    my @parts;
    for my $part (split m{/+}, $path) {
        if ($part eq '..' && @parts && $parts[-1] ne '..') { pop @parts }
        elsif ($part ne '.') { push @parts, $part }
    }
    return join '/', @parts;
}

# A comment is a space, also within a directive; what looks like one in a string is none.
sub without_comments {
    my ($text) = @_;
    $text =~ s/\\\r?\n//g;
    $text =~ s{("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/|//[^\n]*}{$1 // ' '}gse;
    return $text;
}

sub named {
    my ($text) = @_;
    my $begin = qr/(?:#|%:|\?\?=)\h*(?:include(?:_next)?|import|embed)\b/;
    return map { /^(["<][^">]+)[">]/ ? $1 : $_ }
        without_comments($text) =~ /^\h*$begin\h*(\N*?)\h*$/mg;
}

sub found {
    my ($file, $name, @path) = @_;
    my $beside = $file =~ s{[^/]+$}{}r;
    my ($found) = grep { -e Aotigen::root() . "/$_" } map { normal("$_$name") } $beside, @path;
    return $found;
}

sub depended {
    my ($dependencies) = @_;
    my $text = Aotigen::slurp($dependencies) =~ s/\\\n//gr;
    my ($files) = $text =~ /^[^:\n]*:([^\n]*)/;
    my $root = Aotigen::root();
    return grep { !m{^/} } map { normal(s{^\Q$root\E/}{}r) } split ' ', $files // '';
}

1;
