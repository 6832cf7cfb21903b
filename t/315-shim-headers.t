# One translation unit includes the runtime's prototypes of the torch C shim and torch's own: the
# compiler refuses any difference.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch();
my $dir = tempdir();
my $root = root();
# Torch's first, ours after it: a prototype that differs is an error, in C++ as for a wrapper.
spew("$dir/both.cpp", <<'CPP');
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include "runtime/tensor/shim.h"
#include "shared/wrapper/aotigen.h"
int main() { return 0; }
CPP
for my $compiler (grep { run_cmd([$_, '--version'])->{status} == 0 } qw(g++ clang++)) {
    my $r = run_cmd([$compiler, '-std=c++20', '-fsyntax-only', '-Wall', '-I', $root, '-I',
        "$root/runtime", '-isystem', "$torch->{dir}/include", "$dir/both.cpp"]);
    is($r->{err}, '', "$compiler: no word of difference");
    is($r->{status}, 0, "$compiler: both compile together");
}
# And it can see a difference.
spew("$dir/other.cpp", <<'CPP');
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
extern "C" int32_t aoti_torch_get_dim(AtenTensorHandle tensor, int32_t *ret);
CPP
my $r = run_cmd(['g++', '-std=c++20', '-fsyntax-only', '-isystem', "$torch->{dir}/include",
    "$dir/other.cpp"]);
isnt($r->{status}, 0, 'a prototype of another kind does not compile');
done_testing;
