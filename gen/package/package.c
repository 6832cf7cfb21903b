/* package.c - see package.h. Knows names; reads no member. */
#include "package/package.h"
#include "base/file.h"
#include <string.h>

static const char root[] = "data/aotinductor/";

enum { MODELS_MAX = 1000 };

/* "ROOT/data/aotinductor/NAME/FILE": where NAME begins, or NULL. */
static const char *in_model(const char *member) {
  const char *slash = strchr(member, '/');
  if (!strncmp(member, root, sizeof root - 1)) return member + sizeof root - 1;
  return slash && !strncmp(slash + 1, root, sizeof root - 1) ? slash + sizeof root : NULL;
}

static packaged *model_of(packages *p, const char *member, const char *name, arena *a) {
  const char *file = strrchr(name, '/');
  if (!file || file == name) return NULL;
  const char *dir = arena_strndup(a, member, (size_t)(file - member) + 1);
  for (size_t i = 0; i < p->n; i++)
    if (!strcmp(p->at[i].dir, dir)) return &p->at[i];
  if (p->n > MODELS_MAX) return NULL;
  packaged *m = arena_push(a, p);
  *m = (packaged){.name = arena_strndup(a, name, (size_t)(file - name)),
                  .dir = dir,
                  .wrapper = NO_MEMBER,
                  .so = NO_MEMBER,
                  .ops = NO_MEMBER};
  return m;
}

static bool take_one(size_t *to, size_t i, const archive *z, const char *what, arena *a, diags *d) {
  if (*to == NO_MEMBER) {
    *to = i;
    return true;
  }
  diag_error(d, STATUS_INPUT, archive_name(z, i, a),
             "is a second %s beside '%s': which one belongs to the model cannot be told", what,
             z->members.at[*to].name);
  return false;
}

/* Sorts member i in by its name. */
static bool take(packaged *m, const archive *z, size_t i, arena *a, diags *d) {
  const char *name = z->members.at[i].name;
  if (file_ends_with(name, ".kernel.cpp"))
    *arena_push(a, &m->kernels) = i;
  else if (file_ends_with(name, ".cpp"))
    return take_one(&m->wrapper, i, z, "wrapper", a, d);
  else if (file_ends_with(name, ".so"))
    return take_one(&m->so, i, z, "'.so'", a, d);
  else if (file_ends_with(name, ".o"))
    *arena_push(a, &m->objects) = i;
  return true;
}

/* "X.wrapper.cpp" has its custom ops' names in "X.wrapper.json". */
static void find_ops(packaged *m, const archive *z, arena *a) {
  const char *wrapper = z->members.at[m->wrapper].name;
  const char *ops = arena_printf(a, "%.*s.json", (int)(strlen(wrapper) - strlen(".cpp")), wrapper);
  for (size_t i = 0; i < z->members.n; i++)
    if (!strcmp(z->members.at[i].name, ops)) m->ops = i;
}

/* Keeps those with something to compile or to load, and that are asked for. */
static bool narrow(packages *p, const archive *z, const char *only, arena *a, diags *d) {
  strings names = {0};
  size_t kept = 0;
  for (size_t i = 0; i < p->n; i++) {
    packaged *m = &p->at[i];
    if (m->wrapper == NO_MEMBER && m->so == NO_MEMBER) continue;
    *arena_push(a, &names) = m->name;
    if (only && strcmp(only, m->name) != 0) continue;
    if (m->wrapper == NO_MEMBER) {
      diag_error(d, STATUS_INPUT, archive_name(z, m->so, a),
                 "has no wrapper's source beside it: it cannot be instrumented; leave it out with "
                 "--model=NAME, or package it with torch's aoti_compile_and_package");
      return false;
    }
    find_ops(m, z, a);
    p->at[kept++] = *m;
  }
  p->n = kept;
  if (kept) return true;
  if (names.n)
    diag_error(d, STATUS_INPUT, z->path, "holds no model '%s': it holds %s", only,
               strings_join(a, &names, ", "));
  else
    diag_error(d, STATUS_INPUT, z->path,
               "holds no model of AOTInductor: there is no wrapper in a 'data/aotinductor/NAME/'");
  return false;
}

bool package_find(packages *p, const archive *z, const char *only, arena *a, diags *d) {
  *p = (packages){0};
  for (size_t i = 0; i < z->members.n; i++) {
    const char *member = z->members.at[i].name, *name = in_model(member);
    packaged *m = name ? model_of(p, member, name, a) : NULL;
    if (m && !take(m, z, i, a, d)) return false;
  }
  if (p->n > MODELS_MAX) {
    diag_error(d, STATUS_INPUT, z->path, "holds more models than a package does (%d)", MODELS_MAX);
    return false;
  }
  return narrow(p, z, only, a, d);
}
