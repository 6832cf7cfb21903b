/* input_sizes.c - see input_sizes.h. For each input the list has its rank, and behind it its
 * sizes. */
#include "checks/input_sizes.h"

#include <string.h>

#include "shared/postfix.h"

static bool add(aotigen_run_state *s, int64_t n) {
  if (!ag_list_grow((void **)&s->input_sizes.list, &s->input_sizes.room, s->input_sizes.count,
                    sizeof *s->input_sizes.list))
    return false;
  s->input_sizes.list[s->input_sizes.count++] = n;
  return true;
}

void ag_input_sizes_add(aotigen_run_state *s, const ag_view *view) {
  const int32_t ndim = view->state == AG_VIEW_OK ? view->t.ndim : 0;
  bool ok = add(s, ndim);
  for (int32_t i = 0; i < ndim && ok; i++) ok = add(s, view->t.sizes[i]);
  if (!ok) s->input_sizes.count = 0;
}

static bool find_size(const void *of, int64_t input, int64_t dim, int64_t *value) {
  const aotigen_run_state *s = of;
  size_t at = 0;
  for (; input && at < s->input_sizes.count; input--) at += 1 + (size_t)s->input_sizes.list[at];
  if (at >= s->input_sizes.count || dim >= s->input_sizes.list[at]) return false;
  *value = s->input_sizes.list[at + 1 + (size_t)dim];
  return true;
}

/* True if a later dimension of the same symbol has another size. */
static bool differs(const aotigen_run_state *s, const aotigen_model *m, uint32_t input, int32_t dim,
                    int64_t size) {
  const char *symbol = m->inputs[input].dims[dim].symbol;
  int64_t other;
  for (uint32_t i = input; i < m->ninputs && symbol; i++)
    for (int32_t k = 0; m->inputs[i].dims && k < m->inputs[i].ndim; k++)
      if (m->inputs[i].dims[k].symbol && !strcmp(m->inputs[i].dims[k].symbol, symbol) &&
          find_size(s, i, k, &other) && other != size)
        return true;
  return false;
}

bool ag_input_sizes_agree(const aotigen_run_state *s, const aotigen_model *m) {
  int64_t size;
  for (uint32_t i = 0; i < m->ninputs; i++)
    for (int32_t k = 0; m->inputs[i].dims && k < m->inputs[i].ndim; k++)
      if (find_size(s, i, k, &size) && differs(s, m, i, k, size)) return false;
  return true;
}

static bool no_argument(const void *of, int64_t argument, int64_t *value) {
  (void)of, (void)argument, (void)value;
  return false;
}

bool ag_input_sizes_take(const aotigen_run_state *s, const char **text, int64_t *result) {
  const ag_postfix_values values = {no_argument, find_size, s};
  return ag_postfix_take(text, &values, result);
}
