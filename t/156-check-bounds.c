/* 156-check-bounds.c - what the check proves and refutes of kernels, and of hundreds of changes of
 * them, against an execution of each for all sizes that are admitted. */
#include "check/check.h"
#include "unit.h"
#include "check/kernel_launch.h"
#include "check/kernel_mutations.h"
#include "check/kernel_samples_cpp.h"

/* Which sizes there are, and those that the kernel is executed for. */
typedef struct domain {
  int64_t low, high, most, most_of_two; /* high INT64_MAX: more than are executed */
  size_t apart;                         /* of the changes every second, say, for time */
} domain;

typedef struct score {
  unsigned mutants, unread, accesses, by[VERDICT_COUNT][2]; /* the second: by the execution */
  unsigned wrong;
  domain sizes;
} score;

static bool is_verbose(void) { return getenv("VERBOSE") != NULL; }

static void complain(score *s, const kernel_sample *k, const mutation *m, const char *what,
                     const finding *f) {
  s->wrong++;
  print_message("%s: %s, %s: %s\n", what, k->name, m->what, f && f->access ? f->access : "");
  if (f)
    print_message("    %s to %s of %s%s%s\n", f->low ? f->low : "?", f->high ? f->high : "?",
                  f->elements ? f->elements : "?", f->why ? ": " : "", f->why ? f->why : "");
}

static const oracle_key *find_key(const oracle *o, const kernel_launch *l, const graph_access *x) {
  for (int i = 0; i < o->nkeys; i++)
    if (o->keys[i].line == x->line && o->keys[i].is == x->is &&
        strcmp(o->keys[i].memory, l->graph.memories.at[x->memory].name) == 0)
      return &o->keys[i];
  return NULL;
}

/* Accesses of one line to one memory count together. */
static unsigned count_same(const kernel_launch *l, const graph_access *x) {
  unsigned n = 0;
  for (size_t i = 0; i < l->graph.accesses.n; i++) {
    const graph_access *y = &l->graph.accesses.at[i];
    n += y->line == x->line && y->is == x->is && y->memory == x->memory;
  }
  return n;
}

static void compare(score *s, const kernel_sample *k, const mutation *m, const kernel_launch *l,
                    const oracle *o, const finding *f, const graph_access *x) {
  const oracle_key *key = find_key(o, l, x);
  bool outside = key && key->outside, alone = count_same(l, x) == 1;
  s->accesses++;
  s->by[f->verdict][outside]++;
  if (f->verdict == VERDICT_PROVED && outside && alone) complain(s, k, m, "PROVED", f);
  bool all = s->sizes.high != INT64_MAX; /* else it may be outside for a size of its own */
  if (f->verdict == VERDICT_REFUTED && !outside && all) complain(s, k, m, "REFUTED", f);
  if (f->verdict == VERDICT_UNDECIDED && is_verbose())
    print_message("undecided (%s): %s, %s: %s\n    %s to %s of %s: %s\n",
                  outside ? "outside" : "inside", k->name, m->what, f->access,
                  f->low ? f->low : "?", f->high ? f->high : "?", f->elements ? f->elements : "?",
                  f->why);
}

static void check_mutant(score *s, const kernel_sample *k, const mutation *m, arena *in) {
  kernel_launch l;
  launch_read(&l, k, m->params, m->body, in);
  l.low = s->sizes.low;
  l.high = k->symbols > 1 ? s->sizes.most_of_two : s->sizes.most;
  s->mutants++;
  oracle *o = arena_alloc(in, sizeof *o);
  if (l.graph.why || !launch_execute_all(&l, o) || o->lost) {
    s->unread++;
    if (is_verbose())
      print_message("unread: %s, %s: %s\n", k->name, m->what,
                    l.graph.why ? l.graph.why
                    : o->lost   ? o->why_lost
                                : "not executed");
    return;
  }
  check c;
  symbols sym = {.a = in};
  if (s->sizes.high == INT64_MAX) l.high = INT64_MAX;
  launch_check(&l, &c, &sym);
  size_t access = 0;
  for (size_t i = 0; i < c.findings.n; i++) {
    const finding *f = &c.findings.at[i];
    if (f->is == FINDING_ACCESS) compare(s, k, m, &l, o, f, &l.graph.accesses.at[access++]);
    bool small = s->sizes.high != INT64_MAX;
    if (f->is == FINDING_TERM && small) complain(s, k, m, "TERM", f);
  }
  if (l.graph.lost) complain(s, k, m, "LOST", NULL);
  for (int i = 0; i < o->nkeys; i++) {
    bool found = false;
    for (size_t j = 0; j < l.graph.accesses.n; j++)
      found = found || find_key(o, &l, &l.graph.accesses.at[j]) == &o->keys[i];
    if (!found) complain(s, k, m, "MISSED", NULL);
  }
}

static void check_sample(score *s, const kernel_sample *k) {
  arena *of_sample = arena_new();
  mutations m = {0};
  mutations_make(&m, of_sample, k);
  for (size_t i = 0; i < m.n; i += s->sizes.apart) {
    arena *in = arena_new();
    check_mutant(s, k, &m.at[i], in);
    arena_free(in);
  }
  arena_free(of_sample);
}

static void report(const score *s) {
  unsigned undecided = s->by[VERDICT_UNDECIDED][0] + s->by[VERDICT_UNDECIDED][1];
  print_message("%u mutants (%u not executed), %u accesses: proved %u, refuted %u, not decided %u "
                "inside and %u outside (%.1f %%)\n",
                s->mutants, s->unread, s->accesses, s->by[VERDICT_PROVED][0],
                s->by[VERDICT_REFUTED][1], s->by[VERDICT_UNDECIDED][0], s->by[VERDICT_UNDECIDED][1],
                100.0 * undecided / s->accesses);
  assert_int_equal(s->wrong, 0);
  assert_true(undecided * 20 <= s->accesses || s->sizes.low != 2);
  assert_true(s->unread * 20 <= s->mutants);
}

static void check_triton(domain sizes) {
  score s = {.sizes = sizes};
  for (size_t i = 0; i < sizeof triton_samples / sizeof *triton_samples; i++)
    check_sample(&s, &triton_samples[i]);
  report(&s);
}

static void check_cpp(domain sizes) {
  score s = {.sizes = sizes};
  for (size_t i = 0; i < sizeof cpp_samples / sizeof *cpp_samples; i++)
    check_sample(&s, &cpp_samples[i]);
  report(&s);
}

/* ---- 32 bits -------------------------------------------------------------------------------- */

/* How many terms of a load at `index` leave 32 bits for rows of 4096 elements, 1 to `rows`. */
static unsigned count_terms(const char *index, int64_t rows) {
  arena *in = arena_new();
  const kernel_sample k = {.name = "rows", .python = true, .symbols = 1};
  const char *body =
      arena_printf(in,
                   "%s    x0 = (xindex %% 4096)\n    x1 = xindex // 4096\n    tmp0 = "
                   "tl.load(in_ptr0 + (%s), xmask)\n",
                   X, index);
  kernel_launch l;
  launch_read(&l, &k, "in_ptr0:f:99999999999 xnumel:i:4096*s0 XBLOCK:c:128", body, in);
  l.low = 1;
  l.high = rows;
  check c;
  symbols sym = {.a = in};
  launch_check(&l, &c, &sym);
  unsigned refuted = 0;
  for (size_t i = 0; i < c.findings.n; i++)
    refuted += c.findings.at[i].is == FINDING_TERM && c.findings.at[i].verdict == VERDICT_REFUTED;
  arena_free(in);
  return refuted;
}

/* (rows - 1) * stride + 4095 is the greatest index. */
static void terms_end_at_31_bits(void **state) {
  (void)state;
  const int64_t edge = ((int64_t)INT32_MAX - 4095) / 8192 + 1;
  assert_int_equal(count_terms("x0 + 8192*x1", edge), 0);
  assert_int_equal(count_terms("x0 + 8192*x1", edge + 1), 1);
  assert_int_equal(count_terms("x0 + 4096*x1", edge + 1), 0);
  assert_int_equal(count_terms("x0 + 8192*(x1.to(tl.int64))", edge + 1), 0);
  assert_int_equal(count_terms("x0 + 8192*(x1 + 1)", edge - 1), 0);
  assert_int_equal(count_terms("x0 + 8192*(x1 + 1)", edge), 1);
  assert_int_equal(count_terms("x0 + 65536*(x1 // 8)", edge), 0);
  assert_int_equal(count_terms("x0 + 65536*(x1 // 8)", edge + 1), 1);
  assert_int_equal(count_terms("70000*x1 - 70000*x1", edge), 1);
}

static const domain few = {2, 9, 9, 5, 1}, empty = {0, 3, 3, 2, 4}, any = {2, INT64_MAX, 5, 3, 4};

#define DOMAIN_TEST(language, sizes)                                                               \
  static void language##_of_##sizes##_sizes(void **state) {                                        \
    (void)state;                                                                                   \
    check_##language(sizes);                                                                       \
  }
DOMAIN_TEST(triton, few)
DOMAIN_TEST(triton, empty)
DOMAIN_TEST(triton, any)
DOMAIN_TEST(cpp, few)
DOMAIN_TEST(cpp, empty)
DOMAIN_TEST(cpp, any)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terms_end_at_31_bits), cmocka_unit_test(triton_of_few_sizes),
      cmocka_unit_test(cpp_of_few_sizes),     cmocka_unit_test(triton_of_empty_sizes),
      cmocka_unit_test(cpp_of_empty_sizes),   cmocka_unit_test(triton_of_any_sizes),
      cmocka_unit_test(cpp_of_any_sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
