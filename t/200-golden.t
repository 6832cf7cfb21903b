# The model, the edits and the kernels' graphs of every wrapper of t/corpus, compared with t/golden.
#
# The headers that parse them are those of t/headers, which were cut from torch's own: it needs no
# torch. Where one is there, some wrappers of its version are parsed with its own headers, too: one
# of each list of what they include. UPDATE_GOLDEN=1 rewrites t/golden: read the difference before
# you commit.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use File::Path 'make_path';
use JSON::PP ();

my $update = $ENV{UPDATE_GOLDEN};
my $corpus = root() . '/t/corpus';
my @dumps = qw(model edits kernels);

sub includes { return join ' ', sort slurp("$corpus/$_[0]") =~ /^#include .*$/mg }

sub dump_of {
    my ($program, $dump, $torch, $wrapper) = @_;
    my $r = run_cmd([build() . "/$program", "--dump=$dump", "--torch=$torch->{dir}", '-o', '-',
        "$corpus/$wrapper"]);
    is($r->{status}, 0, "$wrapper: --dump=$dump") or diag($r->{err});
    return $r->{out};
}

# All of one parse: NAME => text.
sub dumps_of {
    my (undef, %out) = split /^== (\w+)\n/m, dump_of('aotigen-dumps', 'edits', @_), -1;
    return %out;
}

sub golden_of {
    my ($dump, $wrapper) = @_;
    return 't/golden/' . $wrapper =~ s{/wrapper\.cpp$}{.$dump}r;
}

# The tensors of C++ kernels that no dtype was read for: their declarations have them all.
sub untyped {
    my ($model) = @_;
    my @kernels = grep { $_->{form} eq 'cpu' } map { $_->{args} ? $_ : () }
        map { JSON::PP::decode_json($_) } $model =~ /^(\{"type":"site".*)$/mg;
    return join ' ', map { my $site = $_->{site}; map { "$site:$_->{name}" }
        grep { $_->{kind} eq 'tensor' && !$_->{dtype} } @{ $_->{args} } } @kernels;
}

my %compared;
for my $headers (all_headers()) {
    my @wrappers = corpus_wrappers($headers);
    cmp_ok(scalar @wrappers, '>', 5, "t/corpus has wrappers of torch $headers->{version}");
    for my $wrapper (@wrappers) {
        my %out = dumps_of($headers, $wrapper);
        is(untyped($out{model}), '', "$wrapper: tensors of C++ kernels have dtypes");
        for my $dump (@dumps) {
            my ($out, $golden) = ($out{$dump}, golden_of($dump, $wrapper));
            $compared{$golden} = 1;
            if ($update) {
                make_path(root() . '/' . $golden =~ s{/[^/]+$}{}r);
                spew(root() . "/$golden", $out);
            }
            ok(-e root() . "/$golden", "$golden is there") or next;
            is($out, slurp(root() . "/$golden"), "$wrapper: $dump as before");
            is(dump_of('aotigen', $dump, $headers, $wrapper), $out, "and by --dump=$dump")
                if $wrapper eq $wrappers[0];
        }
    }
}
my @versions = sort map { m{([^/]+)$} } glob "$corpus/[0-9]*";
is(join(' ', sort map { $_->{version} =~ s/\+.*//r } all_headers()), "@versions",
    'each version of t/corpus has its headers');
my $root = root();
my @others = grep { !$compared{$_} } map { substr $_, 1 + length $root } grep { -f }
    glob "$root/t/golden/[0-9]*/* $root/t/golden/[0-9]*/*/*";
is("@others", '', 'every golden file has its wrapper');

# ---- torch's own headers

my $torch = torch();
my %seen;
for my $wrapper ($torch ? corpus_wrappers($torch) : ()) {
    next if $seen{ includes($wrapper) }++;
    my $golden = slurp(root() . '/' . golden_of('model', $wrapper));
    is(dump_of('aotigen', 'model', $torch, $wrapper), $golden,
        "$wrapper: the same by torch's own headers");
}
done_testing;
