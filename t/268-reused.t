# A buffer that takes over the memory of another gets memory of its own with --guard=page; a view
# that torch 2.6 moves into its variable does not: what a launch writes there is read elsewhere.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my ($wrapper) = grep { m{cpu/layers-provenance/} } corpus_wrappers($torch);
skip_or_fail('corpus', 't/corpus holds no layers-provenance of this torch') if !defined $wrapper;
my $text = slurp(root() . "/t/corpus/$wrapper");
my $dir = tempdir();
my $move = qr/auto (buf\d+) = std::move\((buf\d+)\);  \/\/ reuse\n/;
my ($to, $from) = $text =~ $move or fail('a buffer takes over memory');

sub marked {
    my ($changed) = @_;
    spew("$dir/model.cpp", $changed);
    my $r = run_cmd([build() . '/aotigen', "--torch=$torch->{dir}", '--guard=page',
        "$dir/model.cpp", '-o', "$dir/out.cpp"]);
    is($r->{status}, 0, 'it is rewritten') or diag($r->{err});
    return scalar(() = slurp("$dir/out.cpp") =~ /AOTIGEN_REUSED\(\d+, $to\)/g);
}

is(marked($text), 1, 'memory that is taken over');
my $view = "static constexpr int64_t of_view[] = {1L};
    auto tmp_tensor_handle_0 = reinterpret_tensor_wrapper($from, 1, of_view, of_view, 0L);
    RAIIAtenTensorHandle tmp_tensor_handle_0_raii(tmp_tensor_handle_0);
    decltype(auto) $to = std::move(tmp_tensor_handle_0_raii);  // alias\n";
is(marked($text =~ s/$move/$view/r), 0, "a view in torch 2.6's form");
done_testing;
