# The places of a model's weights: linked in, appended to the ELF file (USE_MMAP_SELF), or outside,
# to be passed in after loading.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my %all = (printer => 0, check_inputs => 'all', nan_asserts => 'all');

my $mmap = sample('mlp_dyn', 'cpu', as => 'mlp_dyn-mmap',
    settings => ['aot_inductor.force_mmap_weights=True']);
is(same_outputs($mmap, built($mmap, %all, by => 'build'), 'weights behind the ELF file')->{err}, '',
    'and nothing is reported');

# Emitted without: the last argument of the model's base class says so.
my $s = sample('mlp_dyn');
my $dir = tempdir();
my $text = slurp("$s->{dir}/wrapper.cpp");
my $changed =
    $text =~ s/(: AOTInductorModelBase\([^()]*?std::move\(cubin_dir\),\s*)true\)/${1}false)/s;
SKIP: {
    skip 'this torch says nothing of weights that are left out', 3 if !$changed;
    spew("$dir/wrapper.cpp", $text);
    must(aotigen("--torch=$s->{torch}{dir}", '-q', "$dir/wrapper.cpp", '-o', "$dir/dbg.cpp"),
        'rewritten');
    my $r = run_cmd([build() . '/aotigen', 'build', '-q', "--torch=$s->{torch}{dir}",
        "$dir/dbg.cpp", "$s->{dir}/kernel.cpp", '-o', "$dir/dbg.so"], timeout => 300);
    is($r->{status}, 0, 'a model without weights is built') or diag($r->{err});
    $r = python(<<'PY', "$dir/dbg.so", "$s->{dir}", root() . '/samples');
import sys, torch
so, dir, samples = sys.argv[1:]
sys.path.insert(0, samples)
import mlp_dyn
runner = torch._C._aoti.AOTIModelContainerRunnerCpu(so, 1)
torch.manual_seed(0)
weights = {k: v.detach() for k, v in mlp_dyn.model().eval().named_parameters()}
names = runner.get_constant_names_to_original_fqns()
runner.update_constant_buffer({k: weights[v] for k, v in names.items()}, False, False)
for x, wanted in zip(torch.load(dir + "/inputs.pt"), torch.load(dir + "/outputs.pt")):
    assert torch.equal(runner.run(list(x))[0], wanted[0])
print("same")
PY
    is($r->{out}, "same\n", 'loaded, given its weights, and gives the plain model\'s outputs')
        or diag($r->{err});
    is($r->{err}, '', 'in silence');
}
done_testing;
