package Functions;

# Functions.pm - where the functions of a source begin and end, as its layout shows.
#
#   of($name, $text) -> [name, first line, lines] of each function; none where the language of the
#                       file $name is not known
#
# In C a function is what has parameters before a brace at the end of a line; it ends with a brace
# in the column where it began. A macro with parameters counts as one, and so does what a macro of
# t/test.h begins. In Perl and sh a function ends with a brace in its column; in Python before the
# next line that is not deeper.

use strict;
use warnings;

sub of {
    my ($name, $text) = @_;
    my @lines = split /\n/, $text;
    return in_c(@lines) if $name =~ /\.(?:c|h|cc|cu|cuh|cpp|inc)$/;
    return in_perl(without_heredocs(@lines)) if $name =~ /\.(?:pl|pm|t)$/;
    return in_python(@lines) if $name =~ /\.py$/;
    return in_sh(without_heredocs(@lines)) if $name =~ /\.sh$/ || $text =~ m{\A#!/bin/sh};
    return;
}

# The line that closes what begins in line $i: the first that begins so.
sub last_of {
    my ($close, $i, @lines) = @_;
    for my $j ($i + 1 .. $#lines) { return $j if ($lines[$j] // '') =~ $close }
    return $#lines;
}

# ---- C, C++, CUDA

# The declaration that begins in line $i, up to what ends it, and the number of its last line.
sub head_of {
    my ($i, @lines) = @_;
    my $head = '';
    for my $j ($i .. $#lines) {
        return ('', $j) if $lines[$j] =~ /^\s*(?:#|$)/;
        my $line = $lines[$j] =~ s/"(?:\\.|[^"\\])*"/""/gr =~ s{/\*.*?(?:\*/|$)|//.*}{}gr;
        $head .= $line =~ s/\s+$//r . ' ';
        return ($head, $j) if $head =~ /[;{}] $/;
    }
    return ('', $#lines);
}

# The name of the function that a declaration begins, or undef.
sub name_in {
    my ($head) = @_;
    return $1 // $2 if $head =~ /^TEST\((\w+)\) \{|^((?:BEFORE|AFTER)_(?:EACH|ALL)) \{/;
    $head =~ s/\b__\w+__\s*\((?:[^()]|\([^()]*\)|\(\([^()]*\)\))*\)//g;
    my ($before, $name) = $head =~ /^([^({]*?)((?:operator\b[^\w(]*)?\w*)\s*\(.*[{}] $/ or return;
    return $before =~ /\[$|\[\]|\[&\]/ ? '(lambda)' : undef if $before =~ /=/ && !length $name;
    return if $before =~ /=|\b(?:typedef|else)\b/ || !length $name;
    return $name;
}

sub in_c {
    my @lines = @_;
    my @functions;
    for (my $i = 0; $i <= $#lines; $i++) {
        if (my ($macro) = $lines[$i] =~ /^# *define (\w+)\(.*\\$/) {
            my $last = $i;
            $last++ while $last < $#lines && $lines[$last] =~ /\\$/;
            push @functions, [$macro, $i + 1, $last - $i + 1];
        }
        my ($blanks) = $lines[$i] =~ /^( *)(?!\w+:\s*$)[A-Za-z_~]/ or next;
        my ($head, $open) = head_of($i, @lines);
        my $name = name_in($head) // next;
        my $last = $head =~ /\} $/ ? $open : last_of(qr/^$blanks\}/, $open, @lines);
        push @functions, [$name, $i + 1, $last - $i + 1];
        $i = $last;
    }
    return @functions;
}

# ---- Perl and sh

# The lines; those within heredocs, which belong to no function, are undef.
sub without_heredocs {
    my @lines = @_;
    my @ends;
    for my $line (@lines) {
        if (@ends) {
            shift @ends if $line =~ /^\s*\Q$ends[0]\E$/;
            $line = undef;
        }
        else { @ends = map { s/["']//gr } $line =~ /<<[-~]?('\w+'|"\w+"|[A-Za-z_]\w*)/g }
    }
    return @lines;
}

sub add_function {
    my ($functions, $name, $i, $last, @lines) = @_;
    push @$functions, [$name, $i + 1, scalar grep { defined } @lines[$i .. $last]];
    return;
}

# With a name, or at the end of a line, or before a statement that ends the line.
sub in_perl {
    my @lines = @_;
    my @functions;
    for my $i (grep { defined $lines[$_] } 0 .. $#lines) {
        my ($blanks, $name, $body) =
            $lines[$i] =~ /^( *)(?:sub (?=\w)|(?=(?:BEGIN|END)\b))(\w+)[^{;]*(\{.*)?$/;
        ($blanks, $body) = $lines[$i] =~ /^( *)\S.*\bsub ?(\{\s*|\{.*;\s*)(?:#.*)?$/
            if !defined $blanks;
        next if !defined $blanks;
        my $last = $i;
        if (!defined $body) {
            next if ($lines[++$last] // '') ne "$blanks\{";
            $body = '{';
        }
        $last = last_of(qr/^$blanks\}/, $last, @lines) if ($body =~ tr/{//) > ($body =~ tr/}//);
        add_function(\@functions, $name // '(anonymous)', $i, $last, @lines);
    }
    return @functions;
}

sub in_sh {
    my @lines = @_;
    my @functions;
    for my $i (grep { defined $lines[$_] } 0 .. $#lines) {
        my ($name, $open, $rest) =
            $lines[$i] =~ /^(?:function |(?=\w+ ?\(\)))(\w+) *(?:\(\))? *([({])(.*)$/ or next;
        my $close = $open eq '{' ? qr/^\}/ : qr/^\)/;
        my $last = $rest =~ /[})]\s*$/ ? $i : last_of($close, $i, @lines);
        add_function(\@functions, $name, $i, $last, @lines);
    }
    return @functions;
}

# ---- Python

sub in_python {
    my @lines = @_;
    my $quoted = 0;
    for my $line (@lines) { # a line within a long string is as deep as can be
        my $was = $quoted;
        $quoted ^= 1 for $line =~ /"""|'''/g;
        $line = ' ' x 99 . 'x' if $was;
    }
    my @functions;
    for my $i (0 .. $#lines) {
        my ($blanks, $name) = $lines[$i] =~ /^( *)(?:async )?def (\w+)/ or next;
        my $last = $i;
        for my $j ($i + 1 .. $#lines) {
            last if $lines[$j] =~ /^ {0,${\length $blanks}}[^\s#]/ && $lines[$j] !~ /^ *\)/;
            $last = $j if $lines[$j] =~ /\S/;
        }
        push @functions, [$name, $i + 1, $last - $i + 1];
    }
    return @functions;
}

1;
