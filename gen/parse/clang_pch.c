/* clang_pch.c - see clang_pch.h. */
#include "parse/clang_pch.h"
#include "base/file.h"
#include "parse/confined_parser.h"
#include "parse/pch_headers.h"
#include "system/cache.h"
#include "system/cleanup.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t make_key(const char *headers, const strings *args, const command *c) {
  CXString version = clang_getClangVersion();
  uint64_t key = cache_key(cache_key(CACHE_KEY, clang_getCString(version)), headers);
  for (size_t i = 0; i < args->n; i++) key = cache_key(key, args->at[i]);
  clang_disposeString(version);
  key = cache_key(key, c->torch ? c->torch : "");
  return cache_key(key, c->torch_version ? c->torch_version : "");
}

static bool has_no_errors(CXTranslationUnit unit) {
  bool ok = true;
  for (unsigned i = 0, n = clang_getNumDiagnostics(unit); i < n; i++) {
    CXDiagnostic g = clang_getDiagnostic(unit, i);
    ok = ok && clang_getDiagnosticSeverity(g) < CXDiagnostic_Error;
    clang_disposeDiagnostic(g);
  }
  return ok;
}

typedef struct recipe {
  const char *headers, *to;
  const strings *args;
  arena *a;
} recipe;

/* Parses the headers and saves the result. What their functions do is not asked for: their bodies
 * are skipped, those aside that a type or a constant depends on. */
static bool precompile_headers(void *data) {
  const recipe *r = data;
  strings args = {0};
  for (size_t i = 0; i < r->args->n; i++)
    *arena_push(r->a, &args) = strcmp(r->args->at[i], "c++") == 0 ? "c++-header" : r->args->at[i];
  *arena_push(r->a, &args) = "-fpch-instantiate-templates";
  const char *name = arena_printf(r->a, "%s.h", r->to);
  struct CXUnsavedFile file = {name, r->headers, strlen(r->headers)};
  CXTranslationUnit unit = NULL;
  unsigned flags = CXTranslationUnit_Incomplete | CXTranslationUnit_ForSerialization |
                   CXTranslationUnit_SkipFunctionBodies;
  return clang_parseTranslationUnit2(clang_createIndex(0, 0), name, args.at, (int)args.n, &file, 1,
                                     flags, &unit) == CXError_Success &&
         has_no_errors(unit) &&
         clang_saveTranslationUnit(unit, r->to, CXSaveTranslationUnit_None) == CXSaveError_None;
}

/* Runs in a child process, since libclang ends its process if the disk is full. */
static bool start_precompiling(process *p, const char *headers, const strings *args, const char *to,
                               const translation_unit_input *in, arena *a) {
  recipe r = {headers, to, args, a};
  confined_parser rules;
  if (!confined_parser_begin(&rules, in, file_dir(a, to), a, diags_new(a))) return false;
  bool ok = process_fork(p, precompile_headers, &r, &rules.how);
  confined_parser_end(&rules);
  return ok;
}

/* The places of one header: in the cache, NULL if nothing is kept, and in the private directory
 * while it is new. */
typedef struct places {
  const char *kept, *made;
} places;

static places find_places(const char *headers, const strings *args,
                          const translation_unit_input *in, arena *a) {
  const uint64_t key = make_key(headers, args, in->command);
  const char *dir = cleanup_private_dir(diags_new(a)),
             *own = dir ? arena_printf(a, "%s/parser", dir) : NULL;
  bool made = own && (mkdir(own, 0700) == 0 || errno == EEXIST);
  return (places){cache_path(in->options, key, ".pch", a),
                  made ? arena_printf(a, "%s/%016" PRIx64 ".pch", own, key) : NULL};
}

static bool can_read(const char *path) { return path && access(path, R_OK) == 0; }

/* Makes the header of a trusted wrapper, in the cache if that can be written to. */
static const char *precompile(const places *p, const char *headers, const strings *args,
                              const translation_unit_input *in, arena *a) {
  process made;
  if (!p->made || !start_precompiling(&made, headers, args, p->made, in, a) || !process_wait(&made))
    return NULL;
  if (p->kept && cache_keep_with_sum(in->options, p->made, p->kept, a)) return p->kept;
  return can_read(p->made) ? p->made : NULL;
}

const char *clang_pch_find(const translation_unit_input *in, const strings *args, arena *a) {
  const bool untrusted = in->command->untrusted;
  strbuf headers = in->options->env.cache || !untrusted ? pch_headers_list(in->text, in->n)
                                                        : (strbuf){0};
  const char *path = NULL;
  if (headers.n) {
    places p = find_places(headers.at, args, in, a);
    if (p.kept && cache_has_with_sum(p.kept, a))
      path = p.kept;
    else if (can_read(p.made))
      path = p.made;
    else if (!untrusted)
      path = precompile(&p, headers.at, args, in, a);
  }
  strbuf_free(&headers);
  return path;
}

const char *clang_pch_start(process *child, const translation_unit_input *in, const strings *args,
                            arena *a) {
  strbuf headers = in->options->env.cache ? pch_headers_list(in->text, in->n) : (strbuf){0};
  const char *path = NULL;
  if (headers.n) {
    places p = find_places(headers.at, args, in, a);
    if (p.made && !cache_has_with_sum(p.kept, a) && !can_read(p.made) &&
        start_precompiling(child, headers.at, args, p.made, in, a))
      path = p.made;
  }
  strbuf_free(&headers);
  return path;
}

void clang_pch_keep(const char *made, const options *o, arena *a) {
  cache_keep_with_sum(o, made, arena_printf(a, "%s/%s", o->env.cache, file_name(made)), a);
}
