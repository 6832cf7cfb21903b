# A C++ program that uses AOTIModelPackageLoader of torch loads the debug package, and the watch
# package, in place of the plain one, without a change.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $s = sample('nan_inside');
my $dir = tempdir();
my ($command) = slurp("$s->{dir}/wrapper.cpp") =~ m{^// Compile cmd\n// (.*)$}m;
my @flags = $command =~ /(-std=\S+|-D ?_GLIBCXX_USE_CXX11_ABI=\d)/g;
must(run_cmd(['g++', (map { s/ //r } @flags), '-O0', '-w', (map { "-I$torch->{dir}/include$_" } '',
    '/torch/csrc/api/include'), root() . '/t/loader.cpp', '-o', "$dir/loader",
        "-L$torch->{dir}/lib", "-Wl,-rpath,$torch->{dir}/lib", "-Wl,--no-as-needed",
            qw(-ltorch -ltorch_cpu -lc10)], timeout => 600), 'a loader in C++ compiles');
must(python(<<'PY', $s->{dir}, $dir), 'inputs are handed over');
import io, sys, torch
args = [x for x in torch.load(sys.argv[1] + "/inputs.pt")[0]]
open(sys.argv[2] + "/inputs.pt", "wb").write(torch._C._pickle_save(args))
PY
my %seen;
must(aotigen('watch', "$s->{dir}/model.pt2", '-o', "$dir/watch.pt2"), 'a watch package');
for my $which (['plain', "$s->{dir}/model.pt2"], ['debug', repackaged($s, nan_asserts => 'nan')],
    ['watch', "$dir/watch.pt2"]) {
    my ($name, $package) = @$which;
    $seen{$name} = run_cmd(["$dir/loader", $package, "$dir/inputs.pt", "$dir/$name.out"],
        timeout => 300, cwd => $dir);
    is($seen{$name}{status}, 0, "$name: loaded and run from C++") or diag($seen{$name}{err});
}
ok(slurp("$dir/plain.out") eq slurp("$dir/$_.out"), "$_: outputs are the same, bit for bit")
    for qw(debug watch);
unlike($seen{plain}{err}, qr/aotigen/, 'the plain one is as ever');
like($seen{debug}{err}, qr/^aotigen: NaN born in run 1, launch 1: /m,
    'the debug one names where its NaN is born');
my $r = run_cmd(["$dir/loader", repackaged($s, nan_asserts => 'nan'), "$dir/inputs.pt",
    "$dir/none.out"], timeout => 300, cwd => $dir, env => { AOTIGEN_ON_FAULT => 'throw' });
is($r->{status}, 3, 'and with AOTIGEN_ON_FAULT=throw the exception reaches the program');
done_testing;
