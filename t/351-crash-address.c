/* 351-crash-address - the address of a fault, laid to argument and element; the stack; what the C
 * library said as it ended the process; and handlers of the host that come after ours. */
#include "crashing.h"

#include "../runtime/state/crash_cause.h"

/* ---- arguments against memory that nobody may touch ----------------------------------------- */

enum { PAGE = 4096 };

static const aotigen_param three[] = {FLOAT32("buf0", AOTIGEN_IN),
                                      FLOAT32("buf1", AOTIGEN_OUT),
                                      {.name = "ks0", .kind = AOTIGEN_SCALAR, .dtype = "int64"}};
static const aotigen_site one_site[] = {CPU_SITE("cpp_fused_mul_0", three, 11, .number = 1)};
static const aotigen_param two[] = {FLOAT32("buf0", AOTIGEN_UNKNOWN),
                                    FLOAT32("buf1", AOTIGEN_UNKNOWN)};
static const aotigen_op_value op_values[] = {{"x", "as_tensor", 1, NULL},
                                             {"y", "as_tensor", 1, NULL}};
static const aotigen_op op = {.name = "my::f", .overload = "", .values = op_values, .ninputs = 2};
static const aotigen_site op_site[] = {PROXY_SITE("my::f", two, 11, .number = 1, .op = &op)};
static const aotigen_site *site_of_touch = one_site;
static const char *registered; /* schema of the op */
static fake *in, *out;
static int64_t at; /* the byte that is touched, from out's first one */
static bool stores;

/* Memory of n bytes between two pages that trap; right-aligned. */
static void *between_traps(size_t n) {
  size_t pages = (n + PAGE - 1) / PAGE * PAGE;
  char *all = mmap(NULL, pages + (128 << 20), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *mine = all + (64 << 20);
  mprotect(mine, pages, PROT_READ | PROT_WRITE);
  return mine + pages - n;
}

/* Children crash with what a test made, and tests give tensors other memory: nothing is freed. */
static void *kept[64];

static fake *keep(fake *f) {
  static int n;
  kept[n++] = f;
  kept[n++] = f->storage;
  return f;
}

static fake *trapped(int64_t rows, int64_t columns) {
  fake *f = keep(fake_new("float32", rows, columns, -1));
  f->data = f->storage = between_traps((size_t)(rows * columns * 4));
  return f;
}

static void touch(void) {
  volatile char *byte = (char *)out->data + at;
  if (stores)
    *byte = 1;
  else
    (void)*byte;
}

static void touches(void) {
  aotigen_run run;
  const aotigen_value v[] = {handle(in), handle(out), integer(64)};
  model.sites = site_of_touch;
  model.nsites = 1;
  model.nan_asserts = 0;
  if (aotigen_load(&model, "cpu", NULL, NULL, NULL)) _exit(20);
  if (registered) aotigen_op_registered(&model, 0, registered);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  if (aotigen_before(&run, 0, v, site_of_touch->nparams)) _exit(21);
  in_launch();
  _exit(7);
}

static void said_of_a_touch(int64_t byte, bool store, const char *text) {
  at = byte;
  stores = store;
  in_launch = touch;
  ending e = end_of(touches);
  assert_killed(&e, SIGSEGV);
  char head[128];
  snprintf(head, sizeof head,
           "aotigen: SIGSEGV in run 1, launch 1: %s, launched at model.cpp:11; address 0x",
           site_of_touch->kernel);
  assert_has(e.err, head);
  assert_has(e.err, text);
  assert_int_equal(count(e.err, "\n"), 1);
  free(e.err);
}

TEST(laid_to_the_element) {
  in = trapped(8, 8);
  out = trapped(64, 8);
  said_of_a_touch(64 * 8 * 4 + 32, true,
                  " bytes behind the end of buf1: float32 [64, 8], element 520 of 512\n");
  said_of_a_touch(64 * 8 * 4 + 32, true, ", 32 bytes behind");
  said_of_a_touch(64 * 8 * 4, false,
                  ", 0 bytes behind the end of buf1: float32 [64, 8], element 512 of 512\n");
  said_of_a_touch(800000, true,
                  " bytes behind the end of buf1: float32 [64, 8], element 200000 of");
  /* It does not begin at a page: 2 KiB before it is the trap. */
  said_of_a_touch(-2048 - 4, true,
                  ", 2052 bytes before the start of buf1: float32 [64, 8], element -513 of 512\n");
  said_of_a_touch(-2048 - 1, false, ", element -513 of 512\n");
  mprotect((char *)out->data - 2048, PAGE, PROT_READ);
  said_of_a_touch(4 * 17 + 2, true,
                  ", within buf1: float32 [64, 8], element 17 of 512, at [2, 1]\n");
  in->data = out->data; /* if two tensors have the same memory, the written one is named */
  in->sizes[0] = 64;
  in->storage_size = out->storage_size;
  said_of_a_touch(4 * 17, true, ", within buf1: ");
  mprotect((char *)out->data - 2048, PAGE, PROT_NONE);
  said_of_a_touch(4 * 17, false, ", within buf0: ");
}

/* in and out, and memory that nobody may touch. */
static char *two_tensors(void) {
  in = keep(fake_new("float32", 4, -1));
  out = keep(fake_new("float32", 4, -1));
  return mmap(NULL, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* The nearest of two, and none of what is far from all. */
TEST(the_nearest) {
  char *both = two_tensors();
  mprotect(both + (24 << 20), PAGE, PROT_READ | PROT_WRITE);
  mprotect(both + (24 << 20) + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE);
  in->data = in->storage = both + (24 << 20) + PAGE - 16;
  out->data = out->storage = both + (24 << 20) + 2 * PAGE;
  said_of_a_touch(-PAGE + 8, false,
                  ", 8 bytes behind the end of buf0: float32 [4], element 6 of 4\n");
  said_of_a_touch(-4, false, ", 4 bytes before the start of buf1: float32 [4], element -1 of 4\n");
  /* what is only read lies between what is written and the address */
  mprotect(both + (24 << 20) + 6 * PAGE, PAGE, PROT_READ | PROT_WRITE);
  in->data = in->storage = both + (24 << 20) + 7 * PAGE - 16;
  said_of_a_touch(8 * PAGE, true,
                  " bytes behind the end of buf1: float32 [4], element 8192 of 4\n");
  said_of_a_touch(8 * PAGE, false,
                  " bytes behind the end of buf0: float32 [4], element 3076 of 4\n");
  said_of_a_touch(5 * PAGE + 8, true,
                  ", 8 bytes behind the end of buf0: float32 [4], element 6 of 4\n");
  at = 32 << 20;
  ending e = end_of(touches);
  assert_lacks(e.err, "buf");
  free(e.err);
}

/* Only the registered schema of a custom operator says which argument it writes. */
TEST(the_nearest_of_an_operator) {
  char *both = two_tensors();
  mprotect(both + PAGE, PAGE, PROT_READ | PROT_WRITE);
  mprotect(both + 6 * PAGE, PAGE, PROT_READ | PROT_WRITE);
  out->data = out->storage = both + PAGE;
  in->data = in->storage = both + 7 * PAGE - 16;
  site_of_touch = op_site;
  registered = "name: my::f\nschema: my::f(Tensor x, Tensor(a!) y) -> ()\n";
  said_of_a_touch(8 * PAGE, true,
                  " bytes behind the end of buf1: float32 [4], element 8192 of 4\n");
  registered = "name: my::f\nschema: my::f(Tensor(a!) x, Tensor(b!) y) -> ()\n";
  said_of_a_touch(8 * PAGE, true,
                  " bytes behind the end of buf0: float32 [4], element 2052 of 4\n");
  registered = NULL;
  site_of_touch = one_site;
}

/* Strides that are those of a column, and gaps. */
TEST(strided) {
  in = keep(fake_new("float32", 4, -1));
  out = trapped(16, 8);
  out->sizes[0] = 8;
  out->sizes[1] = 7;
  out->strides[0] = 1;
  out->strides[1] = 16;
  mprotect((void *)((uintptr_t)out->data & ~(uintptr_t)4095), PAGE, PROT_NONE);
  said_of_a_touch(4 * 35, true,
                  ", within buf1: float32 [8, 7] with strides [1, 16], element 23 of "
                  "56, at [3, 2]\n");
  said_of_a_touch(4 * 8, true, ", within buf1: float32 [8, 7] with strides [1, 16]\n");
}

/* A launch that does this dies of the signal, and the line says so. */
static void says(void (*what)(void), int signal, const char *text) {
  in_launch = what;
  ending e = end_of(touches);
  assert_killed(&e, signal);
  assert_has(e.err, text);
  free(e.err);
}

__attribute__((no_sanitize("undefined"))) static void touches_null(void) {
  *(volatile char *)(uintptr_t)0 = 1;
}

__attribute__((no_sanitize("undefined"))) static void touches_no_address(void) {
  *(volatile char *)(uintptr_t)0x8000000000000000u = 1;
}

#ifdef __x86_64__
/* As a function that returns with a frame pointer that was overwritten. */
static void touches_no_stack(void) {
  __asm__ volatile("push %%rbp\n\tmov %0, %%rbp\n\tmov (%%rbp), %%rax\n\tpop %%rbp"
                   :
                   : "r"(0x8000000000000000u)
                   : "rax", "memory");
}
#endif

#ifdef __x86_64__
/* As a function that returns with its stack overwritten. */
static void returns_to(uintptr_t address) {
  __asm__ volatile("push %0\n\tret" : : "r"(address) : "memory");
}
static void returns_to_no_address(void) { returns_to(0x0101010101010101u); }
static void returns_to_no_code(void) { returns_to(0x100000u); }

static void calls_no_address(void) {
  __asm__ volatile("call *%0" : : "r"(0x0101010101010101u) : "memory");
}

static void calls_null(void) { __asm__ volatile("call *%0" : : "r"((uintptr_t)0) : "memory"); }
static void returns_to_data(void) { returns_to((uintptr_t)out->data + 4); }

TEST(overwritten_returns) {
  in = out = keep(fake_new("float32", 4, -1));
  says(returns_to_no_address, SIGSEGV,
       "; the return address is no valid address: the stack was overwritten\n");
  says(calls_no_address, SIGSEGV, "; its address is none that memory can have\n");
  says(returns_to_no_code, SIGSEGV,
       "; address 0x100000 (execute), where no code is: the stack or a function's address was "
       "overwritten, or its library is no longer loaded\n");
  says(calls_null, SIGSEGV,
       "; address 0x0 (execute), where no code is: a null pointer was called, or the stack was "
       "overwritten\n");
  says(returns_to_data, SIGSEGV,
       " (execute), within buf0: float32 [4], element 1 of 4, where no code is: ");
}
#endif

TEST(no_argument) {
  in = keep(fake_new("float32", 4, -1));
  out = keep(fake_new("float32", 0, 8, -1));
  out->data = NULL;
  says(segv, SIGSEGV, ", 16 bytes from a null pointer, which is that of buf1: float32 [0, 8]\n");
  in_launch = touches_null;
  out = keep(fake_new("float32", 4, -1));
  ending e = end_of(touches);
  assert_has(e.err, "; address 0x0");
  assert_has(e.err, ", a null pointer\n");
  free(e.err);
#ifdef __x86_64__
  says(touches_no_address, SIGSEGV, "; its address is none that memory can have\n");
  says(touches_no_stack, SIGBUS,
       "; the address, relative to the stack or its frame, is none that memory can have: the stack "
       "may have been overwritten\n");
#endif
}

/* ---- the stack, the heap -------------------------------------------------------------------- */

/* Beyond its array, up to the end of the stack. */
__attribute__((no_sanitize("address", "undefined"))) static void write_upwards(void) {
  volatile char some[16];
  volatile char *byte = some;
  for (;;) *byte++ = 1;
}

static void *on_this_thread(void *none) {
  touches();
  return none;
}

static void on_a_thread(void) {
  pthread_t t;
  pthread_create(&t, NULL, on_this_thread, NULL);
  pthread_join(t, NULL);
}

TEST(stacks) {
  static void (*const hosts[])(void) = {touches, on_a_thread};
  in = out = keep(fake_new("float32", 4, -1));
  for (int i = 0; i < 2; i++) {
    in_launch = overflow_stack;
    ending e = end_of(hosts[i]);
    assert_killed(&e, SIGSEGV);
    assert_has(e.err, ", at the end of the thread's stack, which is used up\n");
    free(e.err);
  }
  in_launch = write_upwards;
  ending e = end_of(touches);
  assert_killed(&e, SIGSEGV);
  assert_has(e.err, " bytes behind the thread's stack, which was written beyond an array on it\n");
  free(e.err);
}

/* AddressSanitizer would meet both before the C library does. */
#ifndef __SANITIZE_ADDRESS__
static volatile size_t too_many = 64;

#if defined(__clang__)
#define PROTECTED __attribute__((noinline))
#else
#define PROTECTED __attribute__((noinline, optimize("stack-protector-all")))
#endif
PROTECTED static void smash(char value) {
  char some[16];
  char *to = some;
  size_t n = too_many;
  __asm__ volatile("" : "+r"(to));
  memset(to, value, n);
  __asm__ volatile("" ::"r"(to) : "memory");
}
static void smash_stack(void) { smash(1); }

/* The C library checks what stands before a chunk. */
static void damage_heap(void) {
  char *volatile a = malloc(2000), *volatile b = malloc(2000);
  volatile size_t n = 2100;
  for (size_t i = 2000; i < n; i++) ((volatile char *)a)[i] = 1;
  free(b);
  free(a);
}

TEST(last_words) {
  in = out = keep(fake_new("float32", 4, -1));
  in_launch = smash_stack;
  ending e = end_of(touches);
  assert_killed(&e, SIGABRT);
  assert_has(e.err, "aotigen: SIGABRT in run 1, launch 1: cpp_fused_mul_0, ");
  assert_has(e.err, "; '*** stack smashing detected ***: terminated': a function wrote beyond an "
                    "array on its stack\n");
  free(e.err);
  in_launch = damage_heap;
  e = end_of(touches);
  assert_killed(&e, SIGABRT);
  assert_has(e.err, "': the heap was overwritten or freed wrongly, by what ran here or before\n");
  free(e.err);
}

#endif

/* ---- handlers that come after ours ---------------------------------------------------------- */

/* As breakpad: on a stack of its own; it writes, restores what it found, and returns, so that the
 * instruction fails again. */
static struct sigaction found;

static void dump(int signal, siginfo_t *info, void *context) {
  char on_stack;
  stack_t now;
  sigaltstack(NULL, &now);
  bool own = &on_stack >= (char *)now.ss_sp && &on_stack < (char *)now.ss_sp + now.ss_size;
  const char *text = own && info->si_signo == signal && context ? "dumped\n" : "lost\n";
  if (write(2, text, strlen(text)) < 0) _exit(9);
  sigaction(signal, &found, NULL);
}

static void with_breakpad(void) {
  const struct sigaction a = {.sa_sigaction = dump, .sa_flags = SA_ONSTACK | SA_SIGINFO};
  sigaction(SIGSEGV, &a, &found);
  touches();
}

TEST(a_dump_follows) {
  in = out = keep(fake_new("float32", 4, -1));
  in_launch = overflow_stack;
  ending e = end_of(with_breakpad);
  assert_killed(&e, SIGSEGV);
  assert_has(e.err, ", which is used up\ndumped\n");
  assert_int_equal(count(e.err, "\n"), 2);
  free(e.err);
}
