/* core_dump.c - see core_dump.h. The driver does not say when a dump is complete: then its file no
 * longer grows. */
#define _GNU_SOURCE
#include "launch/core_dump.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/settings.h"
#include "base/thread.h"

enum { PAUSE = 50 * 1000, STILL = 1000 * 1000, UNTIL_BEGUN = 5, UNTIL_WRITTEN = 30 }; /* us; s */

static const char *path;

void ag_core_dump_add_caveat(ag_text *t) {
  if (ag_settings_get()->core_dump)
    ag_text_add_line(t, "or",
                     "a launch before it: while the driver writes a core dump, launches behind the "
                     "one that failed may end");
}

static int64_t size_of(const char *file) {
  struct stat s;
  return stat(file, &s) ? 0 : (int64_t)s.st_size;
}

static void await(void) {
  const int64_t begin = ag_time_us();
  int64_t size = 0, grown = begin, now;
  for (; (now = ag_time_us()) - begin < UNTIL_WRITTEN * 1000000LL; ag_time_sleep_us(PAUSE)) {
    int64_t found = size_of(path);
    if (found != size) grown = now;
    size = found;
    if (size ? now - grown > STILL : now - begin > UNTIL_BEGUN * 1000000LL) return;
  }
}

static void begin_await(void) {
  path = ag_settings_get()->core_dump_file;
  if (path) atexit(await);
}

void ag_core_dump_await_at_exit(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin_await);
}
