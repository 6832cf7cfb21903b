/* weights_declared.c - see weights_declared.h. The constructor's body is read by constructor.c, its
 * initializer list here. */
#include "model/weights_declared.h"
#include "command/wrapper_kind.h"
#include "model/parts.h"
#include "parse/lex.h"
#include <string.h>

/* True if the initializer list of `f` calls AOTInductorModelBase(..., include_weights) with false.
 */
static bool leaves_weights_out(const char *text, const fact_function *f) {
  size_t end = f->body.begin, base = lex_find_word(text, f->offset, end, "AOTInductorModelBase"),
         open = lex_find(text, base, end, '('), close = lex_match(text, open, end), last = open;
  if (open >= end) return false;
  for (size_t comma = open; comma < close; comma = lex_find(text, comma + 1, close, ','))
    last = comma;
  return lex_is_word(text, lex_skip_space(text, last + 1, close), close, "false");
}

static void read_constructor(weights_declared *declared, const model *m, const fact_function *f) {
  *declared = (weights_declared){.has_constructor = true,
                                 .left_out = leaves_weights_out(m->facts->text, f)};
  for (size_t i = 0; i < m->weights.n; i++) {
    const weight *x = &m->weights.at[i];
    /* A number beyond 63 bits is larger than any file. */
    uint64_t bytes = x->bytes < 0 || x->bytes == INT64_MAX ? UINT64_MAX : (uint64_t)x->bytes;
    if (!x->from_folded && __builtin_add_overflow(declared->bytes, bytes, &declared->bytes))
      declared->bytes = UINT64_MAX;
  }
}

void weights_declared_by_model(weights_declared *declared, const model *m) {
  const facts *f = m->facts;
  *declared = (weights_declared){0};
  for (size_t i = 0; i < f->functions.n; i++) {
    const fact_function *x = &f->functions.at[i];
    if (x->kind == FUNCTION_CONSTRUCTOR && m->class_name && !strcmp(x->name, m->class_name))
      read_constructor(declared, m, x);
  }
}

/* Finds the model's constructor by its text alone. False if there is none. */
static bool find_constructor(fact_function *f, const char *text, size_t n) {
  size_t open = wrapper_find_constructor(text, n), body;
  if (open == n) return false;
  body = lex_find(text, lex_match(text, open, n), n, '{');
  *f = (fact_function){
      .kind = FUNCTION_CONSTRUCTOR, .offset = open, .body = {body, lex_match(text, body, n)}};
  return true;
}

void weights_declared_by_text(weights_declared *declared, const char *text, size_t n, arena *a) {
  const facts f = {.text = text, .n = n};
  model m = {.facts = &f};
  fact_function constructor;
  *declared = (weights_declared){0};
  if (!find_constructor(&constructor, text, n)) return;
  constructor_read(&m, &constructor, a);
  read_constructor(declared, &m, &constructor);
}
