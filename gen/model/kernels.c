/* kernels.c - see kernels.h. */
#include "model/kernels.h"
#include "base/string_map.h"
#include "model/cpp_functions.h"
#include "model/literal.h"
#include "model/op_table.h"
#include "parse/lex.h"
#include <string.h>

const char *kernels_name(const char *launcher) {
  return strncmp(launcher, "call_", 5) == 0 ? launcher + 5 : launcher;
}

/* ---- Triton --------------------------------------------------------------------------------- */

/* Where each identifier "..._source" stands first. Without autotuning the source of kernel K is a
 * raw string called K_source. */
static string_map *index_sources(const facts *f, arena *a) {
  static const char suffix[] = "_source";
  const size_t n = sizeof suffix - 1;
  string_map *sources = string_map_create(a);
  for (size_t at = 0, end; at < f->n; at = end) {
    end = lex_skip_token(f->text, at, f->n);
    if (lex_is_identifier(f->text[at]) && end - at > n && memcmp(f->text + end - n, suffix, n) == 0)
      string_map_put_index(sources, arena_strndup(a, f->text + at, end - at), at);
  }
  return sources;
}

void kernels_read(model *m, arena *a) {
  const facts *f = m->facts;
  string_map *sources = NULL;
  for (size_t i = 0; i < f->functions.n; i++) {
    const fact_function *x = &f->functions.at[i];
    if (x->is != FUNCTION_LAUNCHER) continue;
    triton k;
    const char *name = kernels_name(x->name);
    if (!triton_read(&k, name, f->text + x->body.begin, x->body.end - x->body.begin, a)) {
      if (!sources) sources = index_sources(f, a);
      size_t at = string_map_index(sources, arena_printf(a, "%s_source", name));
      if (at >= x->at || !triton_read(&k, name, f->text + at, x->at - at, a)) continue;
    }
    *arena_push(a, &m->kernels) = k;
  }
}

/* ---- launches ------------------------------------------------------------------------------- */

/* launchKernel(KERNEL, X, Y, Z, ...) at `at` */
static void read_launch(model *m, const fact_function *f, size_t at, const char *kernel, arena *a) {
  const char *text = m->facts->text;
  size_t open = lex_skip_space(text, at + strlen("launchKernel"), f->body.end),
         close = lex_match(text, open, f->body.end);
  launch l = {.kernel = kernel, .statement = at};
  size_t p = lex_find(text, open + 1, close, ',');
  for (int i = 0; i < 3 && p < close; i++) {
    size_t begin = lex_skip_space(text, p + 1, close);
    p = lex_find(text, begin, close, ',');
    l.grid[i] = arena_strndup(a, text + begin, p - begin);
  }
  if (l.grid[2]) *arena_push(a, &m->launches) = l;
}

void kernels_read_launches(model *m, arena *a) {
  const facts *f = m->facts;
  for (size_t i = 0; i < f->functions.n; i++) {
    const fact_function *x = &f->functions.at[i];
    if (x->is != FUNCTION_LAUNCHER) continue;
    size_t at = lex_find_word(f->text, x->body.begin, x->body.end, "launchKernel");
    if (at < x->body.end) read_launch(m, x, at, kernels_name(x->name), a);
  }
  for (size_t i = 0; i < m->sites.n; i++) {
    const fact_call *c = m->sites.at[i].call;
    if (c->calls == CALLS_LAUNCH && !m->sites.at[i].skipped)
      read_launch(m, &f->functions.at[c->function], c->at, m->sites.at[i].kernel, a);
  }
}

/* ---- infinities ----------------------------------------------------------------------------- */

/* The flags of a C++ kernel. A constant of the model is
 * static_cast<float>(-std::numeric_limits<float>::infinity()); the start of a reduction is not
 * cast. */
static unsigned find_cast_infinities(const char *text, span body) {
  static const char limits[] = "std::numeric_limits", infinity[] = "infinity";
  unsigned flags = 0;
  for (size_t at = body.begin; (at = lex_find_word(text, at, body.end, "static_cast")) < body.end;
       at++) {
    size_t open = lex_find(text, at, body.end, '('), close = lex_match(text, open, body.end);
    bool negative = text[open + 1] == '-';
    size_t begin = open + 1 + negative;
    if (close < begin + sizeof limits || memcmp(text + begin, limits, sizeof limits - 1) != 0 ||
        !memmem(text + begin, close - begin, infinity, sizeof infinity - 1))
      continue;
    flags |= negative ? SITE_MAKES_NEG_INF : SITE_MAKES_POS_INF;
  }
  return flags;
}

static unsigned find_cpp_infinities(const cpp_functions files[2], const char *kernel) {
  for (int i = 0; i < 2; i++) {
    const cpp_function *x = cpp_functions_find(&files[i], kernel);
    if (x) return find_cast_infinities(files[i].text, x->body);
  }
  return 0;
}

void kernels_mark_infinities(model *m, const companion_texts *beside, arena *a) {
  cpp_functions files[2] = {0}; /* the kernel file, the wrapper */
  bool read = false;
  for (size_t i = 0; i < m->sites.n; i++) {
    site *s = &m->sites.at[i];
    for (size_t k = 0; k < s->aten.n; k++)
      if (op_table_makes_neg_inf(s->aten.at[k])) s->flags |= SITE_MAKES_NEG_INF;
    if (s->triton && s->triton->makes_neg_inf) s->flags |= SITE_MAKES_NEG_INF;
    if (s->triton && s->triton->makes_pos_inf) s->flags |= SITE_MAKES_POS_INF;
    if (s->form != FORM_CPU) continue;
    if (!read) {
      cpp_functions_read(&files[0], beside->kernel, beside->kernel ? strlen(beside->kernel) : 0, a);
      cpp_functions_read(&files[1], m->facts->text, m->facts->n, a);
      read = true;
    }
    s->flags |= find_cpp_infinities(files, s->kernel);
  }
}

/* ---- files ---------------------------------------------------------------------------------- */

void kernels_read_cubins(model *m, arena *a) {
  const facts *f = m->facts;
  string_map *known = string_map_create(a);
  for (size_t at = 0; (at = lex_find_word(f->text, at, f->n, "loadKernel")) < f->n; at++) {
    size_t open = lex_skip_space(f->text, at + strlen("loadKernel"), f->n), past;
    if (open >= f->n || f->text[open] != '(') continue;
    const char *path =
        literal_read(f->text, lex_skip_space(f->text, open + 1, f->n), f->n, &past, a);
    if (path && string_map_put(known, path, path)) *arena_push(a, &m->cubins) = path;
  }
}
