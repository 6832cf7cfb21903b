# The lines of the model that each launch computes: from an exported program, from what torch
# recorded, from a profiled wrapper; filters that name them, and files that do not tell them.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenZip;
use JSON::PP 'decode_json';

plan(skip_all => 't/153-model-lines.c reads the same under a sanitizer') if build() =~ m{/san$};
my $torch = need_torch();
my ($wrapper) = grep { m{cpu/layers-provenance/} } corpus_wrappers($torch);
skip_or_fail('corpus', 't/corpus holds no layers-provenance of this torch') if !defined $wrapper;
my $in = root() . "/t/corpus/$wrapper" =~ s{/wrapper\.cpp$}{}r;
my $dir = tempdir();
spew("$dir/wrapper.cpp", slurp("$in/wrapper.cpp"));
my $program = slurp("$in/exported.json");
zip("$dir/model_ep.pt2", [
    { name => 'model_ep/models/model.json', data => $program },
    { name => 'model_ep/data/weights/weight_0', data => "\0" x 32 }]);

my $exported = "--exported=$dir/model_ep.pt2";

sub listed {
    my (@options) = @_;
    my $r = aotigen('list', "--torch=$torch->{dir}", @options);
    is($r->{status}, 0, "list @options") or diag($r->{err});
    is($r->{err}, '', 'says nothing');
    return $r->{out};
}

# FILE:LINE (MODULE) of each site.
sub lines_of {
    return [map { [map { ($_->{file} =~ s{.*/}{}r) . ":$_->{line}" .
        (defined $_->{module} ? " ($_->{module})" : '') } @{ $_->{model_lines} // [] }] }
        grep { $_->{type} eq 'site' } map { decode_json($_) } split /\n/, listed('--json', @_)];
}

# ---- an exported program

my @operators = (['layers.py:12 (encoder.layers.0.up)'], ['layers.py:12 (encoder.layers.1.up)']);
my $by_program = lines_of($exported, "$dir/wrapper.cpp");
is_deeply([@$by_program[1, 3]], \@operators, 'each operator has its own line and module');
is_deeply(lines_of("--exported=$in/exported.json", "$dir/wrapper.cpp"), $by_program,
    'the JSON file alone tells the same');
is_deeply(lines_of("$dir/wrapper.cpp"), [[], [], [], [], []], 'without it none is known');

# ---- what torch recorded, for compiled kernels too

my $origins = "--provenance=$in/kernel_information.json";
is_deeply(lines_of($origins, "$dir/wrapper.cpp"), [
    ['layers.py:12'], ['layers.py:12'], ['layers.py:12', 'layers.py:13'], ['layers.py:12'],
    ['layers.py:34', 'layers.py:13']], 'the lines that torch recorded');
my @all = (
    ['layers.py:12 (encoder.layers.0.norm)'], $operators[0],
    ['layers.py:13 (encoder.layers.0)', 'layers.py:12 (encoder.layers.1.norm)'], $operators[1],
    ['layers.py:13 (encoder.layers.0)', 'layers.py:13 (encoder.layers.1)', 'layers.py:34']);
is_deeply(lines_of($origins, $exported, "$dir/wrapper.cpp"), \@all,
    'with the program, modules too');

sub encode { return JSON::PP->new->canonical->encode({@_}) }
my $recorded = decode_json(slurp("$in/kernel_information.json"));
my $stacks = encode(map { $_ => $recorded->{$_}{stack_traces} } keys %$recorded);
my $entry = 'V1123 03:27:01.047000 1 torch/_inductor/compile_fx.py:1594] {"artifact": {"name": ' .
    '"inductor_provenance_tracking_kernel_stack_traces", "encoding": "json"}}';
spew("$dir/trace.log",
    "V1123 03:27:00 1 torch/x.py:1] {}\n\tother\n$entry\n\t$stacks\nV1123 end\n");
is_deeply(lines_of("--provenance=$dir/trace.log", "$dir/wrapper.cpp"),
    lines_of($origins, "$dir/wrapper.cpp"), 'a log of TORCH_TRACE tells the same');

# A compiled kernel has no comment: its lines are guessed from its name and from what is around it.
is_deeply($by_program, \@all, 'the guess for this model is right');
is(join(' ', map { $_->{lines_guessed} ? 'guessed' : 'known' } grep { $_->{type} eq 'site' }
    map { decode_json($_) } split /\n/, listed('--json', $exported,
    "$dir/wrapper.cpp")), 'guessed known guessed known guessed', 'and called one');
like(listed($exported, "$dir/wrapper.cpp"),
    qr/^      model layers\.py:34  return torch\.log\(y - 1\.0\)\.sum\(-1\)  \(guessed\)$/m,
    'by list too');

# ---- the stack that a profiled wrapper holds

my $profiled = slurp("$in/wrapper.cpp") =~ s/^.*Provenance debug handles.*\n//mgr;
my $guard = qq|{ KernelContextGuard _ctx("k", R"(\nFile "/m/a.py", line 3, in f\n    a = f("x")\n|
    . qq|  File "/m/b.py", line 5, in g\n    b = (x; y)\n)");\n|;
$profiled =~ s/^(\s*)(cpp_fused_add_gelu_native_layer_norm_1\(.*;)\n/$1$guard$2 }\n/m
    or die 'no kernel to profile';
$profiled = "#include <torch/csrc/inductor/aoti_runtime/kernel_context_tls.h>\n$profiled";
spew("$dir/profiled.cpp", $profiled);
is_deeply(lines_of("$dir/profiled.cpp"), [[], [], ['b.py:5'], [], []], 'is read');
is_deeply(lines_of($exported, "$dir/profiled.cpp"),
    [@all[0, 1], ['b.py:5'], @all[3, 4]], 'and goes before a guess');

# ---- as text, and in a rewritten wrapper

my $text = listed($origins, $exported, "$dir/wrapper.cpp");
my $shown = 'model layers.py:12  y = self.up(self.norm(x))  (encoder.layers.0.up)';
like($text, qr/^      \Q$shown\E$/m,
    'list shows the source line');

sub rewritten {
    my (@options) = @_;
    my $r = run_cmd([build() . '/aotigen', "--torch=$torch->{dir}", @options, "$dir/wrapper.cpp",
        '-o', "$dir/out.cpp"]);
    return ($r, $r->{status} ? '' : slurp("$dir/out.cpp"));
}
my ($r, $out) = rewritten($origins, $exported);
is($r->{status}, 0, 'the wrapper is rewritten') or diag($r->{err});
my $row = '{"/home/me/models/layers.py", 13, "return x + torch.nn.functional.gelu(y)", ' .
    '"encoder.layers.1"},';
like($out, qr/\Q$row\E/, 'its tables hold the lines');

for my $filter ('layers.py:12', 'encoder.layers.1.*', 'encoder.layers.0.up', 'models/layers.py:34',
    '*.norm', '!encoder.layers.1') {
    my ($r) = rewritten($origins, $exported, "--kernels=$filter");
    is($r->{status}, 0, "'$filter' is no error");
    unlike($r->{err}, qr/selects none/, 'and selects a site');
}
($r) = rewritten($origins, $exported, '--kernels=encoder.layers.2.*');
like($r->{err},
    qr/='encoder\.layers\.2\.\*' selects none of its 5 sites; nearest to .*'encoder\.layers\.[01]/,
    'a module that is not there is named');

# ---- files that do not tell it

sub refused {
    my ($what, $option, $expected) = @_;
    my $r = aotigen('list', "--torch=$torch->{dir}", $option, "$dir/wrapper.cpp");
    is($r->{status}, 1, "$what is refused");
    like($r->{err}, qr/: error: $expected/, 'with the reason');
    is($r->{err} =~ tr/\n//, 1, 'on one line');
}
spew("$dir/x.json", '{"a": 1}');
refused('a file that is not there', "--exported=$dir/none", qr/cannot be read: No such file/);
refused('JSON that is no program', "--exported=$dir/x.json",
    qr/is not an exported program: no 'graph_module' in it has a graph of nodes/);
zip("$dir/x.pt2", [{ name => 'x/a.txt', data => 'a' }]);
refused('an archive without one', "--exported=$dir/x.pt2", qr/holds no exported program/);
zip("$dir/x.pt2", [map { { name => "x/models/$_.json", data => $program } } 'a', 'b']);
refused('an archive of two', "--exported=$dir/x.pt2", qr/holds more than one exported program/);
spew("$dir/x.json", $program =~ s/"(linear|layer_norm)((?:_\d)?)"/"other$2"/gr);
refused('the program of another model', "--exported=$dir/x.json",
    qr/is\ the\ exported\ program\ of\ another\ model:\ of\ the\ 4\ source\ nodes
    \ that\ the\ wrapper\ names\ it\ has\ 0,\ and\ not\ 'layer_norm';\ give\ the\ one/x);
spew("$dir/x.json", $program =~ s/"as_int": 8\}/"as_int": 16}/gr);
refused('a program with weights of other sizes', "--exported=$dir/x.json",
    qr/is the exported program.*wrapper's 2 weights it has 0 with the same name and sizes/);
spew("$dir/x.json", $program =~ s/"stack_trace"/"other"/gr);
refused('a program without lines', "--exported=$dir/x.json",
    qr/has no lines: none of its \d+ nodes has a 'stack_trace'; give the program as torch\.export/);
my ($spec) = $program =~ /(\{"user_input": .*?\}\}\}\})/ or die 'no input';
spew("$dir/x.json", $program =~ s/\Q$spec\E/$spec, $spec/r);
refused('a program with more inputs', "--exported=$dir/x.json",
    qr/is the exported program of another model: it takes 2 inputs, the wrapper 1; give/);
spew("$dir/x.json", $program =~ s/("x": \{"dtype": \d+, "sizes": \[\{"as_int": )4/${1}5/r);
refused('a program with inputs of other sizes', "--exported=$dir/x.json",
    qr/is the exported program of another model: of the wrapper's 1 inputs it has 0 with the same/);
spew("$dir/x.json", '{"other_0:1": ' . '{"pre_grad_nodes": ["log"]}}');
refused('what is of another package', "--provenance=$dir/x.json", qr/is of another package/);
spew("$dir/x.json", 'not JSON');
refused('what holds nothing', "--provenance=$dir/x.json",
    qr/holds no lines and no nodes of kernels/);
my ($handle) = sort keys %$recorded;
spew("$dir/x.json", encode($handle => { pre_grad_nodes => ['linear'] }));
refused('what holds nodes alone', "--provenance=$dir/x.json",
    qr/names nodes, but no lines: give the program that has them with --exported=FILE/);
spew("$dir/wrapper.cpp", slurp("$in/wrapper.cpp") =~ s/^.*Provenance debug handles.*\n//mgr);
refused('a wrapper that was compiled without', $origins,
    qr/cannot be used: the wrapper has no '\[Provenance debug handles\]'/);

# The same of a rewrite.
spew("$dir/x.json", $program =~ s/"stack_trace"/"other"/gr);
($r) = rewritten("--exported=$dir/x.json");
is($r->{status}, 1, 'a rewrite refuses a program without lines');
like($r->{err}, qr/^\S+x\.json: error: has no lines: [^\n]*\n\z/, 'on one line');

# What a package holds is only warned of.
sub packaged {
    my ($json) = @_;
    my @of = map { +{ name => "model/data/aotinductor/model/$_->[0]", data => $_->[1] } }
        ['x.wrapper.cpp', slurp("$in/wrapper.cpp")], ['kernel_information.json', $json];
    zip("$dir/x.pt2", \@of);
    my $r = aotigen('list', '--json', "--torch=$torch->{dir}", '--confine=off', "$dir/x.pt2");
    is($r->{status}, 0, 'a package is listed') or diag($r->{err});
    return ($r->{err}, scalar(() = $r->{out} =~ /"model_lines"/g));
}
my ($said, $known) = packaged(slurp("$in/kernel_information.json"));
is("$said$known", 5, 'with the lines that it holds');
($said, $known) = packaged('{"cpp_fused_0:1": [');
like($said, qr/kernel_information\.json: warning: holds no lines and no nodes of kernels/,
    'what is damaged is named');
is($known, 0, 'and left out');

# ---- texts that would control a terminal

spew("$dir/wrapper.cpp", slurp("$in/wrapper.cpp"));
spew("$dir/x.json", $program =~ s/y = self/\\u001b[2J\\u202e/gr);
$text = listed("--exported=$dir/x.json", "$dir/wrapper.cpp");
like($text, qr/model layers\.py:12  \\x1b\[2J\\xe2\\x80\\xae\.up/, 'are escaped');
unlike($text, qr/\e/, 'all of them');
done_testing;
