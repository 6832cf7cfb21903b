/* original.c - see original.h. */
#include "replay/original.h"
#include "base/file.h"
#include "package/archive_write.h"
#include "package/package.h"
#include "package/so_hash.h"
#include "package/unpacked.h"
#include "package/watched.h"
#include "replay/constants.h"
#include "replay/loading.h"
#include "system/cleanup.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { WATCHED_MOST = 1000 }; /* models of a package */

typedef struct finding {
  const capsule *c;
  const options *o;
  arena *a;
  diags *d;
  archive z;
  bool named; /* by the user */
} finding;

static size_t find_member(const finding *f, const char *dir, const char *name) {
  const char *wanted = arena_printf(f->a, "%s%s", dir, name);
  for (size_t i = 0; i < f->z.members.n; i++)
    if (!strcmp(f->z.members.at[i].name, wanted)) return i;
  return PACKAGE_NO_MEMBER;
}

static bool check_path(const finding *f, const char *path) {
  if (!f->named && access(path, R_OK) != 0)
    diag_error(f->d, STATUS_INPUT, path,
               "cannot be read: %s; '%s' was taken of it: name the package, or the watch package, "
               "with --model=PACKAGE",
               strerror(errno), f->c->path);
  else if (access(path, R_OK) != 0)
    diag_error(f->d, STATUS_INPUT, path, "cannot be read: %s", strerror(errno));
  else if (unpacked_detect(path) || !archive_detect(path))
    diag_error(f->d, STATUS_INPUT, path,
               "is not a package: --model of 'replay' wants the '.pt2' that '%s' was taken of",
               f->c->path);
  else
    return true;
  return false;
}

/* The hash of torch's '.so' is that of the capsule. */
static bool check_build(original *p, const finding *f, size_t so) {
  const char *hash = so_hash_member(&f->z, so, f->a, f->d);
  if (!hash) return false;
  p->is_other_build = strcmp(hash, f->c->so_hash) != 0;
  if (!p->is_other_build) return true;
  if (f->named) {
    diag_warning(f->d, f->z.path,
                 "is of another build of the model: its '.so' has the hash %s, and that of '%s' "
                 "has %s",
                 hash, f->c->path, f->c->so_hash);
    return true;
  }
  diag_error(f->d, STATUS_INPUT, f->z.path,
             "was made anew since: its '.so' has the hash %s, and that of '%s' has %s; name the "
             "package of that build with --model=PACKAGE, or this one, to replay the inputs on it",
             hash, f->c->path, f->c->so_hash);
  return false;
}

/* A watched model's members. */
typedef struct watched_model {
  const char *dir;
  size_t so; /* torch's */
} watched_model;

typedef arena_list(watched_model) watched_list;

/* "DIR/" of "DIR/NAME"; "" for none. */
static const char *dir_of(const finding *f, const char *member) {
  const char *slash = strrchr(member, '/');
  return slash ? arena_strndup(f->a, member, (size_t)(slash - member) + 1) : "";
}

static watched_list find_watched(const finding *f) {
  watched_list list = {0};
  for (size_t i = 0; i < f->z.members.n && list.n < WATCHED_MOST; i++) {
    const char *name = f->z.members.at[i].name;
    if (!strcmp(file_name(name), WATCHED_ORIGINAL))
      *arena_push(f->a, &list) = (watched_model){dir_of(f, name), i};
  }
  return list;
}

/* Gives each model that is watched its own '.so' again. NULL with an error. */
static const char *unwatch(const finding *f) {
  const size_t n = f->z.members.n;
  archive_replacement *with = arena_alloc(f->a, (n + 1) * sizeof *with);
  const archive_additions none = {0};
  const watched_list list = find_watched(f);
  for (size_t i = 0; i < n; i++) {
    const char *name = f->z.members.at[i].name, *dir = dir_of(f, name);
    const bool is_so = file_ends_with(name, ".so");
    for (size_t k = 0; k < list.n; k++) {
      if (strcmp(dir, list.at[k].dir) != 0) continue;
      if (is_so) with[list.at[k].so].name = name;
      with[i].left_out = is_so || !strcmp(file_name(name), WATCHED_NOTE);
    }
  }
  const char *private = cleanup_private_dir(f->d),
             *to = arena_printf(f->a, "%s/unwatched.pt2", private ? private : "");
  return private && archive_write(&f->z, with, &none, to, f->a, f->d) ? to : NULL;
}

static bool take_model(original *p, const finding *f, const package_model *m) {
  const size_t watched = find_member(f, m->dir, WATCHED_ORIGINAL),
               so = watched == PACKAGE_NO_MEMBER ? m->so : watched;
  if (so == PACKAGE_NO_MEMBER) {
    diag_error(f->d, STATUS_INPUT, f->z.path,
               "holds the sources of model '%s' and no '.so': no capsule is taken of such a one",
               m->name);
    return false;
  }
  if (!check_build(p, f, so) || !constants_check(f->c, &f->z, m, f->a, f->d)) return false;
  p->dir = m->dir;
  p->so = m->so == PACKAGE_NO_MEMBER ? "" : file_name(f->z.members.at[m->so].name);
  p->has_outer_weights = loading_has_weights(&f->z, m);
  p->left = loading_explain(&f->z, m, f->c->device, f->a);
  if (watched == PACKAGE_NO_MEMBER) return true;
  p->unwatched = unwatch(f);
  return p->unwatched != NULL;
}

bool original_find(original *p, const capsule *c, const options *o, arena *a, diags *d) {
  finding f = {.c = c, .o = o, .a = a, .d = d, .named = o->run.nmodels > 0};
  package_models one, all;
  *p = (original){.package = f.named ? o->run.models[0] : c->package};
  if (!check_path(&f, p->package)) return false;
  bool ok = archive_open(&f.z, p->package, o, a, d) &&
            package_find_models(&one, &f.z, c->model, a, d) && take_model(p, &f, &one.at[0]);
  if (ok && (!package_find_models(&all, &f.z, NULL, a, diags_new(a)) || all.n > 1))
    p->only = c->model;
  archive_close(&f.z);
  return ok;
}
