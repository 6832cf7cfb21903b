#!/usr/bin/perl
# readme.pl - README.md without what only the sources have: from standard input to standard output.
use strict;
use warnings;

local $/;
my $text = <STDIN>;
$text =~ s/ On a Debian 12 machine:\n.*?(?=^## )/\n\n/ms;  # how to build it there
$text =~ s/^    make \w.*\n//mg;
$text =~ s/^## Install\n\n\n/## Install\n\n/m;
$text =~ s/ \(`samples\/bench\.md`\)//g;
$text =~ s/`man \.\/man\/aotigen\.(\d)`/`man $1 aotigen`/g;
$text =~ s/^- `(?:CONTRIBUTING|samples\/README|samples\/bench)\.md`.*\n(?:  .*\n)*//mg;
print $text;
