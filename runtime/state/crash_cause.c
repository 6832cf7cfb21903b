/* crash_cause.c - see crash_cause.h. */
#define _GNU_SOURCE
#include "state/crash_cause.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "state/guard_pages.h"

#ifndef SI_KERNEL
#define SI_KERNEL 0x80
#endif

/* NEAR_NULL: no program has memory below it. GUARD: the size below an exhausted stack, with room
 * for a large frame. */
enum { NEAR_NULL = 64 << 10, GUARD = 1 << 20, WORDS_MOST = 160 };

/* ---- before a crash ------------------------------------------------------------------------- */

/* Declared as in glibc, which writes it before it calls abort(). */
typedef struct last_words {
  unsigned size;
  char text[];
} last_words;

static last_words *const *words;

void ag_crash_cause_prepare(void) {
  if (!words) words = dlsym(RTLD_DEFAULT, "__abort_msg");
}

void ag_crash_cause_find_stack(uintptr_t bounds[2]) {
  static _Thread_local uintptr_t own[2];
  pthread_attr_t a;
  void *low;
  size_t size;
  if (!own[1] && !pthread_getattr_np(pthread_self(), &a)) {
    if (!pthread_attr_getstack(&a, &low, &size)) {
      own[0] = (uintptr_t)low;
      own[1] = own[0] + size;
    }
    pthread_attr_destroy(&a);
  }
  memcpy(bounds, own, sizeof own);
}

/* ---- in a handler --------------------------------------------------------------------------- */

/* The access: 'r' (read), 'w' (write) or 'x' (execute), or 0 if the processor does not tell. */
static char find_access(const ag_crash *c) {
#ifdef __x86_64__
  enum { PAGE_FAULT = 14, STORES = 2, FETCHES = 16 };
  const ucontext_t *u = c->context;
  if (u && u->uc_mcontext.gregs[REG_TRAPNO] == PAGE_FAULT)
    return u->uc_mcontext.gregs[REG_ERR] & STORES    ? 'w'
           : u->uc_mcontext.gregs[REG_ERR] & FETCHES ? 'x'
                                                     : 'r';
#endif
  (void)c;
  return 0;
}

/* True if the instruction returns from a function, to an address on the stack. It is read only if
 * it raised the signal itself, and so is readable. */
static bool is_at_return(const ag_crash *c) {
#ifdef __x86_64__
  enum { RET = 0xc3, RET_AND_POP = 0xc2, REP = 0xf3, REPNE = 0xf2, HALF = 47 };
  const ucontext_t *u = c->context;
  if (!u) return false;
  const uint64_t at = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
  if (at >> HALF) return false;
  const unsigned char *code = (const unsigned char *)(uintptr_t)at;
  if (*code == REP || *code == REPNE) code++;
  return *code == RET || *code == RET_AND_POP;
#else
  (void)c;
  return false;
#endif
}

static uintptr_t find_stack_pointer(const ag_crash *c) {
#ifdef __x86_64__
  const ucontext_t *u = c->context;
  if (u) return (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
  const ucontext_t *u = c->context;
  if (u) return (uintptr_t)u->uc_mcontext.sp;
#endif
  (void)c;
  return 0;
}

/* Explains an overflow of the stack of the thread that got the signal. Its stack pointer must be in
 * the stack, or just below. A function moves it by its whole frame at once and then writes anywhere
 * in the frame. */
static bool explain_stack(ag_raw_text *t, const ag_crash *c, uintptr_t address,
                          const uintptr_t stack[2]) {
  uintptr_t at = find_stack_pointer(c);
  if (!stack || !stack[1] || !at || at >= stack[1] || at + GUARD < stack[0]) return false;
  bool in_frame = address >= at || at - address < GUARD;
  bool low = address < stack[0] + GUARD && address + GUARD > stack[0];
  if (in_frame && low) {
    ag_raw_add(t, ", at the end of the thread's stack, which is used up");
    return true;
  }
  if (address < stack[1] || address - stack[1] >= GUARD) return false;
  ag_raw_add(t, ", ");
  ag_raw_add_number(t, (int64_t)(address - stack[1]));
  ag_raw_add(t, " bytes behind the thread's stack, which was written beyond an array on it");
  return true;
}

/* Explains an address in a guarded region, which says more than the arguments do. */
static bool explain_region(ag_raw_text *t, const void *address) {
  size_t length = t->length;
  ag_raw_add(t, ", ");
  if (ag_guard_pages_explain(t, address)) return true;
  t->length = length;
  return false;
}

/* The program went on at an address without code. */
static bool explain_jump(ag_raw_text *t, char access, uintptr_t address,
                         const ag_args_snapshot *args) {
  if (access != 'x') return false;
  if (!explain_region(t, (const void *)address) && args && ag_args_snapshot_has(args, address))
    ag_args_snapshot_explain(args, address, false, t);
  ag_raw_add(t, address ? ", where no code is: the stack or a function's address was overwritten, "
                          "or its library is no longer loaded"
                        : ", where no code is: a null pointer was called, or the stack was "
                          "overwritten");
  return true;
}

static void add_address(ag_raw_text *t, const ag_crash *c, const ag_args_snapshot *args,
                        const uintptr_t stack[2]) {
  uintptr_t address = (uintptr_t)c->info->si_addr;
  char access = find_access(c);
  if (c->info->si_code == SI_KERNEL && !address && c->signal == SIGSEGV) {
    ag_raw_add(t, is_at_return(c)
                      ? "; the return address is no valid address: the stack was overwritten"
                      : "; its address is none that memory can have");
    return;
  }
  if (c->info->si_code == SI_KERNEL && !address && c->signal == SIGBUS) {
    ag_raw_add(t,
               "; the address, relative to the stack or its frame, is none that memory can have: "
               "the stack may have been overwritten");
    return;
  }
  if (c->signal == SIGFPE && c->info->si_code == FPE_INTDIV) {
    ag_raw_add(t, "; an integer was divided by 0, or the least of its type by -1");
    return;
  }
  bool of_data = c->signal == SIGSEGV || c->signal == SIGBUS;
  ag_raw_add(t, of_data ? "; address " : "; at instruction ");
  ag_raw_add_hex(t, address);
  if (!of_data) return;
  if (access) ag_raw_add(t, access == 'w' ? " (write)" : access == 'x' ? " (execute)" : " (read)");
  if (explain_jump(t, access, address, args)) return;
  if (address < NEAR_NULL) {
    ag_raw_add(t, ", ");
    if (address) ag_raw_add_number(t, (int64_t)address);
    ag_raw_add(t, address ? " bytes from a null pointer" : "a null pointer");
    if (args) ag_args_snapshot_explain_null(args, t);
  } else if (!explain_region(t, c->info->si_addr) && !explain_stack(t, c, address, stack) && args) {
    ag_args_snapshot_explain(args, address, access == 'w', t);
  }
}

/* Adds the C library's last message, and names damaged memory. */
static void add_last_words(ag_raw_text *t) {
  static const char *const of_heap[] = {"free()",    "malloc",   "realloc", "corrupt",
                                        "unaligned", "munmap_c", "tcache",  "unlink"};
  const last_words *last = words ? *words : NULL;
  if (!last || !*last->text) return;
  char text[WORDS_MOST + 1];
  size_t n = strcspn(last->text, "\n");
  if (n > WORDS_MOST) n = WORDS_MOST;
  memcpy(text, last->text, n);
  text[n] = 0;
  ag_raw_add(t, "; '");
  ag_raw_add(t, text);
  ag_raw_add(t, "'");
  if (strstr(text, "stack smashing")) {
    ag_raw_add(t, ": a function wrote beyond an array on its stack");
    return;
  }
  for (size_t i = 0; i < sizeof of_heap / sizeof *of_heap; i++) {
    if (!strstr(text, of_heap[i])) continue;
    ag_raw_add(t, ": the heap was overwritten or freed wrongly, by what ran here or before");
    return;
  }
}

int ag_crash_cause_sender(const ag_crash *c) {
  const bool sent = c->info->si_code <= 0 && c->info->si_pid != getpid();
  return sent ? c->info->si_pid : 0;
}

void ag_crash_cause_add(ag_raw_text *t, const ag_crash *c, const ag_args_snapshot *args,
                        const uintptr_t stack[2]) {
  if (c->info->si_code > 0 && ag_crash_is_fault(c->signal)) {
    add_address(t, c, args, stack);
  } else if (ag_crash_cause_sender(c)) {
    ag_raw_add(t, "; sent by process ");
    ag_raw_add_number(t, ag_crash_cause_sender(c));
  }
  if (c->signal == SIGABRT) add_last_words(t);
}
