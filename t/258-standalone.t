# A package by torch 2.15's compile_standalone: sources alone, whose class has the model's name, and
# whose header lies beside the wrapper. It is listed, checked and rewritten, and stays one of
# sources. What torch wrote is in t/corpus; t/465 compiles such models and runs them.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenZip;
use IO::Uncompress::Unzip ();

my $dir = tempdir();
my ($headers) = grep { $_->{version} =~ /^2\.15\./ } all_headers();
my $in = 'm/data/aotinductor/model/';

# The weights as the wrapper declares them, and what torch writes beside the sources.
spew("$dir/weights.s", <<'END');
.section .lrodata,"a"
.globl _binary_constants_bin_start, _binary_constants_bin_end
.balign 64
_binary_constants_bin_start: .fill 76864,1,7
_binary_constants_bin_end:
.section .note.GNU-stack,"",@progbits
END
is(run_cmd(['gcc', '-c', "$dir/weights.s", '-o', "$dir/weights.o"])->{status}, 0, 'weights');
my %beside = ('CMakeLists.txt' => "project(scorer LANGUAGES CXX)\nadd_library(scorer STATIC)\n",
    'scorer.wrapper_metadata.json' => '{"AOTI_DEVICE_KEY": "cpu"}',
    'scorer.wrapper_compile_flags.json' => '{"compiler": "g++", "definitions": [],'
        . ' "include_dirs": [], "cflags": ["O3", "std=c++20"], "compile_only": true}',
    'scorer.wrapper_linker_flags.json' => '{"libraries": ["gomp"]}',
    'scorer.weights.o' => slurp("$dir/weights.o"));

# Headers between the functions are not precompiled and take 4 s: with sanitizers for one device.
for my $device ('cpu', build() =~ m{/san$} ? () : 'cuda') {
    my $corpus = root() . "/t/corpus/2.15.0/$device/mlp_dyn-standalone";
    my %member = (%beside, 'scorer.h' => slurp("$corpus/scorer.h"),
        'scorer.wrapper.cpp' => slurp("$corpus/wrapper.cpp"));
    zip("$dir/$device.pt2", [(map { { name => "$in$_", data => $member{$_} } } sort keys %member),
        { name => 'm/archive_format', data => 'pt2' }], align => 64);
    my @torch = ("--torch=$headers->{dir}", '--no-cache', '--confine=off');
    my $r = aotigen('list', @torch, "$dir/$device.pt2");
    is("$r->{status} $r->{err}", '0 ', "$device: list");
    like($r->{out}, qr/^  weight   (?:widen|a)\.weight  float32 \[256, 64\] on \Q$device\E$/m,
        'has its weights');
    $r = aotigen('check', @torch, "$dir/$device.pt2");
    is($r->{status}, 0, "$device: check") or diag($r->{err});
    like($r->{out}, qr/^  .*: [1-9]\d* proved, 0 refuted, 0 not decided$/m, 'proves something');
    $r = aotigen(@torch, '-p3', "$dir/$device.pt2", '-o', "$dir/debug.pt2");
    is($r->{status}, 0, "$device: rewritten") or diag($r->{err});
    my $debug = members("$dir/debug.pt2");
    is($debug->{$_}, $member{$_}, "$_ is as it was") for 'CMakeLists.txt', 'scorer.h';
    like($debug->{'scorer.wrapper.cpp'}, qr/^#include "aotigen\.h"$/m, 'the wrapper is ours');
    like($debug->{'scorer.wrapper.cpp'}, qr/AOTIGEN_BEFORE\(/, 'and has its launches');
    ok($debug->{'aotigen.h'}, 'its header is beside it');
    my $symbols = run_cmd(['nm', spew("$dir/weights.o", $debug->{'scorer.weights.o'})])->{out};
    like($symbols, qr/ T aotigen_before$/m, 'the library is in the object of the weights');
    like($symbols, qr/ _binary_constants_bin_start$/m, 'with the weights');
}

# The names and contents of a model's files.
sub members {
    my ($package) = @_;
    my $z = IO::Uncompress::Unzip->new($package) or die "cannot read '$package'";
    my %members;
    do {
        my $name = $z->getHeaderInfo->{Name};
        local $/;
        my $text = <$z>;
        $members{$1} = $text if $name =~ m{/data/aotinductor/model/([^/]+)$};
    } while $z->nextStream > 0;
    return \%members;
}
done_testing;
