/* include_audit.c - see include_audit.h. Knows what a directive may do and the format of dependency
 * files; not which flags were recorded. */
#include "toolchain/include_audit.h"
#include "base/file.h"
#include "base/template.h"
#include "command/flags.h"
#include "command/includes.h"
#include "parse/lex.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LIST_MAX = 8 << 20 };

/* A text that is checked. */
typedef struct audit {
  const char *name, *at;
  size_t n;
  arena *a;
  diags *d;
  const char *line_name; /* for an instrumented text: what its #line names; else NULL */
  includes_scan directives;
  directive next; /* the first that is not checked yet, where there is one more */
  bool more;
  size_t pragma_end; /* pragmas are checked up to here */
} audit;

/* ---- positions in the text */

static unsigned line_at(const audit *r, size_t at) {
  unsigned line = 1;
  for (const char *s = r->at; (s = memchr(s, '\n', (size_t)(r->at + at - s))); s++) line++;
  return line;
}

static bool refuse_at(const audit *r, size_t at, const char *why) {
  if (r->line_name)
    diag_error(r->d, STATUS_INPUT, r->name,
               "line %u of the text that the parser's process made of it %s, which aotigen never "
               "writes: it is not compiled",
               line_at(r, at), why);
  else
    diag_error_at(r->d, STATUS_INPUT, r->name, line_at(r, at), 1,
                  "%s, which AOTInductor never emits: it is not compiled", why);
  return false;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

static bool is_space(char c) { return is_blank(c) || c == '\n'; }

/* ---- spelling: what would let a compiler see other words than this check does */

/* Allows a spliced line only between words, with nothing behind its backslash. */
static bool check_splice(const audit *r, size_t at) {
  size_t end = at + 1;
  while (end < r->n && is_blank(r->at[end])) end++;
  if (end >= r->n || r->at[end] != '\n') return true;
  bool hidden = end > at + 1 && !(end == at + 2 && r->at[at + 1] == '\r'),
       apart = at == 0 || is_space(r->at[at - 1]) || end + 1 >= r->n || is_space(r->at[end + 1]);
  return (!hidden && apart) || refuse_at(r, at, "joins two lines in the middle of a word");
}

static bool check_spelling(const audit *r) {
  for (size_t i = 0; i < r->n; i++) {
    char c = r->at[i];
    size_t left = r->n - i;
    if (c == '\\' && !check_splice(r, i)) return false;
    if (c == '\r' && (left < 2 || r->at[i + 1] != '\n'))
      return refuse_at(r, i, "holds a carriage return in the middle of a line");
    if (c == '?' && left > 2 && !memcmp(r->at + i, "?\?/", 3))
      return refuse_at(r, i, "spells a backslash as a trigraph");
    if (c == '\\' && left > 2 && !memcmp(r->at + i, "\\N{", 3))
      return refuse_at(r, i, "spells a character by its name");
  }
  return true;
}

/* ---- directives */

#define PATH_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-"

/* The operand of an #include. A path longer than PATH_MAX names no file. */
static bool check_include(const audit *r, const directive *d, bool in_comment) {
  char path[PATH_MAX];
  if (!d->quote) return in_comment || refuse_at(r, d->rest, "includes what a macro names");
  if (d->path_n >= sizeof path)
    return in_comment || refuse_at(r, d->rest, "includes a path of more than 4095 characters");
  memcpy(path, r->at + d->path, d->path_n);
  path[d->path_n] = '\0';
  if (flags_is_cache_file(path, ".h")) return true;
  if (*path == '/')
    return refuse_at(r, d->rest,
                     arena_printf(r->a, "includes '%.200s' by its absolute path", path));
  if (strstr(path, "..") || strchr(path, '\\'))
    return refuse_at(r, d->rest, arena_printf(r->a, "includes '%.200s', a path that climbs", path));
  return in_comment || path[strspn(path, PATH_CHARACTERS)] == '\0' ||
         refuse_at(r, d->rest,
                   arena_printf(r->a, "includes '%.200s', which is not a header's name", path));
}

/* Reads each line once, however many pragmas it seems to hold. */
static bool check_pragma(audit *r, size_t at) {
  static const char *const words[] = {"pch_preprocess", "dependency", "include_alias", "module",
                                      "__debug"};
  size_t end = at;
  if (at < r->pragma_end) return true;
  for (; end < r->n && (r->at[end] != '\n' || r->at[end - 1] == '\\' ||
                        (r->at[end - 1] == '\r' && r->at[end - 2] == '\\'));
       end++)
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (lex_is_word(r->at, end, r->n, words[i]))
        return refuse_at(r, at, "has a pragma that reads another file, or breaks the parser");
  r->pragma_end = end;
  return true;
}

static bool check_word(const audit *r, size_t at) {
  static const struct {
    const char *word, *why;
  } words[] = {
      {"asm", "holds assembler text"},
      {"__asm", "holds assembler text"},
      {"__asm__", "holds assembler text"},
      {"section", "names a section of its own"},
      {"__section__", "names a section of its own"},
      {"symver", "names a symbol's version"},
      {"__symver__", "names a symbol's version"},
      {"weakref", "names another symbol"},
      {"__weakref__", "names another symbol"},
      {"__has_include", "asks which files there are"},
      {"__has_include_next", "asks which files there are"},
      {"__has_embed", "asks which files there are"},
      {"_Pragma", "hides a pragma"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (lex_is_word(r->at, at, r->n, words[i].word)) return refuse_at(r, at, words[i].why);
  return true;
}

/* What a condition may give arguments to: operators. A header's macro may paste them together to
 * one that asks which files there are, or hand them to it. */
static bool is_operator(const audit *r, size_t at) {
  static const char *const words[] = {"defined",
                                      "__has_attribute",
                                      "__has_cpp_attribute",
                                      "__has_builtin",
                                      "__has_feature",
                                      "__has_extension",
                                      "sizeof",
                                      "alignof",
                                      "decltype",
                                      "not",
                                      "and",
                                      "or",
                                      "xor",
                                      "compl",
                                      "bitand",
                                      "bitor"};
  static const char builtin[] = "__builtin_";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (lex_is_word(r->at, at, r->n, words[i])) return true;
  return r->n - at > sizeof builtin && !memcmp(r->at + at, builtin, sizeof builtin - 1);
}

/* Past blanks, spliced lines and comments, within a directive. */
static size_t skip_within(const audit *r, size_t at) {
  for (;;) {
    size_t n = lex_skip_token(r->at, at, r->n) - at;
    if (at >= r->n || r->at[at] == '\n') return at;
    if (is_blank(r->at[at]))
      at++;
    else if (r->at[at] == '\\' && at + 1 < r->n && is_space(r->at[at + 1]))
      at = (size_t)((const char *)memchr(r->at + at, '\n', r->n - at) - r->at) + 1;
    else if (r->at[at] == '/' && n > 1)
      at += n;
    else
      return at;
  }
}

/* What no condition has, unless a macro drops it as its argument. */
static bool is_of_statement(const audit *r, size_t at) {
  char c = r->at[at], before = r->at[at - 1], behind = at + 1 < r->n ? r->at[at + 1] : '\0';
  return strchr("{};[]", c) || (c == ':' && behind == ':') ||
         (c == '=' && behind != '=' && !strchr("=<>!", before));
}

/* Refuses an expression that a condition has, or may come to have, in which a name that is no
 * operator has arguments. The directive goes on at `at`. */
static bool check_calls(const audit *r, size_t at, bool definition) {
  size_t call = 0, name = 0, depth = 0;
  bool statement = false;
  for (size_t i = skip_within(r, at), next; i < r->n && r->at[i] != '\n';
       i = skip_within(r, next)) {
    next = lex_skip_token(r->at, i, r->n);
    bool opens = r->at[i] == '(' && name && skip_within(r, i + 1) < r->n &&
                 r->at[skip_within(r, i + 1)] != ')';
    if (opens && !is_operator(r, name)) call = name;
    depth += r->at[i] == '(';
    depth -= r->at[i] == ')' && depth;
    statement = statement || (!depth && is_of_statement(r, i));
    name = lex_is_identifier(r->at[i]) ? i : 0;
  }
  if (!call || (definition && statement)) return true;
  if (r->line_name && lex_is_word(r->at, call, r->n, "AOTIGEN_WITH_ROOM")) return true;
  return check_word(r, call) &&
         refuse_at(r, call, "has a condition, or a macro for one, that gives arguments to a macro");
}

/* A macro's body begins behind its name and parameters. */
static bool check_definition(const audit *r, size_t at) {
  size_t name = skip_within(r, at), body = lex_skip_token(r->at, name, r->n);
  if (name >= r->n || !lex_is_identifier(r->at[name])) return true;
  if (is_operator(r, name)) return refuse_at(r, name, "gives a name of the compiler's a meaning");
  if (body < r->n && r->at[body] == '(')
    while (body < r->n && r->at[body] != ')' && r->at[body] != '\n')
      body = skip_within(r, lex_skip_token(r->at, body, r->n));
  return check_calls(r, body, true);
}

/* The #line that follows what is inserted: '#line 7' or '#line 1 "NAME"', alone in its line. */
static bool restores_line(const audit *r, const directive *d) {
  static const char begin[] = "#line ";
  const char *s = r->at + d->offset, *end = r->at + r->n;
  size_t n = strlen(r->line_name);
  if ((size_t)(end - s) < sizeof begin || memcmp(s, begin, sizeof begin - 1) != 0) return false;
  for (s += sizeof begin - 1; s < end && *s >= '0' && *s <= '9';) s++;
  if (s[-1] == ' ' || s == end) return false;
  return *s == '\n' || ((size_t)(end - s) >= n && !memcmp(s, r->line_name, n));
}

/* Within what is a comment to this check, only an #include by a path is refused: a compiler might
 * not see a comment there. */
static bool check_directive(audit *r, const directive *d, bool in_comment) {
  const includes_scan *s = &r->directives;
  if (d->includes) return check_include(r, d, in_comment);
  if (in_comment) return true;
  if (!d->name_n && d->rest + 1 < r->n && r->at[d->rest] == '/' && r->at[d->rest + 1] == '*')
    return refuse_at(r, d->rest, "hides a directive behind a comment");
  if (includes_is_named(s, d, "ident") || includes_is_named(s, d, "sccs"))
    return refuse_at(r, d->name, "puts text of its own into the assembler's input");
  if (includes_is_named(s, d, "if") || includes_is_named(s, d, "elif"))
    return check_calls(r, d->rest, false);
  if (includes_is_named(s, d, "define")) return check_definition(r, d->rest);
  if (r->line_name && restores_line(r, d)) return true;
  if (includes_is_named(s, d, "line") ||
      (d->name_n && r->at[d->name] >= '0' && r->at[d->name] <= '9'))
    return refuse_at(r, d->name, "names another file as its own");
  return !includes_is_named(s, d, "pragma") || check_pragma(r, d->rest);
}

/* The length of a '#' at `at`, which may also be spelled "%:" or "??="; 0 if there is none. */
static size_t hash_length(const audit *r, size_t at) {
  if (at >= r->n) return 0;
  if (r->at[at] == '#') return 1;
  if (at + 1 < r->n && r->at[at] == '%' && r->at[at + 1] == ':') return 2;
  return at + 2 < r->n && !memcmp(r->at + at, "?\?=", 3) ? 3 : 0;
}

/* ---- the whole text, token by token */

/* True where a word stands directly between a literal and a string, "a"R"(b)": where the word is a
 * macro, GCC begins a raw string with it, else the word belongs to the literal. */
static bool joins_strings(const audit *r, size_t at, size_t next) {
  size_t end = next;
  bool literal = next > at + 1 && (r->at[next - 1] == '"' || r->at[next - 1] == '\'');
  if (!literal) return false;
  while (end < r->n && lex_is_identifier(r->at[end])) end++;
  return end > next && end < r->n && r->at[end] == '"' && r->at[end - 1] == 'R';
}

/* Each line may hold a directive, also within comments and raw strings. */
static bool check_token(audit *r, size_t at, size_t next) {
  bool in_comment = r->at[at] == '/' && next > at + 1;
  for (; r->more && r->next.offset < next; r->more = includes_next(&r->directives, &r->next))
    if (!check_directive(r, &r->next, in_comment)) return false;
  if (in_comment) return true;
  if (joins_strings(r, at, next))
    return refuse_at(r, at, "joins a raw string to the literal before it");
  size_t k = hash_length(r, at);
  if (k && hash_length(r, at + k)) return refuse_at(r, at, "pastes tokens together");
  return !lex_is_identifier(r->at[at]) || check_word(r, at);
}

static bool check_all(audit *r) {
  if (!check_spelling(r)) return false;
  r->directives = (includes_scan){.text = r->at, .n = r->n};
  r->more = includes_next(&r->directives, &r->next);
  for (size_t i = 0, next; i < r->n; i = next) {
    next = lex_skip_token(r->at, i, r->n);
    if (!check_token(r, i, next)) return false;
  }
  return true;
}

bool include_audit_check_text(const char *name, const char *at, size_t n, arena *a, diags *d) {
  return check_all(&(audit){.name = name, .at = at, .n = n, .a = a, .d = d});
}

bool include_audit_check_instrumented(const char *name, const char *at, size_t n, arena *a,
                                      diags *d) {
  audit r = {.name = name, .at = at, .n = n, .a = a, .d = d};
  /* As translation_unit.c names the source for libclang, which must not take it for a flag. */
  r.line_name = arena_printf(a, " \"%s%s\"\n", *name == '-' ? "./" : "", template_quote(name, a));
  return check_all(&r);
}

/* ---- the files that the compiler read */

static const char *resolve_path(const char *path, arena *a) {
  char *whole = realpath(path, NULL);
  const char *out = whole ? arena_strdup(a, whole) : NULL;
  free(whole);
  return out;
}

static void add_root(strings *roots, const char *dir, arena *a) {
  const char *whole = dir ? resolve_path(dir, a) : NULL;
  if (whole && strcmp(whole, "/") != 0) *arena_push(a, roots) = whole;
}

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* A root may be a single file. */
static bool is_inside(const strings *roots, const char *path) {
  for (size_t i = 0; i < roots->n; i++) {
    size_t n = strlen(roots->at[i]);
    if (strncmp(path, roots->at[i], n) != 0) continue;
    if (path[n] == '/' || (path[n] == '\0' && is_file(path))) return true;
  }
  return false;
}

/* The next file that a dependency file lists, without make's escapes; NULL at the end. */
static const char *read_path(const char **s, arena *a) {
  strbuf t = {0};
  const char *at = *s;
  while (*at == ' ' || *at == '\n' || *at == '\t' ||
         (*at == '\\' && (at[1] == '\n' || at[1] == '\r')))
    at++;
  for (; *at && *at != ' ' && *at != '\n' && *at != '\t'; at++) {
    if (*at == '\\' && at[1] && strchr(" #\\", at[1]))
      at++;
    else if (*at == '$' && at[1] == '$')
      at++;
    strbuf_add(&t, at, 1);
  }
  *s = at;
  const char *path = t.n ? arena_strdup(a, t.at) : NULL;
  strbuf_free(&t);
  return path;
}

/* Past "TARGET:". A colon of the target's own is followed by a character of its name, in which a
 * blank is escaped. */
static const char *skip_target(const char *s) {
  while ((s = strchr(s, ':')) && s[1] && s[1] != ' ' && s[1] != '\n' && s[1] != '\t') s++;
  return s ? s + 1 : "";
}

bool include_audit_read_list(strings *files, const char *depend_file, arena *a) {
  strbuf t = {0};
  if (!file_read(depend_file, LIST_MAX, &t)) return false;
  const char *s = skip_target(t.at);
  for (const char *path; (path = read_path(&s, a));) *arena_push(a, files) = path;
  strbuf_free(&t);
  return true;
}

strings include_audit_roots(const command *c, const strings *more, arena *a) {
  const strings dirs = command_include_dirs(c, a);
  strings roots = {0};
  for (size_t i = 0; i < dirs.n; i++) add_root(&roots, dirs.at[i], a);
  for (size_t i = 0; i < more->n; i++) add_root(&roots, more->at[i], a);
  return roots;
}

/* A name that leads nowhere by now, and led nowhere else before: the compiler's temporary file, or
 * what debug information calls a source. */
static bool is_gone(const char *path, const char *dir) {
  size_t n = *path == '/' ? strlen(dir) : 0;
  return !strncmp(path, dir, n) && (n == 0 || path[n] == '/') && !strstr(path + n, "..");
}

/* The first of the files outside of all roots, or NULL. An assembler also lists what the compiler
 * gave it. */
static const char *find_outside(const strings *files, const strings *roots, const char *temporary,
                                arena *a) {
  for (size_t i = 0; i < files->n; i++) {
    const char *whole = resolve_path(files->at[i], a);
    bool gone = !whole && temporary && is_gone(files->at[i], temporary);
    if (!gone && !(whole && is_inside(roots, whole))) return files->at[i];
  }
  return NULL;
}

bool include_audit_check_files(const char *depend_file, const char *name, const command *c,
                               const strings *more, const char *temporary, arena *a, diags *d) {
  const strings roots = include_audit_roots(c, more, a);
  const char *const lists[] = {depend_file, include_audit_assembler_list(depend_file, a)};
  for (int i = 0; i < 2; i++) {
    strings files = {0};
    if (!include_audit_read_list(&files, lists[i], a)) {
      diag_error(d, STATUS_INPUT, name,
                 "the compiler did not say which files it read: nothing is linked");
      return false;
    }
    const char *path = find_outside(&files, &roots, i == 1 ? temporary : NULL, a);
    if (!path) continue;
    diag_error(d, STATUS_INPUT, name,
               "includes '%.300s', which lies outside of the include directories of torch, Python, "
               "CUDA and the compiler: nothing is linked",
               path);
    return false;
  }
  return true;
}

const char *include_audit_assembler_list(const char *depend_file, arena *a) {
  return arena_printf(a, "%s.as", depend_file);
}
