/* companions.c - see companions.h. */
#include "toolchain/companions.h"
#include "base/file.h"
#include "command/command.h"
#include "command/includes.h"
#include "system/input.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

const char *const companions_ops_names[] = {"%s.wrapper.json", "wrapper.json", "%s.json", NULL};
static const char *const kernel_names[] = {"%s.kernel.cpp", "kernel.cpp", NULL};

/* A wrapper that is searched for its companions. */
typedef struct search {
  companion_files *found;
  const options *o;
  const char *text;
  size_t n;
  const char *original; /* the file that a rewritten wrapper was made from, or NULL */
  arena *a;
  diags *d;
} search;

/* The path in the text's first `#line 1 "PATH"`, or NULL. */
static const char *find_original(const char *text, size_t n, arena *a) {
  static const char mark[] = "\n#line 1 \"";
  const char *found = memmem(text, n, mark, sizeof mark - 1);
  if (!found) return NULL;
  const char *s = found + sizeof mark - 1, *end = text + n;
  strbuf path = {0};
  for (; s < end && *s != '"' && *s != '\n'; s++) {
    if (*s == '\\' && s + 1 < end) s++;
    strbuf_add(&path, s, 1);
  }
  const char *name = s < end && *s == '"' && path.n ? arena_strdup(a, path.at) : NULL;
  strbuf_free(&path);
  return name;
}

/* A file with one of these names next to the wrapper or its original, or NULL. */
static const char *find_beside(const search *s, const char *const *names) {
  const char *found = input_sibling(s->o->input, names, s->a);
  return found || !s->original ? found : input_sibling(s->original, names, s->a);
}

/* `extern "C" void cpp_fused_...(...);`, on one line or several. A text that defines one, defines
 * all: torch puts a static model's kernels behind it. */
bool companions_declares_kernels(const char *text, size_t n) {
  static const char mark[] = "\nextern \"C\"";
  enum { LONGEST = 16 * 1024 };
  const char *end = text + n, *s = text;
  bool declares = false;
  while ((s = memmem(s, (size_t)(end - s), mark, sizeof mark - 1))) {
    s += sizeof mark - 1;
    size_t left = (size_t)(end - s), k = 0;
    while (k < left && k < LONGEST && s[k] != ';' && s[k] != '{') k++;
    const bool of_kernel = k < left && k < LONGEST && memmem(s, k, " cpp_", 5);
    if (of_kernel && s[k] == '{') return false;
    declares = declares || of_kernel;
    s += k;
  }
  return declares;
}

static bool has_kernel_in_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return strstr(slash ? slash + 1 : path, "kernel") != NULL;
}

/* Sorts the operands of the verb build into their kinds. *has_kernel: one is a kernel, by its
 * name. */
static bool take_operands(search *s, bool *has_kernel) {
  *has_kernel = false;
  for (size_t i = 0; i < s->o->objects.n; i++) {
    const char *file = s->o->objects.at[i];
    bool is_source = file_ends_with(file, ".cpp");
    *arena_push(s->a, is_source ? &s->found->kernels : &s->found->objects) = file;
    *has_kernel = *has_kernel || is_source || has_kernel_in_name(file);
    if (file_is_file(file)) continue;
    diag_error(s->d, STATUS_INPUT, file, "cannot be read: it is missing, or not a regular file");
    return false;
  }
  return true;
}

bool companions_lack_kernel(const char *wrapper, const char *text, size_t n, diags *d) {
  if (!companions_declares_kernels(text, n)) return false;
  diag_error(d, STATUS_INPUT, wrapper,
             "declares kernels that it does not define, and no '.kernel.cpp' stands beside it, "
             "where torch wrote one: the package is not complete");
  return true;
}

const char *companions_find_kernel(const char *wrapper, const char *text, size_t n, arena *a) {
  const command_linked linked = command_read_linked(text, n, a);
  const strings names = command_linked_kernels(&linked, a);
  for (size_t i = 0; i < names.n; i++) {
    const char *path =
        arena_printf(a, "%.*s%s", (int)(file_name(wrapper) - wrapper), wrapper, names.at[i]);
    if (file_is_file(path)) return path;
  }
  return input_sibling(wrapper, kernel_names, a);
}

static const char *find_kernel(const search *s) {
  const char *found = companions_find_kernel(s->o->input, s->text, s->n, s->a);
  return found || !s->original ? found : companions_find_kernel(s->original, s->text, s->n, s->a);
}

static bool find_kernels(search *s) {
  bool has_kernel;
  if (!take_operands(s, &has_kernel)) return false;
  if (has_kernel || !companions_declares_kernels(s->text, s->n)) return true;
  const char *kernel = find_kernel(s);
  if (kernel) *arena_push(s->a, &s->found->kernels) = kernel;
  if (kernel || s->o->objects.n) return true; /* a given object may define them */
  diag_error(s->d, STATUS_INPUT, s->o->input,
             "declares kernels that it does not define, and no '.kernel.cpp' or 'kernel.cpp' "
             "stands beside it%s: name the file after the wrapper",
             s->original ? " or its original" : "");
  return false;
}

static void find_ops(search *s) {
  static const char call[] = "aoti_torch_proxy_executor_call_function(";
  if (!memmem(s->text, s->n, call, sizeof call - 1)) return;
  s->found->ops = s->o->files.ops ? s->o->files.ops : find_beside(s, companions_ops_names);
  if (!s->found->ops)
    diag_warning(s->d, s->o->input,
                 "calls custom ops, and no 'wrapper.json' stands beside it: torch wants it beside "
                 "the '.so'; name it with --ops=FILE");
}

bool companions_find_runtime(const char **library_out, const char **include_out, const char *file,
                             arena *a, diags *d) {
  static const char *const places[][2] = {{"libaotigen.a", "../shared/wrapper"},
                                          {"libaotigen.a", "../../shared/wrapper"},
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
             "needs 'aotigen.h' and 'libaotigen.a', which were not found beside '%s' or in its "
             "'../lib/aotigen': aotigen is not installed completely",
             home ? home : "the running binary");
  return false;
}

void companions_list_headers(strings *headers, const char *include_dir, arena *a) {
  static const char prefix[] = "aotigen";
  struct dirent **list = NULL;
  int n = scandir(include_dir, &list, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    const char *name = list[i]->d_name;
    if (!strncmp(name, prefix, sizeof prefix - 1) &&
        (file_ends_with(name, ".h") || file_ends_with(name, ".def")))
      *arena_push(a, headers) = arena_printf(a, "%s/%s", include_dir, name);
    free(list[i]);
  }
  free(list);
}

bool companions_find(companion_files *c, const options *o, const char *text, size_t n, arena *a,
                     diags *d) {
  search s = {.found = c,
              .o = o,
              .text = text,
              .n = n,
              .original = find_original(text, n, a),
              .a = a,
              .d = d};
  *c = (companion_files){0};
  if (!find_kernels(&s)) return false;
  find_ops(&s);
  return !includes_text_has(text, n, "aotigen.h") ||
         companions_find_runtime(&c->runtime, &c->runtime_include, o->input, a, d);
}
