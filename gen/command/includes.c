/* includes.c - see includes.h. */
#include "command/includes.h"
#include <string.h>

static size_t blanks(const char *at, size_t i, size_t n) {
  while (i < n && (at[i] == ' ' || at[i] == '\t')) i++;
  return i;
}

/* The line [i, end): its path if it is an #include. */
static void read_line(includes *list, const char *at, size_t i, size_t end, arena *a) {
  i = blanks(at, i, end);
  if (i >= end || at[i] != '#') return;
  i = blanks(at, i + 1, end);
  if (end - i < 7 || memcmp(at + i, "include", 7) != 0) return;
  i = blanks(at, i + 7, end);
  if (i >= end || (at[i] != '"' && at[i] != '<')) return;
  const char *close = memchr(at + i + 1, at[i] == '"' ? '"' : '>', end - i - 1);
  if (close)
    *arena_push(a, list) =
        (include){arena_strndup(a, at + i + 1, (size_t)(close - at) - i - 1), i + 1};
}

void includes_read(includes *list, const char *at, size_t n, arena *a) {
  for (size_t i = 0; i < n;) {
    const char *newline = memchr(at + i, '\n', n - i);
    size_t end = newline ? (size_t)(newline - at) : n;
    read_line(list, at, i, end, a);
    i = end + 1;
  }
}

bool includes_has(const includes *list, const char *path) {
  size_t n = strlen(path);
  for (size_t i = 0; i < list->n; i++)
    if (n && path[n - 1] == '/' ? !strncmp(list->at[i].path, path, n)
                                : !strcmp(list->at[i].path, path))
      return true;
  return false;
}

bool includes_python(const includes *list) {
  return includes_has(list, "Python.h") || includes_has(list, "pybind11/") ||
         includes_has(list, "torch/csrc/inductor/cpp_wrapper/") ||
         includes_has(list, "torch/extension.h");
}
