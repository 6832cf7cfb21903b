# What a package is made of, in the place of one: it is said what it is, and which call of torch
# makes a package of it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenZip;

my $dir = tempdir();
my $of_module = qr/aoti_compile_and_package\(torch\.export\.export\(MODULE, ARGS\), /;
my @archive = map { { name => "m/$_", data => 'x' } } 'version', 'byteorder', 'data/0';
spew("$dir/m.py", "import torch\nclass M(torch.nn.Module):\n    pass\n");
spew("$dir/m.ipynb", '{"cells": []}');
spew("$dir/old.pt", "\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.");
zip("$dir/eager.pt", [@archive, { name => 'm/data.pkl', data => 'x' }]);
zip("$dir/script.pt", [@archive, map { { name => "m/$_", data => 'x' } } 'data.pkl',
    'constants.pkl', 'code/__torch__.py']);
zip("$dir/program.pt2", [@archive, { name => 'm/models/model.json', data => '{}' }]);
zip("$dir/program26.pt2",
    [@archive, { name => 'm/serialized_exported_program.json', data => '{}' }]);
zip("$dir/other.pt2", \@archive);

for my $case (
    ['m.py', qr/is Python's source, .*$of_module/],
    ['m.ipynb', qr/is Python's source, .*$of_module/],
    ['old.pt', qr/is what torch\.save\(\) wrote, .*$of_module/],
    ['eager.pt', qr/is what torch\.save\(\) wrote, .*$of_module/],
    ['script.pt', qr/is a module of TorchScript, .*$of_module/],
    ['program.pt2',
        qr/is an exported program, .*aoti_compile_and_package\(torch\.export\.load\(FILE/],
    ['program26.pt2', qr/is an exported program, /],
    ['other.pt2', qr/holds no model of AOTInductor: no 'data/],
    ['gone.py', qr/cannot be read|torch's headers/],
    ) {
    my ($file, $says) = @$case;
    for my $words (['list', $file], [$file, '-o', 'out'], ['run', "--model=$file", '--', 'true']) {
        my $r = run_cmd([build() . '/aotigen', @$words], cwd => $dir);
        is($r->{status}, 1, "@$words") or diag($r->{err});
        like($r->{err}, qr/^\Q$file\E: error: $says/m, 'what it is')
            if $file ne 'gone.py';
        unlike($r->{err}, qr/is Python/, 'no file') if $file eq 'gone.py';
        ok(!-e "$dir/out", 'and no result');
    }
}
done_testing;
