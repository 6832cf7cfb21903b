# The recipe of samples/README.md: a kernel that computes wrong numbers is found with a package that
# computes right ones, by the commands as they stand there.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;

my $s = sample('mlp_dyn');
my $dir = tempdir();
mkdir "$dir/$_" for qw(bin samples);
symlink $s->{torch}{python}, "$dir/bin/python";
symlink build() . '/aotigen', "$dir/bin/aotigen";
symlink root() . '/samples/compare_saved.py', "$dir/samples/compare_saved.py";
symlink "$s->{dir}/model.pt2", "$dir/good.pt2";
my $env = { PATH => "$dir/bin:$ENV{PATH}", XDG_CACHE_HOME => root() . '/build/cache',
    PYTHONWARNINGS => 'ignore' };

# The other package: the kernel of the GELU has another constant in its source.
my $r = python(<<'PY', $s->{dir}, $dir);
import sys, zipfile
old = zipfile.ZipFile(sys.argv[1] + "/model.pt2")
changed = 0
with zipfile.ZipFile(sys.argv[2] + "/bad.pt2", "w") as new:
    for member in old.infolist():
        data = old.read(member)
        if member.filename.endswith(".cpp") and b"cpp_fused_gelu_0(" in data:
            changed += data.count(b"0.7071067811865476")
            data = data.replace(b"0.7071067811865476", b"0.7171067811865476")
        new.writestr(member, data)
print(changed)
PY
is($r->{status}, 0, 'a package with a wrong kernel is made') or diag($r->{err});
cmp_ok($r->{out}, '>=', 1, 'whose constant was found');
spew("$dir/run.py", <<'PY');
import sys, torch
torch.manual_seed(0)
torch._inductor.aoti_load_package(sys.argv[1])(torch.randn(8, 64))
PY

my ($recipe) = slurp(root() . '/samples/README.md')
    =~ /^<!-- recipe: begin -->\n(.*?)^<!-- recipe: end -->/ms;
my @commands = map { s/^    //r } split /\n/, $recipe;
is(scalar @commands, 5, 'five commands');
my $last = pop @commands;
for my $command (@commands) {
    my $made = run_cmd(['sh', '-c', $command], cwd => $dir, env => $env, timeout => 300);
    is($made->{status}, 0, $command) or diag($made->{err});
}
my $found = run_cmd(['sh', '-c', $last], cwd => $dir, env => $env, timeout => 300);
is($found->{status}, 1, $last) or diag($found->{out}, $found->{err});
my $launch = qr/launch 2: reads the same, and writes something else:/;
my $element = qr/\d+ of 2048 elements; the largest difference at \[\d+, \d+\]: \S+ and \S+/;
like($found->{out}, qr/\A$launch\n  cpp_fused_gelu_0_buf\d+: $element\n\z/,
    'it names the launch, the kernel and the element');

# The names sort as the files were made.
my @names = map { s{.*/}{}r } sort glob "$dir/good/*";
my @order = map { /_launch0*(\d+)_(\d)_/ ? $1 * 10 + $2 : () } @names;
is("@order", join(' ', sort { $a <=> $b } @order), 'the files are in the order of the launches');
cmp_ok(scalar @order, '>=', 8, 'of which there are some');

sub compare {
    return run_forked({ file => root() . '/samples/compare_saved.py', arguments => [@_] });
}
my $same = compare("$dir/good", "$dir/good", '--exact');
is($same->{status}, 0, 'a run and itself: status 0');
is($same->{out}, "the 4 launches of run 1 read and write the same\n", 'and it is said');
my $loose = compare("$dir/good", "$dir/bad", '--rtol=1', '--atol=1');
is($loose->{status}, 0, 'what differs less than is asked for is the same') or diag($loose->{out});
my $none = compare("$dir/good", "$dir/samples");
is($none->{status}, 2, 'a directory without saved tensors: status 2');
like($none->{out}, qr/samples' has no tensors of run 1/, 'and it is named');
unlink glob "$dir/bad/*_launch000002_2_*";
my $other = compare("$dir/good", "$dir/bad");
is($other->{status}, 2, 'files that have no counterpart: status 2');
like($other->{out}, qr/\Alaunch 2: only one of the two saved cpp_fused_gelu_0_buf\d/,
    'and the first is named');
done_testing;
