/* debug_runs.c - see debug_runs.h. */
#define _GNU_SOURCE
#include "watch/debug_runs.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fork_lock.h"
#include "base/settings.h"
#include "base/thread.h"
#include "checks/finding.h"
#include "watch/constants.h"
#include "watch/container_api.h"
#include "watch/crash_mark.h"
#include "watch/debug_library.h"
#include "watch/identity.h"

typedef struct debug_model {
  const void *container; /* the host's; NULL: it was deleted */
  void *own;             /* of the debug library */
  bool is_host;          /* it runs on the CPU */
  bool is_shared;        /* its constants are the model's of now */
  struct debug_model *next;
} debug_model;

static struct {
  pthread_mutex_t lock;
  bool was_decided;
  atomic_bool on; /* runs are taken */
  ag_debug_library library;
  debug_model *models;
  uint64_t begun, over; /* runs */
  atomic_int running;
} debug = {.lock = PTHREAD_MUTEX_INITIALIZER};
AG_FORK_LOCK(debug.lock)

static void *find(const char *entry) {
  return debug.library.handle ? dlsym(debug.library.handle, entry) : NULL;
}

static uint64_t runs_wanted(void) { return ag_settings_get()->after_crash; }

/* ---- ends ------------------------------------------------------------------------------------ */

static void say(const char *text) {
  ag_warn("%s: AOTIGEN_AFTER_CRASH: %s", ag_watch_identity_name(), text);
}

/* Kernels on a device may still read its weights: there it stays until the model is deleted. */
static void delete_own(debug_model *m) {
  int32_t (*delete)(void *);
  *(void **)&delete = find("AOTInductorModelContainerDelete");
  if (m->own && delete) delete (m->own);
  m->own = NULL;
}

/* Locked. */
static void give_up(const char *why) {
  atomic_store(&debug.on, false);
  ag_debug_library_remove_file(&debug.library);
  ag_text t = {0};
  ag_text_addf(&t, "%s: %s",
               debug.begun ? "the debug package makes no more runs"
                           : "no debug package takes its place",
               why);
  say(ag_text_string(&t));
  ag_text_free(&t);
}

/* Locked. No debug run is under way. */
static void end_all(void) {
  atomic_store(&debug.on, false);
  for (debug_model *m = debug.models; m; m = m->next)
    if (m->is_host) delete_own(m);
  ag_debug_library_remove_file(&debug.library);
  ag_crash_mark_remove();
  say("the debug package has made its runs, and the model's own library makes those that follow");
}

/* ---- the load -------------------------------------------------------------------------------- */

/* Locked. The first container decides for the process. */
static void decide(void) {
  ag_text told = {0}, text = {0}, why = {0};
  debug.was_decided = true;
  ag_crash_mark_prepare();
  if (ag_crash_mark_find(&told)) {
    ag_text_addf(
        &text,
        "after %s, the first %llu runs are the debug package's, which is made now or taken "
        "from the cache",
        ag_text_string(&told), (unsigned long long)runs_wanted());
    say(ag_text_string(&text));
    if (ag_debug_library_open(&debug.library, &why))
      atomic_store(&debug.on, true);
    else
      give_up(ag_text_string(&why));
  }
  ag_text_free(&told);
  ag_text_free(&text);
  ag_text_free(&why);
}

static void make_own(debug_model *m, size_t models, const char *device, const char *directory) {
  int32_t (*create)(void **, size_t, const char *, const char *);
  *(void **)&create = find("AOTInductorModelContainerCreateWithDevice");
  if (!create || create(&m->own, models, device, directory)) m->own = NULL;
  m->is_host = device && !strncmp(device, "cpu", 3);
  if (!m->own) give_up("its library could not be loaded as the model's was");
}

void ag_debug_runs_note(void *container, size_t models, const char *device, const char *directory) {
  if (!runs_wanted()) return;
  pthread_mutex_lock(&debug.lock);
  if (!debug.was_decided) decide();
  debug_model *m = atomic_load(&debug.on) ? calloc(1, sizeof *m) : NULL;
  if (m) make_own(m, models, device, directory);
  if (m) {
    m->container = container;
    m->next = debug.models;
    debug.models = m;
  }
  pthread_mutex_unlock(&debug.lock);
}

/* ---- constants ------------------------------------------------------------------------------- */

static const char *share(debug_model *m, const ag_constants *c) {
  int32_t (*update)(void *, void *, bool, bool);
  int32_t (*update_pairs)(void *, const void *, size_t, bool, bool);
  *(void **)&update = find("AOTInductorModelContainerUpdateUserManagedConstantBuffer");
  *(void **)&update_pairs = find("AOTInductorModelContainerUpdateUserManagedConstantBufferPairs");
  ag_constant_entry *entries = calloc(c->count + 1, sizeof *entries);
  size_t n = 0;
  for (size_t i = 0; entries && i < c->count; i++)
    if (c->list[i].handle) entries[n++] = (ag_constant_entry){c->list[i].name, c->list[i].handle};
  const char *why =
      !entries || (!update && !update_pairs) ? "this torch has no user-managed weights" : NULL;
  bool failed = false;
  if (!why && n && update_pairs) {
    failed = update_pairs(m->own, entries, n, false, false);
  } else if (!why && n) {
    ag_constant_map *map = ag_constant_map_make(entries, n);
    if (map) failed = update(m->own, map, false, false);
    if (!map) why = "its weights cannot be given to another library";
    ag_constant_map_free(map);
  }
  free(entries);
  return failed ? "its library does not take the model's weights" : why;
}

/* Locked. NULL, or why the debug library would have other weights. */
static const char *share_constants(debug_model *m) {
  enum { WAIT_US = 1000 * 1000 };
  if (m->is_shared) return NULL;
  if (!ag_constants_lock(WAIT_US)) return "its weights are being updated";
  const ag_constants *c = ag_constants_find(m->container);
  const char *why = c ? share(m, c) : "torch does not tell its weights";
  ag_constants_unlock();
  m->is_shared = !why;
  return why;
}

/* Locked. A run that does not end is not waited for: it may be hanging. */
static void wait_for_runs(void) {
  enum { STEP_US = 1000, MOST = 10 * 1000 };
  for (int i = 0; i < MOST && atomic_load(&debug.running); i++) ag_time_sleep_us(STEP_US);
}

void ag_debug_runs_begin_update(void) {
  if (!runs_wanted()) return;
  pthread_mutex_lock(&debug.lock);
  wait_for_runs();
}

void ag_debug_runs_end_update(void) {
  if (!runs_wanted()) return;
  for (debug_model *m = debug.models; m; m = m->next) m->is_shared = false;
  pthread_mutex_unlock(&debug.lock);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static debug_model *find_model(const void *container) {
  debug_model *m = debug.models;
  while (m && m->container != container) m = m->next;
  return m;
}

ag_debug_run ag_debug_runs_begin(const void *container, const char *entry) {
  ag_debug_run r = {0};
  if (!runs_wanted() || !container || !atomic_load(&debug.on)) return r;
  pthread_mutex_lock(&debug.lock);
  debug_model *m = atomic_load(&debug.on) && debug.begun < runs_wanted() ? find_model(container)
                                                                         : NULL;
  if (m && !m->is_shared) wait_for_runs();
  const char *why = m ? share_constants(m) : NULL;
  if (why) give_up(why);
  if (m && !why && m->own && (r.function = find(entry)) != NULL) {
    r.container = m->own;
    debug.begun++;
    atomic_fetch_add(&debug.running, 1);
  }
  pthread_mutex_unlock(&debug.lock);
  return r;
}

void ag_debug_runs_end(const ag_debug_run *r) {
  if (!r->container) return;
  atomic_fetch_sub(&debug.running, 1);
  pthread_mutex_lock(&debug.lock);
  if (++debug.over == runs_wanted() && atomic_load(&debug.on)) end_all();
  pthread_mutex_unlock(&debug.lock);
}

const char *ag_debug_runs_error(void) {
  int32_t (*get)(const char **);
  const char *text = NULL;
  *(void **)&get = find("AOTInductorGetLastError");
  return get && !get(&text) ? text : NULL;
}

void ag_debug_runs_forget(const void *container) {
  if (!runs_wanted()) return;
  pthread_mutex_lock(&debug.lock);
  debug_model *m = find_model(container);
  if (m) {
    delete_own(m);
    m->container = NULL;
  }
  pthread_mutex_unlock(&debug.lock);
}
