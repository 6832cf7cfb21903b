/* node_flow.c - see node_flow.h. */
#include "model/node_flow.h"
#include <stdlib.h>
#include <string.h>

enum { STEPS_OF_KERNEL = 100000, STEPS_OF_ALL = 20000000 };

/* The launches that a launch takes tensors from, and those that take tensors from it. */
typedef struct site_edges {
  node_list from, to; /* sites */
  bool to_output;     /* no launch takes one of its results */
} site_edges;

typedef struct flow {
  const model *m;
  const exported *x;
  node_list *lists;
  const node_list *named;
  site_edges *edges;
  int *owner; /* by node: the site that computes it, -1: not known */
  size_t *seen_site, *seen_node, *giver, stamp; /* giver: sites that the kernel takes from */
  bool *available;        /* by visited node: the kernel can read or compute its value */
  bool *owns;             /* by node: a cond or a while_loop, which no kernel computes */
  size_t *ended;          /* by node that owns graphs: the kernel takes from a launch in one */
  node_list sites, nodes; /* still to be visited */
  node_list region;       /* nodes visited */
  size_t steps;
  arena *a;
} flow;

/* ---- operators ------------------------------------------------------------------------------- */

typedef struct op_pair {
  const char *op, *token;
} op_pair;

/* Operators that torch decomposes into one of another name, which the names of its kernels have. */
static const op_pair decomposed[] = {{"batch_norm", "_native_batch_norm_legit_no_training"},
                                     {"batch_norm", "_native_batch_norm_legit"},
                                     {"instance_norm", "_native_batch_norm_legit"},
                                     {"rms_norm", "_fused_rms_norm"},
                                     {"max_pool2d", "max_pool2d_with_indices"},
                                     {"adaptive_avg_pool2d", "mean"},
                                     {"to", "_to_copy"},
                                     {"type_as", "_to_copy"},
                                     {"contiguous", "clone"},
                                     {"relu6", "hardtanh"},
                                     {"square", "pow"},
                                     {"norm", "linalg_vector_norm"},
                                     {"std", "var"},
                                     {"pad", "constant_pad_nd"},
                                     {"stack", "cat"},
                                     {"__and__", "bitwise_and"},
                                     {"__or__", "bitwise_or"},
                                     {"conv1d", "convolution"},
                                     {"conv2d", "convolution"},
                                     {"conv3d", "convolution"},
                                     {"linear", "addmm"},
                                     {"linear", "mm"},
                                     {"matmul", "mm"},
                                     {"matmul", "bmm"}};

/* Operators that Inductor does not fuse, unless a kernel's name has them. */
static const char *const heavy[] = {
    "linear", "matmul", "mm",     "bmm",    "addmm",       "baddbmm",
    "einsum", "conv1d", "conv2d", "conv3d", "convolution", "scaled_dot_product_attention",
    NULL};

static bool is_token(const char *op, const char *token) {
  size_t n = strlen(op);
  if (!strcmp(op, token)) return true;
  if (token[0] == '_' && !strcmp(op, token + 1)) return true;
  if (!strncmp(token, "native_", 7) && !strcmp(op, token + 7)) return true;
  return n > 1 && op[n - 1] == '_' && !strncmp(op, token, n - 1) && !token[n - 1]; /* relu_ */
}

bool node_flow_computes(const site *s, const char *op) {
  for (size_t i = 0; *op && i < s->nodes.n; i++) {
    if (is_token(op, s->nodes.at[i])) return true;
    for (size_t k = 0; k < sizeof decomposed / sizeof *decomposed; k++)
      if (!strcmp(op, decomposed[k].op) && !strcmp(s->nodes.at[i], decomposed[k].token))
        return true;
  }
  return false;
}

bool node_flow_has_token(const string_map *ops, const char *token, arena *a) {
  static const char native[] = "native_";
  if (string_map_get(ops, token) || string_map_get(ops, arena_printf(a, "%s_", token))) return true;
  if (token[0] == '_' && string_map_get(ops, token + 1)) return true;
  if (!strncmp(token, native, sizeof native - 1) && string_map_get(ops, token + sizeof native - 1))
    return true;
  for (size_t k = 0; k < sizeof decomposed / sizeof *decomposed; k++)
    if (!strcmp(token, decomposed[k].token) && string_map_get(ops, decomposed[k].op)) return true;
  return false;
}

/* ---- tensors between launches ---------------------------------------------------------------- */

static void add_edge(flow *f, size_t from, size_t to) {
  node_list *list = &f->edges[to].from;
  if (list->n && list->at[list->n - 1] == from) return;
  *arena_push(f->a, list) = from;
  *arena_push(f->a, &f->edges[from].to) = to;
}

/* writers: by variable, 1 + the site that wrote to its memory last. taken: whether a launch has
 * read it since. */
static void follow_site(flow *f, size_t row, size_t *writers, bool *taken, size_t n) {
  const site *s = &f->m->sites.at[row];
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    if (x->root < 0 || (size_t)x->root >= n || x->role == AOTIGEN_OUT || !writers[x->root])
      continue;
    add_edge(f, writers[x->root] - 1, row);
    taken[x->root] = true;
  }
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    if (x->root < 0 || (size_t)x->root >= n || x->role == AOTIGEN_IN || x->kind == AOTIGEN_WEIGHT)
      continue;
    if (writers[x->root] && !taken[x->root]) f->edges[writers[x->root] - 1].to_output = true;
    writers[x->root] = row + 1;
    taken[x->root] = false;
  }
}

static void read_edges(flow *f) {
  size_t n = f->m->facts->vars.n, *writers = arena_alloc(f->a, (n + 1) * sizeof *writers);
  bool *taken = arena_alloc(f->a, n + 1);
  for (size_t i = 0; i < f->m->sites.n; i++) follow_site(f, i, writers, taken, n);
  for (size_t i = 0; i < n; i++)
    if (writers[i] && !taken[i]) f->edges[writers[i] - 1].to_output = true;
}

/* ---- one kernel ------------------------------------------------------------------------------ */

static void visit_node(flow *f, size_t node) {
  if (f->seen_node[node] == f->stamp) return;
  f->seen_node[node] = f->stamp;
  *arena_push(f->a, &f->nodes) = node;
}

static void visit_inputs(flow *f, size_t node) {
  const exported_node *x = &f->x->nodes.at[node];
  f->steps += x->ninputs;
  for (size_t i = 0; i < x->ninputs; i++) visit_node(f, f->x->inputs.at[x->first_input + i]);
}

static void visit_site(flow *f, size_t row) {
  if (f->seen_site[row] == f->stamp) return;
  f->seen_site[row] = f->stamp;
  *arena_push(f->a, &f->sites) = row;
}

/* Visits the nodes whose values leave the kernel, or leave kernels with guessed nodes behind it. */
static bool visit_results(flow *f, size_t row) {
  visit_site(f, row);
  while (f->sites.n) {
    size_t at = f->sites.at[--f->sites.n];
    const site_edges *edges = &f->edges[at];
    bool known = at > row && f->lists[at].n;
    size_t nresults = !known && edges->to_output ? f->x->results.n : 0;
    f->steps += 1 + (known ? f->lists[at].n : edges->to.n + nresults);
    if (f->steps > STEPS_OF_KERNEL) return false;
    for (size_t i = 0; known && i < f->lists[at].n; i++) visit_inputs(f, f->lists[at].at[i]);
    for (size_t i = 0; !known && i < edges->to.n; i++) visit_site(f, edges->to.at[i]);
    for (size_t i = 0; i < nresults; i++) visit_node(f, f->x->results.at[i]);
  }
  return true;
}

static bool is_heavy(const char *op) { return strings_index(heavy, op) >= 0; }

/* The way in which the kernel may obtain the value of a node. */
enum use { USE_READ, USE_COMPUTE, USE_NONE };

/* A value that an earlier kernel computes and does not pass to this one is computed again. */
static enum use find_use(const flow *f, size_t row, size_t node) {
  int owner = f->owner[node];
  const char *op = f->x->nodes.at[node].op;
  if (f->owns[node]) return f->ended[node] == f->stamp ? USE_READ : USE_NONE;
  if (owner >= 0 && f->giver[owner] == f->stamp) return USE_READ;
  if (owner >= 0 && !(f->m->sites.at[owner].flags & AOTIGEN_NAMES_GUESSED)) return USE_NONE;
  return is_heavy(op) && !node_flow_computes(&f->m->sites.at[row], op) ? USE_NONE : USE_COMPUTE;
}

int node_list_compare(const void *x, const void *y) {
  size_t a = *(const size_t *)x, b = *(const size_t *)y;
  return (a > b) - (a < b);
}

/* True if the kernel has all inputs of the node, whose indices are smaller. */
static bool can_compute(const flow *f, size_t node) {
  const exported_node *x = &f->x->nodes.at[node];
  for (size_t i = 0; i < x->ninputs; i++)
    if (!f->available[f->x->inputs.at[x->first_input + i]]) return false;
  return true;
}

/* Fills the list with the nodes before the results that can be computed from the kernel's tensors.
 * False if that takes too many steps. */
static bool collect_nodes(flow *f, size_t row, node_list *list) {
  const site *s = &f->m->sites.at[row];
  node_list *region = &f->region;
  region->n = 0;
  while (f->nodes.n) {
    size_t node = f->nodes.at[--f->nodes.n];
    if (++f->steps > STEPS_OF_KERNEL) return false;
    *arena_push(f->a, region) = node;
    if (find_use(f, row, node) == USE_COMPUTE) visit_inputs(f, node);
  }
  if (region->n) qsort(region->at, region->n, sizeof *region->at, node_list_compare);
  for (size_t i = 0; i < region->n; i++) {
    size_t node = region->at[i];
    enum use use = find_use(f, row, node);
    f->available[node] = use == USE_READ || (use == USE_COMPUTE && can_compute(f, node));
    if (use == USE_COMPUTE && f->available[node] && node_flow_computes(s, f->x->nodes.at[node].op))
      *arena_push(f->a, list) = node;
  }
  return true;
}

/* Adds the nodes that are named in the comment of a launch that takes the kernel's results. */
static void collect_named(flow *f, size_t row, node_list *list) {
  const site *s = &f->m->sites.at[row];
  const node_list *to = &f->edges[row].to;
  for (size_t i = 0; i < to->n; i++) {
    const node_list *named = &f->named[to->at[i]];
    f->steps += named->n;
    for (size_t k = 0; k < named->n && f->steps < STEPS_OF_KERNEL; k++)
      if (node_flow_computes(s, f->x->nodes.at[named->at[k]].op))
        *arena_push(f->a, list) = named->at[k];
  }
}

static void note_giver(flow *f, size_t row) {
  const char *name = f->m->sites.at[row].graph;
  const exported_graph *g = name ? exported_find_graph(f->x, name) : NULL;
  f->giver[row] = f->stamp;
  if (g) f->ended[g->owner] = f->stamp;
}

static void guess_kernel(flow *f, size_t row, size_t *left) {
  node_list found = {0};
  f->stamp++;
  f->steps = f->sites.n = f->nodes.n = 0;
  for (size_t i = 0; i < f->edges[row].from.n; i++) note_giver(f, f->edges[row].from.at[i]);
  bool done = visit_results(f, row) && collect_nodes(f, row, &found);
  if (done && !found.n) collect_named(f, row, &found);
  *left -= f->steps < *left ? f->steps : *left;
  if (!done) return;
  f->lists[row] = found;
  for (size_t i = 0; i < found.n; i++)
    if (f->owner[found.at[i]] < 0) f->owner[found.at[i]] = (int)row;
}

void node_flow_guess(node_list *lists, const node_list *named, const model *m, const exported *x,
                     arena *a) {
  flow f = {.m = m, .x = x, .lists = lists, .named = named, .a = a};
  size_t left = STEPS_OF_ALL;
  f.edges = arena_alloc(a, (m->sites.n + 1) * sizeof *f.edges);
  f.owner = arena_alloc(a, (x->nodes.n + 1) * sizeof *f.owner);
  f.seen_site = arena_alloc(a, (m->sites.n + 1) * sizeof *f.seen_site);
  f.seen_node = arena_alloc(a, (x->nodes.n + 1) * sizeof *f.seen_node);
  f.giver = arena_alloc(a, (m->sites.n + 1) * sizeof *f.giver);
  f.available = arena_alloc(a, x->nodes.n + 1);
  f.owns = arena_alloc(a, x->nodes.n + 1);
  f.ended = arena_alloc(a, (x->nodes.n + 1) * sizeof *f.ended);
  for (size_t i = 0; i < x->graphs.n; i++) f.owns[x->graphs.at[i].owner] = true;
  for (size_t i = 0; i < x->nodes.n; i++) f.owner[i] = -1;
  for (size_t i = 0; i < m->sites.n; i++)
    for (size_t k = 0; k < lists[i].n; k++) f.owner[lists[i].at[k]] = (int)i;
  read_edges(&f);
  for (size_t i = 0; left && i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    if (!lists[i].n && s->flags & AOTIGEN_NAMES_GUESSED && s->scope < 0) guess_kernel(&f, i, &left);
  }
}
