/* pch.c - see pch.h. */
#include "parse/clang_pch.h"
#include "parse/pch_cache.h"
#include "system/atomic_output.h"
#include <string.h>
#include <unistd.h>

static uint64_t key_of(const char *headers, const strings *args, const command *c) {
  CXString version = clang_getClangVersion();
  uint64_t key = cache_key(cache_key(CACHE_KEY, clang_getCString(version)), headers);
  for (size_t i = 0; i < args->n; i++) key = cache_key(key, args->at[i]);
  clang_disposeString(version);
  return cache_key(cache_key(key, c->torch ? c->torch : ""),
                   c->torch_version ? c->torch_version : "");
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

/* What one is made of. */
typedef struct recipe {
  const char *headers, *to;
  const strings *args;
  arena *a;
} recipe;

/* Parses the headers and saves what that gives. */
static bool precompile(void *data) {
  const recipe *r = data;
  strings as_header = {0};
  for (size_t i = 0; i < r->args->n; i++)
    *arena_push(r->a, &as_header) = strcmp(r->args->at[i], "c++") == 0 ? "c++-header"
                                                                       : r->args->at[i];
  *arena_push(r->a, &as_header) = "-fpch-instantiate-templates";
  const char *name = arena_printf(r->a, "%s.h", r->to);
  struct CXUnsavedFile file = {name, r->headers, strlen(r->headers)};
  CXTranslationUnit unit = NULL;
  unsigned flags = CXTranslationUnit_Incomplete | CXTranslationUnit_ForSerialization;
  return clang_parseTranslationUnit2(clang_createIndex(0, 0), name, as_header.at, (int)as_header.n,
                                     &file, 1, flags, &unit) == CXError_Success &&
         clean(unit) &&
         clang_saveTranslationUnit(unit, r->to, CXSaveTranslationUnit_None) == CXSaveError_None;
}

/* Apart from us: libclang ends its process where the disk is full. */
static bool start(process *p, const char *headers, const strings *args, const char *to, arena *a) {
  recipe r = {headers, to, args, a};
  return process_copy(p, precompile, &r);
}

/* The two places of one header: kept, and made just now. */
typedef struct places {
  const char *kept, *made;
} places;

static places places_of(const char *headers, const strings *args, const command *c,
                        const options *o, arena *a) {
  const char *kept = cache_path(o, key_of(headers, args, c), ".pch", a),
             *dir = output_private_dir(diags_new(a));
  return (places){kept, dir ? arena_printf(a, "%s%s", dir, strrchr(kept, '/')) : NULL};
}

const char *pch_find(const tu *t, const strings *args, const command *c, const options *o,
                     arena *a) {
  strbuf headers = o->cache ? cache_headers(t->text, t->n) : (strbuf){0};
  const char *path = NULL;
  process made;
  if (headers.n) {
    places p = places_of(headers.at, args, c, o, a);
    if (access(p.kept, R_OK) == 0)
      path = p.kept;
    else if (p.made && o->closed)
      path = access(p.made, R_OK) == 0 ? p.made : NULL;
    else if (p.made && start(&made, headers.at, args, p.made, a) && process_wait(&made) &&
             cache_keep(o, p.made, p.kept, a))
      path = p.kept;
  }
  strbuf_free(&headers);
  return path;
}

const char *pch_make(process *child, const tu *t, const strings *args, const command *c,
                     const options *o, arena *a) {
  strbuf headers = o->cache ? cache_headers(t->text, t->n) : (strbuf){0};
  const char *path = NULL;
  if (headers.n) {
    places p = places_of(headers.at, args, c, o, a);
    bool there = access(p.kept, R_OK) == 0 || (p.made && access(p.made, R_OK) == 0);
    if (p.made && !there && start(child, headers.at, args, p.made, a)) path = p.made;
  }
  strbuf_free(&headers);
  return path;
}

void pch_keep(const char *made, const options *o, arena *a) {
  cache_keep(o, made, arena_printf(a, "%s%s", o->cache, strrchr(made, '/')), a);
}
