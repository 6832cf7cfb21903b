/* recording.c - see recording.h. */
#include "diff/recording.h"
#include "base/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_MODELS = 64, MOST_SITES = 65536, MOST_PARAMS = 4096, RUNS_AT_ONCE = 256 };

typedef struct reader {
  recording *to;
  const char *bytes;
  size_t n;
  arena *a;
  diags *d;
} reader;

/* ---- arguments ------------------------------------------------------------------------------ */

static double double_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

double recorded_scalar(const ledger_arg *x) {
  if (!strcmp(x->dtype, "float64")) return double_of(x->hash);
  return !strcmp(x->dtype, "uint64") ? (double)x->hash : (double)(int64_t)x->hash;
}

const char *recorded_scalar_text(const ledger_arg *x, arena *a) {
  if (!strcmp(x->dtype, "float64")) return arena_printf(a, "%.17g", double_of(x->hash));
  if (!strcmp(x->dtype, "uint64")) return arena_printf(a, "%llu", (unsigned long long)x->hash);
  return arena_printf(a, "%lld", (long long)x->hash);
}

const char *recorded_form(const ledger_arg *x, arena *a) {
  strbuf t = {0};
  if (x->kind == LEDGER_SCALAR) return x->dtype;
  strbuf_printf(&t, "%s [", x->dtype);
  for (uint32_t i = 0; i < x->ndim; i++)
    strbuf_printf(&t, "%s%lld", i ? ", " : "", (long long)recorded_sizes(x)[i]);
  strbuf_puts(&t, "]");
  return strbuf_take(&t, a);
}

/* ---- the file ------------------------------------------------------------------------------- */

static void report(const reader *r, const char *why) {
  diag_error(r->d, STATUS_USAGE, r->to->path, "%s", why);
}

static bool read_bytes(reader *r, int fd, size_t n) {
  char *bytes = arena_alloc(r->a, n + 1);
  while (r->n < n) {
    const ssize_t got = read(fd, bytes + r->n, n - r->n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    r->n += (size_t)got;
  }
  r->bytes = bytes;
  return r->n >= LEDGER_HEADER;
}

static bool read_file(reader *r) {
  struct stat s;
  const int fd = open(r->to->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const char *why = NULL;
  if (fd < 0 || fstat(fd, &s))
    why = arena_printf(r->a, "cannot be read: %s", strerror(errno));
  else if (!S_ISREG(s.st_mode))
    why = "is no file of AOTIGEN_RECORD";
  else if ((uint64_t)s.st_size > LEDGER_MOST_BYTES)
    why = "is too large for a file of AOTIGEN_RECORD: more than 4 GiB";
  else if (!read_bytes(r, fd, (size_t)s.st_size))
    why = "is no file of AOTIGEN_RECORD: it is too short";
  if (fd >= 0) close(fd);
  if (why) report(r, why);
  return !why;
}

static bool lies_within(uint64_t at, uint64_t room, size_t n) {
  return at >= LEDGER_HEADER && at % LEDGER_ALIGNED == 0 && at <= n && room <= n - at;
}

static bool read_header(reader *r) {
  const ledger_header *h = r->to->header = (const void *)r->bytes;
  const char *why = NULL;
  if (!*h->magic && !h->file_bytes)
    why = "was begun, and its process ended before anything stood in it";
  else if (memcmp(h->magic, LEDGER_MAGIC, sizeof h->magic) != 0)
    why = "is no file of AOTIGEN_RECORD";
  else if (h->version != LEDGER_VERSION)
    why = arena_printf(r->a, "has version %u of the form, and this aotigen reads version %d",
                       h->version, LEDGER_VERSION);
  else if (!lies_within(h->names_at, h->names_room, r->n) ||
           !lies_within(h->ring_at, h->ring_room, r->n) || h->names_used > h->names_room ||
           !h->ring_room || h->ring_room % LEDGER_ALIGNED || h->oldest % LEDGER_ALIGNED ||
           h->next < h->oldest || h->next - h->oldest > h->ring_room ||
           !memchr(h->host, 0, sizeof h->host) || !memchr(h->library, 0, sizeof h->library))
    why = "is damaged: its header contradicts itself";
  if (why) report(r, why);
  return !why;
}

/* ---- texts of an entry ---------------------------------------------------------------------- */

/* What is left of an entry that is read. */
typedef struct rest {
  const char *at;
  size_t n;
} rest;

static const void *take(rest *e, size_t n) {
  const void *at = e->at;
  if (n > e->n) return NULL;
  e->at += n;
  e->n -= n;
  return at;
}

/* NULL if it does not end. */
static const char *take_text(rest *e) {
  const char *end = e->n ? memchr(e->at, 0, e->n) : NULL;
  return end ? take(e, (size_t)(end - e->at) + 1) : NULL;
}

static bool take_texts(rest *e, const char **to[], size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!(*to[i] = take_text(e))) return false;
  return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

static void take_model(reader *r, rest e) {
  const ledger_model *x = take(&e, sizeof *x);
  const char *wrapper = x ? take_text(&e) : NULL;
  if (!wrapper || x->model >= MOST_MODELS || x->nsites > MOST_SITES) return;
  while (r->to->models.n <= x->model) *arena_push(r->a, &r->to->models) = NULL;
  if (r->to->models.at[x->model]) return;
  recorded_model *m = arena_alloc(r->a, sizeof *m);
  *m = (recorded_model){.wrapper = wrapper, .build = x->build, .nsites = x->nsites};
  m->sites = arena_alloc(r->a, (m->nsites + 1) * sizeof *m->sites);
  r->to->models.at[x->model] = m;
}

static const recorded_model *model_of(const reader *r, uint32_t number) {
  return number < r->to->models.n ? r->to->models.at[number] : NULL;
}

static const recorded_param *take_params(const reader *r, rest *e, size_t n) {
  recorded_param *params = arena_alloc(r->a, (n + 1) * sizeof *params);
  for (size_t i = 0; i < n; i++) {
    const char **texts[] = {&params[i].name, &params[i].given_name};
    if (!take_texts(e, texts, 2)) return NULL;
  }
  return params;
}

static void take_site(reader *r, rest e) {
  const ledger_site *x = take(&e, sizeof *x);
  const recorded_model *m = x ? model_of(r, x->model) : NULL;
  if (!m || x->site >= m->nsites || m->sites[x->site] || x->nparams > MOST_PARAMS) return;
  recorded_site *s = arena_alloc(r->a, sizeof *s);
  const char **texts[] = {&s->kernel, &s->nodes, &s->aten, &s->model_line, &s->module};
  s->line = x->line;
  s->nparams = x->nparams;
  if (!take_texts(&e, texts, 5) || !(s->params = take_params(r, &e, s->nparams))) return;
  m->sites[x->site] = s;
}

/* ---- runs ----------------------------------------------------------------------------------- */

/* The newest run of that number among those that may be under way; NULL: its begin is not there. */
static recorded_run *run_of(const reader *r, const recorded_model *m, uint64_t number) {
  const size_t n = r->to->runs.n, first = n > RUNS_AT_ONCE ? n - RUNS_AT_ONCE : 0;
  for (size_t i = n; m && i-- > first;)
    if (r->to->runs.at[i].number == number && r->to->runs.at[i].model == m)
      return &r->to->runs.at[i];
  return NULL;
}

static void take_run(reader *r, rest e, bool ends) {
  const ledger_run *x = take(&e, sizeof *x);
  const recorded_model *m = x ? model_of(r, x->model) : NULL;
  recorded_run *run = m ? run_of(r, m, x->run) : NULL;
  if (run) run->is_over |= ends;
  if (m && !run && !ends)
    *arena_push(r->a, &r->to->runs) = (recorded_run){.model = m, .number = x->run};
}

/* No reader of them has to ask whether a sum of some fits. */
static bool has_counts_in_range(const ledger_arg *x) {
  const int64_t counts[] = {x->nan, x->pos_inf, x->neg_inf, x->zero, x->subnormal};
  int64_t left = x->numel;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    if (counts[i] < 0 || counts[i] > left) return false;
    left -= counts[i];
  }
  return left >= 0;
}

static bool take_arg(rest *e, size_t nparams, const ledger_arg **to) {
  const ledger_arg *x = *to = take(e, sizeof *x);
  return x && x->ndim <= LEDGER_MOST_DIMS && x->param < nparams && x->kind <= LEDGER_SCALAR &&
         memchr(x->dtype, 0, sizeof x->dtype) && has_counts_in_range(x) &&
         take(e, x->ndim * sizeof(int64_t));
}

static bool take_args(const reader *r, rest *e, size_t n, size_t nparams, recorded_args *to) {
  if (n > e->n / sizeof(ledger_arg) || n > 2 * nparams) return false;
  to->at = arena_alloc(r->a, (n + 1) * sizeof *to->at);
  for (to->n = 0; to->n < n; to->n++)
    if (!take_arg(e, nparams, &to->at[to->n])) return false;
  return true;
}

/* Both entries of a launch stand next to each other, but for runs within its run. */
static recorded_launch *launch_of(const reader *r, recorded_run *run, uint64_t number) {
  const size_t n = run->launches.n;
  if (n && run->launches.at[n - 1].number == number) return &run->launches.at[n - 1];
  recorded_launch *l = arena_push(r->a, &run->launches);
  *l = (recorded_launch){.number = number};
  return l;
}

static void take_launch(reader *r, rest e, bool after) {
  recorded_args args;
  const ledger_launch *x = take(&e, sizeof *x);
  const recorded_model *m = x ? model_of(r, x->model) : NULL;
  recorded_run *run = m ? run_of(r, m, x->run) : NULL;
  const recorded_site *site = run && x->site < m->nsites ? m->sites[x->site] : NULL;
  if (run && !site) r->to->unnamed++;
  if (!site || !take_args(r, &e, x->nargs, site->nparams, &args)) return;
  recorded_launch *l = launch_of(r, run, x->launch);
  if (l->site && l->site != site) return;
  l->site = site;
  l->is_over |= after;
  l->has_before |= !after;
  if (after && x->took_us > 0 && x->took_us < HUGE_VALF) l->took_us = x->took_us;
  *(after ? &l->after : &l->before) = args;
}

/* ---- entries -------------------------------------------------------------------------------- */

static void take_entry(reader *r, const ledger_entry *entry) {
  const rest e = {(const char *)(entry + 1), entry->bytes - sizeof *entry};
  switch (entry->kind) {
    case LEDGER_MODEL: take_model(r, e); break;
    case LEDGER_SITE: take_site(r, e); break;
    case LEDGER_RUN: take_run(r, e, false); break;
    case LEDGER_END: take_run(r, e, true); break;
    case LEDGER_BEFORE: take_launch(r, e, false); break;
    case LEDGER_AFTER: take_launch(r, e, true); break;
    default: break;
  }
}

/* The entry at `at`, of at most `n` bytes; NULL if it is not whole. */
static const ledger_entry *whole_entry(const char *at, uint64_t n) {
  const ledger_entry *e = (const void *)at;
  if (n < sizeof *e || e->bytes < sizeof *e || e->bytes > n || e->bytes % LEDGER_ALIGNED)
    return NULL;
  if (e->kind == LEDGER_EMPTY) return e;
  return e->sum == ledger_sum(e + 1, e->bytes - sizeof *e) ? e : NULL;
}

static void read_names(reader *r) {
  const ledger_header *h = r->to->header;
  for (uint64_t at = 0; at < h->names_used;) {
    const ledger_entry *e = whole_entry(r->bytes + h->names_at + at, h->names_used - at);
    r->to->is_torn |= !e;
    if (!e) return;
    take_entry(r, e);
    at += e->bytes;
  }
}

static void read_ring(reader *r) {
  const ledger_header *h = r->to->header;
  for (uint64_t p = h->oldest; p < h->next;) {
    const uint64_t at = p % h->ring_room, left = h->next - p, to_end = h->ring_room - at;
    const ledger_entry *e = whole_entry(r->bytes + h->ring_at + at, left < to_end ? left : to_end);
    r->to->is_torn |= !e;
    if (!e) return;
    take_entry(r, e);
    p += e->bytes;
  }
}

static int by_number(const void *a, const void *b) {
  const recorded_launch *x = a, *y = b;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void sort_launches(recording *to) {
  for (size_t i = 0; i < to->runs.n; i++)
    if (to->runs.at[i].launches.n)
      qsort(to->runs.at[i].launches.at, to->runs.at[i].launches.n,
            sizeof *to->runs.at[i].launches.at, by_number);
}

/* ---- a directory ---------------------------------------------------------------------------- */

/* The path of its one ledger; NULL, with an error, if it has none or several. */
static const char *find_file(const char *path, arena *a, diags *d) {
  DIR *dir = opendir(path);
  const char *found = NULL, *other = NULL;
  size_t n = 0;
  for (struct dirent *e; dir && (e = readdir(dir));) {
    if (!file_ends_with(e->d_name, ".ledger")) continue;
    other = found;
    found = arena_printf(a, "%s/%s", path, e->d_name);
    n++;
  }
  if (dir) closedir(dir);
  if (n == 1) return found;
  if (!n)
    diag_error(d, STATUS_USAGE, path,
               "has no file '*.ledger': AOTIGEN_RECORD=DIR has a debug "
               "package write one there");
  else
    diag_error(d, STATUS_USAGE, path,
               "has %zu files '*.ledger', of several processes or models: "
               "name one of them, as '%s' or '%s'",
               n, found, other);
  return NULL;
}

const recording *recording_read(const char *path, arena *a, diags *d) {
  if (file_is_dir(path) && !(path = find_file(path, a, d))) return NULL;
  recording *to = arena_alloc(a, sizeof *to);
  to->path = path;
  reader r = {.to = to, .a = a, .d = d};
  if (!read_file(&r) || !read_header(&r)) return NULL;
  read_names(&r);
  read_ring(&r);
  sort_launches(to);
  return to;
}
