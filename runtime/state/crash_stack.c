/* crash_stack.c - alternate signal stacks: made at a thread's first run, freed at its end. */
#define _GNU_SOURCE
#include "state/crash_stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

/* A signal's frame takes 11 KiB if the processor has AMX. The memory below the stack is
 * inaccessible: the handlers that the host installed run on it too. */
enum { STACK_BYTES = 64 << 10, GUARD_BYTES = 64 << 10, ALL_BYTES = GUARD_BYTES + STACK_BYTES };

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

static char *stack_in(void *memory) { return (char *)memory + GUARD_BYTES; }

/* Runs at the end of the thread. The host may have set a stack of its own since. */
static void free_stack(void *memory) {
  stack_t now;
  const stack_t none = {.ss_flags = SS_DISABLE};
  if (!sigaltstack(NULL, &now) && now.ss_sp == stack_in(memory)) sigaltstack(&none, NULL);
  munmap(memory, ALL_BYTES);
}

static void make_key(void) { has_key = !pthread_key_create(&key, free_stack); }

static void *map_stack(void) {
  void *memory =
      mmap(NULL, ALL_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  if (!mprotect(stack_in(memory), STACK_BYTES, PROT_READ | PROT_WRITE)) return memory;
  munmap(memory, ALL_BYTES);
  return NULL;
}

static void set_stack(void) {
  stack_t now;
  if (sigaltstack(NULL, &now) || !(now.ss_flags & SS_DISABLE)) return;
  pthread_once(&once, make_key);
  void *memory = has_key ? map_stack() : NULL;
  if (!memory) return;
  const stack_t mine = {.ss_sp = stack_in(memory), .ss_size = STACK_BYTES};
  if (pthread_setspecific(key, memory) || sigaltstack(&mine, NULL)) {
    pthread_setspecific(key, NULL);
    munmap(memory, ALL_BYTES);
  }
}

void ag_crash_stack_provide(void) {
  static _Thread_local bool provided;
  if (provided) return;
  provided = true;
  set_stack();
}

/* Threads that outlive the model retain their stacks, since the code that would free them is
 * gone. */
__attribute__((destructor)) static void forget_key(void) {
  if (has_key) pthread_key_delete(key);
  has_key = false;
}
