/* parts.c - see parts.h. Knows what files are called; opens none of them. */
#include "build/companions.h"
#include "base/file.h"
#include "command/includes.h"
#include "system/input.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

const char *const companion_ops[] = {"%s.wrapper.json", "wrapper.json", "%s.json", NULL},
                  *const companion_kernels[] = {"%s.kernel.cpp", "kernel.cpp", NULL};

/* The original that a rewritten text names in its `#line 1 "PATH"`, or NULL. */
static const char *original(const char *at, size_t n, arena *a) {
  static const char mark[] = "\n#line 1 \"";
  const char *found = memmem(at, n, mark, sizeof mark - 1);
  if (!found) return NULL;
  const char *s = found + sizeof mark - 1, *end = at + n;
  strbuf path = {0};
  for (; s < end && *s != '"' && *s != '\n'; s++) {
    if (*s == '\\' && s + 1 < end) s++;
    strbuf_add(&path, s, 1);
  }
  const char *name = s < end && *s == '"' && path.n ? arena_strdup(a, path.at) : NULL;
  strbuf_free(&path);
  return name;
}

static const char *sibling(const options *o, const char *first, const char *const *names,
                           arena *a) {
  const char *found = input_sibling(o->input, names, a);
  return found || !first ? found : input_sibling(first, names, a);
}

/* Does the text declare kernels that it does not define: `extern "C" void cpp_fused_...(...);`,
 * over one line or several. */
static bool declares_kernels(const char *at, size_t n) {
  static const char mark[] = "\nextern \"C\"";
  enum { LONGEST = 16 * 1024 };
  const char *end = at + n, *s = at;
  while ((s = memmem(s, (size_t)(end - s), mark, sizeof mark - 1))) {
    s += sizeof mark - 1;
    size_t left = (size_t)(end - s), k = 0;
    while (k < left && k < LONGEST && s[k] != ';' && s[k] != '{') k++;
    if (k < left && s[k] == ';' && memmem(s, k, " cpp_", 5)) return true;
    s += k;
  }
  return false;
}

static const char *base_name(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

static bool find_kernels(parts *p, const options *o, const char *at, size_t n, const char *first,
                         arena *a, diags *d) {
  bool given = false;
  for (size_t i = 0; i < o->objects.n; i++) {
    const char *file = o->objects.at[i];
    *arena_push(a, file_ends_with(file, ".cpp") ? &p->kernels : &p->objects) = file;
    given = given || file_ends_with(file, ".cpp") || strstr(base_name(file), "kernel");
    if (!file_is_file(file)) {
      diag_error(d, STATUS_INPUT, file, "cannot be read: it is missing, or no regular file");
      return false;
    }
  }
  const char *kernel = given || !declares_kernels(at, n) ? NULL
                                                         : sibling(o, first, companion_kernels, a);
  if (kernel) *arena_push(a, &p->kernels) = kernel;
  if (o->objects.n || kernel || !declares_kernels(at, n))
    return true; /* an object that was named may hold them */
  diag_error(d, STATUS_INPUT, o->input,
             "declares kernels that it does not define, and no '.kernel.cpp' or 'kernel.cpp' "
             "stands beside it%s: name the file after the wrapper",
             first ? " or its original" : "");
  return false;
}

static void find_ops(parts *p, const options *o, const char *at, size_t n, const char *first,
                     arena *a, diags *d) {
  static const char call[] = "aoti_torch_proxy_executor_call_function(";
  if (!memmem(at, n, call, sizeof call - 1)) return;
  p->ops = o->ops ? o->ops : sibling(o, first, companion_ops, a);
  if (!p->ops)
    diag_warning(d, o->input,
                 "calls custom ops, and no 'wrapper.json' stands beside it: torch wants it beside "
                 "the '.so'; name it with --ops=FILE");
}

bool parts_runtime(const char **library_out, const char **include_out, const char *file, arena *a,
                   diags *d) {
  static const char *const places[][2] = {{"libaotigen.a", "../runtime"},
                                          {"libaotigen.a", "../../runtime"},
                                          {"../lib/aotigen/libaotigen.a", "../include/aotigen"}};
  const char *home = file_program_dir(a);
  for (size_t i = 0; home && i < sizeof places / sizeof *places; i++) {
    const char *library = arena_printf(a, "%s/%s", home, places[i][0]),
               *dir = arena_printf(a, "%s/%s", home, places[i][1]);
    if (!file_is_file(library) || !file_is_file(arena_printf(a, "%s/aotigen.h", dir))) continue;
    *library_out = library;
    *include_out = dir;
    return true;
  }
  diag_error(d, STATUS_INPUT, file,
             "wants 'aotigen.h' and 'libaotigen.a', which were not found beside '%s' or in its "
             "'../lib/aotigen': aotigen is not installed whole",
             home ? home : "the running binary");
  return false;
}

void parts_headers(strings *headers, const char *include_dir, arena *a) {
  static const char begins[] = "aotigen";
  struct dirent **list = NULL;
  int n = scandir(include_dir, &list, NULL, alphasort); /* in the same order everywhere */
  for (int i = 0; i < n; i++) {
    const char *name = list[i]->d_name;
    if (!strncmp(name, begins, sizeof begins - 1) && file_ends_with(name, ".h"))
      *arena_push(a, headers) = arena_printf(a, "%s/%s", include_dir, name);
    free(list[i]);
  }
  free(list);
}

bool parts_find(parts *p, const options *o, const char *at, size_t n, arena *a, diags *d) {
  const char *first = original(at, n, a);
  includes list = {0};
  *p = (parts){0};
  includes_read(&list, at, n, a);
  if (!find_kernels(p, o, at, n, first, a, d)) return false;
  find_ops(p, o, at, n, first, a, d);
  return !includes_has(&list, "aotigen.h") ||
         parts_runtime(&p->runtime, &p->runtime_include, o->input, a, d);
}
