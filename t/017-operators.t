# Code with the graph of a kernel compares operators by their numbers, never by their texts.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my $text = qr/"((?:[^"\\]|\\.)*)"/;
my %texts = map { $_ => 1 } slurp("$root/shared/ops.def") =~ /^AG_OPERATOR\(\w+, $text/gm;
cmp_ok(scalar keys %texts, '>', 100, 'ops.def has texts');

# The comparisons with an operator's text in a source.
sub compared {
    my ($source) = @_;
    return grep { $texts{$_} } $source =~ /\bstrn?cmp\([^;{}"]*$text/g;
}
is(join(' ', compared('if (strcmp(x->text, "where") == 0 || !strcmp(op, "+")) return;')), 'where +',
    'a comparison is found');
is(join(' ', compared('strcmp(dtype, "bool") == 0 && strcmp(x->text, "nothing")')), '',
    'another one is not taken for one');

# Readers: of a kernel's text, which give each operator its number, and of a graph's.
my @sources = (glob("$root/gen/kernel/graph*.c"), map { glob("$root/$_/*.[ch]") }
        qw(gen/bounds gen/sizes gen/check gen/emit runtime/explain shared));
my @files = grep { !m{/(?:graph_build|graph_read)\.c$} } @sources;
cmp_ok(scalar @files, '>', 60, 'sources are looked at');
for my $file (@files) {
    my @found = compared(slurp($file));
    is("@found", '', $file =~ s{^\Q$root\E/}{}r . ' compares no operator\'s text');
}
done_testing;
