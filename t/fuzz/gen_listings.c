/* gen_listings.c - the readers of gen/run/ and gen/here/. */
#define _GNU_SOURCE
#include "diff/run_pair.h"
#include "fuzz/gen_reading.h"
#include "here/here_rows.h"
#include "run/diagnosis.h"
#include <signal.h>
#include <string.h>

/* ---- aotigen run */

/* Prints the diagnosis of a program that a signal ended, and of one that went on, that as JSON
 * too. */
static void print_diagnosis(const reading *r, const event_log *log, const core_dump *core) {
  static char program[] = "python3", script[] = "x.py";
  static char *const command[] = {program, script, NULL};
  const options o = {.run.command = command}, json = {.run.command = command, .json = true};
  evidence e = {.o = &o, .log = log, .core = core, .status = SIGSEGV, .signal = "SIGSEGV"};
  e.has_gpu_cores = core->file != NULL;
  diagnosis_print(&e, r->null, r->a);
  e.status = 0;
  e.signal = NULL;
  diagnosis_print(&e, r->null, r->a);
  e.o = &json;
  diagnosis_print(&e, r->null, r->a);
}

void read_event_log(const char *at, size_t n) {
  reading r = begin_reading();
  event_log *log = arena_alloc(r.a, sizeof *log);
  const core_dump core = {.file = NULL};
  FILE *from = n ? fmemopen((void *)(uintptr_t)at, n, "r") : NULL;
  log->a = r.a;
  if (from) {
    event_log_read(log, from);
    fclose(from);
    print_diagnosis(&r, log, &core);
  }
  end_reading(&r);
}

/* The output of cuda-gdb. */
void read_core_dump(const char *at, size_t n) {
  reading r = begin_reading();
  event_log *log = arena_alloc(r.a, sizeof *log);
  core_dump core = {.file = "/tmp/gpu.7"};
  if (core_dump_read(&core, at, r.a)) print_diagnosis(&r, log, &core);
  (void)n;
  end_reading(&r);
}

/* ---- aotigen diff */

/* Sets the sums, which no input would hit, of entries that are otherwise whole. */
static void set_sums(char *at, size_t n) {
  ledger_entry *e;
  for (size_t i = 0; i + sizeof *e <= n; i += e->bytes) {
    e = (void *)(at + i);
    if (e->bytes < sizeof *e || e->bytes > n - i || e->bytes % LEDGER_ALIGNED) return;
    e->sum = ledger_sum(e + 1, e->bytes - sizeof *e);
  }
}

/* The first byte is how many times 16 bytes are names; the others are the ring. */
static char *make_ledger(arena *a, const char *at, size_t n, size_t *size) {
  const size_t names = (unsigned char)*at * (size_t)LEDGER_ALIGNED, rest = n - 1,
               used = names < rest ? names : rest / LEDGER_ALIGNED * LEDGER_ALIGNED,
               ring = rest - used, room = (ring + LEDGER_ALIGNED) / LEDGER_ALIGNED * LEDGER_ALIGNED;
  *size = LEDGER_HEADER + used + room;
  char *file = arena_alloc(a, *size);
  ledger_header *h = (void *)file;
  *h = (ledger_header){.version = LEDGER_VERSION,
                       .header_bytes = LEDGER_HEADER,
                       .file_bytes = *size,
                       .names_at = LEDGER_HEADER,
                       .names_room = used,
                       .names_used = used,
                       .ring_at = LEDGER_HEADER + used,
                       .ring_room = room,
                       .next = ring};
  memcpy(h->magic, LEDGER_MAGIC, sizeof h->magic);
  memcpy(file + LEDGER_HEADER, at + 1, rest);
  set_sums(file + h->names_at, used);
  set_sums(file + h->ring_at, ring);
  return file;
}

void read_ledger(const char *at, size_t n) {
  char path[64];
  size_t size;
  reading r = begin_reading();
  const char *file = n ? make_ledger(r.a, at, n, &size) : NULL;
  const int fd = file ? make_file(file, size, path, sizeof path) : -1;
  const recording *x = file ? recording_read(path, r.a, r.d) : NULL;
  for (size_t i = 1; x && i < x->runs.n; i++)
    for (double bound = -1; bound < 2; bound++) {
      run_pair p;
      const comparison c = {x->runs.at[i].model->build == x->runs.at[0].model->build, bound};
      compare_runs(&c, &x->runs.at[0], &x->runs.at[i], &p, r.a);
      for (size_t k = 0; k < p.launches.n; k++)
        for (size_t m = 0; m < p.launches.at[k].read.n; m++)
          fprintf(r.null, "%s", p.launches.at[k].read.at[m].param->name);
    }
  if (fd >= 0) close(fd);
  end_reading(&r);
}

/* ---- aotigen list --here */

static void print_table(const reading *r, const here_table *t) {
  here_table_print(t, false, r->null);
  here_table_print(t, true, r->null);
}

/* A model's '.so'. It finds itself in the place of a library that has the number 100 as its name.
 */
void read_here_so(const char *at, size_t n) {
  enum { NUMBER = 100 };
  static const char source[] = "constants_info_[0].data_size = 64;\nextern int f();";
  reading r = begin_reading();
  const options o = {.python = NULL};
  const gpus none = {.why = "no GPU driver here"};
  const custom_ops ops = {0};
  library_places places = {0};
  here_table t = {.model = "model", .a = r.a};
  char path[40];
  int fd = make_file(at, n, path, sizeof path);
  if (dup2(fd, NUMBER) < 0) abort();
  *arena_push(r.a, &places.dirs) = "/proc/self/fd";
  here_model m = {.o = &o, .a = r.a, .t = &t, .source = source, .n = strlen(source)};
  m.so = path;
  m.places = &places;
  m.gpus = &none;
  m.custom = &ops;
  embedded_codes_read(&m.kernels, path, r.a);
  here_add_processor(&m);
  here_add_files(&m);
  here_add_libraries(&m);
  here_add_weights(&m);
  print_table(&r, &t);
  close(fd);
  close(NUMBER);
  end_reading(&r);
}

/* The first line is the recorded command, the second what torch wrote of the machine, the rest the
 * wrapper. */
void read_here_text(const char *at, size_t n) {
  reading r = begin_reading();
  const options o = {.python = NULL};
  gpu one = {.name = "GPU", .major = 9, .total = 1 << 30, .free = 1 << 20};
  const gpus has = {.driver = 13000, .at = &one, .n = 1, .cap = 1};
  const custom_ops ops = {0};
  const library_places places = {0};
  here_table t = {.model = "model", .a = r.a};
  const size_t command = strcspn(at, "\n"), behind = command + (at[command] == '\n'),
               metadata = strcspn(at + behind, "\n"), rest = behind + metadata;
  char *words = arena_strndup(r.a, at, command);
  here_model m = {.o = &o, .a = r.a, .t = &t, .source = at + rest, .n = n - rest};
  for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
    *arena_push(r.a, &m.words) = word;
  m.metadata = arena_strndup(r.a, at + behind, metadata);
  m.torch_version = "2.11.0+cu130";
  m.places = &places;
  m.gpus = &has;
  m.custom = &ops;
  here_add_processor(&m);
  here_add_torch(&m);
  here_add_gpu(&m);
  here_add_weights(&m);
  here_add_ops(&m);
  print_table(&r, &t);
  end_reading(&r);
}

void list_custom_ops(const custom_ops *ops, const reading *r) {
  here_table t = {.model = "model", .a = r->a};
  here_model m = {.a = r->a, .t = &t, .source = "", .custom = ops};
  here_add_ops(&m);
  print_table(r, &t);
}
