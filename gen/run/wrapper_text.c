/* wrapper_text.c - see wrapper_text.h. */
#include "run/wrapper_text.h"
#include "base/file.h"
#include "package/archive.h"
#include "run/kept_packages.h"
#include "system/cache.h"
#include <string.h>
#include <unistd.h>

/* A source that a signal handler wrote has '?' in place of characters that JSON would escape. */
static bool is_same(const char *source, const char *path) {
  while (*path && (*source == *path || *source == '?')) source++, path++;
  return !*path && !*source;
}

/* The member of the archive, or -1. */
static long find_member(const archive *z, const char *source, arena *a) {
  for (size_t i = 0; i < z->members.n; i++)
    if (is_same(source, archive_member_path(z, i, a))) return (long)i;
  return -1;
}

static const char *keep(const archive *z, size_t member, const debug_package *p, const options *o,
                        arena *a) {
  const char *path = kept_packages_wrapper(p->path, z->members.at[member].name, a),
             *made = arena_printf(a, "%s.%ld", path, (long)getpid());
  if (archive_extract(z, member, made, a, diags_new(a)) && cache_keep(o, made, path, a))
    return path;
  unlink(made);
  return NULL;
}

const char *wrapper_text_find(const char *source, const debug_package *packages, size_t n,
                              const options *o, arena *a) {
  const char *path = NULL;
  if (file_is_file(source)) return source;
  for (size_t i = 0; i < n && !path; i++) {
    const debug_package *p = &packages[i];
    archive z;
    if (!p->kept || !file_ends_with(source, ".cpp")) continue;
    bool ok = archive_open(&z, p->original_path, o, a, diags_new(a));
    z.path = p->root;
    const long member = ok ? find_member(&z, source, a) : -1;
    if (member >= 0) path = keep(&z, (size_t)member, p, o, a);
    archive_close(&z);
  }
  return path;
}
