# A watch package of a real model: unmodified torch loads it, outputs are the plain package's bit
# for bit, and what a caller asks of a model is answered as before. t/461 has weights of every kind,
# and t/462 a loader in C++.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $s = sample('mlp_dyn');
my $dir = tempdir();

# The same model twice in one package, by two names.
must(python(<<'PY', "$s->{dir}/model.pt2", "$dir/two.pt2"), 'a package of two models');
import sys, zipfile
old, new = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile(sys.argv[2], "w")
for name in old.namelist():
    new.writestr(name, old.read(name))
    if "/aotinductor/model/" in name:
        new.writestr(name.replace("aotinductor/model/", "aotinductor/second/"), old.read(name))
new.close()
PY
must(aotigen('watch', "$dir/two.pt2", '-o', "$dir/two_watch.pt2"), 'watched');

my $made = python(<<'PY', "$dir/two.pt2", "$dir/two_watch.pt2");
import json, sys, zipfile
old, new = (zipfile.ZipFile(path) for path in sys.argv[1:])
assert new.testzip() is None
for name in old.namelist():
    other = name
    if name.endswith(".so"):
        other = name.rpartition("/")[0] + "/torch_model.original"
        note = json.loads(new.read(name.rpartition("/")[0] + "/aotigen_watch.json"))
        assert note["package"] == sys.argv[1] and note["so_bytes"] == len(old.read(name)), note
        print(note["model"], note["so"] == name.rpartition("/")[2])
    assert old.read(name) == new.read(other), name
print(len(new.namelist()) - len(old.namelist()), "more")
PY
is($made->{out}, "model True\nsecond True\n4 more\n", 'all that was in it is there, byte for byte')
    or diag($made->{err});

# What a watch package is to the other commands.
my $dbg = aotigen("--torch=$torch->{dir}", "$dir/two_watch.pt2", '-o', "$dir/dbg.pt2");
is($dbg->{status}, 1, 'no debug package is made of it') or diag($dbg->{err});
like($dbg->{err}, qr{/model/torch_model\.original: error: is of a watch package: give the package },
    'and why');
my $here = aotigen('list', '--here', "--torch=$torch->{dir}", "$dir/two_watch.pt2");
like($here->{out}, qr/^  libraries +fits /m, "torch's '.so' is asked what it needs")
    or diag($here->{out});

# The weights are changed between two runs; what a model cannot do, a watched one cannot either.
my @paths = ($s->{dir}, "$dir/two.pt2", "$dir/two_watch.pt2", root() . '/samples');
my $r = python(<<'PY', @paths, { timeout => 300 });
import sys, torch
from torch._inductor.package import load_package
inputs = torch.load(sys.argv[1] + "/inputs.pt")
def load(path, name): return load_package(path, name).loader
plain, watched = load(sys.argv[2], "model"), [load(sys.argv[3], n) for n in ("model", "second")]
watched.append(load(sys.argv[3], "model"))
def same(what):
    for model in watched:
        for args in inputs:
            for a, b in zip(plain.run(list(args)), model.run(list(args)), strict=True):
                assert a.dtype == b.dtype and a.stride() == b.stride(), what
                assert torch.equal(a.contiguous().view(torch.uint8),
                                   b.contiguous().view(torch.uint8)), what
    print(what)
same("as loaded")
assert len({tuple(m.get_constant_fqns()) for m in [plain, *watched]}) == 1
assert len({str(m.get_call_spec()) for m in [plain, *watched]}) == 1
print(len(plain.get_constant_fqns()) > 0, "weights by name")
torch.manual_seed(1)
if hasattr(plain, "load_constants"): # torch 2.6 has none
    sys.path.insert(0, sys.argv[4])
    import mlp_dyn
    weights = {k: torch.randn_like(v) for k, v in mlp_dyn.model().eval().named_parameters()}
    before = plain.run(list(inputs[0]))[0].clone()
    for model in [plain, *watched]:
        model.load_constants(weights, False, False)
    assert not torch.equal(before, plain.run(list(inputs[0]))[0])
    same("updated")
del watched[0]
same("one is gone")
PY
is($r->{status}, 0, 'it runs') or diag($r->{err});
like($r->{out}, qr/^as loaded$/m, 'two models, one loaded twice: outputs are the plain ones');
like($r->{out}, qr/^True weights by name$/m, 'and the weights have their names');
like($r->{out}, qr/^updated$/m, 'updated weights, too') if $torch->{version} !~ /^2\.6\./;
like($r->{out}, qr/^one is gone$/m, 'one that is deleted leaves the others');
unlike($r->{err}, qr/aotigen/, 'a sound model is watched in silence');

$r = python(<<'PY', root() . '/python', build() . '/aotigen', "$dir/two.pt2", { cwd => $dir });
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import aotigen
aotigen.program = sys.argv[2]
print(aotigen.watch("two.pt2") == os.path.abspath("two_watch.pt2"))
print(os.path.getsize(aotigen.watch("two.pt2", "one.pt2", confine="off")) > 0)
try: aotigen.watch("two_watch.pt2")
except RuntimeError as e: print(str(e).splitlines()[0].rpartition(": ")[2])
PY
is($r->{out}, "True\nTrue\ngive the package that it was made from\n", 'aotigen.watch()')
    or diag($r->{err});
done_testing;
