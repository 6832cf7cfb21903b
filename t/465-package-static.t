# A package whose model is to be linked statically: its class and its header have the model's name.
# The debug package is built as the plain one is, and computes the same in a program of its own.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use IO::Uncompress::Unzip '$UnzipError';

my $torch = need_torch();
my ($minor) = $torch->{version} =~ /^2\.(\d+)/;
plan skip_all => "torch $torch->{version} does not link statically" if $minor < 8;
my $dir = tempdir();

# The second has no name, and the third is told to be a shared object again, in the first one's
# cache and by its name: torch 2.11 keeps the first one's wrapper then.
my $packages = <<'PY';
import os, sys, torch
sys.path.insert(0, sys.argv[2])
import mlp_dyn
torch.manual_seed(0)
program = torch.export.export(
    mlp_dyn.model().eval(), mlp_dyn.inputs()[0], dynamic_shapes=mlp_dyn.shapes())
name = {"aot_inductor.model_name_for_generated_files": "scorer"}
static = {"aot_inductor.dynamic_linkage": False}
os.environ["TORCHINDUCTOR_CACHE_DIR"] = f"{sys.argv[1]}/cache"
for file, options in ("named", name | static), ("unnamed", static), ("kept", name):
    torch._inductor.aoti_compile_and_package(program, package_path=f"{sys.argv[1]}/{file}.pt2",
        inductor_configs={"aot_inductor.package_cpp_only": True} | options)
with open(f"{sys.argv[1]}/input", "wb") as f:
    f.write(mlp_dyn.inputs()[0][0].numpy().tobytes())
PY
must(python($packages, $dir, root() . '/samples', { timeout => 600 }), 'torch writes packages');

# ---- refused: nobody can compile these
sub refused {
    my ($package, $header, $why, $what) = @_;
    my $r = aotigen("--torch=$torch->{dir}", 'list', "$dir/$package.pt2");
    is($r->{status}, 1, "$what: refused") or diag($r->{out});
    like($r->{err}, qr/error: does not parse: '\Q$header\E' file not found$/m, 'with the header');
    like($r->{err}, qr/note: $why$/m, 'and the reason');
}
refused('unnamed', 'None.h', qr/torch wrote a header of another name: .*_generated_files/,
    'without a name');
SKIP: {
    my $wrapper = members("$dir/kept.pt2")->{'scorer.wrapper.cpp'} // '';
    skip 'this torch keeps no wrapper from before', 3 if $wrapper !~ /#include "scorer\.h"/;
    refused('kept', 'scorer.h', qr/it declares the model's class: .*was kept from before/,
        'a wrapper from before');
}

# Torch has classes of these names. It writes the sources before it compiles.
for my $name ('Kernels', 'Base') {
    my $members = members("$dir/named.pt2");
    mkdir "$dir/$name";
    spew("$dir/$name/" . s/scorer/$name/r, $members->{$_} =~ s/scorer/$name/gr)
        for keys %$members;
    my $r = aotigen("--torch=$torch->{dir}", 'list', "$dir/$name");
    like($r->{err}, qr/note: the model's name '$name' makes its class '\w+$name', which torch /,
        "a model that is named $name");
    unlike($r->{err}, qr/--torch/, 'has no other reason');
}

# ---- taken
my $r = aotigen("--torch=$torch->{dir}", 'list', "$dir/named.pt2");
is("$r->{status} $r->{err}", '0 ', 'list');
like($r->{out}, qr/^  weight   widen\.weight +float32 \[256, 64\] on cpu$/m,
    'it knows the weights');
$r = aotigen("--torch=$torch->{dir}", 'check', "$dir/named.pt2");
like($r->{out}, qr/: (\d+) proved, 0 refuted, 0 not decided$/m, 'check');
is($r->{status}, 0, 'check refutes nothing') or diag($r->{err});
must(aotigen("--torch=$torch->{dir}", '-p3', "$dir/named.pt2", '-o', "$dir/debug.pt2"),
    'it is rewritten');
my ($plain, $debug) = map { members("$dir/$_.pt2") } 'named', 'debug';
is($debug->{$_}, $plain->{$_}, "$_ is as it was") for 'CMakeLists.txt', 'scorer.h';

# A package's members, but those of the archive itself, by the names of their files.
sub members {
    my ($package) = @_;
    my $z = IO::Uncompress::Unzip->new($package) or die $UnzipError;
    my %members;
    do {
        my $name = $z->getHeaderInfo->{Name};
        local $/;
        my $text = <$z>;
        $members{$1} = $text if $name =~ m{/data/aotinductor/model/([^/]+)$};
    } while $z->nextStream > 0;
    return \%members;
}

my $cxx = $ENV{CXX} // 'g++';
my @include = map { "-I$torch->{dir}/include$_" } '', '/torch/csrc/api/include';
spew("$dir/scorer.h", $plain->{'scorer.h'});
must(run_cmd([$cxx, '-std=c++17', '-w', '-O0', '-DMODEL_HEADER="scorer.h"',
    '-DMODEL_CLASS=AOTInductorModelscorer', "-I$dir", @include, '-c', root()
    . '/t/lib/static_host.cpp', '-o', "$dir/host.o"], timeout => 600), 'a program for it compiles');

# Compiles and links as the package's CMakeLists.txt says, with the program.
sub linked {
    my ($members, $name) = @_;
    my $cmake = $members->{'CMakeLists.txt'};
    mkdir "$dir/$name";
    spew("$dir/$name/$_", $members->{$_}) for keys %$members;
    my @options = map { split } $cmake =~ /^target_compile_options\(\w+ PRIVATE (.*)\)$/mg;
    my @macros = map { "-D$_" } map { split } $cmake =~ /_definitions\(\w+ PRIVATE (.*)\)$/mg;
    must(run_cmd([$cxx, @macros, @options, @include, '-w', '-O0', '-c', 'scorer.wrapper.cpp', '-o',
        'wrapper.o'], cwd => "$dir/$name", timeout => 600), "$name: compiles");
    must(run_cmd(['ar', 'rc', 'libscorer.a', 'wrapper.o', grep { /\.o$/ } keys %$members],
        cwd => "$dir/$name"), "$name: a static library");
    must(run_cmd([$cxx, '../host.o', '-o', 'host', '-L.', '-lscorer', "-L$torch->{dir}/lib",
        "-Wl,-rpath,$torch->{dir}/lib", '-ltorch', '-ltorch_cpu', '-lc10', '-lgomp', '-ldl'],
        cwd => "$dir/$name", timeout => 600), "$name: links");
    return must(run_cmd(['sh', '-c', "./host 8 64 <../input"], cwd => "$dir/$name"),
        "$name: runs")->{out};
}
my ($want, $got) = (linked($plain, 'plain'), linked($debug, 'debug'));
is(() = $want =~ /^[0-9a-f]{8}$/mg, 80, 'the plain model computes');
is(join('', $got =~ /^[0-9a-f]{8}\n/mg), $want, 'the debug model the same, bit for bit');
like($got, qr/^\[ before_launch: .*cpp_fused/m, 'and it prints');
done_testing();
