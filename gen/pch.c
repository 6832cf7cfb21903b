/* pch.c - see pch.h. */
#include "pch.h"
#include "cache.h"
#include "output.h"
#include <string.h>
#include <unistd.h>

static const char *path_of(const char *headers, const strings *args, const command *c, const options *o, arena *a) {
  CXString version = clang_getClangVersion();
  uint64_t key = cache_key(cache_key(CACHE_KEY, clang_getCString(version)), headers);
  for (size_t i = 0; i < args->n; i++) key = cache_key(key, args->at[i]);
  clang_disposeString(version);
  key = cache_key(cache_key(key, c->torch ? c->torch : ""), c->torch_version ? c->torch_version : "");
  return cache_path(o, key, ".pch", a);
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
  diags *unsaid = diags_new(a);
  strbuf headers = o->cache ? cache_headers(t->text, t->n) : (strbuf){0};
  const char *path = headers.n ? path_of(headers.at, args, c, o, a) : NULL, *private_dir;
  if (path && access(path, R_OK) != 0) {
    const char *made = (private_dir = output_private_dir(unsaid)) ? arena_printf(a, "%s/headers.pch", private_dir) : NULL;
    if (!made || !precompile(t, headers.at, args, made, a) || !cache_keep(o, made, path, a)) path = NULL;
  }
  strbuf_free(&headers);
  return path;
}
