/* growth.h - reads texts of 10 kB to 4 MB that repeat or nest one part, each in a process of its
 * own, and bounds processor time and memory. Time is limited against growth beyond the linear only:
 * what is quadratic takes 400 times as long for 20 times as much. */
#ifndef T_GROWTH_H
#define T_GROWTH_H

#include "test.h"

#include "fuzz/readers.h"
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
enum { GROWTH_SCALE = 4 }; /* a sanitizer's time and memory */
/* Freed memory is not kept for long: it would count as memory that is needed. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "quarantine_size_mb=16"; }
#else
enum { GROWTH_SCALE = 1 };
#endif

enum { GROWTH_SECONDS = 20 * GROWTH_SCALE, GROWTH_KB = 200 * 1024 * GROWTH_SCALE };

/* Reads `begin`, then `part` and as often `close` as fit, then `end`. In a part, "%z" is the
 * number of the repetition. */
typedef struct growth_shape {
  const char *reader, *begin, *part, *close, *end;
} growth_shape;

typedef struct growth_cost {
  double seconds;
  long kb;
  int signal, status;
} growth_cost;

static char *growth_at;
static size_t growth_n, growth_room;

static void growth_reserve(size_t n) {
  while (growth_n + n + 32 > growth_room) {
    growth_room = growth_room ? growth_room * 2 : 1 << 20;
    growth_at = realloc(growth_at, growth_room);
    assert_non_null(growth_at);
  }
}

static void growth_add(const char *s, size_t number) {
  for (growth_reserve(1); *s; s++) {
    growth_reserve(32);
    if (s[0] == '%' && s[1] == 'z') {
      growth_n += (size_t)snprintf(growth_at + growth_n, 24, "%zu", number);
      s++;
    } else {
      growth_at[growth_n++] = *s;
    }
  }
  growth_at[growth_n] = '\0';
}

static void growth_make(const growth_shape *s, size_t size) {
  size_t unit = strlen(s->part) + strlen(s->close), count = size / unit;
  growth_n = 0;
  growth_add(s->begin, 0);
  for (size_t i = 0; i < count; i++) growth_add(s->part, i);
  for (size_t i = 0; i < count; i++) growth_add(s->close, i);
  growth_add(s->end, 0);
}

static void growth_run(const reader *r) {
  const struct rlimit most = {GROWTH_SECONDS, GROWTH_SECONDS}, none = {0, 0};
  static const int deadly[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT}; /* cmocka's */
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], SIG_DFL);
  setrlimit(RLIMIT_CPU, &most);
  setrlimit(RLIMIT_CORE, &none);
  r->read(growth_at, growth_n);
  _exit(0);
}

static growth_cost growth_measure(const reader *r) {
  struct rusage after;
  growth_cost c = {0};
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) growth_run(r);
  assert_true(child > 0);
  assert_int_equal(wait4(child, &status, 0, &after), child);
  c.seconds = (double)(after.ru_utime.tv_sec + after.ru_stime.tv_sec) +
              (double)(after.ru_utime.tv_usec + after.ru_stime.tv_usec) / 1e6;
  c.kb = after.ru_maxrss;
  c.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  c.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return c;
}

static const reader *growth_find(const char *name) {
  for (const reader *r = readers; r->name; r++)
    if (!strcmp(r->name, name)) return r;
  fail_msg("no reader '%s'", name);
  return NULL;
}

/* Makes what is read: `size` bytes in growth_at. */
typedef void growth_maker(const void *shape, size_t size);

static void growth_make_shape(const void *shape, size_t size) { growth_make(shape, size); }

/* False where a size is read too slowly, takes too much, or ends otherwise than it should. */
static bool growth_check(const char *name, const char *what, growth_maker *make,
                         const void *shape) {
#if defined __SANITIZE_ADDRESS__
  static const size_t sizes[] = {10000, 100000}; /* for what it finds, not for the time */
#else
  static const size_t sizes[] = {10000, 200000, 4000000};
#endif
  const reader *r = growth_find(name);
  double last = 0;
  bool ok = true;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && ok; i++) {
    make(shape, sizes[i]);
    growth_cost c = growth_measure(r);
    ok = !c.signal && !c.status && c.kb <= GROWTH_KB &&
         (c.seconds < GROWTH_SCALE || c.seconds < 80 * last);
    if (!ok || getenv("SLOW"))
      print_message("%s: '%.40s': %zu bytes take %.2f s and %ld kB, signal %d, status %d\n", name,
                    what, growth_n, c.seconds, c.kb, c.signal, c.status);
    last = c.seconds;
  }
  return ok;
}

static inline bool growth_is_linear(const growth_shape *s) {
  return growth_check(s->reader, s->part, growth_make_shape, s);
}

static inline void growth_add_bytes(const void *at, size_t n) {
  growth_reserve(n);
  if (at)
    memcpy(growth_at + growth_n, at, n);
  else
    memset(growth_at + growth_n, 'a', n);
  growth_n += n;
}

/* Each of them; ONLY=READER picks those of one reader. */
static inline void growth_all_are_linear(const growth_shape *shapes, size_t n) {
  const char *only = getenv("ONLY");
  int wrong = 0;
  for (size_t i = 0; i < n; i++)
    if (!only || strstr(shapes[i].reader, only)) wrong += !growth_is_linear(&shapes[i]);
  assert_int_equal(wrong, 0);
}

#endif
