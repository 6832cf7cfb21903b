/* unpacked.c - see unpacked.h. Knows how a package's directories look like. */
#include "package/unpacked.h"
#include "base/file.h"
#include "package/archive_records.h"
#include "package/archive_write.h"
#include "package/package.h"
#include "package/repackage.h"
#include "package/unpacked_model.h"
#include "system/atomic_output.h"
#include "system/cleanup.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 16 };

/* The state while the files of one package are listed. */
typedef struct listing {
  const char *named; /* as the user names it, for messages */
  const char *dir;
  strings files; /* paths, which begin with `dir` and a slash */
  bool deep;     /* lists the directories in it, too */
  bool has_models_dir;
  arena *a;
  diags *d;
} listing;

bool unpacked_detect(const char *path) { return file_is_dir(path) || file_ends_with(path, ".so"); }

static bool refuse_unreadable(const listing *l, const char *path, int error) {
  diag_error(l->d, STATUS_INPUT, path, "cannot be read: %s", strerror(error));
  return false;
}

static const char *below(const listing *l, const char *path) { return path + strlen(l->dir) + 1; }

static bool add_entry(listing *l, const char *path, int depth);

static bool add_directory(listing *l, const char *dir, int depth) {
  DIR *from = opendir(dir);
  bool ok = true;
  if (!from) return refuse_unreadable(l, dir, errno);
  for (struct dirent *e; ok && (e = readdir(from));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      ok = add_entry(l, arena_printf(l->a, "%s/%s", dir, e->d_name), depth);
  closedir(from);
  return ok;
}

static bool add_entry(listing *l, const char *path, int depth) {
  struct stat s;
  if (stat(path, &s) != 0) return refuse_unreadable(l, path, errno);
  if (S_ISDIR(s.st_mode)) return !l->deep || depth >= DEEPEST || add_directory(l, path, depth + 1);
  if (!S_ISREG(s.st_mode)) return true;
  l->has_models_dir |= strstr(below(l, path), PACKAGE_MODELS_DIR) != NULL;
  *arena_push(l->a, &l->files) = path;
  if (l->files.n <= ARCHIVE_MEMBERS_MAX) return true;
  diag_error(l->d, STATUS_INPUT, l->named, "holds more files than a package does (%d)",
             ARCHIVE_MEMBERS_MAX);
  return false;
}

/* Keeps the files that stand in the directory itself. */
static void drop_deep(listing *l) {
  size_t kept = 0;
  for (size_t i = 0; i < l->files.n; i++)
    if (!strchr(below(l, l->files.at[i]), '/')) l->files.at[kept++] = l->files.at[i];
  l->files.n = kept;
}

/* Keeps the files of one model, which its '.so' names if it is not NULL. */
static bool keep_model(listing *l, unpacked *u, const char *so) {
  unpacked_model m;
  size_t kept = 0;
  drop_deep(l);
  if (!unpacked_model_find(&m, so, l->dir, &l->files, l->a, l->d)) return false;
  for (size_t i = 0; i < l->files.n; i++)
    if (!unpacked_model_leaves_out(&m, l->files.at[i])) l->files.at[kept++] = l->files.at[i];
  l->files.n = kept;
  u->wrapper = m.wrapper;
  return true;
}

/* What torch writes beside the models since 2.7, in the folder around all files: its loader looks
 * for both. */
static const archive_addition torch_members[] = {{.name = "model/archive_format", .text = "pt2"},
                                                 {.name = "model/archive_version", .text = "0"}};

/* Torch 2.6 has no folder around the files, and one source for each model. */
static bool has_folder(const unpacked *u) {
  return u->wrapper && file_ends_with(u->wrapper, ".wrapper.cpp");
}

/* The members of the package. A directory that has a package's own directories keeps them; a model
 * in another one gets the name that torch's loaders take where they are told none. */
static void name_members(const listing *l, unpacked *u, archive_additions *members) {
  if (!l->has_models_dir)
    u->below = has_folder(u) ? "model/" PACKAGE_MODELS_DIR "model/" : PACKAGE_MODELS_DIR "model/";
  for (size_t i = 0; i < l->files.n; i++) {
    const char *path = l->files.at[i];
    *arena_push(l->a, members) = (archive_addition){
        .name = arena_printf(l->a, "%s%s", u->below ? u->below : "", below(l, path)), .file = path};
  }
  for (size_t i = 0; u->below && has_folder(u) && i < 2; i++)
    *arena_push(l->a, members) = torch_members[i];
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const archive_addition *)a)->name, ((const archive_addition *)b)->name);
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

static bool check_readable(const listing *l) {
  for (size_t i = 0; i < l->files.n; i++)
    if (access(l->files.at[i], R_OK) != 0) return refuse_unreadable(l, l->files.at[i], errno);
  return true;
}

static bool list_files(listing *l, unpacked *u, const char *so) {
  if (!add_directory(l, l->dir, 0)) return false;
  if (l->has_models_dir && so) l->has_models_dir = false;
  return (l->has_models_dir || keep_model(l, u, so)) && check_readable(l);
}

bool unpacked_pack(unpacked *u, const char *path, arena *a, diags *d) {
  static unsigned packed;
  const bool is_so = !file_is_dir(path);
  const char *so = is_so ? follow_link(path, a) : NULL;
  listing l = {.named = path, .deep = !is_so, .a = a, .d = d};
  archive_additions members = {0};
  if (access(path, R_OK) != 0) return refuse_unreadable(&l, path, errno);
  l.dir = is_so ? file_dir(a, so) : without_slashes(path, a);
  if (is_so) so = arena_printf(a, "%s/%s", l.dir, file_name(so));
  *u = (unpacked){.root = l.dir};
  if (!list_files(&l, u, so)) return false;
  name_members(&l, u, &members);
  qsort(members.at, members.n, sizeof *members.at, by_name);
  const char *to = cleanup_private_dir(d);
  u->package = arena_printf(a, "%s/%u.unpacked.pt2", to ? to : "", packed++);
  return to && archive_pack(&members, u->package, a, d);
}

/* ---- the verb build */

/* Moves the only model's '.so' to the output, and writes the names of its custom ops beside it. */
static bool take_so(const archive *z, const package_models *models, const options *o, arena *a,
                    diags *d) {
  const package_model *m = &models->at[0];
  const char *dir = cleanup_private_dir(d), *so = arena_printf(a, "%s/built.so", dir ? dir : ""),
             *to = o->output.path;
  size_t n;
  if (!dir || !archive_extract(z, m->so, so, a, d) || chmod(so, 0755) != 0 ||
      !atomic_output_move(so, to, d))
    return false;
  if (m->ops == PACKAGE_NO_MEMBER) return true;
  const char *text = archive_read_text(z, m->ops, &n, a, d);
  const size_t stem = strlen(to) - (file_ends_with(to, ".so") ? strlen(".so") : 0);
  return text && atomic_output_write(arena_printf(a, "%.*s.json", (int)stem, to), text, n, d);
}

static bool check_only(const package_models *models, const unpacked *u, diags *d) {
  if (models->n == 1 && models->at[0].so != PACKAGE_NO_MEMBER) return true;
  if (models->n == 1)
    diag_error(d, STATUS_INPUT, u->root,
               "holds no '.so', of which 'build' takes the weights: name a rewritten wrapper, or "
               "make a package with 'aotigen %s -o PACKAGE'",
               u->root);
  else
    diag_error(d, STATUS_INPUT, u->root,
               "holds several models, and 'build' makes one '.so': name the '.so' of one");
  return false;
}

void unpacked_build(const options *o, const unpacked *u, arena *a, diags *d) {
  options r = *o;
  package_models models;
  archive z = {0};
  const char *dir = cleanup_private_dir(d);
  if (!dir) return;
  r.output.path = arena_printf(a, "%s/built.pt2", dir);
  r.output.shown = o->output.path;
  bool ok = archive_open(&z, u->package, o, a, d) &&
            package_find_models(&models, &z, o->model, a, d) && check_only(&models, u, d);
  archive_close(&z);
  if (!ok) return;
  repackage_rewrite(&r, a, d);
  if (diags_status(d) == STATUS_OK && archive_open(&z, r.output.path, o, a, d) &&
      package_find_models(&models, &z, o->model, a, d))
    take_so(&z, &models, o, a, d);
  archive_close(&z);
}
