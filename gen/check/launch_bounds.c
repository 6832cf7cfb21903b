/* launch_bounds.c - see launch_bounds.h. */
#include "check/launch_bounds.h"
#include "check/checker.h"

/* At most ACCESSES_MAX accesses of a launch are analysed. For all launches of a model together, at
 * most FORMS_MAX forms are bounded and NODES_MAX nodes expressed: GPT-2 needs 3,000 and 9,000. */
enum { ACCESSES_MAX = 256, FORMS_MAX = 2 << 20, NODES_MAX = 8 << 20 };

struct launch_bounds {
  symbols symbols;
  checker checker;
  check check;    /* unused: nothing is reported */
  uint64_t nodes; /* the number of nodes that may still be expressed */
};

launch_bounds *launch_bounds_begin(const model *m) {
  arena *own = arena_new();
  launch_bounds *l = arena_alloc(own, sizeof *l);
  l->symbols = (symbols){.a = own, .lasting = own};
  l->nodes = NODES_MAX;
  l->checker = (checker){.c = &l->check, .m = m, .s = &l->symbols, .a = own};
  l->checker.blocks = blocks_read(m->facts, own);
  l->checker.changes = changes_read(m->facts, own);
  l->checker.sizes = sizes_begin(m, &l->symbols, l->checker.blocks, l->checker.changes);
  return l;
}

void launch_bounds_free(launch_bounds *l) { arena_free(l->checker.a); }

typedef struct reader {
  checker *k;
  endpoints_launch in;
  const site *site;
  bounds *to;
  const graph_access *x;
  range_reader *ranges;
  unsigned terms; /* the number of the access's terms so far */
  arena *a;
} reader;

static void add_bound(reader *r, const graph_node *term, bound x) {
  x.n = endpoints_of_term(&r->in, r->x, term, x.endpoints, r->a);
  x.line = r->x->line;
  if (x.n > 0) *arena_push(r->a, r->to) = x;
}

/* ---- terms ---------------------------------------------------------------------------------- */

static bool is_term(const graph_node *node) {
  ag_rule rule = ag_op_get(node->op)->rule;
  return node->type == GRAPH_I32 && rule >= AG_RULE_ADD && rule <= AG_RULE_MULTIPLY;
}

static bool fits(reader *r, const graph_node *node) {
  range b = range_of(r->ranges, node);
  const poly *most = poly_number(r->k->s, INT32_MAX), *least = poly_number(r->k->s, INT32_MIN);
  return b.low && b.high && poly_is_at_most(r->k->s, b.high, most) &&
         poly_is_at_most(r->k->s, least, b.low);
}

enum { TERMS_DEPTH = 40, TERMS_MAX = 2000 };

/* Reads the largest terms. The parts of a term are not read. */
static void read_terms(reader *r, const graph_node *node, int depth) {
  if (depth > TERMS_DEPTH || ++r->terms > TERMS_MAX || (is_term(node) && fits(r, node))) return;
  if (is_term(node)) {
    add_bound(r, node,
              (bound){.kind = AOTIGEN_TERM,
                      .arg = -1,
                      .term = arena_strdup(r->a, graph_format(r->in.l->g, node, r->a))});
    if (*node->text != '-') return;
  }
  for (int i = 0; node->kind == NODE_OP && i < node->n; i++)
    read_terms(r, node->args[i], depth + 1);
}

/* ---- accesses ------------------------------------------------------------------------------- */

static void read_access(reader *r, const graph_access *access) {
  static const enum aotigen_bound_kind kinds[] = {[ACCESS_LOAD] = AOTIGEN_LOAD,
                                                  [ACCESS_STORE] = AOTIGEN_STORE,
                                                  [ACCESS_ATOMIC] = AOTIGEN_ATOMIC};
  const argument *to = checker_argument(r->k, access);
  r->x = access;
  r->terms = 0;
  if (!to) return;
  bool proved = checker_is_inside(r->k, access);
  r->in.first_lane = !proved;
  r->ranges = range_begin(r->k->s, r->in.l, access);
  if (r->in.l->g->python) read_terms(r, access->index, 0);
  add_bound(
      r, access->index,
      (bound){.kind = kinds[access->kind], .arg = (int)(to - r->site->args.at), .proved = proved});
}

/* Reads one access in an arena of its own: what is computed for it is of no use for the next. */
static void read_apart(reader *r, const graph_access *access) {
  arena *of_launch = symbols_begin(r->k->s);
  read_access(r, access);
  symbols_end(r->k->s, of_launch);
}

static const int *number_arguments(checker *k, const site *s) {
  size_t n = k->launch.g->nparams;
  int *args = arena_alloc(k->s->a, (n + 1) * sizeof *args);
  for (size_t i = 0; i < n; i++) {
    const argument *x = k->by_param[i];
    args[i] = x && x->kind == AOTIGEN_SCALAR ? (int)(x - s->args.at) : -1;
  }
  return args;
}

void launch_bounds_read(launch_bounds *l, const site *s, bounds *to, arena *a) {
  checker *k = &l->checker;
  const char *why;
  arena *lasting = symbols_begin_launch(k->s);
  if (checker_begin_launch(k, s, &why)) {
    reader r = {.k = k, .site = s, .to = to, .a = a};
    r.in = (endpoints_launch){
        .s = k->s, .l = &k->launch, .args = number_arguments(k, s), .left = &l->nodes};
    size_t n = k->launch.g->accesses.n, i = 0;
    for (; i < n && i < ACCESSES_MAX && k->s->work < FORMS_MAX && l->nodes; i++)
      read_apart(&r, &k->launch.g->accesses.at[i]);
    to->unread = n - i;
  }
  symbols_end(k->s, lasting);
}
