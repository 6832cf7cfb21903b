/* budget.c - see budget.h. */
#include "system/budget.h"
#include <ftw.h>
#include <stdio.h>
#include <time.h>

enum { POLL_MS = 250, FILES_MAX = 20000, OPEN_MAX = 16 };

static struct budget {
  process_limits limits;
  long until, parser_ms; /* spent */
  const char *dir;
  uint64_t most; /* bytes; 0: no limit */
  long polled;
  bool too_large;
} all;

static struct {
  uint64_t bytes;
  size_t files;
} counted;

long budget_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void budget_begin(const process_limits *limits) {
  all = (struct budget){.limits = *limits};
  all.until = limits->total_seconds ? budget_now() + 1000L * limits->total_seconds : 0;
}

void budget_watch(const char *dir, uint64_t more) {
  all.dir = dir;
  all.most = all.limits.disk_mib ? ((uint64_t)all.limits.disk_mib << 20) + more : 0;
}

long budget_until(void) { return all.until; }

/* Adds the blocks in use, since a file may have holes. Ends the walk once they are too many. */
static int count_file(const char *path, const struct stat *s, int type, struct FTW *at) {
  (void)path;
  (void)at;
  if (type != FTW_NS) counted.bytes += (uint64_t)s->st_blocks * 512;
  return counted.bytes > all.most || ++counted.files > FILES_MAX;
}

static void count_files(void) {
  counted.bytes = counted.files = 0;
  if (nftw(all.dir, count_file, OPEN_MAX, FTW_PHYS) == 1) all.too_large = true;
  all.polled = budget_now();
}

bool budget_is_spent(bool now) {
  if (!all.too_large && all.dir && all.most && (now || budget_now() - all.polled >= POLL_MS))
    count_files();
  return all.too_large || (all.until && budget_now() >= all.until);
}

const char *budget_why(void) {
  static char why[160];
  if (!budget_is_spent(false)) return NULL;
  if (!all.too_large)
    snprintf(why, sizeof why,
             "the package was worked on for more than %u s by the clock: --limits=total=SECONDS "
             "allows more",
             all.limits.total_seconds);
  else
    snprintf(why, sizeof why,
             "the package's temporary files are more than %d, or take more than %llu MiB: "
             "--limits=disk=MIB allows more",
             FILES_MAX, (unsigned long long)(all.most >> 20));
  return why;
}

bool budget_report(const char *name, diags *d) {
  const char *why = budget_why();
  if (why) diag_error(d, STATUS_INPUT, name, "%s", why);
  return why;
}

budget_time budget_parser_left(void) {
  long most = 1000L * all.limits.parser_total;
  return (budget_time){most > 0, most > all.parser_ms ? most - all.parser_ms : 0};
}

void budget_take_parser(long ms) { all.parser_ms += ms; }
