/* pch.c - see pch.h. */
#include "pch.h"
#include "lex.h"
#include "output.h"
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The wrapper's first lines that include what is torch's, up to its first own definition. */
static void includes(strbuf *to, const tu *t) {
  static const char *const roots[] = {"torch/", "c10/", "ATen/", NULL};
  for (size_t at = 0; at < t->n;) {
    const char *line = t->text + at, *nl = memchr(line, '\n', t->n - at);
    size_t n = nl ? (size_t)(nl - line) : t->n - at;
    if (lex_is_word(t->text, at, t->n, "namespace") || lex_is_word(t->text, at, t->n, "extern") || lex_is_word(t->text, at, t->n, "class")) return;
    if (n > 10 && memcmp(line, "#include <", 10) == 0)
      for (const char *const *r = roots; *r; r++)
        if (strncmp(line + 10, *r, strlen(*r)) == 0) {
          strbuf_add(to, line, n);
          strbuf_puts(to, "\n");
        }
    at += n + 1;
  }
}

static uint64_t hash(uint64_t h, const char *s) {
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 1099511628211u;
  return (h ^ 0xff) * 1099511628211u;
}

static const char *path_of(const char *headers, const strings *args, const command *c, const options *o, arena *a) {
  CXString version = clang_getClangVersion();
  uint64_t h = hash(hash(14695981039346656037u, clang_getCString(version)), headers);
  for (size_t i = 0; i < args->n; i++) h = hash(h, args->at[i]);
  clang_disposeString(version);
  h = hash(hash(h, c->torch ? c->torch : ""), c->torch_version ? c->torch_version : "");
  return arena_printf(a, "%s/%016llx.pch", o->cache, (unsigned long long)h);
}

static bool make_directory(const char *path, arena *a) {
  char *p = arena_strdup(a, path);
  for (char *slash = p + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    mkdir(p, 0700);
    *slash = '/';
  }
  struct stat s;
  mkdir(p, 0700);
  return stat(p, &s) == 0 && S_ISDIR(s.st_mode) && access(p, W_OK) == 0;
}

static bool clean(CXTranslationUnit unit) {
  bool ok = true;
  for (unsigned i = 0, n = clang_getNumDiagnostics(unit); i < n; i++) {
    CXDiagnostic g = clang_getDiagnostic(unit, i);
    ok = ok && clang_getDiagnosticSeverity(g) < CXDiagnostic_Error;
    clang_disposeDiagnostic(g);
  }
  return ok;
}

/* Parses the headers and saves what that gives to `to`. */
static bool precompile(const tu *t, const char *headers, const strings *args, const char *to, arena *a) {
  strings as_header = {0};
  for (size_t i = 0; i < args->n; i++) *arena_push(a, &as_header) = strcmp(args->at[i], "c++") == 0 ? "c++-header" : args->at[i];
  *arena_push(a, &as_header) = "-fpch-instantiate-templates";
  const char *name = arena_printf(a, "%s.h", to);
  struct CXUnsavedFile file = {name, headers, strlen(headers)};
  CXTranslationUnit unit = NULL;
  unsigned flags = CXTranslationUnit_Incomplete | CXTranslationUnit_ForSerialization;
  bool ok = clang_parseTranslationUnit2(t->index, name, as_header.at, (int)as_header.n, &file, 1, flags, &unit) == CXError_Success && clean(unit) &&
            clang_saveTranslationUnit(unit, to, CXSaveTranslationUnit_None) == CXSaveError_None;
  if (unit) clang_disposeTranslationUnit(unit);
  return ok;
}

const char *pch_find(const tu *t, const strings *args, const command *c, const options *o, arena *a) {
  strbuf headers = {0};
  const char *path = NULL, *private_dir;
  diags *unsaid = diags_new(a); /* a cache that cannot be kept is no fault of the input */
  if (o->cache) includes(&headers, t);
  if (!headers.n) goto out;
  path = path_of(headers.at, args, c, o, a);
  if (access(path, R_OK) == 0) goto out;
  private_dir = make_directory(o->cache, a) ? output_private_dir(unsaid) : NULL;
  const char *made = private_dir ? arena_printf(a, "%s/headers.pch", private_dir) : NULL;
  if (!made || !precompile(t, headers.at, args, made, a) || !output_move(made, path, unsaid)) path = NULL;
out:
  strbuf_free(&headers);
  return path;
}
