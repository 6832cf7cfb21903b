# The lines of the model that launches compute, compared with the graph of the exported program as
# torch reads it: of a package that was compiled as INDUCTOR_PROVENANCE=1 asks, every launch has its
# lines and modules; with the exported program alone, each has some of them, and no other.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use JSON::PP 'decode_json';

my $torch = need_torch();
my ($minor) = $torch->{version} =~ /^2\.(\d+)/;
skip_or_fail('provenance', "torch $torch->{version} records no origins of kernels") if $minor < 11;

# FILE:LINE MODULE of each node that torch recorded for each kernel, by "KERNEL:HANDLE".
my $code = <<'PY';
import json, re, sys, torch
graph = torch.export.load(sys.argv[1] + "/model_ep.pt2").graph
lines = {}
for node in graph.nodes:
    frames = re.findall(r'File "([^"]+)", line (\d+)', node.meta.get("stack_trace") or "")
    own = [x for x in frames if "/torch/" not in x[0]] or frames
    module = list((node.meta.get("nn_module_stack") or {"": ("", "")}).values())[-1][0]
    if own:
        lines[node.name] = "%s:%s %s" % (own[-1] + (module,))
recorded = json.load(open(sys.argv[1] + "/kernel_information.json"))
truth = {handle: sorted({lines[x] for x in entry["pre_grad_nodes"] if x in lines})
         for handle, entry in recorded.items()}
json.dump(truth, open(sys.argv[2], "w"))
PY

sub sites_of {
    my (@command) = @_;
    my $r = aotigen('list', '--json', "--torch=$torch->{dir}", @command);
    is($r->{status}, 0, 'list ends well') or diag($r->{err});
    return grep { $_->{type} eq 'site' } map { decode_json($_) } split /\n/, $r->{out};
}

sub lines_of {
    my ($site, $modules) = @_;
    my %seen = map { ("$_->{file}:$_->{line}" . ($modules ? ' ' . ($_->{module} // '') : '')) => 1 }
        @{ $site->{model_lines} // [] };
    return sort keys %seen;
}

# The handle in the comment before each site.
sub handles_of {
    my ($wrapper, @sites) = @_;
    my @text = split /\n/, slurp($wrapper);
    return map {
        my $at = $_->{line} - 1;
        $at-- while $at && $text[$at] !~ m{^\s*// \[Provenance debug handles\] (\S+)};
        $text[$at] =~ m{handles\] (\S+)} ? $1 : ''
    } @sites;
}

my $dir = tempdir();
# Torch takes the variable for this setting when it is imported.
my @settings = ('exported', 'trace.provenance_tracking_level=1');
my %sample = map { $_ => sample($_, 'cpu', as => "$_-provenance", settings => [@settings]) }
    qw(layers gpt2_tiny);
for my $name (sort keys %sample) {
    my $s = $sample{$name};
    must(python($code, $s->{dir}, "$dir/$name.json"), "$name: torch reads its program");
    my $truth = decode_json(slurp("$dir/$name.json"));
    my $exported = "--exported=$s->{dir}/model_ep.pt2";

    my @sites = sites_of("$s->{dir}/model.pt2");
    my @handles = handles_of("$s->{dir}/wrapper.cpp", @sites);
    cmp_ok(scalar @sites, '>', 4, "$name has launches");
    is(scalar(grep { !@{ $_->{model_lines} // [] } } @sites), 0,
        "$name: each launch of the package has its lines");
    my @with = sites_of($exported, "$s->{dir}/model.pt2");
    my @alone = sites_of($exported, "$s->{dir}/wrapper.cpp");
    for my $i (0 .. $#sites) {
        my @true = @{ $truth->{ $handles[$i] } // [] };
        my $what = "$name: launch " . ($i + 1) . ", $sites[$i]{kernel}";
        my %plain = map { s/ .*//r => 1 } @true;
        is_deeply([lines_of($sites[$i])], [sort keys %plain], "$what: as torch recorded them");
        is_deeply([lines_of($with[$i], 1)], \@true, "$what: with modules");
        my %true = map { $_ => 1 } @true;
        my @found = lines_of($alone[$i], 1);
        cmp_ok(scalar @found, '>', 0, "$what: found in the program alone");
        is(join(' ', grep { !$true{$_} } @found), '', 'and no other');
        is(!!$alone[$i]{lines_guessed}, $sites[$i]{form} eq 'cpu', 'a C++ kernel is guessed');
    }
}

# Which lines look elements up by an index: those that a failed assert of the kernel is about.
{
    my $tiny = $sample{gpt2_tiny};
    must(run_cmd([build() . '/aotigen', "--torch=$torch->{dir}",
        "--exported=$tiny->{dir}/model_ep.pt2", "$tiny->{dir}/wrapper.cpp", '-o', "$dir/tiny.cpp"],
        timeout => 300, env => { XDG_CACHE_HOME => root() . '/build/cache' }), 'is rewritten');
    my $text = slurp("$dir/tiny.cpp");
    my %lookups;
    while ($text =~ /aotigen_graph aotigen_graph_(\d+)_ = \{.*!:([0-9a-f]+)"/g) {
        my ($site, $bits) = ($1, hex $2);
        my ($rows) = $text =~ /aotigen_lines_${site}_\[\] = \{(.*?)\};/s;
        my @lines = $rows =~ /", \d+, "((?:[^"\\]|\\.)*)"/g;
        $lookups{ $lines[$_] }++ for grep { $bits >> $_ & 1 } 0 .. $#lines;
    }
    is_deeply([keys %lookups], ['x = self.wte(ids) + self.wpe(torch.arange(length, ' .
        'device=ids.device))'], 'the line of the embeddings alone');
}

# A run: its report, its log and its filter.
my $s = $sample{layers};
must(run_cmd([build() . '/aotigen', "--torch=$torch->{dir}", "--exported=$s->{dir}/model_ep.pt2",
    "$s->{dir}/model.pt2", '-o', "$dir/dbg.pt2"], timeout => 300,
    env => { XDG_CACHE_HOME => root() . '/build/cache' }), 'a debug package is made');
my $poke = '--poke=inputs[0][0].fill_(0)';
my $r = run_model($s, "$dir/dbg.pt2", args => [$poke], env => { AOTIGEN_LOG => "$dir/log" });
my $line = '  model line    layers.py:34  return torch.log(y - 1.0).sum(-1)';
like($r->{err}, qr/^aotigen: NaN born in run 1, launch 5: (?:.*\n)+?\Q$line\E\n/m,
    'the report names the line');
unlike($r->{err}, qr/not known/, 'and not how to get one');
my ($event) = grep { ($_->{check} // '') eq 'nan' }
    map { decode_json($_) } split /\n/, slurp("$dir/log");
is($event->{model_lines}[-1]{text}, 'return torch.log(y - 1.0).sum(-1)', 'the log has it');
for my $case (['encoder.layers.1.up', 0], ['layers.py:34', 1], ['!layers.py:34', 0]) {
    my ($filter, $born) = @$case;
    $r = run_model($s, "$dir/dbg.pt2", args => [$poke], env => { AOTIGEN_KERNELS => $filter });
    is($r->{err} =~ /NaN born|NaN found/ ? 1 : 0, $born, "AOTIGEN_KERNELS=$filter");
    unlike($r->{err}, qr/selects none/, 'selects a launch');
}
done_testing;
