/* log_files.c - see event_log.h. */
#include "run/event_log.h"
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes a pattern for glob(): a number or a rank becomes '*', and characters with a meaning for
 * glob() are escaped. */
static const char *make_pattern(const char *name, bool of_user, arena *a) {
  strbuf t = {0};
  for (const char *c = name; *c; c++) {
    if (of_user && *c == '%' && (c[1] == 'p' || c[1] == 'r')) {
      strbuf_puts(&t, "*");
      c++;
      continue;
    }
    if (strchr("*?[\\", *c)) strbuf_puts(&t, "\\");
    strbuf_add(&t, c, 1);
    if (of_user && *c == '%' && c[1] == '%') c++;
  }
  return strbuf_take(&t, a);
}

/* A FIFO or a device is a log that cannot be read again. */
static int open_log(const char *path, struct stat *s) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || (fstat(fd, s) == 0 && S_ISREG(s->st_mode))) return fd;
  close(fd);
  return -1;
}

void log_files_note(log_files *f, const char *name, bool of_user, arena *a) {
  glob_t found = {0};
  *f = (log_files){.pattern = make_pattern(name, of_user, a)};
  if (glob(f->pattern, GLOB_NOSORT, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      struct stat s;
      if (stat(found.gl_pathv[i], &s) == 0)
        *arena_push(a, &f->before) = (log_file){s.st_dev, s.st_ino, s.st_size};
    }
  globfree(&found);
}

/* The offset at which the run's own part begins: 0 in a file that is new, or was truncated. */
static off_t find_begin(const log_files *f, const struct stat *s) {
  for (size_t i = 0; i < f->before.n; i++) {
    const log_file *x = &f->before.at[i];
    if (x->device == s->st_dev && x->inode == s->st_ino && x->size <= s->st_size) return x->size;
  }
  return 0;
}

static void read_log(const log_files *f, const char *path, event_log *log) {
  struct stat s;
  int fd = open_log(path, &s);
  if (fd < 0) return;
  off_t begin = find_begin(f, &s);
  FILE *from = fdopen(fd, "r");
  if (!from) {
    close(fd);
    return;
  }
  if (s.st_size > begin && fseeko(from, begin, SEEK_SET) == 0) event_log_read(log, from);
  fclose(from);
}

void log_files_read(const log_files *f, event_log *log) {
  glob_t found = {0};
  if (glob(f->pattern, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) read_log(f, found.gl_pathv[i], log);
  globfree(&found);
}
