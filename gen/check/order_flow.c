/* order_flow.c - see order_parts.h. Walks the text from one point to the other, and keeps which
 * streams have come behind the first. A stream has its own program order; an event carries what its
 * stream had come behind when it was recorded last. The implicit order of CUDA's default stream is
 * not relied on: the caller's stream may be another one, and torch's side streams have no part in
 * it. */
#include "check/order_parts.h"
#include "model/op_table.h"
#include <ctype.h>
#include <string.h>

typedef struct flow {
  checker *k;
  const model *m;
  const order_query *q;
  bool may;      /* what may order them counts, else only what surely does */
  bool host;     /* the host has waited: what it starts from here on comes behind `from` */
  bool *reached; /* by stream: what it is given from here on comes behind `from` */
  bool *covers;  /* by stream_op, a record: `from` comes before it */
} flow;

/* ---- names ---------------------------------------------------------------------------------- */

/* True if two texts are the same but for a number, as the slots of a cache are. */
static bool differ_in_number(const char *x, const char *y) {
  bool differ = false;
  while (*x && *y) {
    if (*x == *y) {
      x++, y++;
      continue;
    }
    if (differ || !isdigit((unsigned char)*x) || !isdigit((unsigned char)*y)) return false;
    while (isdigit((unsigned char)*x)) x++;
    while (isdigit((unsigned char)*y)) y++;
    differ = true;
  }
  return differ && *x == *y;
}

/* OBJECT.get(NUMBER, ...): the same each time; another expression may change between two uses. */
static bool is_slot(const char *text) {
  const char *at = strstr(text, ".get(");
  return at && isdigit((unsigned char)at[5]);
}

/* Texts without a slot to tell them apart may name one event. */
static bool may_be_one_event(const char *x, const char *y) {
  return !(is_slot(x) && is_slot(y) && differ_in_number(x, y));
}

/* True if the statement is made whenever the run comes to it, and of the event that it names. */
static bool is_plain(const stream_op *x) { return x->end && (!x->event || is_slot(x->event)); }

/* OBJECT.get(NUMBER, ...): a stream of the wrapper's own. */
static bool is_of_cache(const char *text) {
  const char *at = strstr(text, ".get(");
  return at && isdigit((unsigned char)at[5]) && at[5] != '0';
}

bool order_are_apart(const model *m, int x, int y) {
  if (x < 0 || y < 0 || x == y) return false;
  const char *one = m->streams.at[x].text, *other = m->streams.at[y].text;
  return is_of_cache(y ? other : one) && (!x || !y || differ_in_number(one, other));
}

bool order_exclude(const checker *k, size_t x, size_t y) {
  return blocks_exclude(k->blocks, blocks_find(k->blocks, x), blocks_find(k->blocks, y));
}

/* ---- the walk ------------------------------------------------------------------------------- */

static bool is_reached(const flow *f, int stream) {
  if (f->host) return true;
  if (!f->may) return stream >= 0 && f->reached[stream];
  if (stream < 0) return true;
  for (size_t i = 0; i < f->m->streams.n; i++)
    if (f->reached[i] && !((int)i != stream && order_are_apart(f->m, (int)i, stream))) return true;
  return false;
}

static void reach(flow *f, int stream) {
  if (stream >= 0)
    f->reached[stream] = true;
  else if (f->may)
    f->host = true;
}

/* True if each run that comes to both points executes what stands at the offset. */
static bool is_certain(const flow *f, size_t at) {
  const blocks *b = f->k->blocks;
  return blocks_is_certain(b, at, f->q->to.at) ||
         blocks_is_within(b, blocks_find_branching(b, f->q->from.at), blocks_find_branching(b, at));
}

static bool is_left_out(const flow *f, size_t at) {
  return order_exclude(f->k, at, f->q->from.at) || order_exclude(f->k, at, f->q->to.at);
}

/* True if the event was recorded behind `from`. Of several records the last one counts; one that
 * was perhaps not made leaves what was recorded before it. */
static bool is_event_behind(const flow *f, const stream_op *wait, size_t number) {
  for (size_t i = number; i-- > 0;) {
    const stream_op *x = &f->m->stream_ops.at[i];
    if (x->kind != STREAM_OP_RECORDS || (x->event && !may_be_one_event(x->event, wait->event)) ||
        x->offset > f->q->to.at || is_left_out(f, x->offset))
      continue;
    f->k->order->work++;
    if (f->covers[i] == f->may) return f->may;
    bool last = x->event && strcmp(x->event, wait->event) == 0 && is_certain(f, x->offset);
    if (last) return f->covers[i];
    if (x->offset < f->q->from.at) return false;
  }
  return false;
}

static bool is_in_loop(const checker *k, size_t at) {
  int i = blocks_find(k->blocks, at);
  while (i >= 0 && k->blocks->list.at[i].kind != BLOCK_LOOP) i = k->blocks->list.at[i].outer;
  return i >= 0;
}

/* Behind a record in a loop its next iteration may wait. */
static bool is_waited(const flow *f, const stream_op *x, size_t number, int stream) {
  if (f->may && is_in_loop(f->k, x->offset)) return true;
  if (x->event) return is_event_behind(f, x, number);
  return stream == STREAM_NONE || is_reached(f, stream);
}

static void step_op(flow *f, size_t number) {
  const stream_op *x = &f->m->stream_ops.at[number];
  int stream = f->q->meant && x->stream >= 0 ? f->q->meant[x->stream] : x->stream;
  if (x->kind == STREAM_OP_RECORDS) {
    if (!f->may && !is_plain(x)) return;
    f->covers[number] = is_reached(f, stream);
    return;
  }
  if ((!f->may && !(is_plain(x) && is_certain(f, x->offset))) || !is_waited(f, x, number, stream))
    return;
  if (x->kind == STREAM_OP_WAITS)
    reach(f, stream);
  else
    f->host = true;
}

/* True if a Triton kernel uses the memory: it is the device's. */
static bool is_of_device(const model *m, int root) {
  for (size_t i = 0; root >= 0 && i < m->sites.n; i++)
    for (size_t j = 0; m->sites.at[i].form == AOTIGEN_TRITON && j < m->sites.at[i].args.n; j++)
      if (m->sites.at[i].args.at[j].root == root) return true;
  return false;
}

/* A call that reads one element of the device's memory waits for its stream. Of most others it is
 * not known whether they wait. */
static void step_site(flow *f, const site *s) {
  if (s->stream == STREAM_NONE || s->form == AOTIGEN_TRITON || !is_reached(f, s->stream)) return;
  bool sure = s->form == AOTIGEN_ITEM && s->args.n && is_of_device(f->m, s->args.at[0].root) &&
              is_certain(f, s->call->offset);
  if (sure || (f->may && !op_table_is_product(s->call->callee))) f->host = true;
}

static bool walk(flow *f, bool may) {
  const model *m = f->m;
  size_t op = 0, next = 0, begin = f->q->from.at, end = f->q->to.at;
  f->may = may;
  f->host = false;
  memset(f->reached, 0, m->streams.n);
  memset(f->covers, 0, m->stream_ops.n);
  reach(f, f->q->from.stream);
  while (op < m->stream_ops.n && m->stream_ops.at[op].offset < begin) op++;
  while (next < m->sites.n && m->sites.at[next].call->offset < begin) next++;
  f->k->order->work += 1 + (int64_t)(op + next) / 16;
  for (; !is_reached(f, f->q->to.stream); f->k->order->work++) {
    size_t x = op < m->stream_ops.n ? m->stream_ops.at[op].offset : end;
    size_t y = next < m->sites.n ? m->sites.at[next].call->offset : end;
    if (x >= end && y >= end) return false;
    bool left_out = is_left_out(f, x < y ? x : y);
    if (x < y && !left_out) step_op(f, op);
    if (x >= y && !left_out) step_site(f, &m->sites.at[next]);
    if (x < y)
      op++;
    else
      next++;
  }
  return true;
}

/* In steps, over all launches of a model. Those of torch need some hundreds. */
enum { WORK_MAX = 1 << 24 };

bool order_is_spent(const checker *k) { return k->order->work > WORK_MAX; }

enum order_found order_find(checker *k, const order_query *q) {
  if (order_is_spent(k)) return ORDER_PERHAPS;
  flow f = {.k = k, .m = k->m, .q = q};
  f.reached = arena_alloc(k->a, k->m->streams.n + 1);
  f.covers = arena_alloc(k->a, k->m->stream_ops.n + 1);
  if (!k->m->hides_order && walk(&f, false)) return ORDER_CERTAIN;
  return walk(&f, true) ? ORDER_PERHAPS : ORDER_NONE;
}
