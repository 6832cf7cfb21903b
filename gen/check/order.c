/* order.c - launches on different streams that use one memory: see checker.h. Of two that do, one
 * of which writes, one has to be complete before the other begins. */
#include "check/order_parts.h"
#include "model/streams.h"
#include <string.h>

/* Lists the variables whose memory a run function hands to the caller. */
static void list_outputs(struct order *o, const model *m, const fact_function *run, arena *a) {
  named_output out = {.offset = run->body.begin};
  while (storage_next_named_output(m->storage, &out, run->body.end)) {
    int root = out.var < 0 ? -1 : storage_root(m->storage, out.var);
    if (root >= 0) *arena_push(a, &o->outputs) = root;
  }
}

struct order *order_begin(const model *m, arena *a) {
  struct order *o = arena_alloc(a, sizeof *o);
  o->unknown = arena_alloc(a, m->sites.n + 1);
  for (size_t i = 0; streams_are_several(m) && i < m->facts->functions.n; i++)
    if (m->facts->functions.at[i].kind == FUNCTION_RUN)
      list_outputs(o, m, &m->facts->functions.at[i], a);
  return o;
}

/* ---- what is said --------------------------------------------------------------------------- */

static const char *name_use(const memory_use *use) {
  if (use->reads && use->writes) return use->sure_writes ? "reads and writes" : "may use";
  return use->reads ? "reads" : "writes";
}

static const char *name_launch(checker *k, const site *s) {
  return arena_printf(k->a, "launch %u, %s,", s->number, s->kernel);
}

/* Two launches on different streams: the later one is checked. */
typedef struct hazard {
  const site *x, *y;
  memory_use of, by; /* what x and what y do to the memory */
  bool refuted;
  const char *would; /* not refuted: what would decide it */
} hazard;

/* "launch 3, triton_poi_fused_0, on the caller's stream reads buf5, which launch 2, mm_out, writes
 * on side stream 1" */
static const char *describe(checker *k, const hazard *h) {
  const char *name = h->of.arg->name;
  bool over = !h->by.reads && !h->of.writes;
  return arena_printf(k->a, "%s on %s %s %s, which %s %s %s%son %s", name_launch(k, h->y),
                      stream_name(k->m, h->y->stream, k->a), over ? "overwrites" : name_use(&h->by),
                      h->by.arg->name, name_launch(k, h->x), name_use(&h->of),
                      strcmp(name, h->by.arg->name) ? "as " : "",
                      strcmp(name, h->by.arg->name) ? arena_printf(k->a, "%s ", name) : "",
                      stream_name(k->m, h->x->stream, k->a));
}

/* ---- why there is no order ------------------------------------------------------------------ */

static order_query query_of(const hazard *h) {
  return (order_query){.from = {h->x->call->offset, h->x->stream},
                       .to = {h->y->call->offset, h->y->stream}};
}

/* True for a kernel that is passed its caller's stream within a guard of another one. */
static bool is_misplaced(const site *s) {
  return s->passed_stream && !s->stream && s->guard_stream > 0;
}

enum { SLOTS_MAX = 8 };

/* torch 2.15 passes each Triton kernel `stream`. */
static const char *explain_misplaced(checker *k, const hazard *h) {
  for (int which = 1; which < 4; which++) {
    order_query q = query_of(h);
    if ((which & 1 && !is_misplaced(h->y)) || (which & 2 && !is_misplaced(h->x))) continue;
    if (which & 1) q.to.stream = h->y->guard_stream;
    if (which & 2) q.from.stream = h->x->guard_stream;
    const site *s = which & 1 ? h->y : h->x;
    if ((q.to.stream != q.from.stream || q.to.stream < 0) && order_find(k, &q) != ORDER_CERTAIN)
      continue;
    return arena_printf(k->a,
                        "torch passes launch %u '%s', not %s of the guard around it: torch's fault",
                        s->number, s->passed_stream, stream_name(k->m, s->guard_stream, k->a));
  }
  return NULL;
}

static bool runs_something(const model *m, int stream) {
  for (size_t i = 0; i < m->sites.n; i++)
    if (m->sites.at[i].stream == stream || m->sites.at[i].guard_stream == stream) return true;
  return false;
}

static bool is_in_events(const model *m, int stream) {
  for (size_t i = 0; i < m->stream_ops.n; i++)
    if (m->stream_ops.at[i].stream == stream) return true;
  return false;
}

/* Lists the side streams for which both are as given, by number. */
static int list_streams(checker *k, bool runs, bool in_events, int **list) {
  const model *m = k->m;
  int n = 0;
  *list = arena_alloc(k->a, m->streams.n * sizeof **list);
  for (int i = 1; i < (int)m->streams.n; i++) {
    if (runs_something(m, i) != runs || is_in_events(m, i) != in_events) continue;
    int at = n++;
    for (; at && m->streams.at[(*list)[at - 1]].number > m->streams.at[i].number; at--)
      (*list)[at] = (*list)[at - 1];
    (*list)[at] = i;
  }
  return n;
}

static const char *join_names(checker *k, const int *list, int n) {
  const char *all = "";
  for (int i = 0; i < n; i++)
    all = arena_printf(k->a, "%s%s%s", all, i ? ", " : "", stream_name(k->m, list[i], k->a));
  return all;
}

/* torch 2.15 numbers a stream in events by the model's object, and in guards by its order among the
 * streams: where the model makes an event before a stream, they differ. */
static const char *explain_slot(checker *k, const hazard *h) {
  int *idle, *unnamed, *meant, n = list_streams(k, false, true, &idle);
  if (!n || n > SLOTS_MAX || list_streams(k, true, false, &unnamed) != n) return NULL;
  meant = arena_alloc(k->a, k->m->streams.n * sizeof *meant);
  for (size_t i = 0; i < k->m->streams.n; i++) meant[i] = (int)i;
  for (int i = 0; i < n; i++) meant[idle[i]] = unnamed[i];
  order_query q = query_of(h);
  q.meant = meant;
  if (order_find(k, &q) != ORDER_CERTAIN) return NULL;
  return arena_printf(k->a,
                      "events name %s, where nothing runs, and not %s: torch numbers streams there "
                      "in another way than in its guards: torch's fault",
                      join_names(k, idle, n), join_names(k, unnamed, n));
}

/* The last record of the event before stream_op `number`, or NULL. */
static const stream_op *find_record(const model *m, size_t number) {
  const char *event = m->stream_ops.at[number].event;
  while (event && number-- > 0) {
    const stream_op *x = &m->stream_ops.at[number];
    if (x->kind == STREAM_OP_RECORDS && x->event && strcmp(x->event, event) == 0) return x;
  }
  return NULL;
}

/* The wait of y's stream for what x's stream was given before x. */
static const char *explain_early(checker *k, const hazard *h) {
  const model *m = k->m;
  size_t x = h->x->call->offset, y = h->y->call->offset;
  for (size_t i = m->stream_ops.n; i-- > 0;) {
    const stream_op *wait = &m->stream_ops.at[i], *of = find_record(m, i);
    if (wait->kind == STREAM_OP_WAITS && wait->stream == h->y->stream && wait->offset < y && of &&
        of->stream == h->x->stream && of->offset < x && !order_exclude(k, wait->offset, y))
      return arena_printf(k->a, "line %u waits for what %s was given before launch %u", wait->line,
                          stream_name(m, of->stream, k->a), h->x->number);
  }
  return NULL;
}

static const char *explain(checker *k, const hazard *h) {
  const char *why = explain_misplaced(k, h);
  if (!why) why = explain_slot(k, h);
  return why ? why : explain_early(k, h);
}

/* ---- pairs of launches ---------------------------------------------------------------------- */

static bool is_sure(const memory_use *x, const memory_use *y) {
  return (x->sure_writes && (y->sure_reads || y->sure_writes)) || (y->sure_writes && x->sure_reads);
}

/* True if the variable is given another tensor between the two launches. */
static bool is_assigned_between(const checker *k, const hazard *h) {
  const fact_var *v = &k->m->facts->vars.at[h->by.arg->root];
  const changes *list = string_map_get(k->changes, v->name);
  for (size_t i = 0; list && i < list->n; i++)
    if (list->at[i].kind == CHANGE_ASSIGNS && list->at[i].offset > h->x->call->offset &&
        list->at[i].offset < h->y->call->offset)
      return true;
  return false;
}

/* What would decide a pair without an order that is certain; NULL where it is refuted. */
static const char *find_would(checker *k, const hazard *h, enum order_found found) {
  const model *m = k->m;
  int x = h->x->stream, y = h->y->stream;
  if (x < 0 || y < 0)
    return arena_printf(k->a, "on which stream launch %u runs", (x < 0 ? h->x : h->y)->number);
  if (!order_are_apart(m, x, y))
    return arena_printf(k->a, "whether %s and %s are one stream", m->streams.at[x].text,
                        m->streams.at[y].text);
  if (m->hides_order) return "what the wrapper's other functions order by events";
  if (found == ORDER_PERHAPS)
    return "which branches of the wrapper are taken, and whether a call between the two waits for "
           "the device";
  if (!is_sure(&h->of, &h->by))
    return arena_printf(k->a, "what launches %u and %u do to %s", h->x->number, h->y->number,
                        h->by.arg->name);
  if (!h->of.whole && !h->by.whole)
    return h->of.part || h->by.part ? "which elements the two views have in common"
                                    : "which elements the two launches have in common";
  if (is_assigned_between(k, h) ||
      !blocks_is_certain(k->blocks, h->x->call->offset, h->y->call->offset))
    return "which branches of the wrapper are taken";
  return NULL;
}

static void add_unordered(checker *k, int root, size_t writer) {
  struct order *o = k->order;
  if (order_find_unordered(k, root)) return;
  if (o->n == o->room) {
    o->room = 2 * o->room + 8;
    struct unordered *more = arena_alloc(k->a, o->room * sizeof *more);
    if (o->n) memcpy(more, o->list, o->n * sizeof *more);
    o->list = more;
  }
  o->list[o->n++] = (struct unordered){root, writer};
}

const char *order_find_unordered(checker *k, int root) {
  for (size_t i = 0; i < k->order->n; i++) {
    const site *x = &k->m->sites.at[k->order->list[i].writer];
    if (k->order->list[i].root == root)
      return arena_printf(k->a, "%s writes it on %s, and an order with that is not shown",
                          name_launch(k, x), stream_name(k->m, x->stream, k->a));
  }
  return NULL;
}

/* True for an earlier launch that may overlap the one that is checked. What a collective does is
 * complete behind its wait, which is a launch of its own. */
static bool is_partner(const checker *k, const site *x, const site *y) {
  return x->call->function == y->call->function && x->number && x->stream != STREAM_NONE &&
         x->completion.kind != COMPLETE_AT_WAIT && (x->stream != y->stream || x->stream < 0) &&
         !order_exclude(k, x->call->offset, y->call->offset);
}

typedef struct summary {
  size_t partners; /* launches of other streams that use a memory of this one */
  bool all;        /* each of them is ordered */
} summary;

static void add_hazard(checker *k, const hazard *h) {
  finding *f =
      checker_add(k, NULL, FINDING_ORDER, h->refuted ? VERDICT_REFUTED : VERDICT_UNDECIDED);
  const char *said = describe(k, h);
  f->argument = h->by.arg->name;
  if (h->refuted)
    f->why = arena_printf(k->a, "%s: no event orders them", said);
  else if (order_is_spent(k))
    f->why = "more launches on several streams than are compared: the comparison ended before it";
  else
    f->why = arena_printf(k->a, "%s: it is not shown that an event orders them", said);
  f->would = order_is_spent(k) ? NULL : h->would;
  if (h->refuted) f->cause = explain(k, h);
}

/* True if each iteration of a loop around both has the memory of the one before. */
static bool is_carried(const checker *k, const hazard *h, int root) {
  const int loop = h->y->call->loop;
  return h->x->call->loop && loop && k->m->facts->vars.at[root].loop != loop;
}

/* Compares the launch with those before it that use the memory: reports one that is refuted, the
 * nearest, or else one that is not decided. What a stream was given before a launch that is ordered
 * is ordered, too. */
static void check_root(checker *k, const site *s, int root, summary *sum) {
  hazard worst = {0}, h = {.y = s, .by = order_read_use(k, s, root)};
  bool *done = arena_alloc(k->a, k->m->streams.n + 1);
  for (size_t i = k->site; i-- > 0 && !worst.refuted;) {
    h.x = &k->m->sites.at[i];
    int stream = h.x->stream;
    if (!is_partner(k, h.x, s) || (stream >= 0 && done[stream])) continue;
    h.of = order_read_use(k, h.x, root);
    if (!h.of.arg || (!h.of.writes && !h.by.writes)) continue;
    sum->partners++;
    const order_query q = query_of(&h);
    enum order_found found = order_find(k, &q);
    if (found == ORDER_CERTAIN && !is_carried(k, &h, root)) {
      if (stream >= 0)
        done[stream] = blocks_is_certain(k->blocks, h.x->call->offset, s->call->offset);
      continue;
    }
    h.would = found == ORDER_CERTAIN ? "whether the loop has a second iteration"
                                     : find_would(k, &h, found);
    h.refuted = !h.would;
    if (h.of.writes && h.by.reads) add_unordered(k, root, i);
    if (!worst.x || h.refuted) worst = h;
  }
  if (!worst.x) return;
  sum->all = false;
  add_hazard(k, &worst);
}

static bool is_first_of_root(const site *s, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (s->args.at[j].root == s->args.at[i].root && s->args.at[j].kind != AOTIGEN_SCALAR)
      return false;
  return s->args.at[i].root >= 0 && s->args.at[i].kind != AOTIGEN_SCALAR;
}

/* A tensor whose memory is not known may be that of any launch. */
static void check_unknown(checker *k, const site *s, summary *sum) {
  for (size_t i = k->site; i-- > 0;) {
    const site *x = &k->m->sites.at[i];
    if (!is_partner(k, x, s) || (!order_has_unknown(k, x) && !order_has_unknown(k, s))) continue;
    const order_query q = {.from = {x->call->offset, x->stream},
                           .to = {s->call->offset, s->stream}};
    sum->partners++;
    if (order_find(k, &q) == ORDER_CERTAIN) continue;
    sum->all = false;
    const bool own = order_has_unknown(k, s);
    finding *f = checker_add(k, NULL, FINDING_ORDER, VERDICT_UNDECIDED);
    f->why = arena_printf(k->a,
                          "%s on %s is not ordered with it, and %s a tensor whose memory is "
                          "not known",
                          name_launch(k, x), stream_name(k->m, x->stream, k->a),
                          own ? "this one has" : "has");
    f->would = "which memory that is";
    return;
  }
}

/* ---- the caller ----------------------------------------------------------------------------- */

static const fact_function *run_of(const checker *k, const site *s) {
  const fact_function *f = &k->m->facts->functions.at[s->call->function];
  return f->kind == FUNCTION_RUN && s->stream > 0 ? f : NULL;
}

/* An argument that has no order with what the caller does. */
static void add_of_caller(checker *k, summary *sum, const argument *arg, const char *why,
                          const char *would) {
  finding *f = checker_add(k, NULL, FINDING_ORDER, VERDICT_UNDECIDED);
  sum->all = false;
  f->argument = arg->name;
  f->why = why;
  f->would = would;
}

/* What the caller gave its stream before the run may be what makes an input. */
static void check_inputs(checker *k, const site *s, summary *sum) {
  const facts *f = k->m->facts;
  const fact_function *run = run_of(k, s);
  const argument *arg = NULL;
  for (size_t i = 0; run && i < s->args.n && !arg; i++)
    if (is_first_of_root(s, i) && f->vars.at[s->args.at[i].root].made == MADE_INPUT)
      arg = &s->args.at[i];
  if (!arg) return;
  const order_query q = {.from = {run->body.begin, 0}, .to = {s->call->offset, s->stream}};
  if (order_find(k, &q) == ORDER_CERTAIN) return;
  const char *why = arena_printf(k->a,
                                 "%s on %s uses %s, an input, and it is not shown that an event "
                                 "orders it behind what the caller's stream was given before",
                                 name_launch(k, s), stream_name(k->m, s->stream, k->a), arg->name);
  add_of_caller(k, sum, arg, why, "whether the caller waits for its stream before the run");
}

/* The argument by which the launch may write an output of the model, or NULL. */
static const argument *find_output(const checker *k, const site *s) {
  for (size_t i = 0; i < k->order->outputs.n; i++) {
    memory_use use = order_read_use(k, s, k->order->outputs.at[i]);
    if (use.writes) return use.arg;
  }
  return NULL;
}

/* The caller uses an output in the order of its stream. */
static void check_outputs(checker *k, const site *s, summary *sum) {
  const fact_function *run = run_of(k, s);
  const argument *arg = run ? find_output(k, s) : NULL;
  if (!arg) return;
  const order_query q = {.from = {s->call->offset, s->stream}, .to = {run->body.end - 1, 0}};
  if (order_find(k, &q) == ORDER_CERTAIN) return;
  const char *why = arena_printf(k->a,
                                 "%s writes %s, an output, on %s, and it is not shown that the "
                                 "caller's stream waits for that",
                                 name_launch(k, s), arg->name, stream_name(k->m, s->stream, k->a));
  add_of_caller(k, sum, arg, why, "whether the caller waits for the device behind the run");
}

void order_check(checker *k, const site *s) {
  k->order->n = k->order->room = 0; /* the list was in the last launch's arena */
  if (!streams_are_several(k->m) || s->stream == STREAM_NONE || !s->number) return;
  summary sum = {.all = true};
  for (size_t i = 0; i < s->args.n; i++)
    if (is_first_of_root(s, i)) check_root(k, s, s->args.at[i].root, &sum);
  if (sum.all) check_unknown(k, s, &sum);
  check_inputs(k, s, &sum);
  check_outputs(k, s, &sum);
  if (sum.all && sum.partners) checker_add(k, NULL, FINDING_ORDER, VERDICT_PROVED);
}
