/* fake_driver.h - what a test may ask of the fake libcuda that FAKE_CUDA names; fake_cuda.c and
 * fake_stream.c say what each does.
 *
 * Until fake_open() the process has no CUDA driver, and these are NULL.
 */
#ifndef AOTIGEN_T_FAKE_DRIVER_H
#define AOTIGEN_T_FAKE_DRIVER_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../test.h"

#define FAKE_DRIVER(X)                                                                             \
  X(void, fake_late, (int))                                                                        \
  X(void, fake_give, (void *, void (*)(void *), const void *, size_t))                             \
  X(void, fake_wait, (void *))                                                                     \
  X(bool, fake_busy, (void *))                                                                     \
  X(void, fake_death, (void *, int, int))                                                          \
  X(void, fake_memory, (const void *, size_t))                                                     \
  X(void, fake_capture, (void *, int))                                                             \
  X(void, fake_replay_on, (void *))                                                                \
  X(void, fake_forget_recording, (void))                                                           \
  X(void, fake_fail, (const char *, int, int))                                                     \
  X(int, fake_disarm, (void))                                                                      \
  X(int, fake_count, (const char *))                                                               \
  X(void, fake_pass, (long))                                                                       \
  X(void, fake_hold_late, (bool))                                                                  \
  X(const char *, fake_trace, (void *))                                                            \
  X(int, fake_faults, (void))                                                                      \
  X(int, fake_mode, (void))                                                                        \
  X(void, fake_push, (int))                                                                        \
  X(void, fake_pop, (void))                                                                        \
  X(int, fake_top, (void))                                                                         \
  X(int, fake_depth, (void))

#define FAKE_DECLARE(type, name, parameters) __attribute__((unused)) static type(*name) parameters;
FAKE_DRIVER(FAKE_DECLARE)
#undef FAKE_DECLARE

/* 0, or -1 where the library or something in it is missing. */
static inline int fake_open(void) {
  void *library = dlopen(getenv("FAKE_CUDA"), RTLD_NOW | RTLD_GLOBAL), *found;
  if (!library) return -1;
#define FAKE_FIND(type, name, parameters)                                                          \
  found = dlsym(library, #name);                                                                   \
  if (!found) return -1;                                                                           \
  memcpy(&name, &found, sizeof found);
  FAKE_DRIVER(FAKE_FIND)
#undef FAKE_FIND
  return 0;
}

/* The driver's rules were kept, this thread's contexts and mode of capture are as a thread has
 * them, and no failure that this test asked for is left for the next one. */
static inline void assert_rules_kept(void) {
  assert_int_equal(fake_faults(), 0);
  assert_int_equal(fake_disarm(), 0);
  assert_int_equal(fake_depth(), 0);
  assert_int_equal(fake_mode(), 0);
}

#endif
