/* taken_launch.c - the memory that one launch of the first run was given, as it was before it and
 * after it: AOTIGEN_TAKE_LAUNCH, which `aotigen replay --launch` sets. Of launches on the CPU.
 *
 * In AOTIGEN_OUTPUT_DIR come to lie launch.json, which gen/taken/taken.h reads, and of each memory
 * memoryN.before and, if the launch may write to it, memoryN.after. Once all are whole, there is
 * an empty file 'before', and behind the launch one 'after'. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_write.h"
#include "base/json.h"
#include "base/own_path.h"
#include "base/settings.h"
#include "checks/finding.h"
#include "state/launch_hooks.h"

enum { MEMORIES = 256, SLACK = 64 << 10 };

/* The number of threads that OpenMP takes, on which a sum's last bits depend. */
extern int omp_get_max_threads(void) __attribute__((weak));

/* Memory that arguments share, or lie in: what overlaps is one. */
typedef struct memory {
  uintptr_t begin, end;
  bool written;
} memory;

/* The launch that is taken: one of one thread. */
static struct {
  memory list[MEMORIES];
  size_t n;
  const aotigen_run *run;
  uint64_t launch; /* 0: none is under way */
} taken;
static atomic_flag was_taken = ATOMIC_FLAG_INIT;

/* ---- files ---------------------------------------------------------------------------------- */

static bool write_file(const char *name, const void *bytes, size_t n) {
  const char *dir = ag_settings_get()->output_dir;
  ag_text path = {0};
  ag_text_addf(&path, "%s/%s", dir ? dir : ".", name);
  const int fd =
      ag_own_path_open(ag_text_string(&path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const char *why = fd < 0 ? ag_own_path_error(errno) : ag_file_write(fd, bytes, n);
  if (fd >= 0 && close(fd) && !why) why = strerror(errno);
  if (why) ag_warn("cannot write '%s': %s; the launch is not taken", ag_text_string(&path), why);
  ag_text_free(&path);
  return !why;
}

static bool write_memories(const char *when, bool only_written) {
  char name[64];
  bool ok = true;
  for (size_t i = 0; i < taken.n && ok; i++) {
    const memory *m = &taken.list[i];
    if (only_written && !m->written) continue;
    snprintf(name, sizeof name, "memory%zu.%s", i, when);
    ok = write_file(name, (const void *)m->begin, m->end - m->begin);
  }
  return ok && write_file(when, "", 0);
}

/* ---- memories ------------------------------------------------------------------------------- */

/* The storage that the elements lie in, for a kernel goes beyond a view's elements where a buffer
 * has taken over a larger one's memory; without it, or if it is much larger, the elements. */
static memory memory_of(const ag_arg *a) {
  const ag_view *v = &a->view;
  const uint64_t span = v->end - v->begin;
  memory m = {v->begin, v->end, ag_arg_may_be_written(a)};
  if (v->storage_bytes < 0 || (uint64_t)v->storage_bytes > 2 * span + SLACK) return m;
  const uintptr_t begin = (uintptr_t)v->t.data - (uintptr_t)v->first_byte,
                  end = begin + (uintptr_t)v->storage_bytes;
  if (begin < m.begin) m.begin = begin;
  if (end > m.end) m.end = end;
  return m;
}

/* False if there are too many. */
static bool add_memory(memory m) {
  for (size_t i = 0; i < taken.n;) {
    memory *other = &taken.list[i];
    if (other->begin >= m.end || m.begin >= other->end) {
      i++;
      continue;
    }
    if (other->begin < m.begin) m.begin = other->begin;
    if (other->end > m.end) m.end = other->end;
    m.written |= other->written;
    *other = taken.list[--taken.n];
    i = 0;
  }
  if (taken.n == MEMORIES) return false;
  taken.list[taken.n++] = m;
  return true;
}

/* ---- the launch ----------------------------------------------------------------------------- */

/* NULL, or why this argument cannot be taken. */
static const char *find_lack(const ag_arg *a) {
  if (ag_value_is_scalar(&a->value)) return NULL;
  if (a->view.state != AG_VIEW_OK) return "its memory is not known";
  if (a->view.t.device_type != ag_backend_cpu.device_type) return "it is not on the CPU";
  if (a->view.begin < a->view.end && !add_memory(memory_of(a))) return "there are too many others";
  return NULL;
}

static void add_scalar(ag_text *t, const aotigen_value *v) {
  const char *kind = v->kind == AOTIGEN_V_FLOAT  ? "float"
                     : v->kind == AOTIGEN_V_UINT ? "uint"
                     : v->kind == AOTIGEN_V_BOOL ? "bool"
                                                 : "int";
  ag_text_addf(t, ",\"kind\":\"%s\",\"bits\":\"%016llx\"", kind, (unsigned long long)v->v.u);
}

static void add_tensor(ag_text *t, const ag_arg *a) {
  const ag_view *v = &a->view;
  size_t i = 0;
  while (i < taken.n && (v->begin < taken.list[i].begin || v->end > taken.list[i].end)) i++;
  const bool is_empty = v->begin >= v->end || i == taken.n;
  ag_json_add_name(t, "kind");
  ag_json_add_string(t, "tensor");
  ag_json_add_name(t, "dtype");
  ag_json_add_string(t, v->t.dtype->name);
  ag_json_add_name(t, "memory");
  ag_json_add_number(t, is_empty ? -1 : (int64_t)i);
  ag_json_add_name(t, "offset");
  ag_json_add_number(t, is_empty ? 0 : (int64_t)((uintptr_t)v->t.data - taken.list[i].begin));
  ag_json_add_name(t, "sizes");
  ag_json_add_list(t, v->t.sizes, v->t.ndim);
  ag_json_add_name(t, "strides");
  ag_json_add_list(t, v->t.strides, v->t.ndim);
  ag_json_add_name(t, "written");
  ag_text_add(t, ag_arg_may_be_written(a) ? "true" : "false");
}

static void add_args(ag_text *t, const ag_record *r) {
  ag_json_add_name(t, "args");
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    ag_text_add(t, i ? ",{\"name\":" : "[{\"name\":");
    ag_json_add_string(t, a->param->name);
    if (ag_value_is_scalar(&a->value))
      add_scalar(t, &a->value);
    else
      add_tensor(t, a);
    ag_text_add(t, "}");
  }
  ag_text_add(t, r->nargs ? "]" : "[]");
}

static void add_memories(ag_text *t) {
  ag_json_add_name(t, "memories");
  ag_text_add(t, "[");
  for (size_t i = 0; i < taken.n; i++)
    ag_text_addf(t, "%s{\"bytes\":%lld,\"place\":%d,\"written\":%s}", i ? "," : "",
                 (long long)(taken.list[i].end - taken.list[i].begin),
                 (int)(taken.list[i].begin % 64), taken.list[i].written ? "true" : "false");
  ag_text_add(t, "]");
}

/* Names the argument that is not there to be taken, and why. */
static bool add_lack(ag_text *t, const ag_record *r) {
  for (size_t i = 0; i < r->nargs; i++) {
    const char *why = find_lack(&r->args[i]);
    if (!why) continue;
    ag_json_add_name(t, "argument");
    ag_json_add_string(t, r->args[i].param->name);
    ag_json_add_name(t, "lack");
    ag_json_add_string(t, why);
    return true;
  }
  return false;
}

static void describe(ag_text *t, const ag_record *r) {
  const aotigen_site *s = ag_launch_site(&r->launch);
  ag_text_addf(t, "{\"format\":1,\"site\":%u,\"line\":%d,\"is_cpu\":%s,\"threads\":%d", s->number,
               s->line, s->form == AOTIGEN_CPU ? "true" : "false",
               omp_get_max_threads ? omp_get_max_threads() : 0);
  ag_json_add_name(t, "kernel");
  ag_json_add_string(t, s->kernel);
  if (s->form != AOTIGEN_CPU || add_lack(t, r)) {
    taken.n = 0;
  } else {
    add_memories(t);
    add_args(t, r);
  }
  ag_text_add(t, "}\n");
}

static bool is_it(const aotigen_run *run) {
  return run->number == 1 && run->launch == ag_settings_get()->take_launch;
}

static void take_before(aotigen_run *run) {
  const ag_record *r = run->state->record;
  ag_text t = {0};
  if (!r || !is_it(run) || atomic_flag_test_and_set(&was_taken)) return;
  const char *dir = ag_settings_get()->output_dir;
  ag_file_make_directories(dir ? dir : ".");
  describe(&t, r);
  const char *text = ag_text_string(&t);
  if (write_file("launch.json", text, strlen(text)) && write_memories("before", false)) {
    taken.run = run;
    taken.launch = run->launch;
  }
  ag_text_free(&t);
}

static const char *take_after(aotigen_run *run) {
  if (taken.launch != run->launch || taken.run != run) return NULL;
  taken.launch = 0;
  write_memories("after", true);
  return NULL;
}

static bool is_wanted(const ag_model_state *m) {
  return m->launch_work && ag_settings_get()->take_launch;
}

AG_LAUNCH_HOOKS(taken_launch) = {
    .wanted = is_wanted, .launching = take_before, .returned = take_after};
