# The call of an operator by torch's proxy executor, which stores each tensor of a list, whatever
# the length of the wrapper's array: what is more goes to tensors of ours, which are released
# however the call ends, and are counted.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my $root = root();
spew("$dir/room.cpp", <<'CPP');
#include "aotigen.h"
#include <array>
#include <cstdio>
#include <stdexcept>

struct tensor {
  void *implementation;
};
typedef tensor *AtenTensorHandle;
static int made, limit = 1000, undefined, stored;
extern "C" int32_t aoti_torch_new_uninitialized_tensor(void **x) {
  if (made >= limit) return 1;
  *x = new tensor{&undefined};
  made++;
  return 0;
}
extern "C" int32_t aoti_torch_delete_tensor_object(void *x) {
  delete static_cast<tensor *>(x);
  made--;
  return 0;
}
#ifdef AOTIGEN_ON
static aotigen_model aotigen_model_;
void aotigen_run_begin(aotigen_run *, aotigen_model *, int, void *) {}
void aotigen_run_end(aotigen_run *, int) {}
const char *aotigen_run_failed(aotigen_run *, const char *) { return nullptr; }
#endif

/* As that of torch: `op` is how many tensors it stores behind the input. */
static int32_t call(const char *, int op, int, int64_t *ints, int n, AtenTensorHandle *handles) {
  for (int i = 0; i < op; i++) handles[1 + i]->implementation = &stored;
  if (ints[0] == 7) throw std::runtime_error("seven");
  return op + 1 == n ? 0 : 1;
}
static void call_void(const char *e, int op, int m, int64_t *ints, int n, AtenTensorHandle *x) {
  (void)call(e, op, m, ints, n, x);
}

static int32_t call_later(int flags, const char *e, int op, int m, int64_t *ints, int n,
                          AtenTensorHandle *x) {
  return flags + call(e, op, m, ints, n, x);
}

static void run(unsigned room, int op, int64_t what) {
  tensor in{&stored}, a{&undefined}, b{&undefined};
  unsigned more = 0;
  int32_t error = -1;
  AOTIGEN_RUN(nullptr);
#ifdef AOTIGEN_ON
  aotigen_run_.room = room;
#endif
  (void)room;
  try {
    error = AOTIGEN_WITH_ROOM(call_later)(0, "e", 1, 1, std::array<int64_t, 1>{0}.data(), 2,
        std::array<AtenTensorHandle, 2>{&in, &in}.data());
    error = AOTIGEN_WITH_ROOM(call)("e", op, 1, std::array<int64_t, 1>{what}.data(), 3,
        std::array<AtenTensorHandle, 3>{&in, &a, &b}.data());
    AOTIGEN_WITH_ROOM(call_void)("e", op, 1, std::array<int64_t, 1>{what}.data(), 3,
        std::array<AtenTensorHandle, 3>{&in, &a, &b}.data());
  } catch (const std::runtime_error &) {
    error = 7;
  }
#ifdef AOTIGEN_ON
  more = aotigen_run_.more;
#endif
  std::printf("error %d, stored %d%d, more %u, left %d\n", error, a.implementation == &stored,
      b.implementation == &stored, more, made);
  AOTIGEN_RUN_END();
}

int main() {
  run(0, 2, 0);
  run(64, 2, 0);
#ifdef AOTIGEN_ON
  run(64, 1, 0);
  run(64, 3, 0);
  run(64, 66, 0);
  run(64, 5, 7);
  limit = 10;
  run(64, 4, 0);
#endif
}
CPP
my $plain = "error 0, stored 11, more 0, left 0\n" x 2;
for my $compiler (grep { run_cmd([$_, '--version'])->{status} == 0 } 'g++',
    ($ENV{LLVM} // '/usr/lib/llvm-19') . '/bin/clang++') {
    for my $how ([qw(-std=c++17 -O0)], [qw(-std=c++20 -O2)]) {
        my @command = ($compiler, @$how, qw(-Wall -Wextra -Wshadow -Werror), '-I',
            "$root/shared/wrapper",
            "$dir/room.cpp", '-o', "$dir/room");
        my $what = "$compiler @$how";
        my $r = run_cmd([@command, '-DAOTIGEN_ON']);
        is($r->{err}, '', "$what: compiles without a warning");
        is(run_cmd(["$dir/room"])->{out}, $plain . <<'END', "$what: what is more is counted");
error 1, stored 10, more 0, left 0
error 1, stored 11, more 2, left 0
error 1, stored 11, more 128, left 0
error 7, stored 11, more 3, left 0
error 1, stored 11, more 4, left 0
END
        is(run_cmd(\@command)->{err}, '', "$what: so does level 0");
        is(run_cmd(["$dir/room"])->{out}, $plain, "$what: where the call is as it was");
    }
}
done_testing;
