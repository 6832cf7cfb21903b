/* 156-check-bounds.c - what the check proves and refutes of kernels, and of hundreds of changes of
 * them, against an execution of each for all sizes that are admitted. */
#include "check/check.h"
#include "bounds/footprints.h"
#include "unit.h"
#include "check/kernel_launch.h"
#include "check/kernel_mutations.h"
#include "check/kernel_samples_cpp.h"

/* The sizes that there are, and those for which the kernel is executed. */
typedef struct domain {
  int64_t low, high, most, most_of_two; /* high INT64_MAX: more than are executed */
  size_t apart;                         /* to save time, only every second change, for instance */
} domain;

typedef struct score {
  unsigned mutants, unread, accesses, by[VERDICT_COUNT][2]; /* the second: by the execution */
  unsigned footprints[2]; /* stores whose elements are a range, or else not: second, first */
  unsigned twice[VERDICT_COUNT][2], overlaps[VERDICT_COUNT][2]; /* likewise */
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

/* Accesses of one line to one memory count together. */
static unsigned count_same(const kernel_launch *l, const graph_access *x) {
  unsigned n = 0;
  for (size_t i = 0; i < l->graph.accesses.n; i++) {
    const graph_access *y = &l->graph.accesses.at[i];
    n += y->line == x->line && y->kind == x->kind && y->memory == x->memory;
  }
  return n;
}

static void compare(score *s, const kernel_sample *k, const mutation *m, const kernel_launch *l,
                    const oracle *o, const finding *f, const graph_access *x) {
  const oracle_key *key = launch_key(o, l, x);
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

static const graph_access *find_store(const kernel_launch *l, const finding *f) {
  for (size_t i = 0; i < l->graph.accesses.n; i++) {
    const graph_access *x = &l->graph.accesses.at[i];
    bool same = strstr(f->access, l->graph.memories.at[x->memory].name) != NULL;
    if (x->kind != ACCESS_LOAD && x->line == f->line && same) return x;
  }
  return NULL;
}

/* The execution has more: it counts lanes on which no store depends as iterations of it, and loops
 * behind each other. */
static void compare_iterations(score *s, const kernel_sample *k, const mutation *m,
                               const kernel_launch *l, const oracle *o, const finding *f) {
  const graph_access *x = find_store(l, f);
  const oracle_key *key = x ? launch_key(o, l, x) : NULL;
  if (!x) return complain(s, k, m, "NO STORE", f);
  bool overlap = f->kind == FINDING_OVERLAP;
  bool meets = overlap ? o->met[x->memory] : key && key->twice;
  if (overlap && f->verdict == VERDICT_REFUTED) meets = meets || o->rewritten[x->memory];
  (overlap ? s->overlaps : s->twice)[f->verdict][meets]++;
  bool all = s->sizes.high != INT64_MAX;
  if (f->verdict == VERDICT_REFUTED && !meets && all) complain(s, k, m, "REFUTED", f);
  bool plain = !strstr(k->body, "r0_mask") && !strstr(k->body, "x0_inner") &&
               strcmp(k->name, "user's square") != 0;
  if (f->verdict == VERDICT_PROVED && meets && plain) complain(s, k, m, "PROVED", f);
  if (f->verdict == VERDICT_UNDECIDED && is_verbose())
    print_message("undecided (%s): %s, %s: %s: %s\n", meets ? "meets" : "apart", k->name, m->what,
                  f->access, f->why);
}

/* ---- what stores go over -------------------------------------------------------------------- */

/* For the sizes of the example: each element of the range is stored to, and no other one. */
static bool is_footprint(const oracle *o, const symbols *sym, const symbol_values *example,
                         int param, range elements) {
  int64_t low, high;
  if (!poly_evaluate(sym, example, elements.low, &low) ||
      !poly_evaluate(sym, example, elements.high, &high))
    return false;
  for (int64_t i = 0; i < ORACLE_TOUCHED; i++)
    if (i < o->memories[param].elements &&
        (o->touched[param][i].stored != 0) != (i >= low && i <= high))
      return false;
  return true;
}

static bool is_footprint_of_all(kernel_launch *l, oracle *o, symbols *sym, int param,
                                range elements) {
  int64_t sizes[2];
  const symbol_values example = {sizes, 2};
  bool same = true;
  for (sizes[1] = l->low; sizes[1] <= (l->symbols > 1 ? l->high : l->low); sizes[1]++)
    for (sizes[0] = l->low; sizes[0] <= (l->symbols > 0 ? l->high : l->low); sizes[0]++)
      same = same && launch_execute(l, o, sizes) && is_footprint(o, sym, &example, param, elements);
  return same;
}

static void compare_footprints(score *s, const kernel_sample *k, const mutation *m,
                               kernel_launch *l, oracle *o, arena *in) {
  symbols sym = {.a = in};
  launch_sizes sizes;
  if (l->graph.asserts.n) return; /* an execution ends there */
  launch_read_sizes(l, &sym, &sizes);
  for (size_t i = 0; i < l->graph.memories.n; i++) {
    const graph_access *list[64];
    int n = 0;
    range elements;
    for (size_t j = 0; j < l->graph.accesses.n; j++) {
      const graph_access *x = &l->graph.accesses.at[j];
      if (x->memory == (int)i && x->kind == ACCESS_STORE && n < 64) list[n++] = x;
    }
    if (!n || l->graph.memories.at[i].param < 0) continue;
    bool known = footprint_join(&sym, &sizes.launch, list, n, &elements);
    s->footprints[known]++;
    if (known && !is_footprint_of_all(l, o, &sym, l->graph.memories.at[i].param, elements))
      complain(s, k, m, "IMAGE", NULL);
  }
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
    if (f->kind == FINDING_ACCESS) compare(s, k, m, &l, o, f, &l.graph.accesses.at[access++]);
    if (f->kind == FINDING_OVERLAP || f->kind == FINDING_TWICE)
      compare_iterations(s, k, m, &l, o, f);
    bool small = s->sizes.high != INT64_MAX;
    if (f->kind == FINDING_TERM && small) complain(s, k, m, "TERM", f);
  }
  if (s->sizes.high != INT64_MAX && s->mutants % 4 == 1) compare_footprints(s, k, m, &l, o, in);
  if (l.graph.not_understood.n) complain(s, k, m, "LOST", NULL);
  for (int i = 0; i < o->nkeys; i++) {
    bool found = false;
    for (size_t j = 0; j < l.graph.accesses.n; j++)
      found = found || launch_key(o, &l, &l.graph.accesses.at[j]) == &o->keys[i];
    if (!found) complain(s, k, m, "MISSED", NULL);
  }
}

/* The sanitizers take five times as long. */
#ifdef __SANITIZE_ADDRESS__
enum { APART = 20 };
#else
enum { APART = 1 };
#endif

static void check_sample(score *s, const kernel_sample *k) {
  arena *of_sample = arena_new();
  mutations m = {0};
  mutations_make(&m, of_sample, k);
  for (size_t i = 0; i < m.n; i += s->sizes.apart * APART) {
    arena *in = arena_new();
    check_mutant(s, k, &m.at[i], in);
    arena_free(in);
  }
  arena_free(of_sample);
}

static void report_iterations(const char *what, const unsigned by[VERDICT_COUNT][2]) {
  print_message("%s: proved %u and %u, refuted %u and %u, not decided %u and %u\n", what, by[0][0],
                by[0][1], by[1][0], by[1][1], by[2][0], by[2][1]);
}

static void report(const score *s) {
  print_message("elements stored to: known %u, not known %u\n", s->footprints[1], s->footprints[0]);
  report_iterations("stores", s->twice);
  report_iterations("loads and stores", s->overlaps);
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

/* The number of terms of a load at `index` that leave 32 bits, for 1 to `rows` rows of 4096
 * elements. */
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
    refuted += c.findings.at[i].kind == FINDING_TERM && c.findings.at[i].verdict == VERDICT_REFUTED;
  arena_free(in);
  return refuted;
}

/* (rows - 1) * stride + 4095 is the greatest index. */
TEST(terms_end_at_31_bits) {
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

/* ---- kernels that nobody writes ------------------------------------------------------------- */

TEST(a_step_depends_on_a_loop) {
  arena *in = arena_new();
  const check c = launch_check_body(false, "out:f:2000",
                                    "for (int64_t x0 = 0; x0 < 8; x0++) {\n"
                                    "for (int64_t x1 = 0; x1 < 1000; x1 += 8 - x0) {\n"
                                    "auto tmp0 = out[x1 + x0];\nout[x1] = tmp0;\n}\n}\n",
                                    in);
  assert_true(c.findings.n > 0);
  arena_free(in);
}

TEST(an_array_is_stored_from_itself) {
  arena *in = arena_new();
  const check c = launch_check_body(false, "out:f:2000",
                                    "int64_t t[2];\nt[0] = 0;\nt[1] = t[0] + 1;\n"
                                    "if (t[1] < 5)\n{\nt[0] = t[1] + t[0];\n}\nout[t[1]] = 1;\n",
                                    in);
  assert_true(c.findings.n > 0);
  arena_free(in);
}

/* Each line uses the one before more than once: there are more paths than can be walked. */
TEST(shared_nodes_are_not_walked_by_path) {
  static const char *const lines[] = {
      "    t%d = t%d + t%d\n", "    t%d = tl.minimum(t%d * 3, t%d)\n",
      "    t%d = tl.where(t%d < 0, t%d + 561, 7)\n", "    t%d = (t%d // 3) - t%d %% 5\n"};
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
    arena *in = arena_new();
    strbuf body = {0};
    strbuf_printf(&body, "%s    t0 = xindex\n", X);
    for (int i = 0; i < 200; i++) strbuf_printf(&body, lines[k], i + 1, i, i);
    strbuf_puts(&body, "    tmp0 = tl.load(in_ptr0 + t200, xmask)\n"
                       "    tl.store(in_ptr0 + t199, tmp0, xmask & (t200 < 100))\n");
    const check c = launch_check_body(true, "in_ptr0:f:1000 xnumel:i:s0 XBLOCK:c:128", body.at, in);
    assert_true(c.findings.n > 0);
    strbuf_free(&body);
    arena_free(in);
  }
}

TEST(blocks_have_all_their_parts) {
  static const char block[] = "tl.make_block_ptr(%s, shape=[%s], strides=[%s], block_shape=[%s], "
                              "order=[1, 0], offsets=[%s])";
  static const char two[] = "16, 16",
                    ten[] = "2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, "
                            "2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2";
  for (int i = 0; i < 3; i++) {
    arena *in = arena_new();
    strbuf body = {0};
    const char *d = i == 2 ? ten : two;
    strbuf_puts(&body, "    p = ");
    strbuf_printf(&body, block, "in_ptr0", d, d, d, d);
    strbuf_puts(&body, "\n    q = ");
    if (i == 1)
      strbuf_printf(&body, block, "p", "16, 16, 4", "16, 1, 1", "16, 16, 4", "0, 0, 0");
    else
      strbuf_puts(&body, i ? "p" : "tl.advance(p, [16])");
    strbuf_puts(&body, "\n    tmp0 = tl.load(q, boundary_check=[0])\n"
                       "    tl.store(in_ptr0 + tl.arange(0, XBLOCK), tmp0)\n");
    const check c = launch_check_body(true, "in_ptr0:f:1000 xnumel:i:s0 XBLOCK:c:128", body.at, in);
    assert_int_equal(c.refuted, 0);
    strbuf_free(&body);
    arena_free(in);
  }
}

static void assert_proved(unsigned proved, const char *body) {
  arena *in = arena_new();
  const check c = launch_check_body(false, "in_ptr0:f:90 out_ptr0:f:96", body, in);
  assert_int_equal(c.counts[VERDICT_PROVED], proved);
  arena_free(in);
}

#define COPY(step)                                                                                 \
  "for(int64_t x0=0; x0<90; x0+=" step ")\n{\nauto tmp0 = in_ptr0[x0];\nout_ptr0[x0] = tmp0;\n}\n"

TEST(a_loop_goes_down) {
  assert_proved(2, COPY("static_cast<int64_t>(1L)"));
  assert_proved(0, COPY("static_cast<int64_t>(-1L)"));
  assert_proved(0, COPY("0"));
}

#define MASKED(mask)                                                                               \
  "for(int64_t x1=0; x1<96; x1+=16)\n{\n"                                                          \
  "auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange((-3L) + x1, 1);\n"                          \
  "auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 >= 0);\n"                                          \
  "auto tmp8 = at::vec::VecMask<int64_t,2>(tmp2 < 90);\nauto tmp9 = " mask ";\n"                   \
  "auto tmp11 = tmp9.template cast<float,1>().template loadu<float,1>(in_ptr0 + (-3L) + x1);\n"    \
  "tmp11.store(out_ptr0 + x1, 16);\n}\n"

/* Nothing is known of lanes beyond the count of set(). */
TEST(a_mask_bounds_a_load) {
  assert_proved(2, MASKED("tmp5 & tmp8"));
  assert_proved(1, MASKED("tmp5"));
  assert_proved(1, MASKED("tmp8"));
  assert_proved(1, MASKED("tmp5 | tmp8"));
  assert_proved(2, MASKED("at::vec::VecMask<int64_t,2>::set(tmp5, tmp5 & tmp8, 16)"));
  assert_proved(1, MASKED("at::vec::VecMask<int64_t,2>::set(tmp5, tmp5 & tmp8, 5)"));
}

#define MASKED_WHOLE(index)                                                                        \
  "for(int64_t x1=0; x1<90; x1+=16)\n{\nauto tmp1 = x1 >= 0;\n"                                    \
  "auto tmp11 = at::vec::VecMask<float,1>::from(tmp1).template loadu<float,1>(in_ptr0 + " index    \
  ");\ntmp11.store(out_ptr0 + x1, 16);\n}\n"

/* Under one condition for the whole vector, the elements behind the first may lie past the end. */
TEST(a_mask_of_whole_vectors) {
  assert_proved(2, MASKED_WHOLE("x1"));
  assert_proved(1, MASKED_WHOLE("x1 + 10"));
}

/* C++ may call what it likes by these names. */
TEST(functions_of_triton_without_arguments) {
  static const char *const calls[] = {"program_id()", "num_programs()", "cast()", "program_id(7)"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    arena *in = arena_new();
    const char *body = arena_printf(in,
                                    "for (int64_t x0 = 0; x0 < 8; x0++) {\n"
                                    "if (%s < 3)\n{\nauto tmp0 = out[%s + x0];\n"
                                    "out[%s] = tmp0 + %s;\n}\n}\n",
                                    calls[i], calls[i], calls[i], calls[i]);
    const check c = launch_check_body(false, "out:f:2000", body, in);
    assert_true(c.findings.n > 0);
    arena_free(in);
  }
}

/* Ten calls in each of 20 functions: 10 ** 20 in all. */
TEST(functions_call_each_other) {
  arena *in = arena_new();
  strbuf body = {0};
  strbuf_puts(&body, "auto f0 = [&]() { return out[0]; };\n");
  for (int i = 1; i < 20; i++) {
    strbuf_printf(&body, "auto f%d = [&]() { return f%d()", i, i - 1);
    for (int k = 1; k < 10; k++) strbuf_printf(&body, " + f%d()", i - 1);
    strbuf_puts(&body, "; };\n");
  }
  strbuf_puts(&body, "out[1] = f19();\n");
  launch_check_body(false, "out:f:2000", body.at, in);
  strbuf_free(&body);
  arena_free(in);
}

/* m = m & c, in straight line: a node of many levels. */
TEST(an_expression_is_too_deep) {
  arena *in = arena_new();
  strbuf body = {0};
  strbuf_printf(&body, "%s    m = xmask\n", X);
  for (int i = 0; i < 50000; i++) strbuf_printf(&body, "    m = m & (xindex < %d)\n", i + 100);
  strbuf_puts(&body, "    tl.store(in_ptr0 + xindex, 1.0, m)\n");
  const check c = launch_check_body(true, "in_ptr0:f:1000 xnumel:i:s0 XBLOCK:c:128", body.at, in);
  assert_int_equal(c.findings.n, 0);
  strbuf_free(&body);
  arena_free(in);
}

/* Of 200 accesses, each may be at either of two elements for each of those before it. */
TEST(an_examination_that_ends_is_named) {
  arena *in = arena_new();
  strbuf body = {0};
  unsigned named = 0;
  strbuf_printf(&body, "%s    a = xindex\n", X);
  for (int i = 0; i < 200; i++)
    strbuf_printf(&body, "    a = tl.where(xindex < %d, a + %d, a)\n    tl.load(in_ptr0 + a)\n", i,
                  i);
  const check c = launch_check_body(true, "in_ptr0:f:1000 xnumel:i:s0 XBLOCK:c:128", body.at, in);
  for (size_t i = 0; i < c.findings.n; i++) {
    const finding *f = &c.findings.at[i];
    if (!f->why || !strstr(f->why, "holds more than is examined for one launch")) continue;
    assert_int_equal(f->verdict, VERDICT_UNDECIDED);
    named++;
  }
  assert_true(named > 0);
  strbuf_free(&body);
  arena_free(in);
}

/* ---- 64 bits -------------------------------------------------------------------------------- */

TEST(quotients_of_more_than_64_bits) {
  arena *a = arena_new();
  symbols s = {.a = a, .lasting = a};
  const poly *large = poly_multiply(&s, poly_number(&s, INT64_MAX), poly_number(&s, 1024));
  const poly *three = poly_number(&s, 3);
  int n = symbols_add(&s, (symbol){.name = "n", .kind = SYMBOL_SIZE, .high = 100});
  assert_non_null(large);
  assert_null(poly_divide(&s, poly_add(&s, large, poly_number(&s, 1)), three));
  assert_null(poly_divide(&s, poly_add(&s, large, poly_symbol(&s, n)), three));
  arena_free(a);
}

static const domain few = {2, 9, 9, 5, 1}, empty = {0, 3, 3, 2, 4}, any = {2, INT64_MAX, 5, 3, 4};

#define DOMAIN_TEST(language, sizes)                                                               \
  TEST(language##_of_##sizes##_sizes) { check_##language(sizes); }
DOMAIN_TEST(triton, few)
DOMAIN_TEST(triton, empty)
DOMAIN_TEST(triton, any)
DOMAIN_TEST(cpp, few)
DOMAIN_TEST(cpp, empty)
DOMAIN_TEST(cpp, any)
