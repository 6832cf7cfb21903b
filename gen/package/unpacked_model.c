/* unpacked_model.c - see unpacked_model.h. */
#include "package/unpacked_model.h"
#include "base/file.h"
#include "command/command.h"
#include "command/wrapper_kind.h"
#include "system/input.h"
#include "toolchain/companions.h"
#include <string.h>

/* A wrapper, and what its text says of it. */
typedef struct candidate {
  const char *path;
  command_linked linked;
  bool wants_kernels; /* torch may name their object, and have them in the wrapper */
} candidate;

typedef struct finding {
  const char *dir;
  const strings *files;
  arena_list(candidate) wrappers;
  strings shared; /* paths of '.so' */
  arena *a;
  diags *d;
} finding;

static bool is_source(const char *path) { return file_ends_with(path, ".cpp"); }
static bool is_kernel(const char *path) { return file_ends_with(path, ".kernel.cpp"); }

/* "a/b" of "a/b.cpp" and of "a/b.so". */
static bool has_stem_of(const char *path, const char *other) {
  const char *dot = strrchr(path, '.'), *other_dot = strrchr(other, '.');
  const size_t n = dot ? (size_t)(dot - path) : 0;
  return n && other_dot && (size_t)(other_dot - other) == n && !memcmp(path, other, n);
}

static bool makes(const candidate *c, const char *so) {
  return has_stem_of(c->path, so) || (c->linked.result && !strcmp(c->linked.result, file_name(so)));
}

/* Which of the files are wrappers. False if a source cannot be read. */
static bool read_wrappers(finding *f) {
  for (size_t i = 0; i < f->files->n; i++) {
    const char *path = f->files->at[i], *text;
    size_t n;
    if (file_ends_with(path, ".so")) *arena_push(f->a, &f->shared) = path;
    if (!is_source(path) || is_kernel(path)) continue;
    if (!file_size(path)) continue;
    if (!(text = input_read(path, &n, f->a, f->d))) return false;
    if (wrapper_kind_read(text, n) != WRAPPER_NONE)
      *arena_push(f->a, &f->wrappers) =
          (candidate){.path = path,
                      .linked = command_read_linked(text, n, f->a),
                      .wants_kernels = companions_declares_kernels(text, n)};
  }
  return true;
}

/* ---- the wrapper of a '.so' */

/* True if another shared object is what this one makes. */
static bool makes_another(const finding *f, const candidate *c, const char *so) {
  for (size_t i = 0; i < f->shared.n; i++)
    if (strcmp(f->shared.at[i], so) != 0 && makes(c, f->shared.at[i])) return true;
  return false;
}

static const candidate *refuse_none(const finding *f, const char *so) {
  diag_error(f->d, STATUS_INPUT, so,
             "has no wrapper beside it, neither by its own name in '.cpp' nor by the name that a "
             "wrapper's '// Link cmd' has: torch writes the wrapper and its '.kernel.cpp' where it "
             "writes the '.so', or where its package is unpacked; copy them too");
  return NULL;
}

static const candidate *refuse_several(const finding *f, const char *so, const candidate *x,
                                       const candidate *y) {
  diag_error(f->d, STATUS_INPUT, so,
             "has two wrappers beside it that make a file of its name, '%s' and '%s': remove the "
             "one that it was not made from",
             file_name(x->path), file_name(y->path));
  return NULL;
}

/* One that has the name of its '.so' precedes those whose link command has; else it is the only one
 * that makes none of the others: the '.so' was renamed. */
static const candidate *find_wrapper(const finding *f, const char *so) {
  const candidate *found = NULL, *lonely = NULL;
  size_t left = 0;
  for (size_t i = 0; i < f->wrappers.n; i++) {
    const candidate *c = &f->wrappers.at[i];
    if (has_stem_of(c->path, so)) return c;
    if (!makes_another(f, c, so)) lonely = c, left++;
  }
  for (size_t i = 0; i < f->wrappers.n; i++) {
    if (!makes(&f->wrappers.at[i], so)) continue;
    if (found) return refuse_several(f, so, found, &f->wrappers.at[i]);
    found = &f->wrappers.at[i];
  }
  if (found) return found;
  return left == 1 ? lonely : refuse_none(f, so);
}

/* ---- the only model of a directory */

/* The '.so' that its wrapper makes, or the only one. NULL for none. */
static const char *find_so(const finding *f, const candidate *c) {
  for (size_t i = 0; i < f->shared.n; i++)
    if (has_stem_of(c->path, f->shared.at[i])) return f->shared.at[i];
  for (size_t i = 0; i < f->shared.n; i++)
    if (makes(c, f->shared.at[i])) return f->shared.at[i];
  return f->shared.n == 1 ? f->shared.at[0] : NULL;
}

static const candidate *find_only(const finding *f, const char **so) {
  if (f->shared.n == 1 && f->wrappers.n) return find_wrapper(f, *so = f->shared.at[0]);
  if (f->wrappers.n == 1) {
    *so = find_so(f, &f->wrappers.at[0]);
    return &f->wrappers.at[0];
  }
  if (f->wrappers.n)
    diag_error(f->d, STATUS_INPUT, f->dir,
               "holds several models' wrappers, among them '%s' and '%s': name the '.so' of one",
               file_name(f->wrappers.at[0].path), file_name(f->wrappers.at[1].path));
  else
    diag_error(f->d, STATUS_INPUT, f->dir,
               "holds no model: neither a 'data/aotinductor/NAME/' of an unpacked package, nor a "
               "wrapper's '.cpp', which torch writes beside the '.so'");
  return NULL;
}

/* ---- its kernels */

static bool has_file(const finding *f, const char *name) {
  for (size_t i = 0; i < f->files->n; i++)
    if (!strcmp(file_name(f->files->at[i]), name)) return true;
  return false;
}

/* A package of sources has objects, too. */
static bool find_kernels(unpacked_model *m, const finding *f, const candidate *c) {
  m->knows_kernels = c->linked.result != NULL;
  m->kernels = command_linked_kernels(&c->linked, f->a);
  for (size_t i = 0; m->so && c->wants_kernels && i < m->kernels.n; i++) {
    if (has_file(f, m->kernels.at[i])) continue;
    diag_error(f->d, STATUS_INPUT, m->wrapper,
               "lacks the source of its kernels: its '// Link cmd' names '%.*s.o', and no '%s' "
               "stands beside it, where torch wrote it",
               (int)(strlen(m->kernels.at[i]) - strlen(".cpp")), m->kernels.at[i],
               m->kernels.at[i]);
    return false;
  }
  return true;
}

bool unpacked_model_find(unpacked_model *m, const char *so, const char *dir, const strings *files,
                         arena *a, diags *d) {
  finding f = {.dir = dir, .files = files, .a = a, .d = d};
  *m = (unpacked_model){.so = so};
  if (!read_wrappers(&f)) return false;
  const candidate *c = so ? find_wrapper(&f, so) : find_only(&f, &m->so);
  if (!c) return false;
  m->wrapper = c->path;
  return find_kernels(m, &f, c);
}

bool unpacked_model_leaves_out(const unpacked_model *m, const char *path) {
  if (is_kernel(path)) return m->knows_kernels && !strings_has(&m->kernels, file_name(path));
  if (is_source(path)) return strcmp(path, m->wrapper) != 0;
  return file_ends_with(path, ".so") && m->so && strcmp(path, m->so) != 0;
}
