/* torch_links.c - see command_parts.h. */
#include "command/command_parts.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DIRS_MAX = 64, DEPTH = 24 };

typedef struct search {
  strings *found;
  const char *inner; /* "include": what a link's target has before `rest` */
  arena *a;
} search;

static bool is_under(const char *path, const char *dir) {
  size_t n = strlen(dir);
  return !strncmp(path, dir, n) && path[n] == '/';
}

static bool is_known(const search *s, const char *path) {
  for (size_t i = 0; i < s->found->n; i++)
    if (is_under(path, s->found->at[i])) return true;
  return false;
}

/* "X/include" of "X/include/c/d.h", where `rest` is "c/d.h"; NULL where it is another path. */
static const char *find_mirror(const search *s, const char *whole, const char *rest) {
  const char *end = arena_printf(s->a, "/%s/%s", s->inner, rest);
  size_t n = strlen(whole), k = strlen(end);
  if (n <= k || strcmp(whole + n - k, end) != 0) return NULL;
  return arena_strndup(s->a, whole, n - strlen(rest) - 1);
}

static void add_link(search *s, const char *path, const char *rest) {
  char *whole = realpath(path, NULL);
  if (whole && !is_known(s, whole)) {
    const char *dir = find_mirror(s, whole, rest), *own = dir ? own_dir_resolve(dir, s->a) : NULL;
    if (own) *arena_push(s->a, s->found) = own;
  }
  free(whole);
}

static bool is_type(const struct dirent *e, const char *path, unsigned char type, mode_t mode) {
  struct stat s;
  if (e->d_type != DT_UNKNOWN) return e->d_type == type;
  return lstat(path, &s) == 0 && (s.st_mode & S_IFMT) == mode;
}

static void search_dir(search *s, const char *dir, const char *rest, int depth) {
  DIR *all = depth ? opendir(dir) : NULL;
  for (struct dirent *e; all && s->found->n < DIRS_MAX && (e = readdir(all));) {
    if (*e->d_name == '.' || e->d_type == DT_REG) continue;
    const char *path = arena_printf(s->a, "%s/%s", dir, e->d_name),
               *name = *rest ? arena_printf(s->a, "%s/%s", rest, e->d_name)
                             : arena_strdup(s->a, e->d_name);
    if (is_type(e, path, DT_LNK, S_IFLNK))
      add_link(s, path, name);
    else if (is_type(e, path, DT_DIR, S_IFDIR))
      search_dir(s, path, name, depth - 1);
  }
  if (all) closedir(all);
}

static void search_in(strings *dirs, const char *root, const char *inner, arena *a) {
  search s = {dirs, inner, a};
  search_dir(&s, arena_printf(a, "%s/%s", root, inner), "", DEPTH);
}

void torch_links_find(strings *dirs, const char *torch, bool cuda, arena *a) {
  static const char *const inner[] = {"include", "lib", "_inductor/codegen"};
  size_t before = dirs->n;
  for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) search_in(dirs, torch, inner[i], a);
  if (cuda && dirs->n > before) search_in(dirs, arena_printf(a, "%s/..", torch), "nvidia", a);
}

bool torch_links_has(const char *torch, arena *a) {
  static const char *const headers[] = {"aoti_runtime/model.h", "aoti_torch/c/shim.h",
                                        "cpp_prefix.h"};
  struct stat s;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    const char *path = arena_printf(a, "%s/include/torch/csrc/inductor/%s", torch, headers[i]);
    char *whole = realpath(path, NULL);
    bool leads_out = whole && lstat(path, &s) == 0 && S_ISLNK(s.st_mode) && !is_under(whole, torch);
    free(whole);
    if (leads_out) return true;
  }
  return false;
}
