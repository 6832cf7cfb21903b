/* constants.c - see constants.h.
 *
 * Torch's entry points that tell the handles take no lock. The first run of a model, and the first
 * one after an update, changes the container's table of constants. So handles are asked for where
 * no run can be under way: before the first run, in the entry point that updates constants in use,
 * and, of those that are not, before they are swapped in. */
#include "watch/constants.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fork_lock.h"
#include "base/settings.h"
#include "tensor/reader.h"
#include "watch/container_api.h"

enum { TYPE_UNKNOWN = 0, TYPE_BUFFER = 2, TYPE_TENSOR = 3 }; /* torch's ConstantType */
enum { HASH_MOST = 64 << 20, COUNT_MOST = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
AG_FORK_LOCK(lock)
static _Atomic(ag_constants *) all; /* never freed: a deleted container's is taken again */

/* ---- buffers -------------------------------------------------------------------------------- */

size_t ag_buffer_bytes(const ag_buffer *b) {
  const ag_view *view = &b->tensor.view;
  return (size_t)(view->highest - view->lowest) * view->t.dtype->item_size;
}

bool ag_buffer_is_small(const ag_buffer *b) {
  return ag_kept_tensor_can_copy(&b->tensor, AG_COPY_MOST);
}

static const char *memory_of(const ag_buffer *b) {
  const ag_view *view = &b->tensor.view;
  return (const char *)view->t.data + view->lowest * view->t.dtype->item_size;
}

static uint64_t hash_bytes(const char *bytes, size_t n) {
  uint64_t hash = 14695981039346656037u, word = 0;
  for (; n >= sizeof word; bytes += sizeof word, n -= sizeof word) {
    memcpy(&word, bytes, sizeof word);
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 29;
  }
  word = 0;
  memcpy(&word, bytes, n);
  return (hash ^ word) * 1099511628211u;
}

static bool is_on_host(const ag_buffer *b) {
  return !b->tensor.why && ag_view_fits_storage(&b->tensor.view) &&
         b->tensor.view.t.device_type == ag_backend_cpu.device_type;
}

void ag_buffer_set_loaded(ag_buffer *b, const void *flat) {
  if (!b->loaded) b->loaded = malloc(ag_buffer_bytes(b) + 1);
  if (b->loaded) memcpy(b->loaded, flat, ag_buffer_bytes(b));
  b->state = b->loaded ? AG_BUFFER_AS_LOADED : AG_BUFFER_UNKNOWN;
}

/* On the host: what it has now is what was loaded. On a device the first run's copy tells. */
static void note_loaded(ag_buffer *b, size_t *hashed) {
  b->state = AG_BUFFER_UNKNOWN;
  if (!is_on_host(b)) return;
  if (ag_buffer_is_small(b)) {
    ag_buffer_set_loaded(b, memory_of(b));
  } else if (*hashed + ag_buffer_bytes(b) <= HASH_MOST) {
    *hashed += ag_buffer_bytes(b);
    b->hash = hash_bytes(memory_of(b), ag_buffer_bytes(b));
    b->has_hash = true;
    b->state = AG_BUFFER_AS_LOADED;
  }
}

static bool is_as_read(const ag_buffer *b, size_t bytes) {
  const ag_view *view = &b->tensor.view;
  const ag_backend *backend = ag_backend_of_device_type(view->t.device_type);
  void *stream =
      backend && backend->async ? backend->async->device->side_stream(view->t.device_index) : NULL;
  ag_view flat = *view;
  char *now = malloc(bytes + 1);
  flat.t.data = memory_of(b);
  flat.t.ndim = 1;
  flat.t.numel = flat.t.sizes[0] = view->highest - view->lowest;
  flat.t.strides[0] = 1;
  ag_view_measure(&flat);
  const bool same = now && !ag_view_read(&flat, 0, flat.t.numel, stream, now) &&
                    !memcmp(now, b->loaded, bytes);
  free(now);
  return same;
}

bool ag_buffer_is_as_loaded(const ag_buffer *b) {
  const size_t bytes = b->tensor.why ? 0 : ag_buffer_bytes(b);
  if (b->state != AG_BUFFER_AS_LOADED || b->tensor.why) return false;
  if (b->loaded && is_on_host(b)) return !memcmp(memory_of(b), b->loaded, bytes);
  if (b->loaded) return is_as_read(b, bytes);
  return b->has_hash && hash_bytes(memory_of(b), bytes) == b->hash;
}

static void free_buffers(ag_buffer *list, size_t n) {
  for (size_t i = 0; i < n; i++) free(list[i].loaded);
  free(list);
}

/* What is known of the buffer of an earlier table. Of one that was swapped in nothing is: torch
 * copied it when the other constants were updated. */
static void take_over(ag_buffer *b, ag_buffer *old, size_t n, bool swaps) {
  for (size_t i = 0; i < n; i++) {
    if (old[i].constant != b->constant) continue;
    b->state = swaps ? AG_BUFFER_WRITTEN : old[i].state;
    b->hash = old[i].hash;
    b->has_hash = old[i].has_hash;
    b->loaded = old[i].loaded;
    old[i].loaded = NULL;
  }
}

/* is_new: there was no table before. */
static void find_buffers(ag_constants *c, bool is_new, bool swaps) {
  const size_t old_count = c->buffer_count;
  ag_buffer *old = c->buffers;
  size_t hashed = 0, n = 0;
  for (size_t i = 0; i < c->count; i++) n += c->list[i].is_buffer && c->list[i].handle;
  c->buffers = n ? calloc(n, sizeof *c->buffers) : NULL;
  c->buffer_count = 0;
  c->generation++;
  for (size_t i = 0; c->buffers && i < c->count; i++) {
    ag_buffer *b = &c->buffers[c->buffer_count];
    if (!c->list[i].is_buffer || !c->list[i].handle) continue;
    *b = (ag_buffer){.constant = i};
    ag_kept_tensor_read(&b->tensor, c->list[i].handle);
    if (b->tensor.view.state != AG_VIEW_OK) continue; /* no compiled kernel writes to it */
    c->buffer_count++;
    if (is_new || (c->list[i].updated_now && !swaps))
      note_loaded(b, &hashed);
    else
      take_over(b, old, old_count, swaps);
  }
  free_buffers(old, old_count);
}

/* ---- what torch tells ----------------------------------------------------------------------- */

static int compare_names(const void *x, const void *y) {
  const ag_constant_name *a = x, *b = y;
  const int order = strcmp(a->text, b->text);
  return order ? order : (a->of > b->of) - (a->of < b->of);
}

/* Torch's maps have no order. */
static ag_constant_name *sort_names(const ag_constants *c, bool by_fqn) {
  ag_constant_name *names = c->count ? malloc(c->count * sizeof *names) : NULL;
  for (size_t i = 0; names && i < c->count; i++)
    names[i] = (ag_constant_name){by_fqn ? c->list[i].fqn : c->list[i].name, &c->list[i]};
  if (names) qsort(names, c->count, sizeof *names, compare_names);
  return names;
}

/* The first of that name; NULL if there is none. */
static ag_constant *find_name(const ag_constant_name *names, size_t n, const char *text) {
  size_t low = 0, high = names ? n : 0;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (strcmp(names[middle].text, text) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return names && low < n && !strcmp(names[low].text, text) ? names[low].of : NULL;
}

static void set_handle(const ag_constants *c, const char *fqn, void *handle) {
  ag_constant *constant = find_name(c->by_fqn, c->count, fqn);
  if (constant) constant->handle = handle;
}

/* inactive: those that are about to be swapped in. */
static void find_handles(ag_constants *c, void *container, bool is_new, bool inactive) {
  const ag_container_api *api = ag_container_api_get();
  const ag_constant_entry *entries;
  ag_constant_map map;
  size_t n = 0;
  for (size_t i = 0; i < c->count; i++) c->list[i].handle = NULL;
  if (api->extract && api->reads_maps) {
    ag_constant_map_begin(&map);
    const bool ok = !api->extract(container, &map, inactive);
    const ag_constant_node *node = ok ? ag_constant_map_first(&map) : NULL;
    for (; node; node = ag_constant_map_next(node)) set_handle(c, node->text, node->handle);
    ag_constant_map_end(&map);
  } else if (!api->extract_entries(container, &entries, &n, inactive)) {
    for (size_t i = 0; i < n; i++) set_handle(c, entries[i].name, entries[i].handle);
  }
  find_buffers(c, is_new, inactive);
}

static void read_constant(ag_constant *to, void *container, size_t i) {
  const ag_container_api *api = ag_container_api_get();
  bool folded = true;
  int32_t type = TYPE_UNKNOWN;
  if (api->name(container, i, &to->name) || !to->name) to->name = "";
  if (api->fqn(container, i, &to->fqn) || !to->fqn) to->fqn = "";
  if (!api->folded(container, i, &folded) && !folded && !api->type(container, i, &type))
    to->is_buffer = type == TYPE_BUFFER || type == TYPE_UNKNOWN;
  to->is_copied = type == TYPE_BUFFER || type == TYPE_TENSOR;
  to->updated[1] = true; /* nothing is loaded into the inactive set */
}

/* container: NULL: one that was deleted. */
static ag_constants *find_record(const void *container) {
  ag_constants *c = all;
  while (c && c->container != container) c = c->next;
  return c;
}

/* A record that nothing finds yet. */
static ag_constants *new_record(void *container) {
  const ag_container_api *api = ag_container_api_get();
  ag_constants *c = find_record(NULL);
  size_t n = 0;
  if (!c) {
    if (!(c = calloc(1, sizeof *c))) return NULL;
    c->next = all;
    all = c;
  }
  free_buffers(c->buffers, c->buffer_count);
  free(c->list);
  free(c->by_name);
  free(c->by_fqn);
  c->buffers = NULL;
  c->buffer_count = 0;
  c->list = NULL;
  c->count = 0;
  c->runs = c->turns = 0;
  c->active = false;
  if (api->count(container, &n) || n > COUNT_MOST) n = 0;
  if (n) c->list = calloc(n, sizeof *c->list);
  if (c->list) c->count = n;
  for (size_t i = 0; i < c->count; i++) read_constant(&c->list[i], container, i);
  c->by_name = sort_names(c, false);
  c->by_fqn = sort_names(c, true);
  return c;
}

/* Locked. */
static ag_constants *take_record(void *container) {
  ag_constants *c = find_record(container);
  if (c || !(c = new_record(container))) return c;
  find_handles(c, container, true, false);
  c->container = container;
  return c;
}

static bool is_wanted(void) {
  const ag_settings *s = ag_settings_get();
  return (s->capsules || s->after_crash) && ag_container_api_get();
}

const ag_constants *ag_constants_find(const void *container) {
  return is_wanted() ? take_record((void *)(uintptr_t)container) : NULL;
}

ag_constants *ag_constants_begin_run(const void *container, bool *first) {
  if (!container || !is_wanted()) return NULL;
  ag_constants *c = find_record(container);
  if (!c) {
    pthread_mutex_lock(&lock);
    c = take_record((void *)(uintptr_t)container);
    pthread_mutex_unlock(&lock);
  }
  *first = c && !atomic_fetch_add(&c->runs, 1);
  return c;
}

/* ---- the lock ------------------------------------------------------------------------------- */

bool ag_constants_lock(int64_t wait_us) {
  struct timespec until;
  if (!pthread_mutex_trylock(&lock)) return true;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += wait_us * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  return !pthread_mutex_timedlock(&lock, &until);
}

void ag_constants_unlock(void) { pthread_mutex_unlock(&lock); }

/* ---- updates -------------------------------------------------------------------------------- */

void ag_constants_begin_update(void *container, bool swaps) {
  pthread_mutex_lock(&lock);
  ag_constants *c = is_wanted() ? take_record(container) : NULL;
  for (size_t i = 0; c && i < c->count; i++) c->list[i].updated_now = false;
  if (c && swaps) find_handles(c, container, false, true);
}

static void note_given(ag_constants *c, ag_constant *constant, bool inactive) {
  constant->updated[c->active ^ inactive] = true;
  constant->updated_now = true;
}

static void note_updated(ag_constants *c, const char *name, bool inactive) {
  ag_constant *constant = find_name(c->by_name, c->count, name);
  if (constant) note_given(c, constant, inactive);
}

static void note_names(ag_constants *c, const ag_constants_update *u) {
  const ag_constant_entry *entries = u->entries;
  size_t noted = 0;
  const ag_constant_node *node = ag_container_api_get()->reads_maps ? ag_constant_map_first(u->map)
                                                                    : NULL;
  for (; node; node = ag_constant_map_next(node), noted++) note_updated(c, node->text, u->inactive);
  for (size_t i = 0; entries && i < u->n; i++, noted++)
    note_updated(c, entries[i].name, u->inactive);
  /* A map that is not read may have each. */
  for (size_t i = 0; u->map && !noted && i < c->count; i++) note_given(c, &c->list[i], u->inactive);
}

/* An update of the inactive set copies buffers in use that it is not given. */
static void note_copied(ag_constants *c) {
  for (size_t i = 0; i < c->count; i++) {
    ag_constant *constant = &c->list[i];
    if (constant->is_copied && !constant->updated_now)
      constant->updated[!c->active] = constant->updated[c->active];
  }
}

static void note_done(ag_constants *c, const ag_constants_update *u) {
  if (u->swaps) c->active = !c->active;
  if (u->swaps || u->folds) return;
  note_names(c, u);
  if (u->inactive) note_copied(c);
}

void ag_constants_end_update(void *container, const ag_constants_update *u) {
  ag_constants *c = is_wanted() ? find_record(container) : NULL;
  if (c && u->done) note_done(c, u);
  if (c && (u->swaps ? !u->done : !u->inactive)) find_handles(c, container, false, false);
  pthread_mutex_unlock(&lock);
}

void ag_constants_forget(const void *container) {
  pthread_mutex_lock(&lock);
  ag_constants *c = find_record(container);
  if (c) c->container = NULL;
  pthread_mutex_unlock(&lock);
}
