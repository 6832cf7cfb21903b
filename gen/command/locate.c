/* locate.c - see locate.h. */
#include "command/locate.h"
#include "base/file.h"
#include "command/command_parts.h"
#include "system/process.h"
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 20, VERSION_MAX = 64 * 1024, CANDIDATES = 64 };

/* ---- torch */

static bool is_torch(const char *dir, arena *a) {
  return file_is_dir(arena_printf(a, "%s/include/torch/csrc/inductor", dir));
}

const char *locate_torch_of(const char *dir, arena *a) {
  static const char *const marks[] = {"/torch/include", "/torch/lib"};
  for (size_t i = 0; i < 2; i++) {
    const char *at = strstr(dir, marks[i]);
    size_t n = at ? strlen(marks[i]) : 0;
    if (at && (at[n] == '/' || at[n] == '\0'))
      return arena_strndup(a, dir, (size_t)(at - dir) + strlen("/torch"));
  }
  return NULL;
}

/* `s` where it begins with a version, or NULL. */
static const char *check_version(const char *s) {
  size_t n = strspn(s, "0123456789abcdefghijklmnopqrstuvwxyz.+");
  return n > 2 && n < 60 && *s >= '0' && *s <= '9' ? s : NULL;
}

static const char *read_version_py(const char *torch, arena *a) {
  strbuf t = {0};
  const char *version = NULL;
  if (!file_read(arena_printf(a, "%s/version.py", torch), VERSION_MAX, &t)) return NULL;
  for (const char *at = t.at; (at = strstr(at, "__version__")); at++) {
    const char *s = at + strlen("__version__");
    s += strspn(s, " :str=");
    if ((*s == '\'' || *s == '"') && check_version(s + 1)) {
      version = arena_strndup(a, s + 1, strcspn(s + 1, "'\""));
      break;
    }
  }
  strbuf_free(&t);
  return version;
}

static int macro_value(const char *header, const char *name) {
  const char *at = strstr(header, name);
  return at ? atoi(at + strlen(name)) : -1;
}

static const char *read_version_header(const char *torch, arena *a) {
  static const char *const headers[] = {"include/torch/headeronly/version.h",
                                        "include/torch/csrc/api/include/torch/version.h"};
  for (size_t i = 0; i < 2; i++) {
    strbuf t = {0};
    if (!file_read(arena_printf(a, "%s/%s", torch, headers[i]), VERSION_MAX, &t)) continue;
    int major = macro_value(t.at, "TORCH_VERSION_MAJOR "),
        minor = macro_value(t.at, "TORCH_VERSION_MINOR "),
        patch = macro_value(t.at, "TORCH_VERSION_PATCH ");
    strbuf_free(&t);
    if (major >= 0 && minor >= 0 && patch >= 0)
      return arena_printf(a, "%d.%d.%d", major, minor, patch);
  }
  return NULL;
}

/* The first path that the pattern matches, or NULL. */
static const char *find_match(const char *pattern, arena *a) {
  glob_t g = {0};
  const char *found = NULL;
  if (glob(pattern, 0, NULL, &g) == 0 && g.gl_pathc > 0) found = arena_strdup(a, g.gl_pathv[0]);
  globfree(&g);
  return found;
}

/* The torch in a directory that the user named: torch's package itself, the site-packages that
 * holds it, or a virtual environment; NULL where there is none. */
static const char *find_torch_in(const char *dir, arena *a) {
  const char *inside = arena_printf(a, "%s/torch", dir);
  if (is_torch(dir, a)) return dir;
  if (is_torch(inside, a)) return inside;
  if (strpbrk(dir, "*?[\\")) return NULL;
  for (int i = 0; i < 2; i++) {
    const char *found = find_match(
        arena_printf(a, "%s/%s/python3*/site-packages/torch", dir, i ? "lib64" : "lib"), a);
    if (found && is_torch(found, a)) return found;
  }
  return NULL;
}

/* Asks the interpreter for the directories of torch and of Python.h, one a line, each "-" where it
 * is unknown. The interpreter may hang or be another program. NULL, or why it failed. */
static const char *ask_python(const options *o, strbuf *out) {
  static char code[] = "import sys\n"
                       "sys.path = [p for p in sys.path if p]\n"
                       "import importlib.util, sysconfig\n"
                       "spec = importlib.util.find_spec('torch')\n"
                       "print(list(spec.submodule_search_locations)[0] if spec else '-')\n"
                       "print(sysconfig.get_paths().get('include') or '-')\n";
  char dash_c[] = "-c";
  char *argv[] = {(char *)o->python, dash_c, code, NULL};
  process p;
  if (process_capture(&p, argv, SECONDS, 16 * 1024, out)) return NULL;
  return p.error == ENOENT      ? "is not on PATH"
         : p.error == ETIMEDOUT ? "did not answer in 20 seconds"
         : p.error              ? strerror(p.error)
                                : "failed";
}

/* Line n of an answer, if it is an absolute path. */
static const char *find_answer(const strbuf *t, int n, arena *a) {
  const char *s = t->at ? t->at : "";
  for (; n > 0 && *s; n--) s += strcspn(s, "\n") + (s[strcspn(s, "\n")] != '\0');
  return *s == '/' ? arena_strndup(a, s, strcspn(s, "\r\n")) : NULL;
}

static bool use_torch(place *p, const char *torch, arena *a) {
  char *whole = realpath(torch, NULL); /* other packages are looked for beside it */
  if (whole) torch = arena_strdup(a, whole);
  free(whole);
  p->torch = torch;
  p->version = read_version_py(torch, a);
  if (!p->version) p->version = read_version_header(torch, a);
  return true;
}

/* True where a stranger may have recorded this torch: it belongs to the system or the user, and its
 * headers, its libraries and the packages beside it are no links that lead out. */
static bool is_own_torch(const char *torch, arena *a) {
  const char *whole = own_dir_resolve(torch, a),
             *nvidia = arena_printf(a, "%s/../nvidia", whole ? whole : "");
  return whole && own_dir_is_within(arena_printf(a, "%s/include", whole), whole) &&
         (!file_is_dir(arena_printf(a, "%s/lib", whole)) ||
          own_dir_is_within(arena_printf(a, "%s/lib", whole), whole)) &&
         (!file_is_dir(nvidia) || own_dir_is_within(nvidia, file_dir(a, whole)));
}

/* The first torch that the recorded directories name and that may be used, or NULL. What speaks
 * against the others is added to `tried`. */
static const char *find_recorded(const locate_request *request, strbuf *tried, arena *a) {
  for (size_t i = 0; i < request->recorded->n && i < CANDIDATES; i++) {
    const char *dir = locate_torch_of(request->recorded->at[i], a);
    bool there = dir && is_torch(dir, a),
         own = there && (!request->untrusted || is_own_torch(dir, a)),
         links = own && request->untrusted && torch_links_has(dir, a);
    if (own && !links) return dir;
    if (dir && !(tried->at && strstr(tried->at, dir)))
      strbuf_printf(tried, "'%s' (of the recorded command) %s; ", dir,
                    links   ? "has headers that are links to files elsewhere, and is used where "
                              "--torch names it"
                    : there ? "is not the system's or yours"
                            : "does not exist");
  }
  return NULL;
}

bool locate_torch(place *p, const locate_request *request, const options *o, arena *a, diags *d) {
  *p = (place){0};
  if (request->known) return use_torch(p, request->known, a);
  if (o->torch) {
    const char *dir = find_torch_in(o->torch, a);
    if (dir) {
      p->chosen = true;
      return use_torch(p, dir, a);
    }
    diag_error(d, STATUS_INPUT, o->torch,
               "holds no torch with its headers: --torch names torch's package, the site-packages "
               "that holds it, or a virtual environment");
    return false;
  }
  strbuf tried = {0}, out = {0};
  const char *recorded = find_recorded(request, &tried, a);
  if (recorded) {
    strbuf_free(&tried);
    return use_torch(p, recorded, a);
  }
  const char *why = ask_python(o, &out), *dir = why ? NULL : find_answer(&out, 0, a);
  bool ok = dir && is_torch(dir, a) && use_torch(p, dir, a);
  p->chosen = ok;
  if (ok)
    p->python = find_answer(&out, 1, a);
  else
    diag_error(d, STATUS_INPUT, NULL,
               "torch's headers were not found: %s'%s' %s; name a torch with --torch=DIR",
               tried.at ? tried.at : "", o->python,
               why   ? why
               : dir ? "has a torch without headers"
                     : "has no torch");
  strbuf_free(&tried);
  strbuf_free(&out);
  return ok;
}

/* ---- Python */

static bool has_python_header(const char *dir, arena *a) {
  return file_is_file(arena_printf(a, "%s/Python.h", dir));
}

/* The prefix of the interpreter that a virtual environment was made with: pyvenv.cfg holds "home =
 * PREFIX/bin". */
static const char *read_venv_prefix(const char *venv, arena *a) {
  strbuf t = {0};
  const char *home = NULL;
  if (!file_read(arena_printf(a, "%s/pyvenv.cfg", venv), VERSION_MAX, &t)) return NULL;
  const char *at = !strncmp(t.at, "home = ", 7) ? t.at : strstr(t.at, "\nhome = ");
  if (at) at = strchr(at, '=') + 2;
  if (at && *at == '/') home = file_dir(a, arena_strndup(a, at, strcspn(at, "\r\n")));
  strbuf_free(&t);
  return home;
}

const char *locate_python(const place *p, const options *o, arena *a) {
  if (p->python && has_python_header(p->python, a)) return p->python;
  const char *site = p->torch ? file_dir(a, p->torch) : "", *lib = file_dir(a, site),
             *name = strrchr(lib, '/');
  if (name && !strncmp(name, "/python3", 8)) {
    const char *prefix = file_dir(a, file_dir(a, lib)), *home = read_venv_prefix(prefix, a);
    const char *const prefixes[] = {prefix, home, "/usr/local", "/usr"};
    for (size_t i = 0; i < 4; i++) {
      const char *dir = prefixes[i] ? arena_printf(a, "%s/include%s", prefixes[i], name) : NULL;
      if (dir && has_python_header(dir, a)) return dir;
    }
  }
  strbuf out = {0};
  const char *dir = ask_python(o, &out) ? NULL : find_answer(&out, 1, a);
  strbuf_free(&out);
  return dir && has_python_header(dir, a) ? dir : NULL;
}

/* ---- CUDA */

static const char *check_cuda(const char *dir, arena *a) {
  return file_is_file(arena_printf(a, "%s/cuda.h", dir)) ? dir : NULL;
}

/* The nvidia packages beside torch: ".../site-packages/nvidia", or NULL. */
static const char *find_nvidia(const place *p, arena *a) {
  const char *dir = p->torch ? arena_printf(a, "%s/nvidia", file_dir(a, p->torch)) : NULL;
  return dir && file_is_dir(dir) && !strpbrk(dir, "*?[\\") ? dir : NULL;
}

const char *locate_cuda(const place *p, const options *o, arena *a) {
  const char *found_at =
      o->env.cuda_home ? check_cuda(arena_printf(a, "%s/include", o->env.cuda_home), a) : NULL;
  if (!found_at) found_at = check_cuda("/usr/local/cuda/include", a);
  if (!found_at && find_nvidia(p, a))
    found_at = find_match(arena_printf(a, "%s/*/include/cuda.h", find_nvidia(p, a)), a);
  if (found_at && !file_is_dir(found_at)) found_at = file_dir(a, found_at);
  return found_at ? found_at : check_cuda("/usr/include", a);
}

const char *locate_cuda_crt(const place *p, arena *a) {
  const char *dir = find_nvidia(p, a),
             *header = dir ? find_match(arena_printf(a, "%s/*/include/crt/host_defines.h", dir), a)
                           : NULL;
  return header ? file_dir(a, file_dir(a, header)) : NULL;
}

static void add_dir(strings *dirs, const char *dir, arena *a) {
  if (file_is_dir(dir)) *arena_push(a, dirs) = dir;
}

void locate_cuda_libraries(strings *dirs, const place *p, const options *o, arena *a) {
  const char *const roots[] = {o->env.cuda_home, "/usr/local/cuda"};
  for (size_t i = 0; i < 2; i++) {
    if (!roots[i]) continue;
    add_dir(dirs, arena_printf(a, "%s/lib64", roots[i]), a);
    add_dir(dirs, arena_printf(a, "%s/lib64/stubs", roots[i]), a);
  }
  glob_t g = {0};
  if (find_nvidia(p, a) &&
      glob(arena_printf(a, "%s/*/lib/libcudart*.so*", find_nvidia(p, a)), 0, NULL, &g) == 0) {
    if (g.gl_pathc > 0) add_dir(dirs, file_dir(a, arena_strdup(a, g.gl_pathv[0])), a);
    globfree(&g);
  }
}

/* ---- clang's own headers */

static const char *check_stddef(const char *dir, arena *a) {
  return file_is_file(arena_printf(a, "%s/stddef.h", dir)) ? dir : NULL;
}

/* The newest of /usr/lib/llvm-N/lib/clang/N/include. */
static const char *find_newest(const char *pattern, arena *a) {
  glob_t g = {0};
  const char *best = NULL;
  int version = 0;
  if (glob(pattern, 0, NULL, &g) == 0)
    for (size_t i = 0; i < g.gl_pathc; i++) {
      const char *at = strstr(g.gl_pathv[i], "/clang/");
      int n = at ? atoi(at + strlen("/clang/")) : 0;
      if (n <= version || !check_stddef(g.gl_pathv[i], a)) continue;
      version = n;
      best = arena_strdup(a, g.gl_pathv[i]);
    }
  globfree(&g);
  return best;
}

const char *locate_clang_headers(arena *a) {
  const char *home = file_program_dir(a), *dir = NULL;
  static const char *const bundled[] = {"clang/include", "../lib/aotigen/clang/include"};
  for (size_t i = 0; home && i < 2 && !dir; i++)
    dir = check_stddef(arena_printf(a, "%s/%s", home, bundled[i]), a);
  if (!dir) dir = find_newest("/usr/lib/llvm-*/lib/clang/*/include", a);
  return dir ? dir : find_newest("/usr/lib/clang/*/include", a);
}
