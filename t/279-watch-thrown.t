# AOTIGEN_ON_FAULT=throw of a watched model whose torch asks what ended a run: it gets the finding,
# once, and of any other failure torch's own text. The model and torch's functions are made up.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();

sub compiled {
    my ($name, $source, @words) = @_;
    my $r = run_cmd(['gcc', '-o', "$dir/$name", spew("$dir/$name.c", $source), @words]);
    die "gcc does not make $name:\n$r->{err}" if $r->{status};
    return "$dir/$name";
}

compiled('torch_model.original', <<'END', '-fPIC', '-shared');
int AOTInductorModelContainerRun(void *bad, void **in, unsigned long n, void **out) {
  (void)in, (void)n;
  *out = bad;
  return bad == 0;
}
int AOTInductorGetLastError(const char **text) { *text = "torch's own"; return 0; }
END
spew("$dir/x.so", slurp(build() . '/libaotigen-watch.so'));
my $host = compiled('host', <<'END', '-rdynamic', '-ldl');
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
static float bad[1] = {NAN}, sound[1] = {1};
static int64_t one[1] = {1};
#define TORCH(name, type, value) \
  int aoti_torch_##name(void *t, type *to) { (void)t; *to = value; return 0; }
TORCH(get_data_ptr, void *, t) TORCH(get_sizes, int64_t *, one) TORCH(get_strides, int64_t *, one)
TORCH(get_dim, int64_t, 1) TORCH(get_storage_offset, int64_t, 0)
TORCH(get_storage_size, int64_t, 4) TORCH(get_dtype, int32_t, 6)
TORCH(get_device_type, int32_t, 0) TORCH(get_device_index, int32_t, -1)
int aoti_torch_device_type_cpu(void) { return 0; }
int aoti_torch_dtype_float32(void) { return 6; }
int aoti_torch_delete_tensor_object(void *t) { return t == 0; }
typedef int run(void *, void **, size_t, void **, size_t, void *, void *);
int main(int argc, char **argv) {
  void *h = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL), *none[1];
  if (!h) return fprintf(stderr, "%s\n", dlerror()), 1;
  run *f = (run *)dlsym(h, "AOTInductorModelContainerRun");
  int (*get)(const char **) = (int (*)(const char **))dlsym(h, "AOTInductorGetLastError");
  float *const all[] = {sound, bad, NULL, bad, sound};
  for (int i = 0; i < 5; i++) {
    const char *text = "", *again = "";
    void *out[1] = {NULL};
    int result = f(all[i], none, 0, out, 1, NULL, NULL);
    if (get(&text) || get(&again)) return 1;
    printf("%d %d %s, %s\n", result, out[0] != NULL, text, again);
  }
  return 0;
}
END

my %as = (AOTIGEN_CAPSULE => "$dir/c");
my $r = run_cmd([$host, "$dir/x.so"], cwd => $dir, env => { %as, AOTIGEN_ON_FAULT => 'throw' });
my $found = 'aotigen: NaN in output 0 of run N, of a watched model; capsule ' . "$dir/c";
is($r->{out} =~ s/(of run )\d/$1N/gr, <<"END", 'the finding is given once') or diag($r->{err});
0 1 torch's own, torch's own
1 0 $found, torch's own
1 0 torch's own, torch's own
1 0 $found.3, torch's own
0 1 torch's own, torch's own
END
unlink glob "$dir/c*";
$r = run_cmd([$host, "$dir/x.so"], cwd => $dir, env => \%as);
is($r->{out}, <<'END', 'and never where a run is only reported');
0 1 torch's own, torch's own
0 1 torch's own, torch's own
1 0 torch's own, torch's own
0 1 torch's own, torch's own
0 1 torch's own, torch's own
END
done_testing;
