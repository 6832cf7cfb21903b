/* package.c - see package.h. Knows names; reads no member. */
#include "package/package.h"
#include "base/file.h"
#include "package/uncompiled.h"
#include <string.h>

enum { MODELS_MAX = 1000 };

/* "NAME/FILE" of "ROOT/data/aotinductor/NAME/FILE", where ROOT/ may be absent; NULL for others. */
static const char *path_in_models(const char *member) {
  const size_t n = sizeof PACKAGE_MODELS_DIR - 1;
  const char *slash = strchr(member, '/');
  if (!strncmp(member, PACKAGE_MODELS_DIR, n)) return member + n;
  return slash && !strncmp(slash + 1, PACKAGE_MODELS_DIR, n) ? slash + 1 + n : NULL;
}

/* The model that `member` belongs to, added if it is new; `path` is "NAME/FILE". NULL if there is
 * no FILE or no NAME, or if there are too many models. */
static package_model *model_of_member(package_models *p, const char *member, const char *path,
                                      arena *a) {
  const char *file = strrchr(path, '/');
  if (!file || file == path) return NULL;
  const char *dir = arena_strndup(a, member, (size_t)(file - member) + 1);
  for (size_t i = 0; i < p->n; i++)
    if (!strcmp(p->at[i].dir, dir)) return &p->at[i];
  if (p->n > MODELS_MAX) return NULL;
  package_model *m = arena_push(a, p);
  *m = (package_model){.name = arena_strndup(a, path, (size_t)(file - path)),
                       .dir = dir,
                       .wrapper = PACKAGE_NO_MEMBER,
                       .so = PACKAGE_NO_MEMBER,
                       .ops = PACKAGE_NO_MEMBER,
                       .origins = PACKAGE_NO_MEMBER,
                       .original = PACKAGE_NO_MEMBER};
  return m;
}

static bool set_member(size_t *to, size_t i, const archive *z, const char *role, arena *a,
                       diags *d) {
  if (*to == PACKAGE_NO_MEMBER) {
    *to = i;
    return true;
  }
  diag_error(d, STATUS_INPUT, archive_member_path(z, i, a),
             "is a second %s beside '%s': aotigen cannot tell which one belongs to the model", role,
             z->members.at[*to].name);
  return false;
}

/* Gives member i its role in the model, by its name. */
static bool add_member(package_model *m, const archive *z, size_t i, arena *a, diags *d) {
  const char *name = z->members.at[i].name;
  if (file_ends_with(name, ".kernel.cpp"))
    *arena_push(a, &m->kernels) = i;
  else if (file_ends_with(name, ".cpp"))
    return set_member(&m->wrapper, i, z, "wrapper", a, d);
  else if (file_ends_with(name, ".so") || file_ends_with(name, ".pyd") ||
           file_ends_with(name, ".dll"))
    return set_member(&m->so, i, z, "'.so'", a, d);
  else if (file_ends_with(name, "/kernel_information.json"))
    m->origins = i;
  else if (file_ends_with(name, "/" WATCHED_ORIGINAL))
    m->original = i;
  else if (file_ends_with(name, ".o"))
    *arena_push(a, &m->objects) = i;
  else if (file_ends_with(name, ".h"))
    *arena_push(a, &m->headers) = i;
  return true;
}

/* "X.json" next to the wrapper "X.cpp" names its custom ops. */
static void find_ops(package_model *m, const archive *z, arena *a) {
  const char *wrapper = z->members.at[m->wrapper].name;
  const char *ops = arena_printf(a, "%.*s.json", (int)(strlen(wrapper) - strlen(".cpp")), wrapper);
  for (size_t i = 0; i < z->members.n; i++)
    if (!strcmp(z->members.at[i].name, ops)) m->ops = i;
}

static bool refuse_none(const archive *z, const char *only, const strings *names, arena *a,
                        diags *d) {
  const char *why = uncompiled_describe(z);
  if (names->n)
    diag_error(d, STATUS_INPUT, z->path, "holds no model '%s': it holds %s", only,
               strings_join(a, names, ", "));
  else if (why)
    diag_error(d, STATUS_INPUT, z->path, "%s", why);
  else
    diag_error(d, STATUS_INPUT, z->path,
               "holds no model of AOTInductor: no 'data/aotinductor/NAME/' in it holds a wrapper");
  return false;
}

/* False, with an error, for a model that cannot be used: as the sources that it is made again from,
 * or as it was compiled. */
static bool check_model(const package_model *m, const archive *z, bool compiled, arena *a,
                        diags *d) {
  if (compiled && m->so == PACKAGE_NO_MEMBER) {
    diag_error(d, STATUS_INPUT, archive_member_path(z, m->wrapper, a),
               "has no '.so' beside it: it is compiled where it is loaded; package it without "
               "aot_inductor.package_cpp_only, or leave it out with --model=NAME");
    return false;
  }
  if (!compiled && m->wrapper == PACKAGE_NO_MEMBER) {
    diag_error(d, STATUS_INPUT, archive_member_path(z, m->so, a),
               "has no wrapper beside it: it cannot be instrumented; leave it out with "
               "--model=NAME, or package it with torch's aoti_compile_and_package");
    return false;
  }
  return true;
}

/* Keeps the models that have a wrapper or a '.so' and are asked for. */
static bool select_models(package_models *p, const archive *z, const char *only, bool compiled,
                          arena *a, diags *d) {
  strings names = {0};
  size_t kept = 0;
  for (size_t i = 0; i < p->n; i++) {
    package_model *m = &p->at[i];
    if (m->wrapper == PACKAGE_NO_MEMBER && m->so == PACKAGE_NO_MEMBER) continue;
    *arena_push(a, &names) = m->name;
    if (only && strcmp(only, m->name) != 0) continue;
    if (!check_model(m, z, compiled, a, d)) return false;
    if (m->wrapper != PACKAGE_NO_MEMBER) find_ops(m, z, a);
    p->at[kept++] = *m;
  }
  p->n = kept;
  return kept || refuse_none(z, only, &names, a, d);
}

static bool find_models(package_models *p, const archive *z, const char *only, bool compiled,
                        arena *a, diags *d) {
  *p = (package_models){0};
  for (size_t i = 0; i < z->members.n; i++) {
    const char *member = z->members.at[i].name, *path = path_in_models(member);
    package_model *m = path ? model_of_member(p, member, path, a) : NULL;
    if (m && !add_member(m, z, i, a, d)) return false;
  }
  if (p->n > MODELS_MAX) {
    diag_error(d, STATUS_INPUT, z->path, "holds more models than a package does (%d)", MODELS_MAX);
    return false;
  }
  return select_models(p, z, only, compiled, a, d);
}

bool package_find_models(package_models *p, const archive *z, const char *only, arena *a,
                         diags *d) {
  return find_models(p, z, only, false, a, d);
}

bool package_find_compiled(package_models *p, const archive *z, const char *only, arena *a,
                           diags *d) {
  return find_models(p, z, only, true, a, d);
}

bool package_refuse_watched(const package_model *m, const archive *z, arena *a, diags *d) {
  if (m->original == PACKAGE_NO_MEMBER) return false;
  diag_error(d, STATUS_INPUT, archive_member_path(z, m->original, a),
             "is of a watch package: give the package that it was made from");
  return true;
}
