/* input_checks.c - see parts.h. */
#include "model/parts.h"
#include "base/string_map.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

typedef struct input_reader {
  model *m;
  string_map *inputs; /* by name, to a model_input */
  arena *a;
} input_reader;

static model_input *find_input(const input_reader *reader, const char *name, size_t n) {
  return n ? string_map_get(reader->inputs, arena_strndup(reader->a, name, n)) : NULL;
}

/* Dimension i of an input, which is extended to at least i + 1 dimensions. */
static aotigen_dim *reach_dim(model_input *in, long i) {
  if (i < 0 || i >= MODEL_DIMS_MAX) return NULL;
  for (; in->ndim <= i; in->ndim++)
    if (in->ndim >= 0)
      in->dims[in->ndim] = (aotigen_dim){AOTIGEN_ANY, AOTIGEN_ANY, AOTIGEN_ANY, NULL};
  return &in->dims[i];
}

/* The dimension that "arg4_1_size[0]" names, and its input, for suffix "_size" or "_stride". */
static aotigen_dim *find_dim(const input_reader *reader, const char *at, size_t n,
                             const char *suffix) {
  const size_t name = lex_measure_word(at, n), s = strlen(suffix);
  if (name <= s || name >= n || at[name] != '[' || memcmp(at + name - s, suffix, s) != 0)
    return NULL;
  model_input *in = find_input(reader, at, name - s);
  return in ? reach_dim(in, strtol(at + name + 1, NULL, 10)) : NULL;
}

/* "64 != arg4_1_size[1]", "arg4_1_size[0] < 2", "arg4_1_size[0] > 1024", "1 != arg4_1_stride[1]" */
static void read_condition(const input_reader *reader, const char *at, size_t n) {
  char *after;
  long long value = strtoll(at, &after, 10);
  if (after > at) {
    while (*after == 'L' || *after == ' ') after++;
    if (strncmp(after, "!= ", 3) != 0) return;
    after += 3;
    aotigen_dim *d = find_dim(reader, after, n - (size_t)(after - at), "_size");
    if (d) d->min = d->max = value;
    d = find_dim(reader, after, n - (size_t)(after - at), "_stride");
    if (d) d->stride = value;
    return;
  }
  aotigen_dim *d = find_dim(reader, at, n, "_size");
  const char *close = memchr(at, ']', n);
  if (!d || !close || (size_t)(close - at) + 3 >= n) return;
  value = strtoll(close + 4, NULL, 10);
  if (close[2] == '<') d->min = value;
  if (close[2] == '>') d->max = value;
}

static const char *read_word_after(const char *at, const char *end, const char *what, arena *a) {
  const size_t n = strlen(what);
  for (const char *p = at; p + n < end; p++) {
    if (memcmp(p, what, n) != 0) continue;
    p += n;
    return arena_strndup(a, p, lex_measure_word(p, (size_t)(end - p)));
  }
  return NULL;
}

/* "arg0_1_expected_dtype = aoti_torch_dtype_float32();" and "<< arg0_1_expected_device_type <<
 * "0(cpu), "" */
static void read_expected(const input_reader *reader, const char *at, const char *end) {
  const size_t n = lex_measure_word(at, (size_t)(end - at));
  static const char dtype[] = "_expected_dtype", device[] = "_expected_device_type";
  const char *line = memchr(at, '\n', (size_t)(end - at));
  if (!line) line = end;
  if (n > sizeof dtype - 1 && memcmp(at + n - (sizeof dtype - 1), dtype, sizeof dtype - 1) == 0) {
    model_input *in = find_input(reader, at, n - (sizeof dtype - 1));
    if (in && !in->dtype) in->dtype = read_word_after(at + n, line, "aoti_torch_dtype_", reader->a);
  }
  if (n > sizeof device - 1 &&
      memcmp(at + n - (sizeof device - 1), device, sizeof device - 1) == 0) {
    model_input *in = find_input(reader, at, n - (sizeof device - 1));
    const char *open = memchr(at + n, '(', (size_t)(line - at) - n);
    if (in && !in->device && open && strncmp(at + n, " << \"", 5) == 0)
      in->device = arena_strndup(reader->a, open + 1, strcspn(open + 1, ")"));
  }
}

static void read_check(const input_reader *reader, const fact_function *f) {
  const char *text = reader->m->facts->text;
  for (size_t at = f->body.begin; at < f->body.end; at = lex_skip_token(text, at, f->body.end)) {
    if (!lex_is_identifier(text[at])) continue;
    if (lex_is_word(text, at, f->body.end, "if")) {
      size_t open = lex_skip_space(text, at + 2, f->body.end),
             close = lex_match(text, open, f->body.end);
      if (text[open] == '(' && close < f->body.end)
        read_condition(reader, text + open + 1, close - open - 1);
    }
    read_expected(reader, text + at, text + f->body.end);
  }
}

/* A size as assert_size_stride writes it: "64L", or a symbol; anything else stays unknown. */
static void read_size(aotigen_dim *d, const char *at, size_t n, bool stride, arena *a) {
  char *after;
  long long value = strtoll(at, &after, 10);
  bool number = after > at && (size_t)(after - at) + 1 >= n;
  if (stride)
    d->stride = number ? value : d->stride;
  else if (number)
    d->min = d->max = value;
  else if (n && lex_measure_word(at, n) == n)
    d->symbol = arena_strndup(a, at, n);
}

static void read_list(const input_reader *reader, model_input *in, size_t open, size_t end,
                      bool stride) {
  const char *text = reader->m->facts->text;
  size_t close = lex_match(text, open, end);
  int i = 0;
  for (size_t at = lex_skip_space(text, open + 1, close); at < close; i++) {
    size_t comma = lex_find(text, at, close, ','), stop = comma;
    while (stop > at && text[stop - 1] == ' ') stop--;
    aotigen_dim *d = reach_dim(in, i);
    if (d) read_size(d, text + at, stop - at, stride, reader->a);
    at = lex_skip_space(text, comma < close ? comma + 1 : close, close);
  }
  if (in->ndim < 0) in->ndim = 0;
}

/* assert_size_stride(arg4_1, {8L, s77}, {64L, 1L}, "input") */
static void read_assertions(const input_reader *reader, const fact_function *f) {
  const char *text = reader->m->facts->text;
  for (size_t at = f->body.begin;
       (at = lex_find_word(text, at, f->body.end, "assert_size_stride")) < f->body.end; at++) {
    size_t open = lex_skip_space(text, at + 18, f->body.end), name = open + 1,
           n = lex_measure_word(text + name, SIZE_MAX);
    size_t close = lex_match(text, open, f->body.end);
    model_input *in = find_input(reader, text + name, n);
    if (!in || close >= f->body.end) continue;
    size_t sizes = lex_skip_space(text, name + n + 1, close),
           strides = lex_skip_space(text, lex_match(text, sizes, close) + 2, close);
    if (text[sizes] == '{') read_list(reader, in, sizes, close, false);
    if (strides < close && text[strides] == '{') read_list(reader, in, strides, close, true);
  }
}

/* int64_t s77 = arg4_1_size[0]; */
static void read_symbols(const input_reader *reader) {
  const facts *f = reader->m->facts;
  for (size_t i = 0; i < f->vars.n; i++) {
    const fact_var *v = &f->vars.at[i];
    if (v->holds != HOLDS_SCALAR || v->init.end == v->init.begin) continue;
    aotigen_dim *d =
        find_dim(reader, f->text + v->init.begin, v->init.end - v->init.begin, "_size");
    if (d && !d->symbol) d->symbol = v->name;
  }
}

/* "s77" */
static bool is_symbol(const char *name) {
  return *name == 's' && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

/* The only dimension whose size the wrapper reads as a symbol, or NULL. */
static const aotigen_dim *find_only_symbol(const model *m) {
  const aotigen_dim *only = NULL;
  for (size_t i = 0; i < m->inputs.n; i++) {
    if (m->inputs.at[i].unranked) return NULL;
    for (int k = 0; k < m->inputs.at[i].ndim; k++) {
      const aotigen_dim *d = &m->inputs.at[i].dims[k];
      if (d->symbol && only) return NULL;
      if (d->symbol) only = d;
    }
  }
  return only && is_symbol(only->symbol) ? only : NULL;
}

/* A wrapper reads each symbol of its inputs' sizes once. A size that it does not read is that of
 * the only symbol, or a linear function of it, which has another range if the range has two
 * ends. */
static void share_symbol(model *m) {
  const aotigen_dim *only = find_only_symbol(m);
  if (!only || only->min == AOTIGEN_ANY || only->max == AOTIGEN_ANY || only->min == only->max)
    return;
  for (size_t i = 0; i < m->inputs.n; i++)
    for (int k = 0; k < m->inputs.at[i].ndim; k++) {
      const aotigen_dim *d = &m->inputs.at[i].dims[k];
      if (d->min == only->min && d->max == only->max) m->inputs.at[i].unread[k] = only->symbol;
    }
}

void input_checks_read(model *m, arena *a) {
  const facts *f = m->facts;
  input_reader r = {.m = m, .inputs = string_map_create(a), .a = a};
  for (size_t i = 0; i < m->inputs.n; i++)
    string_map_put(r.inputs, m->inputs.at[i].name, &m->inputs.at[i]);
  for (size_t i = 0; i < f->functions.n; i++) {
    if (f->functions.at[i].kind == FUNCTION_CHECK) read_check(&r, &f->functions.at[i]);
    if (f->functions.at[i].kind == FUNCTION_RUN) read_assertions(&r, &f->functions.at[i]);
  }
  /* torch 2.6 emits no checks. The sizes of its inputs are known if they have a symbol, the rank
   * is not. */
  for (size_t i = 0; i < m->inputs.n; i++) m->inputs.at[i].unranked = m->inputs.at[i].ndim < 0;
  read_symbols(&r);
  share_symbol(m);
}
