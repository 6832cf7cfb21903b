# aotigen makes a debug package that torch loads like the plain one: the outputs are the same bit
# for bit at every level, and the checks report.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();

# Every level on one model, and on the others those whose text or files differ.
my @off = { printer => 0, check_inputs => 'off', nan_asserts => 'off' };
my @all = map { { printer => $_, check_inputs => 'all', nan_asserts => 'all' } } 0 .. 3;
my %levels = (mlp_dyn => [@off, @all], attn => [@all[0, 3]], gpt2_tiny => [@all[0, 2]],
    resnet50 => [$all[1]]);
for my $name (sort keys %levels) {
    SKIP: {
        skip "$name: no torchvision goes with this torch", 1
            if $name eq 'resnet50' && python('import torchvision')->{status};
        my @levels = @{ $levels{$name} };
        my @seen = packages_agree(sample($name), @levels);
        for my $i (0 .. $#levels) {
            my ($printer, $checks) = @{ $levels[$i] }{qw(printer nan_asserts)};
            unlike($seen[$i]{err}, qr/aotigen/,
                "$name, printer $printer, checks $checks: a sound model has no fault");
            is(!!($seen[$i]{out} =~ /^\[ (?:before|after)_launch: /m), $printer == 3,
                "$name: level $printer " . ($printer == 3 ? 'names kernels' : 'names none'));
            is(!!($seen[$i]{out} =~ /^\[  (?:before|after)_launch - /m), $printer == 2,
                "$name: level $printer " . ($printer == 2 ? 'prints values' : 'prints none'));
        }
    }
}

# The report names the same launches as that of the debug build of the wrapper.
my $s = sample('nan_inside');
my ($seen) = packages_agree($s, { nan_asserts => 'nan' });
like($seen->{err}, qr/^aotigen: NaN born in run 1, launch 1: \w+$/m,
    'a NaN is named where it is born');
my $member = qr{data/aotinductor/model/\w+(?:\.wrapper)?\.cpp};
like($seen->{err}, qr{^  launched at   \S+/model\.pt2/\S*$member:\d+, in run_impl$}m,
    'by the member of the package');
my $r = run_model($s, repackaged($s, nan_asserts => 'nan'), env => { AOTIGEN_ON_FAULT => 'throw' });
is($r->{status}, 3, 'AOTIGEN_ON_FAULT=throw: the run fails');

# A custom op keeps its name: the members beside the .so are what they were.
$s = sample('custom_op');
($seen) = packages_agree($s, { printer => 3 });
like($seen->{out}, qr/^\[ before_launch: \w+(?:::|\.)\w+/m, 'is named');

subtest 'a package that was made here runs here' => sub {
    for my $name (qw(mlp_dyn custom_op)) {
        my $r = must(aotigen('list', '--here', "--torch=$torch->{dir}", sample($name)->{dir}
            . '/model.pt2'), "$name: listed");
        my %fits = $r->{out} =~ /^  (\S+) +(fits|not known|does not fit)  /mg;
        is(join(' ', map { $fits{$_} // 'no row' } qw(processor torch libraries functions glibc)),
            'fits fits fits fits fits', "$name: fits") or diag($r->{out});
        is($fits{instructions}, 'not known', "$name: -march=native is not decided");
        like($r->{out}, qr/^  custom ops +not known +samples::clip_rows +-$/m, "$name: its op")
            if $name eq 'custom_op';
    }
};

subtest 'every member but two is there byte for byte, stored and in its place' => sub {
    my $s = sample('custom_op');
    my $r = python(<<'PY', "$s->{dir}/model.pt2", repackaged($s, printer => 3));
import struct, sys, zipfile
old, new = (zipfile.ZipFile(path) for path in sys.argv[1:])
assert new.testzip() is None
assert old.namelist() == new.namelist(), "order"
changed = [name for name in old.namelist() if old.read(name) != new.read(name)]
changed = sorted(name.rsplit(".", 1)[1] for name in changed)
assert changed == ["cpp", "so"], changed
raw = open(sys.argv[2], "rb")
for info in new.infolist():
    assert info.compress_type == zipfile.ZIP_STORED, info
    raw.seek(info.header_offset)
    header = raw.read(30)
    assert (info.header_offset + 30 + sum(struct.unpack("<HH", header[26:30]))) % 64 == 0, info
print("same")
PY
    is($r->{out}, "same\n", 'as torch writes it') or diag($r->{err});
    my $again = tempdir() . '/again.pt2';
    must(aotigen('-q', "--torch=$s->{torch}{dir}", '-p3', "$s->{dir}/model.pt2", '-o', $again),
        'made again');
    ok(slurp($again) eq slurp(repackaged($s, printer => 3)),
        'the same package gives the same bytes');
    $r = aotigen("--torch=$s->{torch}{dir}", $again, '-o', "$again.pt2");
    is($r->{status}, 1, 'a debug package is refused');
    like($r->{err}, qr/is instrumented already/, 'with the reason');
};

subtest 'two models in one archive' => sub {
    my $dir = tempdir();
    my ($one, $two) = (sample('mlp_dyn'), sample('nan_inside'));
    my $r = python(<<'PY', "$dir/two.pt2", $one->{dir}, $two->{dir});
import os, sys, zipfile
from torch._inductor.package import package_aoti
def files(path):
    out = []
    for member in zipfile.ZipFile(path + "/model.pt2").namelist():
        if "/aotinductor/model/" in member:
            at = os.path.join(os.path.dirname(sys.argv[1]), os.path.basename(path))
            out.append(os.path.join(at, os.path.basename(member)))
            os.makedirs(os.path.dirname(out[-1]), exist_ok=True)
            open(out[-1], "wb").write(zipfile.ZipFile(path + "/model.pt2").read(member))
    return out
package_aoti(sys.argv[1], {"model": files(sys.argv[2]), "sub/logs": files(sys.argv[3])})
PY
    must($r, 'torch packs two models');
    must($r = aotigen("--torch=$torch->{dir}", '-p3', "$dir/two.pt2", '-o', "$dir/dbg.pt2"),
        'aotigen rewrites both');
    like($r->{err},
        qr{^aotigen: '\S+/dbg\.pt2': models 'model', 'sub/logs': .* instrumented, 0 left alone}m,
        'one line says what was done');
    must(aotigen('-q', "--torch=$torch->{dir}", '-p3', '--model=sub/logs', "$dir/two.pt2", '-o',
        "$dir/one.pt2"), 'or only the one that --model names');
    for my $which (['dbg', 'model', 1], ['dbg', 'sub/logs', 1], ['one', 'model', 0],
        ['one', 'sub/logs', 1]) {
        my ($file, $model, $prints) = @$which;
        my $sample = $model eq 'model' ? $one : $two;
        my $r = python(<<'PY', "$dir/two.pt2", "$dir/$file.pt2", $model, $sample->{dir});
import sys, torch
load = torch._C._aoti.AOTIModelPackageLoader
more = () if "2.6" in torch.__version__ else (False, 1, -1)
plain, debug = (load(path, sys.argv[3], *more) for path in sys.argv[1:3])
for args in torch.load(sys.argv[4] + "/inputs.pt"):
    for a, b in zip(plain.run(list(args)), debug.run(list(args))):
        assert torch.equal(a.isnan(), b.isnan()) and torch.equal(a.nan_to_num(), b.nan_to_num())
print("same")
PY
        like($r->{out}, qr/^same$/m, "$file, $model: the plain one's outputs") or diag($r->{err});
        is(!!($r->{out} =~ /before_launch/), !!$prints,
            "$file, $model: " . ($prints ? 'prints' : 'is as it was'));
    }
    $r = aotigen("--torch=$torch->{dir}", '--model=other', "$dir/two.pt2", '-o', "$dir/none.pt2");
    is($r->{status}, 1, 'a name that is not there is refused');
    like($r->{err}, qr{two\.pt2: error: holds no model 'other': it holds model, sub/logs$}m,
        'and those that are there are named');

    my @models = map { /^\{"type":"model","model":"([^"]+)"/ ? $1 : () } split /\n/,
        must(aotigen('list', '--json', "--torch=$torch->{dir}", "$dir/two.pt2"), 'listed')->{out};
    is("@models", 'model sub/logs', 'list has both');
    my $text = must(aotigen('list', '--model=model', "--torch=$torch->{dir}", "$dir/two.pt2"),
        'listed one')->{out};
    like($text, qr/^model 'model'$/m, 'list --model has the one');
    unlike($text, qr{sub/logs}, 'and not the other');
    like($text, qr/^  weight   \S+  float32 \[\d+(?:, \d+)*\] on \w+$/m,
        'weights by name, dtype and shape');
    my $dtype = $torch->{version} =~ /^2\.6/ ? qr/(?:float32|\?)/
        : qr/float32/;    # wrappers of 2.6 tell of an input what a kernel reads
    like($text, qr/^  input    \S+ .*  $dtype \[/m, 'inputs');
    like($text, qr/^  output   \S+/m, 'outputs');
    like($text, qr/^  kernel   \S+  (?:cpu|extern), launched at \d+ sites?$/m, 'kernels');
};
done_testing;
