# The build ID of a model with weights: made of what was compiled, so that the linker does not sum
# up the weights.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my $torch = "$dir/site-packages";
File::Path::make_path("$torch/torch/include/torch/csrc/inductor",
    "$torch/torch/include/torch/csrc/api/include");
spew("$torch/torch/version.py", "__version__ = '2.11.0'\n");
for my $tool (qw(g++ readelf)) {
    skip_or_fail($tool, "there is no $tool") if run_cmd([$tool, '--version'])->{status};
}

# A wrapper whose one weight has $bytes, and whose function returns $value.
sub wrapper {
    my ($bytes, $value, @link) = @_;
    return spew("$dir/m.cpp", <<"END");
struct info { long data_size; bool from_folded; };
struct AOTInductorModelBase {
  AOTInductorModelBase(int, bool) {}
  info constants_info_[1];
};
struct AOTInductorModel : AOTInductorModelBase {
  AOTInductorModel(int x);
  int run_impl();
};
AOTInductorModel::AOTInductorModel(int x)
    : AOTInductorModelBase(1, true) {
    constants_info_[0].data_size = $bytes;
    constants_info_[0].from_folded = false;
}
int AOTInductorModel::run_impl() { return $value; }
// Compile cmd
// g++ m.cpp -O1 -fPIC -std=c++17 -c -o m.o
// Link cmd
// g++ m.o -O3 -shared -fPIC @link -o m.so
END
}

# The object file with $bytes of weights, all of them $value.
sub weights {
    my ($bytes, $value) = @_;
    my $start = '_binary_constants_bin_start';
    spew("$dir/w.s", ".section .lrodata,\"a\"\n.globl $start, _binary_constants_bin_end\n"
        . "$start:\n.fill $bytes, 1, $value\n_binary_constants_bin_end:\n"
        . ".section .note.GNU-stack,\"\"\n");
    my $r = run_cmd(['g++', '-c', '-o', "$dir/w.o", "$dir/w.s"]);
    is($r->{status}, 0, "weights of $bytes bytes, each $value: assembled") or diag($r->{err});
    return "--weights=$dir/w.o";
}

sub build_id {
    my ($name, @words) = @_;
    my $r = run_cmd([build() . '/aotigen', 'build', '-v', "--torch=$torch", 'm.cpp', '-o', 'm.so',
        @words], cwd => $dir, timeout => 300);
    is($r->{status}, 0, "$name: built") or diag($r->{err});
    my ($asked) = $r->{err} =~ /-Wl,--build-id=0x(\w+)/;
    my ($has) = run_cmd(['readelf', '-nW', "$dir/m.so"])->{out} =~ /Build ID: (\w+)/;
    return ($asked // 'none', $has // 'none');
}

wrapper(64, 1);
my ($asked, $has) = build_id('64 bytes of weights', weights(64, 0));
like($asked, qr/^[0-9a-f]{16}$/, 'the linker is given an ID');
is($has, $asked, 'which the model has');
is((build_id('the same again', weights(64, 0)))[0], $asked, 'the same again: the same ID');
is((build_id('other weights', weights(64, 7)))[0], $asked, 'other weights: the same ID');
wrapper(64, 2);
isnt((build_id('another function', weights(64, 0)))[0], $asked, 'another function: another ID');
wrapper(64, 1, '-Wl,--build-id=sha1');
($asked, $has) = build_id('a recorded ID', weights(64, 0));
is(length $has, 40, 'a recorded flag has precedence');
wrapper(0, 1);
is((build_id('no weights'))[0], 'none', 'without weights the linker makes its own');
done_testing();
