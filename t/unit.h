/* unit.h - what the units of the front share: cmocka's headers, a temporary directory, diagnostics
 * as text. */
#ifndef T_UNIT_H
#define T_UNIT_H

#include "test.h"

#include "base/diag.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The printed messages, freed by the caller. */
static inline char *unit_messages(diags *d, bool quiet) {
  FILE *f = tmpfile();
  assert_non_null(f);
  diags_print(d, f, quiet);
  size_t n = (size_t)ftell(f);
  char *at = malloc(n + 1);
  assert_non_null(at);
  rewind(f);
  assert_int_equal(fread(at, 1, n, f), n);
  at[n] = '\0';
  fclose(f);
  return at;
}

/* The messages hold `part`. */
static inline void unit_says(diags *d, const char *part) {
  char *at = unit_messages(d, false);
  if (!strstr(at, part)) fail_msg("'%s' is not in: %s", part, at);
  free(at);
}

static inline char *unit_tempdir(void) {
  const char *tmp = getenv("TMPDIR");
  static char name[512];
  snprintf(name, sizeof name, "%s/unit-XXXXXX", tmp ? tmp : "/tmp");
  assert_non_null(mkdtemp(name));
  return name;
}

static inline void unit_remove(const char *dir) {
  assert_non_null(strstr(dir, "unit-"));
  pid_t child = fork();
  if (child == 0) execlp("rm", "rm", "-rf", "--", dir, (char *)NULL);
  assert_true(child > 0);
  waitpid(child, NULL, 0);
}

/* The n bytes of a file, freed by the caller. */
static inline void *unit_read(const char *path, size_t *n) {
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  *n = (size_t)ftell(f);
  rewind(f);
  char *at = malloc(*n + 1);
  assert_non_null(at);
  assert_int_equal(fread(at, 1, *n, f), *n);
  fclose(f);
  return at;
}

static inline void unit_write(const char *path, const void *at, size_t n) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_int_equal(fwrite(at, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static inline void unit_spew(const char *path, const char *what) {
  unit_write(path, what, strlen(what));
}

/* Makes a directory with all above it. */
static inline void unit_mkdirs(const char *path) {
  char part[1024];
  snprintf(part, sizeof part, "%s", path);
  for (char *s = part + 1; *s; s++)
    if (*s == '/') {
      *s = '\0';
      mkdir(part, 0777);
      *s = '/';
    }
  assert_true(mkdir(part, 0777) == 0 || access(part, W_OK) == 0);
}

#endif
