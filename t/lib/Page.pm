package Page;

# Looks at pages of `aotigen report` as a browser does: the elements by Python's parser of HTML,
# the script in Chromium.
use strict;
use warnings;
use Exporter 'import';
use Aotigen qw(run_cmd slurp spew);
our @EXPORT = qw(elements_of dom_of);

my $parser = <<'END';
import html.parser, json, sys
VOID = {'meta', 'input', 'br', 'link', 'img'}
class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.found, self.into = [], [], [], None
    def handle_starttag(self, tag, attrs):
        self.into = {'tag': tag, 'attrs': dict(attrs), 'text': ''}
        self.found.append(self.into)
        if tag not in VOID:
            self.open.append(tag)
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)
        self.into = None
    def handle_data(self, data):
        if self.into:
            self.into['text'] += data
r = Reader()
r.feed(open(sys.argv[1], encoding='utf-8').read())
r.close()
json.dump({'wrong': r.wrong, 'open': r.open, 'found': r.found}, sys.stdout)
END

# { wrong => tags that close none, open => those never closed, found => [{ tag, attrs, text }] }.
sub elements_of {
    my ($file) = @_;
    my $r = run_cmd(['python3', '-c', $parser, $file]);
    die $r->{err} if $r->{status};
    require JSON::PP;
    return JSON::PP::decode_json($r->{out});
}

sub browser {
    for my $name (qw(chromium chromium-browser google-chrome)) {
        for my $dir (split /:/, $ENV{PATH}) { return "$dir/$name" if -x "$dir/$name" }
    }
    return undef;
}

# What the document is after its script has run; undef: there is no Chromium. act: another script
# that then runs in a copy, which lacks the policy that forbids it.
sub dom_of {
    my ($file, $home, $act) = @_;
    my $browser = browser() // return undef;
    if (defined $act) {
        my $page = slurp($file) =~ s/<meta http-equiv="Content-Security-Policy".*?>//rs;
        $file =~ s/\.html\z/-driven.html/;
        spew($file, $page =~ s{</body>}{<script>$act</script></body>}r);
    }
    my $r = run_cmd([$browser, '--headless', '--no-sandbox', '--disable-gpu',
        "--user-data-dir=$home", '--virtual-time-budget=5000', '--dump-dom', "file://$file"],
        env => { HOME => $home });
    return $r->{out};
}

1;
