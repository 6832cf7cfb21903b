/* kernel_text.c - see kernel_text.h. Knows how Inductor writes kernels: each is a function of C
 * linkage that returns nothing, and what it needs stands before it. */
#define _GNU_SOURCE
#include "taken/kernel_text.h"
#include "base/string_map.h"
#include "model/cpp_functions.h"
#include "package/package.h"
#include "toolchain/include_audit.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_MOST = 300 };

static const char linkage[] = "extern \"C\"";

/* ---- its parameters */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_c_type(const char *name) {
  static const char *const names[] = {"float",
                                      "double",
                                      "bool",
                                      "int8_t",
                                      "int16_t",
                                      "int32_t",
                                      "int64_t",
                                      "uint8_t",
                                      "uint16_t",
                                      "uint32_t",
                                      "uint64_t",
                                      "char",
                                      "short",
                                      "int",
                                      "long",
                                      "signed char",
                                      "unsigned char",
                                      "unsigned short",
                                      "unsigned",
                                      "long long",
                                      "unsigned int",
                                      "unsigned long",
                                      "unsigned long long",
                                      NULL};
  return strings_index(names, name) >= 0;
}

/* The words of a type without what does not change it, with a blank between two. No longer one is
 * of C. */
static const char *read_type(const char *at, const char *end, kernel_parameter *p, arena *a) {
  const char *type = "";
  if (end - at > TYPE_MOST) {
    p->is_pointer = memchr(at, '*', (size_t)(end - at)) != NULL;
    return type;
  }
  while (at < end) {
    const char *from = at;
    while (at < end && is_word(*at)) at++;
    const char *word = arena_strndup(a, from, (size_t)(at - from));
    if (!strcmp(word, "const"))
      p->is_const |= !p->is_pointer;
    else if (*word && strcmp(word, "__restrict__") && strcmp(word, "__restrict"))
      type = arena_printf(a, "%s%s%s", type, *type ? " " : "", word);
    for (; at < end && !is_word(*at); at++) {
      p->is_pointer |= *at == '*';
      if (!isspace((unsigned char)*at) && *at != '*') type = arena_printf(a, "%s%c", type, *at);
    }
  }
  return type;
}

/* "const float* in_ptr0". False for another form. */
static bool read_parameter(kernel_text *k, const char *at, const char *end, arena *a) {
  while (end > at && isspace((unsigned char)end[-1])) end--;
  const char *name = end;
  while (name > at && is_word(name[-1])) name--;
  if (name == end || k->parameters.n == KERNEL_PARAMETERS) return false;
  kernel_parameter *p = arena_push(a, &k->parameters);
  *p = (kernel_parameter){.name = arena_strndup(a, name, (size_t)(end - name))};
  p->type = read_type(at, name, p, a);
  if (is_c_type(p->type)) return true;
  p->type = "void";
  return p->is_pointer;
}

/* What stands between its brackets. */
static bool read_parameters(kernel_text *k, const char *at, const char *end, arena *a) {
  const char *from = at;
  int depth = 0;
  for (; at < end; at++) {
    depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
    if (*at != ',' || depth) continue;
    if (!read_parameter(k, from, at, a)) return false;
    from = at + 1;
  }
  while (from < end && isspace((unsigned char)*from)) from++;
  return from == end || read_parameter(k, from, end, a);
}

/* ---- its source */

static bool has_linkage(const cpp_functions *all, const cpp_function *f) {
  return f->offset - f->lines.begin > sizeof linkage &&
         !memcmp(all->text + f->lines.begin, linkage, sizeof linkage - 1);
}

/* The words of its body. */
static string_map *find_words(const cpp_functions *all, const cpp_function *f, arena *a) {
  string_map *words = string_map_create(a);
  for (size_t i = f->body.begin; i < f->body.end; i++) {
    const size_t from = i;
    while (i < f->body.end && is_word(all->text[i])) i++;
    if (i > from) string_map_put_index(words, arena_strndup(a, all->text + from, i - from), 0);
  }
  return words;
}

static int compare_places(const void *a, const void *b) {
  const span *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Where the last recorded command's comment begins, or n. */
static size_t find_commands(const char *text, size_t n) {
  static const char comment[] = "\n// Compile cmd";
  const char *at = memmem(text, n, comment, sizeof comment - 1);
  return at ? (size_t)(at - text) + 1 : n;
}

/* Behind the comments at its begin, which name the directories of who compiled it. */
static size_t find_begin(const char *text, size_t n) {
  size_t i = 0;
  while (i < n && (text[i] == '\n' || (text[i] == '/' && i + 1 < n && text[i + 1] == '/'))) {
    const char *newline = memchr(text + i, '\n', n - i);
    i = newline ? (size_t)(newline - text) + 1 : n;
  }
  return i;
}

/* Without the blank lines, and the #include of a kernel that was cut out, at its end. */
static size_t find_end(const char *text, size_t n) {
  for (;;) {
    while (n && text[n - 1] == '\n') n--;
    const char *newline = memrchr(text, '\n', n);
    const size_t line = newline ? (size_t)(newline - text) + 1 : 0;
    if (n - line < 8 || memcmp(text + line, "#include", 8) != 0) break;
    n = line;
  }
  return n;
}

/* The text without the other kernels. It has at least this one. */
static void cut_source(kernel_text *k, const cpp_functions *all, size_t n, const cpp_function *f,
                       arena *a) {
  arena_list(span) others = {0};
  strbuf t = {0};
  size_t at = find_begin(all->text, n);
  const size_t end = find_commands(all->text, n);
  const string_map *words = find_words(all, f, a);
  for (size_t i = 0; i < all->list.n; i++) {
    const cpp_function *x = &all->list.at[i];
    if (x != f && has_linkage(all, x) && string_map_index(words, x->name) == STRING_MAP_NONE)
      *arena_push(a, &others) = x->lines;
  }
  if (others.n) qsort(others.at, others.n, sizeof *others.at, compare_places);
  for (size_t i = 0; i < others.n; i++) {
    const span *x = &others.at[i];
    if (x->begin < at || x->end > end) continue;
    strbuf_add(&t, all->text + at, x->begin - at);
    at = x->end;
  }
  if (at < end) strbuf_add(&t, all->text + at, end - at);
  t.n = find_end(t.at, t.n);
  strbuf_puts(&t, "\n");
  k->n = t.n;
  k->source = strbuf_take(&t, a);
}

const char *kernel_text_cut(kernel_text *k, const char *text, size_t n, const char *kernel,
                            arena *a) {
  cpp_functions all;
  cpp_functions_read(&all, text, n, a);
  const cpp_function *f = cpp_functions_find(&all, kernel);
  if (!f) return "does not define it";
  const char *begin = text + f->offset + strlen(kernel), *end = text + f->body.begin;
  while (begin < end && *begin != '(') begin++;
  while (end > begin && *end != ')') end--;
  const char *before = arena_strndup(a, text + f->lines.begin, f->offset - f->lines.begin);
  if (!has_linkage(&all, f) || !strstr(before, " void ") || begin == end)
    return "does not declare it as 'extern \"C\" void'";
  if (!read_parameters(k, begin + 1, end, a))
    return "gives it a parameter of a type that is none of C's";
  cut_source(k, &all, n, f, a);
  return NULL;
}

/* ---- the package */

static bool refuse(const char *member, const char *kernel, const char *why, diags *d) {
  diag_error(d, STATUS_INPUT, member, "'%s' cannot be made a program: it %s", kernel, why);
  return false;
}

static bool read_command(kernel_text *k, const char *text, size_t n, const options *o, arena *a,
                         diags *d) {
  const command_input in = {.file = k->member, .at = text, .n = n, .options = o, .untrusted = true};
  return command_read(&k->command, &in, a, d) && include_audit_check_text(k->member, text, n, a, d);
}

static bool read_model(kernel_text *k, const archive *z, const package_model *m, const char *kernel,
                       const options *o, arena *a, diags *d) {
  for (size_t i = 0; i < m->kernels.n; i++) {
    size_t n;
    const size_t member = m->kernels.at[i];
    const char *text = archive_read_text(z, member, &n, a, d);
    *k = (kernel_text){.member = archive_member_path(z, member, a)};
    if (!text) return false;
    const char *why = kernel_text_cut(k, text, n, kernel, a);
    if (!why) return read_command(k, text, n, o, a, d);
    if (strcmp(why, "does not define it") != 0) return refuse(k->member, kernel, why, d);
  }
  diag_error(d, STATUS_INPUT, z->path,
             "has no source of '%s' beside the wrapper: torch before 2.7 writes its kernels into "
             "the wrapper, and these are not taken out of it",
             kernel);
  return false;
}

bool kernel_text_read(kernel_text *k, const char *package, const char *name, const char *kernel,
                      const options *o, arena *a, diags *d) {
  archive z;
  package_models models;
  const bool ok = archive_open(&z, package, o, a, d) &&
                  package_find_models(&models, &z, name, a, d) &&
                  read_model(k, &z, &models.at[0], kernel, o, a, d);
  archive_close(&z);
  return ok;
}
