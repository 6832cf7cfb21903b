/* model_use.c - see model_use.h. */
#include "run/model_use.h"

/* A source that a signal handler wrote has '?' in place of characters that JSON would escape. */
static bool begins_with_path(const char *source, const char *path, char end) {
  while (*path && (*source == *path || *source == '?')) source++, path++;
  return !*path && *source == end;
}

const model_use *model_use_find(const model_use *models, size_t n, const char *source) {
  for (size_t i = 0; i < n; i++)
    if (models[i].wrapper ? begins_with_path(source, models[i].wrapper, '\0')
                          : begins_with_path(source, models[i].root, '/'))
      return &models[i];
  return NULL;
}

bool model_use_is_debugged(const model_use *m) { return m->opened || m->loaded; }

bool model_use_is_complete(const model_use *m) {
  return model_use_is_debugged(m) && !m->changed && !m->missing && !m->written && !m->failed;
}

/* How it was opened: with a path it fits the screen's line. */
static const char *describe_opened(const model_use *m, arena *a) {
  if (m->opened && m->loaded) return "its debug package was opened, and dlopened";
  return m->loaded ? "dlopen loaded its debug '.so' in its place"
                   : arena_printf(a, "its %s package was opened in its place", m->kind);
}

/* What got the original package, or its model; "" for none. The worst comes first. */
static const char *describe_left(const model_use *m) {
  if (m->missing)
    return ", and later could not be: where the cache or $TMPDIR was emptied meanwhile, run it "
           "again";
  if (m->failed)
    return ", but not each time, for $TMPDIR has no room for it, or admits no programs: name "
           "another directory with $TMPDIR";
  if (m->changed) return ", but not where it had changed meanwhile";
  return m->written ? ", but not where it was opened for writing" : "";
}

const char *model_use_describe(const model_use *m, arena *a) {
  if (model_use_is_debugged(m))
    return arena_printf(a, "%s%s", describe_opened(m, a), describe_left(m));
  if (m->missing)
    return arena_printf(a,
                        "was opened, and its %s package could not be: where the cache or $TMPDIR "
                        "was emptied meanwhile, run it again",
                        m->kind);
  if (m->failed)
    return "its '.so' was loaded, and its debug model could not be: $TMPDIR has no room for it, or "
           "admits no programs: name another directory with $TMPDIR";
  if (m->changed)
    return "had changed when it was opened, and was left as it was: make it before the run";
  if (m->written)
    return "was opened for writing, which gets the package itself: open it for reading";
  if (m->read)
    return "was read as any file is, as to copy or unpack it, and no model of it was loaded";
  return "was never opened: does the program load this file, by fork and exec of programs that are "
         "not static, setuid, or started without LD_PRELOAD, and before the command ends?";
}
