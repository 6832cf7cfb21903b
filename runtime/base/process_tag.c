/* process_tag.c - see process_tag.h. It calls only functions of signal-safety(7). */
#define _GNU_SOURCE
#include "base/process_tag.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANK_MOST = 9 };

static char rank[RANK_MOST + 1];
static pid_t run;            /* the process of `aotigen run`; 0: none */
static atomic_int asked;     /* the process for which has_same was set; 0: none */
static atomic_bool has_same; /* another process of the same program or run has its stderr */

void ag_process_tag_set_rank(const char *given) {
  const size_t n = given ? strlen(given) : 0;
  rank[0] = '\0';
  if (n && n <= RANK_MOST && strspn(given, "0123456789") == n) memcpy(rank, given, n + 1);
}

long ag_process_tag_rank(void) {
  long n = 0;
  for (const char *at = rank; *at; at++) n = n * 10 + (*at - '0');
  return *rank ? n : -1;
}

void ag_process_tag_set_run(const char *process) {
  const size_t n = process ? strlen(process) : 0;
  run = 0;
  atomic_store(&asked, 0);
  if (!n || n > RANK_MOST || strspn(process, "0123456789") != n) return;
  for (size_t i = 0; i < n; i++) run = run * 10 + (process[i] - '0');
}

static bool is_same(pid_t parent, const char *entry, const char *own) {
  ag_raw_text path = {0};
  struct stat x, y;
  ag_raw_add(&path, "/proc/");
  ag_raw_add_number(&path, parent);
  ag_raw_add(&path, entry);
  path.bytes[path.length] = '\0';
  return stat(path.bytes, &x) == 0 && stat(own, &y) == 0 && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

/* A process that a launcher starts has another program, and a program that logs for itself another
 * stderr. Those that a shell starts under `aotigen run` have its. */
static bool shares_stderr(void) {
  const pid_t self = getpid(), parent = getppid();
  if (atomic_load(&asked) == self) return atomic_load(&has_same);
  const int saved = errno;
  const bool same = run && parent != run ? is_same(run, "/fd/2", "/proc/self/fd/2")
                                         : is_same(parent, "/exe", "/proc/self/exe") &&
                                               is_same(parent, "/fd/2", "/proc/self/fd/2");
  errno = saved;
  atomic_store(&has_same, same);
  atomic_store(&asked, self);
  return same;
}

void ag_process_tag_add(ag_raw_text *t) {
  if (*rank) {
    ag_raw_add(t, "[rank ");
    ag_raw_add(t, rank);
    ag_raw_add(t, "] ");
  } else if (shares_stderr()) {
    ag_raw_add(t, "[pid ");
    ag_raw_add_number(t, getpid());
    ag_raw_add(t, "] ");
  }
}
