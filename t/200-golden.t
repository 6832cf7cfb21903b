# The model, the edits and the kernels' graphs of every wrapper of t/corpus that the torch at hand
# can parse, compared with t/golden.
#
# The headers of one torch parse the wrappers of their own minor version; `make check
# TORCH_VERSION=...` tests another. UPDATE_GOLDEN=1 rewrites t/golden: read the difference before
# you commit.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use File::Path 'make_path';

my $torch = need_torch();
my ($minor) = $torch->{version} =~ /^(\d+\.\d+)/;
my $update = $ENV{UPDATE_GOLDEN};
my $corpus = root() . '/t/corpus';

my @wrappers = corpus_wrappers($torch);
skip_or_fail('corpus', "t/corpus holds no wrapper of torch $minor") if !@wrappers;

my %compared;
for my $wrapper (@wrappers) {
    (my $name = $wrapper) =~ s{/wrapper\.cpp$}{};
    for my $dump (qw(model edits kernels)) {
        my $r = aotigen("--dump=$dump", "--torch=$torch->{dir}", '-o', '-', "$corpus/$wrapper");
        is($r->{status}, 0, "$name: --dump=$dump") or diag($r->{err});
        my $golden = root() . "/t/golden/$name.$dump";
        $compared{$golden} = 1;
        if ($update) {
            make_path($golden =~ s{/[^/]+$}{}r);
            spew($golden, $r->{out});
        }
        ok(-e $golden, "$name: its golden $dump is there") or next;
        is($r->{out}, slurp($golden), "$name: $dump as before");
    }
}
my $at = root() . "/t/golden/$minor.*";
my @others = grep { -f && !$compared{$_} } glob "$at/* $at/*/*";
is("@others", '', 'every golden file has its wrapper');
done_testing;
