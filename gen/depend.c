/* depend.c - see depend.h. Knows the preprocessor's directives and make's dependency files; not which flags were recorded. */
#include "depend.h"
#include "file.h"
#include "flags.h"
#include "lex.h"
#include <stdlib.h>
#include <string.h>

enum { DEPEND_MAX = 8 << 20 };

typedef struct reader {
  const char *name, *at;
  size_t n;
  unsigned line;
  arena *a;
  diags *d;
} reader;

/* ---- the text */

static unsigned line_of(const reader *r, size_t at) {
  unsigned line = 1;
  for (const char *s = r->at; (s = memchr(s, '\n', (size_t)(r->at + at - s))); s++) line++;
  return line;
}

static bool refuse(const reader *r, size_t at, const char *why) {
  diag_error(r->d, STATUS_INPUT, r->name, line_of(r, at), 1, "%s, which AOTInductor never emits: it is not compiled", why);
  return false;
}

/* Past blanks, spliced lines and comments within a directive. */
static size_t blanks(const reader *r, size_t at) {
  for (;;) {
    if (at < r->n && (r->at[at] == ' ' || r->at[at] == '\t' || r->at[at] == '\f' || r->at[at] == '\v' || r->at[at] == '\r')) at++;
    else if (at + 1 < r->n && r->at[at] == '\\' && r->at[at + 1] == '\n') at += 2;
    else if (at + 2 < r->n && r->at[at] == '\\' && r->at[at + 1] == '\r') at += 3;
    else if (at + 1 < r->n && r->at[at] == '/' && r->at[at + 1] == '*') {
      const char *end = memmem(r->at + at + 2, r->n - at - 2, "*/", 2);
      if (!end) return r->n;
      at = (size_t)(end - r->at) + 2;
    } else return at;
  }
}

/* The word at `at`, without the splices that may stand in it. */
static size_t word(const reader *r, size_t at, char *to, size_t max) {
  size_t k = 0;
  for (;;) {
    if (at + 1 < r->n && r->at[at] == '\\' && r->at[at + 1] == '\n') at += 2;
    else if (at < r->n && lex_is_identifier(r->at[at])) {
      if (k + 1 < max) to[k++] = r->at[at];
      at++;
    } else break;
  }
  to[k] = '\0';
  return at;
}

/* What stands between the quotes behind an #include. */
static bool check_include(const reader *r, size_t at) {
  if (at >= r->n || (r->at[at] != '"' && r->at[at] != '<')) return refuse(r, at, "includes what a macro names");
  size_t end = at + 1;
  while (end < r->n && r->at[end] != (r->at[at] == '"' ? '"' : '>') && r->at[end] != '\n') end++;
  const char *path = arena_strndup(r->a, r->at + at + 1, end - at - 1);
  if (flag_cache_file(path, ".h")) return true;
  if (*path == '/') return refuse(r, at, arena_printf(r->a, "includes '%.200s' by its absolute path", path));
  if (strstr(path, "..") || strchr(path, '\\')) return refuse(r, at, arena_printf(r->a, "includes '%.200s', a path that climbs", path));
  return true;
}

static bool check_directive(const reader *r, size_t hash, size_t at) {
  static const char *const includes[] = {"include", "include_next", "import", "embed"};
  char name[32];
  at = word(r, blanks(r, at), name, sizeof name);
  for (size_t i = 0; i < sizeof includes / sizeof *includes; i++)
    if (!strcmp(name, includes[i])) return check_include(r, blanks(r, at));
  const char *end = memchr(r->at + at, '\n', r->n - at);
  if (!strcmp(name, "pragma") && memmem(r->at + at, end ? (size_t)(end - r->at) - at : r->n - at, "pch_preprocess", 14)) return refuse(r, hash, "has the compiler load a precompiled header");
  return true;
}

/* Only white space, comments and splices stand between the start of its line and `at`. */
static bool starts_line(const reader *r, size_t at) {
  while (at > 0 && r->at[at - 1] != '\n') {
    char c = r->at[--at];
    if (c == '/' && at > 0 && r->at[at - 1] == '*') return true; /* a comment before it: looked at all the same */
    if (c != ' ' && c != '\t' && c != '\f' && c != '\v' && c != '\r') return false;
  }
  return true;
}

/* '#' as it may also be spelled: "%:" and "??=". Its length, or 0. */
static size_t hash_at(const reader *r, size_t at) {
  if (r->at[at] == '#') return 1;
  if (at + 1 < r->n && r->at[at] == '%' && r->at[at + 1] == ':') return 2;
  return at + 2 < r->n && !memcmp(r->at + at, "?\?=", 3) ? 3 : 0;
}

static bool check_words(const reader *r) {
  static const char *const words[] = {"asm", "__asm", "__asm__"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t at = lex_find_word(r->at, 0, r->n, words[i]);
    if (at < r->n) return refuse(r, at, "holds assembler text");
  }
  return true;
}

bool depend_check_text(const char *name, const char *at, size_t n, arena *a, diags *d) {
  reader r = {.name = name, .at = at, .n = n, .a = a, .d = d};
  if (!check_words(&r)) return false;
  /* Directives are looked for in every line, those of comments and raw strings too: where one begins may depend on macros. */
  for (size_t i = 0; i < n; i++) {
    size_t k = hash_at(&r, i);
    if (k && starts_line(&r, i) && !check_directive(&r, i, i + k)) return false;
  }
  for (size_t i = 0; i < n;) {
    i = lex_skip_space(at, i, n);
    size_t k = i < n ? hash_at(&r, i) : 0;
    if (k && i + k < n && hash_at(&r, i + k)) return refuse(&r, i, "pastes tokens together");
    if (i < n) i = lex_skip_token(at, i, n);
  }
  return true;
}

/* ---- what the compiler read */

static const char *canonical(const char *path, arena *a) {
  char *whole = realpath(path, NULL);
  const char *out = whole ? arena_strdup(a, whole) : NULL;
  free(whole);
  return out;
}

static void add_root(strings *roots, const char *dir, arena *a) {
  const char *whole = dir ? canonical(dir, a) : NULL;
  if (whole && strcmp(whole, "/") != 0) *arena_push(a, roots) = whole;
}

static bool inside(const strings *roots, const char *path) {
  for (size_t i = 0; i < roots->n; i++) {
    size_t n = strlen(roots->at[i]);
    if (!strncmp(path, roots->at[i], n) && path[n] == '/') return true;
  }
  return false;
}

/* The next prerequisite of a dependency file, its escapes undone; NULL at the end. */
static const char *next_path(const char **s, arena *a) {
  strbuf t = {0};
  const char *at = *s;
  while (*at == ' ' || *at == '\n' || *at == '\t' || (*at == '\\' && (at[1] == '\n' || at[1] == '\r'))) at++;
  for (; *at && *at != ' ' && *at != '\n' && *at != '\t'; at++) {
    if (*at == '\\' && at[1] && strchr(" #\\", at[1])) at++;
    else if (*at == '$' && at[1] == '$') at++;
    strbuf_add(&t, at, 1);
  }
  *s = at;
  const char *path = t.n ? arena_strdup(a, t.at) : NULL;
  strbuf_free(&t);
  return path;
}

bool depend_files(strings *files, const char *depend_file, arena *a) {
  strbuf t = {0};
  if (!file_slurp(depend_file, DEPEND_MAX, &t)) return false;
  const char *s = strchr(t.at, ':');
  s = s ? s + 1 : "";
  for (const char *path; (path = next_path(&s, a));) *arena_push(a, files) = path;
  strbuf_free(&t);
  return true;
}

bool depend_check(const char *depend_file, const char *name, const command *c, const strings *system, const strings *own, arena *a, diags *d) {
  strings roots = {0}, files = {0};
  bool ok = depend_files(&files, depend_file, a);
  if (!ok) diag_error(d, STATUS_INPUT, name, 0, 0, "the compiler did not say which files it read: nothing is linked");
  for (size_t i = 0; i < c->compile.n; i++) add_root(&roots, !strncmp(c->compile.at[i], "-I", 2) || !strncmp(c->compile.at[i], "-isystem", 8) ? strchr(c->compile.at[i], '/') : NULL, a);
  for (size_t i = 0; i < c->includes_replacement.n; i++) add_root(&roots, file_dir(a, c->includes_replacement.at[i]), a);
  for (size_t i = 0; i < system->n; i++) add_root(&roots, system->at[i], a);
  for (size_t i = 0; i < own->n; i++) add_root(&roots, own->at[i], a);
  for (size_t i = 0; ok && i < files.n; i++) {
    const char *path = files.at[i], *whole = canonical(path, a);
    if (whole && inside(&roots, whole)) continue;
    diag_error(d, STATUS_INPUT, name, 0, 0, "includes '%.300s', which lies outside of the include directories of torch, Python, CUDA and the compiler: nothing is linked", path);
    ok = false;
  }
  return ok;
}
