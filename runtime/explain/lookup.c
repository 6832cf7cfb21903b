/* lookup.c - see lookup.h. */
#define _GNU_SOURCE
#include "explain/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "explain/argument.h"
#include "explain/call.h"

enum { INDICES_MOST = AG_CALL_TENSORS };
/* A dimension that the call's first integer gives; one that is not known; and, of the tensors that
 * follow the first one, each its own. */
enum { GIVEN = -1, ANY = -2, EACH = -3 };

/* Operators whose second tensor holds indices into the first, in a dimension, or several tensors
 * do. wraps: a negative index counts from the end. */
static const struct {
  const char *op;
  int dimension;
  bool wraps;
} operators[] = {{"embedding", 0, false},
                 {"_embedding_bag", 0, false},
                 {"_embedding_bag_forward_only", 0, false},
                 {"index_select", GIVEN, false},
                 {"gather", GIVEN, false},
                 {"scatter", GIVEN, false},
                 {"scatter_src", GIVEN, false},
                 {"scatter_value", GIVEN, false},
                 {"scatter_add", GIVEN, false},
                 {"scatter_reduce", GIVEN, false},
                 {"scatter_reduce_two", GIVEN, false},
                 {"index_add", GIVEN, false},
                 {"index_copy", GIVEN, false},
                 {"index_reduce", GIVEN, false},
                 {"index_fill", GIVEN, true},
                 {"index_fill_int_Scalar", GIVEN, true},
                 {"index_fill_int_Tensor", GIVEN, true},
                 {"index", EACH, true},
                 {"index_Tensor", EACH, true},
                 {"index_put", EACH, true},
                 {"_index_put_impl", EACH, true},
                 {"_unsafe_index", EACH, true},
                 {"_unsafe_index_Tensor", EACH, true},
                 {"_unsafe_index_put", EACH, true}};

typedef struct lookup {
  ag_call call;
  const ag_arg *from; /* whose elements are looked up, or stored */
  bool wraps;
  int n;
  struct {
    const ag_arg *arg;
    int dimension; /* of `from`, or ANY */
  } indices[INDICES_MOST];
} lookup;

/* The operator's row; -1 if it has none. One that works in place has an underscore more. */
static int find_operator(const char *op) {
  size_t n = strlen(op);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    size_t m = strlen(operators[i].op);
    if (strncmp(op, operators[i].op, m) == 0 && (n == m || (n == m + 1 && op[m] == '_')))
      return (int)i;
  }
  return -1;
}

/* The dimension that the call is given; of a call by the proxy executor wrapper.json has it. */
static int find_dimension(const lookup *l, const aotigen_op *op) {
  const int32_t ndim = l->from->view.t.ndim;
  int64_t d = l->call.integer;
  bool known = l->call.has_integer;
  for (uint32_t i = 0; op && i < op->ninputs; i++)
    if (op->values[i].text && !strcmp(op->values[i].name, "dim")) {
      char *end;
      d = strtoll(op->values[i].text, &end, 10);
      known = !*end;
    }
  if (d < 0) d += ndim;
  return known && d >= 0 && d < ndim ? (int)d : ANY;
}

static void add_indices(lookup *l, const ag_arg *arg, int dimension) {
  if (l->n < INDICES_MOST) {
    l->indices[l->n].arg = arg;
    l->indices[l->n++].dimension = dimension;
  }
}

static bool is_mask(const ag_arg *a) {
  return !strcmp(a->view.t.dtype->name, "bool") || !strcmp(a->view.t.dtype->name, "uint8");
}

/* The tensors from `at` on up to their number, each for the next dimension; a mask stands for as
 * many as it has. Where some are left out, it is not known for which dimensions the others are. */
static void list_each(lookup *l, const ag_record *record, size_t at) {
  int dimension = 0, n = 0;
  for (; at < record->nargs && record->args[at].view.state != AG_VIEW_NONE; at++, n++) {
    const ag_arg *a = &record->args[at];
    if (a->view.state == AG_VIEW_OK && !is_mask(a)) add_indices(l, a, dimension);
    dimension += a->view.state == AG_VIEW_OK && is_mask(a) ? a->view.t.ndim : 1;
  }
  const bool counted = at < record->nargs && record->args[at].value.kind == AOTIGEN_V_INT;
  if (!counted) l->n = 0; /* other tensors may follow them */
  for (int i = 0; i < l->n; i++)
    if (record->args[at].value.v.i != n || l->indices[i].dimension >= l->from->view.t.ndim)
      l->indices[i].dimension = ANY;
}

/* The first argument from `at` on that is a tensor which existed before the call. */
static size_t find_tensor(const ag_record *record, size_t at) {
  while (at < record->nargs &&
         (record->args[at].view.state != AG_VIEW_OK || record->args[at].param->role == AOTIGEN_OUT))
    at++;
  return at;
}

/* False if the call is none of these. */
static bool begin_lookup(lookup *l, const ag_record *record) {
  *l = (lookup){.n = 0};
  if (!ag_call_begin(&l->call, record, NULL, NULL)) return false;
  const int row = find_operator(l->call.op);
  /* The output of a call that has it first may be the tensor that is stored to. */
  const bool skips = l->call.begins_with_out && record->nargs &&
                     record->args[0].param->role != AOTIGEN_OUT;
  const size_t from = find_tensor(record, skips), next = find_tensor(record, from + 1);
  if (row >= 0 && next < record->nargs && record->args[from].view.t.ndim > 0) {
    l->from = &record->args[from];
    l->wraps = operators[row].wraps;
    if (operators[row].dimension == EACH)
      list_each(l, record, next);
    else
      add_indices(l, &record->args[next],
                  operators[row].dimension == GIVEN
                      ? find_dimension(l, ag_launch_site(&record->launch)->op)
                      : operators[row].dimension);
  }
  if (!l->n) ag_call_end(&l->call);
  return l->n > 0;
}

/* A quick test that runs for each call. */
static bool may_look_up(const char *kernel) {
  return strstr(kernel, "index") || strstr(kernel, "embedding") || strstr(kernel, "gather") ||
         strstr(kernel, "scatter");
}

uint64_t ag_lookup_find_indices(const ag_record *record) {
  lookup l;
  uint64_t found = 0;
  if (!may_look_up(ag_launch_site(&record->launch)->kernel) || !begin_lookup(&l, record)) return 0;
  for (int i = 0; i < l.n; i++) {
    size_t number = (size_t)(l.indices[i].arg - record->args);
    if (number < 64) found |= UINT64_C(1) << number;
  }
  ag_call_end(&l.call);
  return found;
}

/* The length of that dimension, or the greatest length. */
static int64_t find_length(const ag_tensor *t, int dimension) {
  int64_t most = 0;
  for (int i = 0; i < t->ndim; i++)
    if ((i == dimension || dimension == ANY) && t->sizes[i] > most) most = t->sizes[i];
  return most;
}

static void add_index(ag_text *t, const ag_record *record, const lookup *l, int number,
                      int64_t flat, int64_t value) {
  const ag_arg *index = l->indices[number].arg;
  const int dimension = l->indices[number].dimension;
  int64_t length = find_length(&l->from->view.t, dimension);
  ag_text_addf(t, "  how           %s", index->param->name);
  ag_tensor_describe_index(t, &index->view.t, flat);
  ag_text_addf(t, " = %lld", (long long)value);
  if (dimension == ANY)
    ag_text_add(t, " is no index of any dimension of ");
  else
    ag_text_addf(t, " is no index of dimension %d of ", dimension);
  ag_argument_add_name(t, l->from->param);
  ag_text_add(t, length ? ", which has indices " : ", which is empty\n");
  if (length)
    ag_text_addf(t, "%lld to %lld\n", l->wraps ? -(long long)length : 0LL, (long long)length - 1);
  ag_text_addf(t, "%16s", "");
  ag_argument_add_name(t, index->param);
  ag_text_add(t, ": ");
  ag_argument_add_writer(t, record->launch.model, index->param);
  ag_text_add(t, "\n");
}

/* Adds the first index of a tensor that is none. False if all of them are, or cannot be read. */
static bool add_first(ag_text *t, const ag_record *record, lookup *l, int number) {
  const ag_arg *index = l->indices[number].arg;
  int64_t length = find_length(&l->from->view.t, l->indices[number].dimension), value;
  for (int64_t i = 0; i < index->view.t.numel && ag_call_may_go_on(&l->call); i++) {
    if (!ag_call_read_whole(&l->call, index, i, &value)) return false;
    if (value >= (l->wraps ? -length : 0) && value < length) continue;
    add_index(t, record, l, number, i, value);
    return true;
  }
  return false;
}

void ag_lookup_explain(ag_text *t, const ag_record *record, uint64_t readable) {
  lookup l;
  if (!(ag_lookup_find_indices(record) & readable) || !begin_lookup(&l, record)) return;
  for (int i = 0; i < l.n; i++) {
    size_t number = (size_t)(l.indices[i].arg - record->args);
    if (number < 64 && readable >> number & 1 && add_first(t, record, &l, i)) break;
  }
  ag_call_end(&l.call);
}
