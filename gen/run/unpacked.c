/* unpacked.c - see unpacked.h. Knows how a package's directories look like. */
#include "run/unpacked.h"
#include "base/file.h"
#include "package/archive_records.h"
#include "package/archive_write.h"
#include "package/package.h"
#include "system/cleanup.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 16 };

/* The state while the files of one package are listed. */
typedef struct listing {
  const char *stem; /* of the only model: the path of its '.so' without ".so"; or NULL for all */
  size_t begin;     /* where a path continues the directory */
  archive_additions files;
  const char *wrapper;
  bool has_models_dir;
  arena *a;
} listing;

bool unpacked_detect(const char *path) {
  return file_is_dir(path) || (file_ends_with(path, ".so") && file_is_file(path));
}

static bool is_of_stem(const listing *l, const char *path, const char *end) {
  const size_t n = strlen(l->stem);
  return !strncmp(path, l->stem, n) && !strcmp(path + n, end);
}

/* Another model's library or wrapper beside the one that is named. */
static bool is_left_out(const listing *l, const char *path) {
  if (!l->stem || file_ends_with(path, ".kernel.cpp")) return false;
  return (file_ends_with(path, ".so") && !is_of_stem(l, path, ".so")) ||
         (file_ends_with(path, ".cpp") && !is_of_stem(l, path, ".cpp"));
}

static void add_file(listing *l, const char *path) {
  if (is_left_out(l, path)) return;
  if (file_ends_with(path, ".cpp") && !file_ends_with(path, ".kernel.cpp")) l->wrapper = path;
  l->has_models_dir |= strstr(path + l->begin, PACKAGE_MODELS_DIR) != NULL;
  *arena_push(l->a, &l->files) = (archive_addition){.name = path + l->begin, .file = path};
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const archive_addition *)a)->name, ((const archive_addition *)b)->name);
}

/* False if there are too many. A directory that cannot be read counts as empty. */
static bool add_directory(listing *l, const char *dir, int depth) {
  DIR *from = opendir(dir);
  bool ok = true;
  for (struct dirent *e; ok && from && (e = readdir(from));) {
    const char *path = arena_printf(l->a, "%s/%s", dir, e->d_name);
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    if (file_is_file(path))
      add_file(l, path);
    else if (!l->stem && depth < DEEPEST && file_is_dir(path))
      ok = add_directory(l, path, depth + 1);
    ok &= l->files.n <= ARCHIVE_MEMBERS_MAX;
  }
  if (from) closedir(from);
  return ok;
}

/* A model's own directory lies in "data/aotinductor/", or is taken for one that does. */
static void name_members(listing *l, unpacked *u, const char *dir) {
  const char *at = strstr(dir, PACKAGE_MODELS_DIR);
  u->root = dir;
  if (l->has_models_dir) return;
  const char *name = strcmp(file_name(dir), ".") ? file_name(dir) : "model";
  if (at && (at == dir || at[-1] == '/') && !strchr(at + strlen(PACKAGE_MODELS_DIR), '/'))
    u->root = at == dir ? "." : arena_strndup(l->a, dir, (size_t)(at - dir - 1));
  for (size_t i = 0; i < l->files.n; i++)
    l->files.at[i].name =
        arena_printf(l->a, "%s%s/%s", PACKAGE_MODELS_DIR, name, l->files.at[i].name);
}

static const char *without_slashes(const char *path, arena *a) {
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/') n--;
  return arena_strndup(a, path, n);
}

/* A link's sources stand beside what it leads to. */
static const char *follow_link(const char *path, arena *a) {
  struct stat s;
  char *real = lstat(path, &s) == 0 && S_ISLNK(s.st_mode) ? realpath(path, NULL) : NULL;
  const char *to = real ? arena_strdup(a, real) : path;
  free(real);
  return to;
}

static bool refuse_without_wrapper(const char *path, bool only, diags *d) {
  if (only)
    diag_error(d, STATUS_INPUT, path,
               "has no wrapper beside it, whose name ends in '.cpp' in place of '.so': --model of "
               "'run' wants a package, or an unpacked one with its sources");
  else
    diag_error(d, STATUS_INPUT, path,
               "is not a package: --model of 'run' wants the '.pt2' that the program opens, or an "
               "unpacked one: its directory, or its '.so' with the wrapper beside it");
  return false;
}

bool unpacked_pack(unpacked *u, const char *path, size_t i, arena *a, diags *d) {
  const bool only = !file_is_dir(path);
  if (only) path = follow_link(path, a);
  const char *dir = only ? file_dir(a, path) : without_slashes(path, a);
  listing l = {.a = a, .begin = strlen(dir) + 1};
  if (only) path = arena_printf(a, "%s/%s", dir, file_name(path));
  if (only) l.stem = arena_strndup(a, path, strlen(path) - strlen(".so"));
  if (!add_directory(&l, dir, 0)) {
    diag_error(d, STATUS_INPUT, path, "holds more files than a package does (%d)",
               ARCHIVE_MEMBERS_MAX);
    return false;
  }
  if (!l.wrapper) return refuse_without_wrapper(path, only, d);
  name_members(&l, u, dir);
  qsort(l.files.at, l.files.n, sizeof *l.files.at, by_name);
  const char *to = cleanup_private_dir(d);
  u->wrapper = l.wrapper;
  u->package = arena_printf(a, "%s/%zu.unpacked.pt2", to ? to : "", i);
  return to && archive_pack(&l.files, u->package, a, d);
}
