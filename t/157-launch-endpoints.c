/* 157-launch-endpoints.c - the endpoints of the accesses of kernels, and of changes of them,
 * against an execution of each: an endpoint that has a result lies among the elements that were
 * accessed, if no assert ended the kernel before. */
#include "bounds/endpoints.h"
#include "unit.h"
#include "check/kernel_launch.h"
#include "check/kernel_mutations.h"
#include "check/kernel_samples_cpp.h"
#include <stdlib.h>

/* ---- texts ---------------------------------------------------------------------------------- */

static bool apply(char op, int64_t x, int64_t y, int64_t *z) {
  switch (op) {
    case '+': return *z = x + y, true;
    case '-': return *z = x - y, true;
    case '*': return *z = x * y, true;
    case '/': return *z = y > 0 ? x / y : 0, x >= 0 && y > 0;
    case '%': return *z = y > 0 ? x % y : 0, x >= 0 && y > 0;
    case '<': return *z = x < y, true;
    case '>': return *z = x > y, true;
    case 'l': return *z = x <= y, true;
    case 'g': return *z = x >= y, true;
    case '=': return *z = x == y, true;
    case '!': return *z = x != y, true;
    case '&': return *z = x & y, true;
    case '|': return *z = x | y, true;
    case 'm': return *z = x < y ? x : y, true;
    case 'M': return *z = x > y ? x : y, true;
    default: fail_msg("'%c' is no operator", op); return false;
  }
}

/* The result of a text over the launch's parameters; false where it has none. */
static bool compute(const char *text, const int64_t *params, int64_t *result) {
  int64_t stack[32];
  int n = 0;
  for (const char *p = text; *p;) {
    char *end = NULL;
    size_t word = strcspn(p, " ");
    bool number = (*p >= '0' && *p <= '9') || (word > 1 && *p == '-');
    if (number || *p == '@') {
      long long x = strtoll(p + (*p == '@'), &end, 10);
      stack[n++] = *p == '@' ? params[x] : x;
    } else if (*p == '?') {
      assert_true(n > 0);
      if (!stack[--n]) return false;
    } else {
      assert_true(n > 1 && word == 1);
      n--;
      if (!apply(*p, stack[n - 1], stack[n], &stack[n - 1])) return false;
    }
    p += word + strspn(p + word, " ");
  }
  assert_int_equal(n, 1);
  *result = stack[0];
  return true;
}

/* ---- one change of a kernel ----------------------------------------------------------------- */

typedef struct score {
  unsigned accesses, known, exact, wrong;
} score;

typedef struct subject {
  score *to;
  const char *name, *what;
  const kernel_launch *l;
  endpoint (*endpoints)[ENDPOINTS_MAX]; /* those of each access */
  int *counts;
} subject;

static void compare(const subject *of, const oracle *o, size_t i, const int64_t *params) {
  const graph_access *x = &of->l->graph.accesses.at[i];
  const oracle_key *key = launch_key(o, of->l, x);
  bool made = key && key->made;
  int64_t most = INT64_MIN, at;
  for (int k = 0; k < of->counts[i]; k++) {
    const endpoint *c = &of->endpoints[i][k];
    if (!compute(c->index, params, &at)) continue;
    if (c->is_number) assert_int_equal(at, c->number);
    if (at > most) most = at;
    if (made ? at >= key->least && at <= key->most : of->l->graph.asserts.n > 0) continue;
    of->to->wrong++;
    print_message("%s, %s, line %u: endpoint %lld (%s) of %lld to %lld\n", of->name, of->what,
                  x->line, (long long)at, c->index, made ? (long long)key->least : 1,
                  made ? (long long)key->most : 0);
  }
  if (!made) return;
  of->to->accesses++;
  of->to->known += most != INT64_MIN;
  of->to->exact += most == key->most;
  if (getenv("VERBOSE") && most != key->most)
    print_message("%s, %s, line %u: greatest %lld of %lld\n", of->name, of->what, x->line,
                  (long long)most, (long long)key->most);
}

/* For one choice of sizes. */
static void execute(const subject *of, const int64_t *sizes) {
  const kernel_launch *l = of->l;
  int64_t params[LAUNCH_PARAMS];
  oracle *o = arena_alloc(l->a, sizeof *o);
  o->vars = arena_alloc(l->a, (l->tree.variables.n + 1) * sizeof *o->vars);
  o->a = l->a;
  if (!launch_execute(l, o, sizes) || o->lost) return;
  for (int i = 0; i < l->n; i++) params[i] = launch_number(l->params[i].value, sizes);
  for (size_t i = 0; i < l->graph.accesses.n; i++)
    if (l->graph.memories.at[l->graph.accesses.at[i].memory].param >= 0) compare(of, o, i, params);
}

static void read_endpoints(subject *of, symbols *s) {
  const kernel_launch *l = of->l;
  launch_sizes sizes;
  int args[LAUNCH_PARAMS];
  size_t n = l->graph.accesses.n;
  launch_read_sizes(l, s, &sizes);
  for (int i = 0; i < l->n; i++) args[i] = strchr("ik", l->params[i].type) ? i : -1;
  uint64_t left = UINT64_MAX;
  const endpoints_launch in = {.s = s, .l = &sizes.launch, .args = args, .left = &left};
  of->endpoints = arena_alloc(l->a, (n + 1) * sizeof *of->endpoints);
  of->counts = arena_alloc(l->a, (n + 1) * sizeof *of->counts);
  for (size_t i = 0; i < n; i++) {
    const graph_access *x = &l->graph.accesses.at[i];
    of->counts[i] = endpoints_of_term(&in, x, x->index, of->endpoints[i], l->a);
  }
}

static void check_mutant(score *s, const kernel_sample *k, const mutation *m, int64_t low,
                         int64_t high) {
  arena *in = arena_new();
  kernel_launch l;
  launch_read(&l, k, m->params, m->body, in);
  l.low = low;
  l.high = k->symbols > 1 && high > low + 3 ? low + 3 : high;
  symbols sym = {.a = in};
  subject of = {.to = s, .name = k->name, .what = m->what, .l = &l};
  if (!l.graph.why) read_endpoints(&of, &sym);
  int64_t sizes[2];
  for (sizes[1] = low; !l.graph.why && sizes[1] <= (k->symbols > 1 ? l.high : low); sizes[1]++)
    for (sizes[0] = low; sizes[0] <= (k->symbols > 0 ? l.high : low); sizes[0]++)
      execute(&of, sizes);
  arena_free(in);
}

static void check_samples(const kernel_sample *list, size_t n, int64_t low, int64_t high,
                          size_t apart) {
  score s = {0};
  for (size_t i = 0; i < n; i++) {
    arena *of_sample = arena_new();
    mutations m = {0};
    mutations_make(&m, of_sample, &list[i]);
    for (size_t k = 0; k < m.n; k += apart) check_mutant(&s, &list[i], &m.at[k], low, high);
    arena_free(of_sample);
  }
  print_message(
      "%u accesses with sizes: an endpoint known of %.1f %%, the greatest element of %.1f %%\n",
      s.accesses, 100.0 * s.known / s.accesses, 100.0 * s.exact / s.accesses);
  assert_int_equal(s.wrong, 0);
  assert_true(s.exact * 10 >= s.accesses * 7);
}

#define COUNT(list) (list), sizeof(list) / sizeof *(list)

TEST(triton_kernels) {
  check_samples(COUNT(triton_samples), 2, 9, 2);
  check_samples(COUNT(triton_samples), 0, 3, 3);
}

TEST(cpp_kernels) {
  check_samples(COUNT(cpp_samples), 2, 9, 2);
  check_samples(COUNT(cpp_samples), 0, 3, 3);
}
