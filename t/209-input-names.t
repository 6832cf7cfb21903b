# The Python names of inputs, from the tree of arguments that the package was exported with: also
# where there are constants among the arguments, for which the wrapper has no inputs.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use JSON::PP;

my $torch = need_torch();
my $wrapper = slurp(corpus_of($torch) . '/cpu/mlp_dyn/wrapper.cpp'); # of four parameters
my $leaf = { type => undef, context => undef, children_spec => [] };
my $json = JSON::PP->new->canonical;

sub node {
    my ($type, $context, @children) = @_;
    return { type => $type, context => $context, children_spec => \@children };
}

sub tuple { return node('builtins.tuple', 'null', @_) }

# The name of the only input, which is this placeholder of the program.
sub named {
    my ($args, $kwargs, $placeholder) = @_;
    my $spec = $json->encode([1, tuple($args, $kwargs)]);
    my $text = $wrapper =~ s/\Q in_spec_ = R"(\E.*?\)";/ in_spec_ = R"($spec)";/sr;
    $text =~ s/\barg4_1\b/arg${placeholder}_1/g;
    my $at = tempdir() . '/wrapper.cpp';
    spew($at, $text);
    my $r = aotigen("--torch=$torch->{dir}", '--dump=model', '-o', '-', $at);
    is($r->{status}, 0, 'read') or diag($r->{err});
    my ($model) = map { decode_json($_) } grep { /"type":"model"/ } split /\n/, $r->{out};
    return $model->{inputs}[0]{python_name};
}

my $none = node('builtins.dict', '[]');
my $keys = '["ids"]';
my $fields = '[["u"], []]';
is(named(tuple($leaf), $none, 4), 'args[0]', 'an argument');
is(named(tuple(), node('builtins.dict', '["mask"]', $leaf), 4), 'mask', 'a keyword argument');
is(named(tuple(node('builtins.dict', $keys, $leaf)), $none, 4), "args[0]['ids']", 'a dictionary');
is(named(tuple(node('collections.OrderedDict', $keys, $leaf)), $none, 4), "args[0]['ids']",
    'one with an order');
is(named(tuple(node('collections.defaultdict', { dict_context => ['ids'] }, $leaf)), $none, 4),
    "args[0]['ids']", 'one with a default');
is(named(tuple(node('m.Batch', $fields, $leaf)), $none, 4), 'args[0].u', 'a class of data');
is(named(tuple(node('m.Batch', '{"u": 1}', $leaf)), $none, 4), 'args[0][0]', 'another class');
is(named(tuple($leaf, $leaf), node('builtins.dict', '["flag"]', $leaf), 4), 'args[0]',
    'constants behind it');
is(named(tuple($leaf, $leaf), node('builtins.dict', '["mask"]', $leaf), 6), undef,
    'constants before it: or parameters that nothing uses');
is(named(tuple($leaf, $leaf, $leaf), $none, 3), undef, 'fewer placeholders than parameters');
done_testing;
