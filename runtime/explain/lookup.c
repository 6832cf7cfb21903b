/* lookup.c - see lookup.h. */
#define _GNU_SOURCE
#include "explain/lookup.h"

#include <string.h>

#include "explain/argument.h"
#include "explain/call.h"

enum { GIVEN = -1, ANY = -2 }; /* the call's first integer; which one is not known */

/* Operators whose second tensor holds indices into the first, in a dimension. */
static const struct {
  const char *op;
  int dimension;
} operators[] = {{"embedding", 0},       {"_embedding_bag", 0},    {"index_select", GIVEN},
                 {"gather", GIVEN},      {"scatter_src", GIVEN},   {"scatter", GIVEN},
                 {"scatter_add", GIVEN}, {"scatter_value", GIVEN}, {"scatter_reduce_two", GIVEN},
                 {"index_add", GIVEN},   {"index_copy", GIVEN}};

/* False if the call is none of these. */
static bool begin_lookup(ag_call *c, const ag_record *record, int *dimension) {
  if (!ag_call_begin(c, record, NULL, NULL)) return false;
  for (size_t i = 0; i < sizeof operators / sizeof *operators && c->ntensors > 1; i++) {
    const ag_tensor *t = &c->tensors[0]->view.t;
    if (strcmp(c->op, operators[i].op) != 0) continue;
    int64_t d = operators[i].dimension;
    if (d == GIVEN && c->has_integer) d = c->integer < 0 ? c->integer + t->ndim : c->integer;
    *dimension = d >= 0 && d < t->ndim ? (int)d : ANY;
    return t->ndim > 0;
  }
  ag_call_end(c);
  return false;
}

/* A quick test that runs for each call. */
static bool may_look_up(const char *kernel) {
  return strstr(kernel, "index") || strstr(kernel, "embedding") || strstr(kernel, "gather") ||
         strstr(kernel, "scatter");
}

uint64_t ag_lookup_find_indices(const ag_record *record) {
  ag_call c;
  int dimension;
  if (!may_look_up(ag_launch_site(&record->launch)->kernel) ||
      !begin_lookup(&c, record, &dimension))
    return 0;
  size_t number = (size_t)(c.tensors[1] - record->args);
  ag_call_end(&c);
  return number < 64 ? UINT64_C(1) << number : 0;
}

/* The length of that dimension, or the greatest length. */
static int64_t find_length(const ag_tensor *t, int dimension) {
  int64_t most = 0;
  for (int i = 0; i < t->ndim; i++)
    if ((i == dimension || dimension == ANY) && t->sizes[i] > most) most = t->sizes[i];
  return most;
}

static void add_index(ag_text *t, const ag_record *record, const ag_call *c, int64_t flat,
                      int64_t value, int dimension) {
  const ag_arg *from = c->tensors[0], *index = c->tensors[1];
  int64_t length = find_length(&from->view.t, dimension);
  ag_text_addf(t, "  how           %s", index->param->name);
  ag_tensor_describe_index(t, &index->view.t, flat);
  ag_text_addf(t, " = %lld", (long long)value);
  if (dimension == ANY)
    ag_text_add(t, " is no index of any dimension of ");
  else
    ag_text_addf(t, " is no index of dimension %d of ", dimension);
  ag_argument_add_name(t, from->param);
  ag_text_add(t, length ? ", which has indices " : ", which is empty\n");
  if (length) ag_text_addf(t, "0 to %lld\n", (long long)length - 1);
  ag_text_addf(t, "%16s", "");
  ag_argument_add_name(t, index->param);
  ag_text_add(t, ": ");
  ag_argument_add_writer(t, record->launch.model, index->param);
  ag_text_add(t, "\n");
}

void ag_lookup_explain(ag_text *t, const ag_record *record, uint64_t readable) {
  ag_call c;
  int dimension;
  int64_t value;
  if (!(ag_lookup_find_indices(record) & readable) || !begin_lookup(&c, record, &dimension)) return;
  int64_t length = find_length(&c.tensors[0]->view.t, dimension);
  for (int64_t i = 0; i < c.tensors[1]->view.t.numel && ag_call_has_time(&c); i++) {
    if (!ag_call_read_whole(&c, c.tensors[1], i, &value)) break;
    if (value >= 0 && value < length) continue;
    add_index(t, record, &c, i, value, dimension);
    break;
  }
  ag_call_end(&c);
}
