/* table.c - see table.h. */
#include "preload/table.h"
#include "shared/limits.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char table[AG_RUN_TABLE]; /* a copy, since a program may overwrite its environment */
static model models[AG_RUN_MODELS];
static int nmodels; /* set last: 0 until all entries are read */
static const char *notes;

/* Parses one package's line, cut from `text`. Returns what follows it, or NULL. */
static char *read_model(model *m, char *text) {
  unsigned long long *const fields[] = {&m->device, &m->inode, &m->size, &m->seconds,
                                        &m->nanoseconds};
  char *end = strchr(text, '\n');
  if (end) *end = '\0';
  for (int i = 0; i < 5; i++) {
    char *after;
    *fields[i] = strtoull(text, &after, 10);
    if (after == text || *after != ' ') return NULL;
    text = after + 1;
  }
  m->debug = text;
  return end ? end + 1 : NULL;
}

void table_read(void) {
  int saved = errno, n = 0;
  const char *given = secure_getenv("AOTIGEN_OPEN");
  size_t length = given ? strlen(given) : 0;
  if (length && length < AG_RUN_TABLE) {
    memcpy(table, given, length + 1);
    char *line = strchr(table, '\n');
    if (line) *line++ = '\0';
    notes = table;
    while (line && *line && n < AG_RUN_MODELS) {
      line = read_model(&models[n], line);
      n += models[n].debug != NULL;
    }
  }
  nmodels = n;
  errno = saved;
}

void table_clear(void) { nmodels = 0; }

int table_models(void) { return nmodels; }

model *table_model(int i) { return &models[i]; }

int table_number(const model *m) { return (int)(m - models); }

model *table_find(const struct stat *s) {
  for (int i = 0; i < nmodels; i++)
    if (models[i].inode == s->st_ino && models[i].device == s->st_dev) return &models[i];
  return NULL;
}

bool table_is_unchanged(const model *m, const struct stat *s) {
  return m->size == (unsigned long long)s->st_size &&
         m->seconds == (unsigned long long)s->st_mtim.tv_sec &&
         m->nanoseconds == (unsigned long long)s->st_mtim.tv_nsec;
}

bool table_path(char to[PATH_MAX], const char *name) {
  int n = nmodels ? snprintf(to, PATH_MAX, "%s/%s", notes, name) : -1;
  return n > 0 && n < PATH_MAX;
}

void table_note(model *m, enum action what) {
  const int saved = errno;
  char path[PATH_MAX], name[] = {"orwcmdf"[what], (char)('0' + (m - models)), '\0'};
  if (atomic_flag_test_and_set(&m->noted[what]) || !table_path(path, name)) return;
  if (syscall(SYS_symlinkat, "noted", AT_FDCWD, path) != 0 && errno != EEXIST)
    atomic_flag_clear(&m->noted[what]);
  errno = saved;
}

int table_status(int fd, struct stat *s) { return (int)syscall(SYS_fstat, fd, s); }

int table_status_of(const char *path, struct stat *s) {
  return (int)syscall(SYS_newfstatat, AT_FDCWD, path, s, 0);
}

int table_open(const char *path, int flags) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags);
}
