/* record.c - the making of records, their memory, and what the device is asked for them. Judges
 * nothing. */
#define _GNU_SOURCE
#include "launch/launch_record.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launch/evaluator_thread.h"
#include "launch/scan.h"
#include "checks/finding.h"
#include "base/thread.h"

enum { CHUNK = 128 << 10, PIN = 64 << 10, PAGE_RECORDS = 64, ALIGNMENT = 16 };

typedef struct ag_chunk {
  struct ag_chunk *next;
  size_t size, used;
  _Alignas(16) char bytes[];
} ag_chunk;

/* ---- pages ---------------------------------------------------------------------------------- */

static void *page_memory(ag_page *p, size_t bytes) {
  ag_chunk *c = p->chunks;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  while (c && c->size - c->used < bytes) c = c->next;
  if (!c) {
    size_t size = bytes > CHUNK ? bytes : CHUNK;
    c = malloc(sizeof *c + size);
    if (!c) return NULL;
    *c = (ag_chunk){.next = p->chunks, .size = size};
    p->chunks = c;
  }
  void *at = c->bytes + c->used;
  c->used += bytes;
  p->used += bytes;
  return at;
}

void *ag_record_memory(ag_record *r, size_t bytes) { return page_memory(r->page, bytes); }

const char *ag_record_words(ag_record *r, const char *words) {
  char *kept = ag_record_memory(r, strlen(words) + 1);
  return kept ? strcpy(kept, words) : NULL;
}

static ag_pinned *room_in(ag_page *p, size_t bytes) {
  for (size_t i = 0; i < p->npins; i++)
    if (p->pins[i].size - p->pins[i].used >= bytes) return &p->pins[i];
  return NULL;
}

/* In a capture nothing is allocated: what an earlier run needed is there, in whichever page. */
static ag_pinned *page_pinned(ag_async_run *d, ag_page *p, size_t bytes) {
  ag_pinned *room = room_in(p, bytes);
  for (int i = 0; i < AG_PAGES && !room && d->captured; i++) room = room_in(&d->pages[i], bytes);
  if (room || d->captured) return room;
  if (!ag_grow((void **)&p->pins, &p->pins_room, p->npins, sizeof *p->pins)) return NULL;
  if (d->async->device->pin(d->device_index, bytes > PIN ? bytes : PIN, &p->pins[p->npins]))
    return NULL;
  return &p->pins[p->npins++];
}

static bool is_free(const ag_page *p) {
  return atomic_load_explicit(&p->evaluated, memory_order_acquire) == p->records;
}

static void clear(ag_page *p) {
  for (ag_chunk *c = p->chunks; c; c = c->next) c->used = 0;
  for (size_t i = 0; i < p->npins; i++) p->pins[i].used = 0;
  p->records = 0;
  p->used = 0;
  atomic_store(&p->evaluated, 0);
}

/* The page that the next record goes to. Waits where the run is too far ahead of the verdicts; NULL
 * where that is in timed_out. */
static ag_page *page_for(ag_async_run *d) {
  ag_page *p = &d->pages[d->page];
  if (p->records < PAGE_RECORDS && p->used < CHUNK) return p;
  if (d->captured && d->page + 1 == AG_PAGES)
    return p; /* none is evaluated, and free again, before the graph runs: it grows */
  ag_wait w = {0};
  unsigned next = (d->page + 1) % AG_PAGES;
  p = &d->pages[next];
  while (!is_free(p))
    if (!ag_evaluator_help(d, &w)) return NULL;
  d->page = next;
  clear(p);
  return p;
}

/* ---- the run -------------------------------------------------------------------------------- */

static ag_async_run *async_run_of(aotigen_run_state *s) {
  ag_async_run *d = s->async_run;
  if (d) return d;
  d = calloc(1, sizeof *d);
  aotigen_run_state *judge = calloc(1, sizeof *judge);
  if (!d || !judge) {
    free(d);
    free(judge);
    return NULL;
  }
  pthread_mutex_init(&d->eval_lock, NULL);
  judge->model = s->model;
  judge->async_run = d;
  judge->mode = AG_JUDGING;
  d->judge = judge;
  d->async = s->model->backend->async;
  d->state = s;
  s->async_run = d;
  ag_evaluator_add(d);
  return d;
}

/* Nothing is allocated in a capture: it takes over what an earlier run of the model left, which may
 * have to be evaluated first. */
static ag_async_run *warm_async_run(aotigen_run_state *s) {
  bool more = true;
  ag_wait w = {0};
  while (!s->async_run) {
    aotigen_run_state *other = ag_state_take_async(s->model);
    if (!other && !more) return NULL;
    if (!other) more = ag_evaluator_help_own(s->model, &w);
    if (!other) continue;
    s->async_run = other->async_run;
    s->async_run->state = s;
    other->async_run = NULL;
    other->weights_checked = false; /* what its judge found in them goes with the async_run */
    ag_state_give(other);
  }
  return s->async_run;
}

static void start(ag_async_run *d, aotigen_run *run, int32_t device_index, const void *stream) {
  static atomic_ullong begun;
  for (int i = 0; i < AG_PAGES; i++) clear(&d->pages[i]);
  d->page = 0;
  d->model = run->model;
  d->number = run->number;
  atomic_store(&d->thread, syscall(SYS_gettid));
  d->device_index = device_index;
  atomic_store(&d->home, stream);
  atomic_store(&d->order, atomic_fetch_add(&begun, 1) + 1);
  atomic_store(&d->lost, false);
  d->finished = 0;
  d->replay = d->missed = 0;
  atomic_store(&d->published, 0);
  atomic_store(&d->evaluated, 0);
  atomic_store(&d->ended, false);
  ag_state_clear(d->judge);
}

/* Of a run whose first launch does not tell: where the model's inputs and weights are, or the first
 * device. */
static int32_t usual_device(const aotigen_run_state *s) {
  const ag_ranges *tables[] = {&s->inputs, &s->weights};
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < tables[t]->count; i++)
      if (tables[t]->list[i].device_type == s->model->backend->device_type &&
          tables[t]->list[i].device_index >= 0)
        return tables[t]->list[i].device_index;
  return 0;
}

/* Once a model. */
static void say_ahead(const aotigen_run *run) {
  if (atomic_exchange(&run->state->model->said_ahead, true)) return;
  ag_warn("run %llu of %s is too far ahead of its device, which has answered nothing for %d s: "
          "what would have to wait for it is not looked at",
          (unsigned long long)run->number, run->model->source, (int)(ag_stall_timeout / 1000000));
}

/* Once a model. */
static void say_waits(const aotigen_run *run) {
  if (atomic_exchange(&run->state->model->said_waits, true)) return;
  ag_warn("run %llu of %s waits for each of its launches: there are as many runs under way, and "
          "graphs, as can be looked at without waiting",
          (unsigned long long)run->number, run->model->source);
}

static const char not_looked_at[] = "its launches are not looked at";

/* What of a graph is not looked at, and why, or NULL. Once a model; of a device that died its
 * post-mortem tells. */
static void say_of_graph(const aotigen_run *run, int32_t device_index, const char *what,
                         const char *why) {
  ag_model_state *m = run->state->model;
  if (m->backend->async->device->sticky_error(device_index) ||
      atomic_exchange(&m->said_captured, true))
    return;
  ag_warn("run %llu of %s is being captured into a graph: %s%s%s%s",
          (unsigned long long)run->number, run->model->source, what, why ? " (" : "",
          why ? why : "", why ? ")" : "");
}

/* True where the run is on record from here on. */
static bool put_on_record(aotigen_run *run, int32_t device_index) {
  aotigen_run_state *s = run->state;
  const ag_backend *backend = s->model->backend;
  if (backend->async->device->sticky_error(device_index) || ag_evaluator_stopping()) return false;
  void *stream = ag_run_stream(run);
  bool captured = backend->capturing(stream);
  ag_async_run *d = captured ? warm_async_run(s) : async_run_of(s);
  if (!d) return false;
  d->slot = NULL;
  if (!captured && !ag_evaluator_admit()) return false;
  ag_wait w = {0};
  do {
    if (d->async->slot->take(device_index, captured, run->model->printer == 2, &d->slot))
      return false;
  } while (!d->slot && ag_evaluator_help_own(NULL, &w)); /* those of our own runs may be had soon */
  if (!d->slot) {
    if (captured)
      say_of_graph(run, device_index, not_looked_at,
                   "the room for graphs and runs is taken by those that there are");
    else
      say_waits(run);
    return false;
  }
  start(d, run, device_index, stream);
  d->captured = captured; /* behind its slot, which is asked for its replays */
  const char *why = captured ? d->async->replay->begin(d->slot, stream) : NULL;
  if (why) { /* and the slot is lost: what the graph has of it writes to it */
    say_of_graph(run, d->device_index, not_looked_at, why);
    return false;
  }
  s->mode = AG_PLANNING;
  if (!captured) ag_evaluator_open(d);
  return true;
}

/* Nothing was published whose verdicts looks into a table. */
static bool only_inputs(const ag_async_run *d) {
  unsigned published = atomic_load(&d->published);
  return !published || (published == 1 && d->records[0]->site == AG_NO_SITE);
}

/* The judge begins with what the run knows of inputs and weights; of weights that turned out not to
 * be clean the judge knows more. All earlier records of this state were evaluated. */
static void settle_tables(aotigen_run_state *s) {
  aotigen_run_state *judge = s->async_run->judge;
  if (s->tables_settled) return;
  if (!only_inputs(s->async_run)) ag_evaluator_wait(s->async_run);
  if (judge->weights_suspect && !s->weights_news) ag_ranges_copy(&s->weights, &judge->weights);
  ag_ranges_confirm(&s->weights);
  ag_ranges_copy(&judge->weights, &s->weights);
  ag_ranges_copy(&judge->inputs, &s->inputs);
  judge->weights_suspect = s->weights_news = false;
  s->tables_settled = true;
}

void ag_defer(aotigen_run *run, int32_t device_index) {
  aotigen_run_state *s = run->state;
  if (s->settled) return;
  s->settled = true;
  if (!s->model->defers || put_on_record(run, device_index >= 0 ? device_index : usual_device(s)))
    return;
  ag_wait w = {0};
  while (ag_evaluator_help_own(s->model, &w))
    continue; /* a run that waits is not told of before those that did not */
  if (s->async_run) settle_tables(s);
  s->left_out = ag_evaluator_timed_out();
  if (s->left_out) say_ahead(run);
}

void ag_record_captured(aotigen_run *run, bool unwinding) {
  ag_async_run *d = run->state->async_run;
  ag_record_thrown(run->state);
  d->captured_run = d->number;
  const char *why =
      unwinding ? "an exception ended it"
                : d->async->replay->end(d->slot, ag_run_stream(run), run->model->printer == 2);
  if (why) {
    say_of_graph(run, d->device_index, not_looked_at, why);
    return;
  }
  /* Each replay's verdicts begins with what was known before the plan, which took what it read for
   * clean. */
  ag_ranges_copy(&run->state->inputs, &d->judge->inputs);
  ag_ranges_copy(&run->state->weights, &d->judge->weights);
  ag_evaluator_add_graph(d);
}

static const char no_room[] = "what there is room for is looked at, not its last launches";

void ag_record_thrown(aotigen_run_state *s) {
  int launching = AG_LAUNCHING;
  if (s->record) atomic_compare_exchange_strong(&s->record->stage, &launching, AG_THROWN);
}

ag_record *ag_record_begin(aotigen_run *run, uint32_t site, size_t nargs) {
  ag_async_run *d = run->state->async_run;
  unsigned published = atomic_load(&d->published);
  ag_record_thrown(run->state);
  if (site != AG_NO_SITE) settle_tables(run->state);
  if (d->captured && published == AG_RECORDS) {
    say_of_graph(run, d->device_index, no_room, NULL);
    return NULL;
  }
  ag_wait w = {0};
  bool room = true;
  while (room &&
         published - atomic_load_explicit(&d->evaluated, memory_order_acquire) >= AG_RECORDS)
    room = ag_evaluator_help(d, &w);
  ag_page *page = room ? page_for(d) : NULL;
  if (!page) {
    say_ahead(run);
    return NULL;
  }
  ag_record *r = page_memory(page, sizeof *r);
  ag_arg *args = page_memory(page, (nargs ? nargs : 1) * sizeof *args);
  if (!r || !args) return NULL;
  memset(r, 0, sizeof *r);
  r->launch = run->launch;
  r->unseen = run->unseen;
  r->site = site;
  r->args = args;
  r->nargs = nargs;
  r->page = page;
  atomic_store_explicit(&r->stage, AG_LAUNCHING, memory_order_relaxed);
  r->stream = d->stream = ag_run_stream(run);
  run->state->record = r;
  run->state->args = args;
  return r;
}

void ag_record_publish(aotigen_run *run) {
  ag_async_run *d = run->state->async_run;
  unsigned published = atomic_load(&d->published);
  d->records[published % AG_RECORDS] = run->state->record;
  run->state->record->page->records++;
  atomic_store_explicit(&d->published, published + 1, memory_order_release);
}

void ag_record_replay(ag_async_run *d, uint32_t replay) {
  unsigned n = atomic_load(&d->published);
  d->replay = replay;
  for (unsigned i = 0; i < n; i++)
    for (int when = 0; when < 2; when++) d->records[i]->batch[when].token = replay;
}

/* ---- the device ----------------------------------------------------------------------------- */

static const char *dead(const ag_async_run *d) {
  return d->async->device->sticky_error(d->device_index);
}

const char *ag_record_ask(aotigen_run *run, enum ag_when when) {
  ag_async_run *d = run->state->async_run;
  ag_record *r = run->state->record;
  ag_scan_batch *w = &r->batch[when];
  if (!w->count) return NULL;
  ag_pinned *memory = page_pinned(d, r->page, d->async->batch->bytes(w));
  const char *why = memory ? d->async->batch->start(w, d->slot, d->stream, memory) : "no memory";
  if (!why) return NULL;
  if (d->captured)
    say_of_graph(run, d->device_index, memory ? "one of its launches is not looked at" : no_room,
                 memory ? why : NULL);
  const char *words = dead(d) ? NULL : ag_record_words(r, why);
  for (uint32_t i = 0; i < w->count; i++) {
    ag_scan_target *s = &w->targets[i];
    if (s->known) continue;
    s->unavailable = true;
    if (!s->why) s->why = words;
  }
  w->done = NULL;
  return dead(d);
}

static atomic_bool unmarked;

bool ag_record_unmarked(void) { return atomic_load(&unmarked); }

/* False where its end will not be known. */
static bool mark_end(const ag_async_run *d, uint32_t mark) {
  const char *why = d->async->slot->mark(d->slot, d->stream, mark);
  if (why && !dead(d) && !atomic_exchange(&unmarked, true))
    ag_warn("the end of a launch cannot be marked (%s): where the device fails, it is not known in "
            "which",
            why);
  return !why;
}

const char *ag_record_launched(aotigen_run *run) {
  ag_async_run *d = run->state->async_run;
  ag_record *r = run->state->record;
  bool told = r->batch[AG_AFTER].done != NULL || r->site == AG_NO_SITE;
  if (!told) r->mark = (uint32_t)r->launch ? (uint32_t)r->launch : 1;
  if (!told && !mark_end(d, r->mark)) r->mark = 0;
  atomic_store_explicit(&r->stage, AG_LAUNCHED, memory_order_release);
  return dead(d);
}

bool ag_record_over(const ag_async_run *d, const ag_record *r) {
  int stage = atomic_load_explicit(&r->stage, memory_order_acquire);
  if (stage == AG_LAUNCHING) return false;
  if (stage == AG_THROWN) return d->async->batch->is_done(&r->batch[AG_BEFORE]);
  if (r->batch[AG_AFTER].done) return d->async->batch->is_done(&r->batch[AG_AFTER]);
  if (r->mark) return (int32_t)(d->async->slot->marked(d->slot) - r->mark) >= 0;
  return d->async->batch->is_done(&r->batch[AG_BEFORE]);
}
