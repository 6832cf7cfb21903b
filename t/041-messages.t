# samples/messages.md has every message of the program and of the run-time library, and none that is
# gone: each text is compared with the formats in the sources, where '...' stands for what is filled
# in. Of a report that is put together, and of the line of a crash, each part of three words or more
# stands somewhere on the page.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use File::Find 'find';

my $root = root();
my (@sources, %text);
find(sub { push @sources, $File::Find::name if /\.c$/ }, map { "$root/$_" } qw(gen runtime host));
push @sources, glob("$root/gen/compare/*.py"), "$root/gen/replay/hosting.py";
# Some stand in a table that both halves include.
my %what = slurp("$root/shared/causes.def") =~ /^CAUSE\((\w+), \w+, ("[^"]*")/mg;
my %check = slurp("$root/shared/checks.def") =~ /^CHECK\((\w+), ("[^"]*")/mg;
s/"\z/ ..."/ for grep { / of dimension/ } values %check;
for my $file (sort @sources) {
    my $code = slurp($file);
    $code =~ s{/\*.*?\*/|^ *""".*?"""$}{}gms;
    $code =~ s{\bcause_what\(CAUSE_(\w+)\)}{$what{$1} // '""'}ge;
    $code =~ s{\bAG_CHECK_(\w+)}{$check{$1} // '""'}ge;
    $code =~ s/"\s*\n\s*"//g; # one literal in several lines
    $text{ $file =~ s{^\Q$root\E/}{}r } = $code;
}

# The first line of a format, as it stands on the page.
my $string = qr/"((?:[^"\\]|\\.)*)"/;

sub shown {
    my ($format) = @_;
    $format =~ s/^\s+//;
    $format =~ s/\\n.*//s;
    $format =~ s/\\(.)/$1/g;
    $format =~ s/%%/%/g;
    $format =~ s/%[-+0-9.*]*(?:ll|[lzhj])?[a-zA-Z]/.../g;
    $format =~ s/^aotigen: (?:(?:warning|error): )?//;
    return $format =~ s/\s+$//r;
}

# The arguments of the call that opens at $at: up to its closing bracket.
sub arguments {
    my ($code, $at) = @_;
    my $depth = 0;
    pos($code) = $at;
    while ($code =~ /\G(?:$string|'(?:[^'\\]|\\.)+'|([()])|[^"'()]+)/gc) {
        next if !defined $2;
        $depth += $2 eq '(' ? 1 : -1;
        return substr $code, $at, pos($code) - $at if !$depth;
    }
    return '';
}

# What a user may search for: messages, heads of reports, warnings, and the names of checks.
my $said = qr/\b(?:diag_(?:error|warning|note)(?:_at)?|ag_warn|ag_report_head|Refused)(?=\()/;
my $checked = qr/\b(?:ag_finding_add|add_violation)(?=\()/;
my $added = qr/\b(?:ag_text_add(?:f|_line)?|ag_raw_add|add_place)(?=\()/;
my (%messages, %literals, %parts);

# A format without what joins it to the parts before and behind it.
sub part {
    my ($format) = @_;
    $format =~ s/^(?:\\n|\s)+//;
    return shown($format) =~ s/^(?:\.\.\.|[\s,;:])+|(?:\.\.\.|[\s,;:])+$//gr;
}

for my $file (keys %text) {
    my $code = $text{$file};
    while ($code =~ /$said/g) {
        my $arguments = arguments($code, pos $code);
        my ($format) = grep { /[a-z] [a-z%']/ } $arguments =~ /$string/g;
        $messages{ shown($format) } //= $file if defined $format;
    }
    while ($code =~ /$checked/g) {
        my ($check) = arguments($code, pos $code) =~ /$string/;
        $messages{"$check:"} //= $file if defined $check && $code =~ /#include "(?:checks|nan)/;
    }
    while ($file =~ m{^runtime/(?:checks|launch|memory|nan|state|watch)/} && $code =~ /$added/g) {
        my $arguments = arguments($code, pos $code);
        $parts{$_} //= $file for grep { /[a-z]{2,}(?: [a-z]+){2}/ } map { part($_) }
            $arguments =~ /$string/g;
    }
    $messages{ shown($1) } //= $file while $code =~ /"(aotigen: (?:[^"\\]|\\.)+)"/g;
    $literals{$_} = 1 for map { (shown($_), part($_)) } $code =~ /$string/g;
    # Why a kernel's text is not understood: shown nowhere.
    next if $file =~ m{gen/(?:kernel/|bounds/(?:reach|kernel_facts)\.c)};
    $messages{ shown($1) } //= $file while $code =~ /\bwhy = "((?:[^"\\]|\\.)* (?:[^"\\]|\\.)*)"/g;
}
delete $messages{$_} for grep { !/[a-z]{3}/ } keys %messages;
cmp_ok(scalar keys %messages, '>', 120, 'the sources have messages');

my $page = slurp("$root/samples/messages.md");
my %entries = map { s/\s+/ /gr => 1 } $page =~ /^- `([^`]+)`:\s+\S/mg;
cmp_ok(scalar keys %entries, '>', 120, 'the page has entries');
my @entries = $page =~ /^- `/mg;
is(scalar @entries, scalar keys %entries, 'each has a meaning, and stands once');
is(join("\n", map { "$messages{$_}: $_" } grep { !$entries{$_} } sort keys %messages), '',
    'every message is on the page');

# What is filled in may be any few words there.
cmp_ok(scalar keys %parts, '>', 40, 'reports are put together');
my $words = $page =~ s/\s+/ /gr;
my @missing = grep { my $part = join '.{0,40}?', map { quotemeta } split /\.\.\./;
    $words !~ /$part/ } sort keys %parts;
is(join("\n", map { "$parts{$_}: $_" } @missing), '', 'every part of a report is on the page');
my @gone = grep { !$messages{$_} && !$literals{$_} && !$literals{s/:$//r} } sort keys %entries;
is(join("\n", @gone), '', 'every entry of the page is in the sources');
done_testing;
