# Every place where a package keeps its weights: in the .so, appended to it, in a blob, as
# members, left out, and in an object file of a package of sources.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my ($minor) = $torch->{version} =~ /^2\.(\d+)/;
my $dir = tempdir();

# torch 2.6 dies of its own load_constants(), with the plain package too.
my @kinds = grep { $minor >= $_->[1] } (
    ['so', 6, ''],
    ['mmap', 6, 'aot_inductor.force_mmap_weights=True'],
    ['none', 7, 'aot_inductor.package_constants_in_so=False'],
    ['blob', 9, 'aot_inductor.package_constants_in_so=False',
        'aot_inductor.package_constants_on_disk_format="binary_blob"'],
    ['pickle', 9, 'aot_inductor.package_constants_in_so=False',
        'aot_inductor.package_constants_on_disk_format="pickle_weights"'],
    ['sources', 6, 'aot_inductor.package_cpp_only=True'],
);
# An object with the weights is what a package of sources must have: torch from 2.7 on leaves it out
# where they are mapped.
my @refused = grep { $minor >= $_->[1] } ['sources-mmap', 7, 'aot_inductor.package_cpp_only=True',
    'aot_inductor.force_mmap_weights=True'];
my @quick = $minor > 6 ? 'aot_inductor.compile_wrapper_opt_level="O0"' : ();
my $packages_each = <<'PY';
import ast, sys, torch
sys.path.insert(0, sys.argv[2])
import mlp_dyn
for kind in sys.argv[3:]:
    name, *settings = kind.split()
    settings = {k: ast.literal_eval(v) for k, v in (x.split("=", 1) for x in settings)}
    torch.manual_seed(0)
    program = torch.export.export(
        mlp_dyn.model().eval(), mlp_dyn.inputs()[0], dynamic_shapes=mlp_dyn.shapes())
    torch._inductor.aoti_compile_and_package(
        program, package_path=f"{sys.argv[1]}/{name}.pt2", inductor_configs=settings)
PY
must(python($packages_each, $dir, root() . '/samples', (map { join ' ', @$_[0, 2 .. $#$_], @quick }
    grep { $_->[0] ne 'so' } @kinds, @refused), { timeout => 900 }), 'torch packages each kind');
spew("$dir/so.pt2", slurp(sample('mlp_dyn')->{dir} . '/model.pt2')); # torch's default

for (@kinds) {
    my $kind = $_->[0];
    my $r = must(aotigen("--torch=$torch->{dir}", '-p3', "$dir/$kind.pt2", '-o',
        "$dir/$kind-dbg.pt2"), "$kind: aotigen rewrites it");
    like($r->{err}, $kind =~ /^(?:so|mmap)$/ ? qr/, [\d.]+ kB of weights linked again, [\d.]+ s$/
        : qr/left alone, [\d.]+ s$/, "$kind: what was done");
    next if $kind eq 'sources';
    $r = must(aotigen('watch', "$dir/$kind.pt2", '-o', "$dir/$kind-watch.pt2"), "$kind: watched");
    like($r->{err}, qr/\Aaotigen: .* 1 model watched, .*\n\z/, "$kind: and nothing else is said");
}

# Each by the plain package, the debug one and the watch package: outputs the same, bit for bit.
# Torch compiles a package of sources when it loads it: the debug one alone, and the outputs are the
# first kind's.
my $runs_each = <<'PY';
import os, sys, torch
from torch._inductor import aoti_load_package
sys.path.insert(0, sys.argv[2])
import mlp_dyn
torch.manual_seed(0)
eager = mlp_dyn.model().eval()
weights = {k: v.detach() for k, v in [*eager.named_parameters(), *eager.named_buffers()]}
def load(path, kind):
    if kind == "pickle":
        from torch.export.pt2_archive._package import load_pt2
        return load_pt2(path, load_weights_from_disk=True).aoti_runners["model"].loader
    loader = aoti_load_package(path).loader
    if kind == "none":
        loader.load_constants({n: weights[n] for n in loader.get_constant_fqns()}, False, True)
    return loader
for kind in sys.argv[3:]:
    plain = "so" if kind == "sources" else kind
    watched = f"{plain}-watch"
    a, b, c = (load(f"{sys.argv[1]}/{name}.pt2", kind) for name in (plain, f"{kind}-dbg", watched))
    os.write(1, f"== {kind}\n".encode())
    for args in mlp_dyn.inputs():
        want = eager(*args)
        for x, y, z in zip(*(model.run(list(args)) for model in (a, b, c))):
            assert torch.equal(x, y) and torch.equal(x, z), f"{kind} differs"
            assert torch.allclose(x, want, atol=1e-5), f"{kind} is wrong"
    os.write(1, b"same\n")
PY
my $r = python($runs_each, $dir, root() . '/samples', (map { $_->[0] } @kinds), { timeout => 900 });
my (undef, %out) = split /^== (\w+)\n/m, $r->{out};
for (map { $_->[0] } @kinds) {
    like($out{$_}, qr/^same$/m, "$_: torch loads it, and outputs are the plain one's")
        or diag(substr $r->{err}, -2000);
    like($out{$_}, qr/^\[ before_launch: /m, "$_: and it prints");
}

for (@refused) {
    $r = aotigen("--torch=$torch->{dir}", "$dir/$_->[0].pt2", '-o', "$dir/refused.pt2");
    is($r->{status}, 1, 'a package that torch itself cannot load is refused');
    my $lacks = qr/has neither a '\.so' nor an object file with its weights beside it/;
    like($r->{err}, qr/error: $lacks: torch itself cannot load such a package$/m,
        'with the reason');
}
done_testing;
