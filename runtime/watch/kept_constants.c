/* kept_constants.c - see kept_constants.h. */
#include "watch/kept_constants.h"

#include <stdlib.h>
#include <string.h>

#include "base/settings.h"

/* A run waits no longer for an update; a capsule does. */
enum { RUN_WAITS_US = 200, CAPSULE_WAITS_US = 500000 };

/* ---- a run ---------------------------------------------------------------------------------- */

static ag_kept_buffer *add_copy(ag_kept_buffers *k, const ag_buffer *b, size_t which) {
  if (k->count == k->room) {
    size_t room = k->room ? 2 * k->room : 8;
    ag_kept_buffer *list = realloc(k->list, room * sizeof *list);
    if (!list) return NULL;
    k->list = list;
    k->room = room;
  }
  ag_kept_buffer *copy = &k->list[k->count++];
  copy->tensor = b->tensor;
  copy->which = which;
  copy->decided = b->state == AG_BUFFER_WRITTEN;
  ag_kept_tensor_begin_copy(&copy->tensor);
  return copy;
}

/* The bytes of what is copied. */
static size_t choose(ag_kept_buffers *k, bool all) {
  size_t bytes = 0;
  for (size_t i = 0; i < k->of->buffer_count; i++) {
    const ag_buffer *b = &k->of->buffers[i];
    if (!all && b->state == AG_BUFFER_AS_LOADED) continue;
    if (!ag_buffer_is_small(b)) continue;
    if (bytes + ag_kept_tensor_room(&b->tensor) > AG_COPY_RUN_MOST) continue;
    if (add_copy(k, b, i)) bytes += ag_kept_tensor_room(&b->tensor);
  }
  return bytes;
}

void ag_kept_buffers_begin(ag_kept_buffers *k, ag_constants *of, bool is_first) {
  k->count = 0;
  k->of = of;
  k->is_first = is_first;
  k->missed = false;
  if (!of || !of->buffer_count) return;
  if (!ag_constants_lock(RUN_WAITS_US)) {
    k->missed = true;
    return;
  }
  k->generation = of->generation;
  const uint64_t turn = ++of->turns;
  ag_host_copies_begin(&k->copies, choose(k, is_first || !(turn & (turn - 1))));
  for (size_t i = 0; i < k->count; i++) ag_host_copies_add(&k->copies, &k->list[i].tensor);
  ag_constants_unlock();
}

static bool has_arrived(const ag_kept_buffer *copy) {
  return copy->tensor.how == AG_KEPT_COPIED && copy->tensor.copy.t.data;
}

static const void *bytes_of(const ag_kept_buffer *copy) {
  const ag_view *view = &copy->tensor.copy;
  return (const char *)view->t.data + view->lowest * view->t.dtype->item_size;
}

static void compare_with_loaded(ag_kept_buffers *k, const ag_kept_buffer *copy) {
  ag_buffer *b = &k->of->buffers[copy->which];
  if (b->state == AG_BUFFER_UNKNOWN && k->is_first)
    ag_buffer_set_loaded(b, bytes_of(copy));
  else if (b->state == AG_BUFFER_AS_LOADED && memcmp(bytes_of(copy), b->loaded, ag_buffer_bytes(b)))
    b->state = AG_BUFFER_WRITTEN;
}

void ag_kept_buffers_end(ag_kept_buffers *k) {
  bool open = false;
  for (size_t i = 0; i < k->count; i++) open = open || !k->list[i].decided;
  if (!open || !ag_constants_lock(RUN_WAITS_US)) return;
  for (size_t i = 0; i < k->count && k->generation == k->of->generation; i++)
    if (!k->list[i].decided && has_arrived(&k->list[i])) compare_with_loaded(k, &k->list[i]);
  ag_constants_unlock();
}

/* ---- a capsule ------------------------------------------------------------------------------ */

static ag_kept_constant *add(ag_kept_constants *k, const char *name, bool is_buffer) {
  if (k->count == AG_KEPT_CONSTANTS_MOST) {
    k->more++;
    return NULL;
  }
  if (!(k->count & (k->count + 1))) { /* it is full: it has room for 1, 3, 7, ... more */
    ag_kept_constant *list = realloc(k->list, (2 * k->count + 2) * sizeof *list);
    if (!list) k->more++;
    if (!list) return NULL;
    k->list = list;
  }
  k->list[k->count] = (ag_kept_constant){.name = name, .is_buffer = is_buffer};
  return &k->list[k->count++];
}

static const ag_kept_buffer *find_copy(const ag_kept_buffers *buffers, size_t which) {
  for (size_t i = 0; i < buffers->count; i++)
    if (buffers->list[i].which == which) return &buffers->list[i];
  return NULL;
}

static const char *explain_missing(const ag_buffer *b, const ag_kept_buffers *buffers) {
  if (b->tensor.why) return b->tensor.why;
  if (!ag_buffer_is_small(b)) return "it is too large to be copied before each run";
  if (buffers->missed) return "constants were being updated as the run began";
  return b->state == AG_BUFFER_WRITTEN
             ? "the copies of a run are bounded"
             : "the model wrote to it first in this run, or in one before it that was not watched";
}

/* False if it is as loaded: the package has it. */
static bool add_buffer(ag_kept_constants *k, const ag_kept_buffers *buffers, size_t which) {
  ag_buffer *b = &buffers->of->buffers[which];
  const bool is_current = buffers->generation == buffers->of->generation;
  const ag_kept_buffer *copy = is_current ? find_copy(buffers, which) : NULL;
  if (ag_buffer_is_as_loaded(b)) return false;
  const char *why = explain_missing(b, buffers);
  b->state = AG_BUFFER_WRITTEN;
  ag_kept_constant *one = add(k, buffers->of->list[b->constant].fqn, true);
  if (!one) return true;
  one->tensor = copy ? copy->tensor : b->tensor;
  if (copy && has_arrived(copy)) return true;
  one->tensor.how = AG_NOT_KEPT;
  one->tensor.why = is_current || buffers->missed ? why : "constants were updated since it began";
  return true;
}

static void add_updated(ag_kept_constants *k, const ag_constant *c, const char *lost,
                        uint64_t *bytes) {
  ag_kept_constant *one = add(k, c->fqn, false);
  if (!one) return;
  ag_kept_tensor *t = &one->tensor;
  ag_kept_tensor_read(t, c->handle);
  if (!t->why && t->view.t.device_type != ag_backend_cpu.device_type) t->why = lost;
  if (t->why) return;
  uint64_t more = (uint64_t)t->view.t.numel * t->view.t.dtype->item_size;
  t->how = *bytes + more <= ag_settings_get()->keep_bytes ? AG_KEPT_HELD : AG_NOT_KEPT;
  if (t->how == AG_KEPT_HELD)
    *bytes += more;
  else
    t->why = "it is beyond AOTIGEN_KEEP_BYTES";
}

void ag_kept_constants_begin(ag_kept_constants *k, const ag_kept_buffers *buffers,
                             const char *lost) {
  const ag_constants *c = buffers->of;
  uint64_t bytes = 0;
  size_t which = 0;
  *k = (ag_kept_constants){.why = c ? NULL : "this torch does not tell them"};
  if (!c) return;
  k->locked = ag_constants_lock(CAPSULE_WAITS_US);
  if (!k->locked) k->why = "they were being updated";
  for (size_t i = 0; k->locked && i < c->count; i++) {
    bool is_added = false;
    if (which < c->buffer_count && c->buffers[which].constant == i)
      is_added = add_buffer(k, buffers, which++);
    if (!is_added && c->list[i].updated[c->active] && c->list[i].handle)
      add_updated(k, &c->list[i], lost, &bytes);
  }
}

void ag_kept_constants_end(ag_kept_constants *k) {
  if (k->locked) ag_constants_unlock();
  free(k->list);
  *k = (ag_kept_constants){0};
}
