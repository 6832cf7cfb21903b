# The look of the sources. Lengths are told, not evaluated.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my @files = grep { -f } map { glob "$root/$_" }
    qw(Makefile .gitignore .ci/run *.md gen/* gen/*/* templates/* runtime/* runtime/*/* kernels/*
        samples/* samples/bench/* man/* t/*.t t/*.c t/*.h t/5xx/* t/lib/* t/setup/*);
cmp_ok(scalar @files, '>', 30, 'there are sources');

my (%wrong);
for my $file (@files) {
    my $name = $file =~ s/^\Q$root\E\///r;
    my $text = slurp($file);
    push @{ $wrong{'no tabs but in the Makefile'} }, $name if $text =~ /\t/ && $name ne 'Makefile';
    push @{ $wrong{'no space before the end of a line'} }, "$name:" . line($text, $-[0])
        if $text =~ /[ \t]+$/m;
    push @{ $wrong{'ends with one newline'} }, $name if length $text && $text !~ /[^\n]\n\z/;
    push @{ $wrong{'no carriage return, no NUL'} }, $name if $text =~ /[\r\0]/;
    my $marks = join '|', 'TO' . 'DO', 'FIX' . 'ME', 'X' . 'XX\b', 'HA' . 'CK\b', '<<' . '<<<<';
    push @{ $wrong{'no marks of unfinished work'} }, "$name: $1" if $text =~ /\b($marks)/;
    push @{ $wrong{'says at its head what it is'} }, $name
        if $name =~ /\.[ch]$/ && $text !~ m{\A/\*};
}

sub line { my ($text, $at) = @_; return 1 + (substr($text, 0, $at) =~ tr/\n//) }

for my $what ('no tabs but in the Makefile', 'no space before the end of a line',
    'ends with one newline', 'no carriage return, no NUL',
    'no marks of unfinished work', 'says at its head what it is') {
    is(join(', ', @{ $wrong{$what} // [] }), '', $what);
}

# Functions of C in this style: a line that ends in ") {" at column 0 of its name, up to "}" at
# column 0.
my @long;
for my $file (grep { /\.c$/ } @files) {
    my $name = $file =~ s/^\Q$root\E\///r;
    my ($begun, $what, $n) = (0, '', 0);
    for my $text (split /\n/, slurp($file)) {
        $n++;
        if ($text =~ /^(?!static const|typedef|enum|struct \w+ \{)\w.*\)\s*\{$/) {
            ($begun, $what) = ($n, $text);
        }
        if ($begun && $text eq '}') {
            push @long, "$name:$begun: " . ($n - $begun + 1) . ' lines' if $n - $begun + 1 > 50;
            $begun = 0;
        }
    }
    push @long, "$name: $n lines" if $n > 500;
}
diag("long: $_") for @long;
done_testing;
