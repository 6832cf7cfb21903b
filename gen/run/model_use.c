/* model_use.c - see model_use.h. */
#include "run/model_use.h"

/* A source that a signal handler wrote has '?' in place of characters that JSON would escape. */
static bool begins_with_path(const char *source, const char *path) {
  while (*path && (*source == *path || *source == '?')) source++, path++;
  return !*path && *source == '/';
}

const char *model_use_find(const model_use *models, size_t n, const char *source) {
  for (size_t i = 0; i < n; i++)
    if (begins_with_path(source, models[i].model)) return models[i].model;
  return NULL;
}

bool model_use_is_complete(const model_use *m) {
  return m->opened && !m->changed && !m->missing && !m->written;
}

/* The worst comes first: a later open got the original package. */
const char *model_use_describe(const model_use *m) {
  if (m->opened && m->missing)
    return "its debug package was opened in its place, and later could not be: where the cache or "
           "$TMPDIR was emptied meanwhile, run it again";
  if (m->opened && m->changed)
    return "its debug package was opened in its place, but not where it had changed meanwhile";
  if (m->opened && m->written)
    return "its debug package was opened in its place, but not where it was opened for writing";
  if (m->opened) return "its debug package was opened in its place";
  if (m->missing)
    return "was opened, and its debug package could not be: where the cache or $TMPDIR was emptied "
           "meanwhile, run it again";
  if (m->changed)
    return "had changed when it was opened, and was left as it was: make it before the run";
  if (m->written)
    return "was opened for writing, which gets the package itself: open it for reading";
  return "was never opened: does the program load this file, by fork and exec of programs that are "
         "not static, setuid, or started without LD_PRELOAD, and before the command ends?";
}
