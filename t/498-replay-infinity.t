# 'aotigen replay' of a NaN that a launch made of an Inf tells the birth of that Inf. An Inf of
# which no NaN was made, such as a mask or the logarithm of a 0 that is dropped, is told nowhere.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;
use JSON::PP 'decode_json';
use File::Copy 'copy';

my $torch = need_torch();
my $s = sample('infinite');
my $dir = tempdir();
copy("$s->{dir}/model.pt2", "$dir/model.pt2") or die;
must(aotigen('watch', '-q', "$dir/model.pt2", '-o', "$dir/watched.pt2"), 'it is watched');
spew("$dir/program.py", <<'PY');
import sys
import torch
package, inputs, which, least = sys.argv[1:]
model = torch._C._aoti.AOTIModelPackageLoader(package, "model", False, 1, -1)
if least:
    same = torch.eye(8)
    same[2, 7] = torch.inf
    same[2, 5] = float(least)
    model.load_constants({"same": same}, False, False)
model.run(list(torch.load(inputs)[int(which)]))
PY

my @options = ("--torch=$torch->{dir}");
my %how = (cwd => $dir, timeout => 300, env => { PYTHON => $torch->{python} });

# The report of the NaN of one of the sample's inputs, or of a weight with an Inf, replayed, each
# entry on one line.
sub replayed {
    my ($which, $weight, @more) = @_;
    my $name = "capsule$which$weight";
    my $r = run_forked({ file => "$dir/program.py",
            arguments => ["$dir/watched.pt2", "$s->{dir}/inputs.pt", $which, $weight] },
        cwd => $dir, timeout => 300, env => { AOTIGEN_CAPSULE => "$dir/$name" });
    is($r->{status}, 0, "$name: the program ends") or diag($r->{err});
    return $r->{err} if !-e "$dir/$name";
    $r = run_cmd([build() . '/aotigen', 'replay', @options, @more, $name], %how);
    is($r->{status}, 0, "$name: it is replayed") or diag($r->{err});
    return $r->{err} =~ s/\n {16}/ /gr;
}

is(replayed(0, ''), '', 'a sound run: silent, although it holds Inf');

# The product overflows, and the norm makes a NaN of it.
my $text = replayed(1, '');
like($text, qr/^  what          Inf born in run 1, launch \d+: aoti_torch_cpu_mm_out$/m,
    'the launch in which the Inf was born') or diag($text);
like($text, qr/^  element       buf\d+\[2,5\]: expected finite, found inf; 1 of 32 elements$/m,
    'its element');
like($text, qr/^  then          NaN in run 1, launch \d+: cpp_fused_\w*norm_\d, in \w+\[2,0\]$/m,
    'and the NaN that was made of it');
like($text, qr/\bweight\[3, 5\] = 3e\+38 \w+\[2, 3\] \* weight\[3, 5\] = inf   <- here$/m, 'how');
like($text, qr/^  outputs       those of the capsule, bit for bit$/m, 'the outputs are equal');
unlike($text, qr/nan-asserts/, 'nothing is left to search for');
unlike($text, qr/-Inf/, 'and no other Inf is told');

# The same launch has a logarithm of 0, which where() drops, and one of a negative number.
$text = replayed(2, '');
like($text, qr/^  what          NaN born in run 1, launch \d+: cpp_fused_\w*log\w*$/m,
    'a NaN beside Inf that are dropped') or diag($text);
like($text, qr/= log\(\w+\) = nan   <- here/, 'is told by how it was computed');
unlike($text, qr/^aotigen: \S*Inf|made of|perhaps of|^  then/m, 'and no Inf is accused');
like(replayed(2, '', '--nan-asserts=all'), qr/^aotigen: -Inf born in run 1/m,
    'where Inf are asked for they are told');

# An Inf of an input, and one of a weight: arrived, with the name.
$text = replayed(3, '');
like($text, qr/^  what          Inf arrived in run 1, launch \d+: /m, "an input's")
    or diag($text);
like($text, qr/^  element       \w+ \(args\[2\]\)\[2,4\]: /m, 'by its name');
$text = replayed(0, '0');
like($text, qr/^  what          Inf arrived in run 1, launch \d+: aoti_torch_cpu_mm_out$/m,
    "a weight's") or diag($text);
like($text, qr/^  element       same\[2,7\]: expected finite, found inf; 1 of 64 /m,
    'by its name');
unlike($text, qr/Inf born/, 'and not the product that took it');

# The product has Inf of the weight, and one of its own: of which a NaN is made is not known.
$text = replayed(2, '-3e38');
like($text, qr/^  what          NaN born in run 1, launch \d+: cpp_fused_\w*log\w*$/m,
    'Inf of two origins: the NaN is told') or diag($text);
like($text, qr/^  why           the launch may have made it of the \+Inf of the weight 'same', /m,
    'with what it may be made of');
unlike($text, qr/^aotigen: \S*Inf (?:born|arrived)/m, 'and no Inf is accused');

# Nobody explains an operator: the NaN is told, and the one Inf that it may have been made of.
$text = replayed(4, '');
like($text, qr/^  what          NaN born in run 1, launch \d+: aoti_torch_cpu__scaled_dot_/m,
    'an operator that took an Inf: its NaN is told') or diag($text);
my ($at) = $text =~ /^  what .* launch (\d+):/m;
my $born = qr/Inf born in run 1, launch \d+: aoti_torch_cpu_mm_out/;
like($text, qr/^  perhaps of    $born, in buf\d+\[2,5\]$/m, 'and the Inf with its element');
like($text, qr/^aotigen: \+$born/m, 'reported in full');
unlike($text, qr/^  also found|nan-asserts=all/m, 'it is no other finding, and needs no search');
my $json = (split /\n/, run_cmd([build() . '/aotigen', 'replay', '--json', @options, 'capsule4'],
    %how)->{out})[-1];
$json = decode_json($json);
is($json->{event}{launch}, $at, 'as JSON: the NaN') or diag(explain $json);
is($json->{perhaps_of}{suspected_by}, $at, 'and of what it may have been made');
done_testing;
