/* 521-cuda-differential - random programs of launches, once with each launch waited for and once on
 * streams that lag: what is said must be the same, but for the numbers of runs.
 *
 * 521-cuda-differential FIRST [COUNT]: one program for each seed, in a process of its own.
 * FAKE_CUDA names the fake libcuda.
 */
#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "5xx/fake_driver.h"
#include "shim.h"

enum {
  ARENA = 16384,
  LAUNCHES = 24,
  ARGS = 24,
  BUFFERS = 24,
  WEIGHTS = 3,
  INPUTS = 3,
  RUNS = 4,
  SLOTS = ARENA / 4,
  DIMS = 3,
  HOSTS = 4,
  HOST_SIZE = 100
};

static uint64_t seed;
static unsigned below(unsigned n) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return n ? (unsigned)((seed >> 11) % n) : 0;
}
static bool one_in(unsigned n) { return !below(n); }

/* ---- a program ------------------------------------------------------------------------------ */

/* A tensor, in elements of 4 bytes from the arena's begin; or one of the host's. */
typedef struct shape {
  int offset, ndim, room_at, room;
  int64_t sizes[DIMS], strides[DIMS];
  int dtype; /* 0 float32, 1 int32, 2 float16 */
  bool host, undefined, null;
  int host_number;
} shape;

typedef struct plant {
  int arg, index, kind;
  unsigned runs;
} plant;

typedef struct arg {
  shape s, later;
  bool resized, scalar, late, inside; /* inside: handed over as a view of its base */
} arg;

typedef struct step {
  arg args[ARGS];
  int nargs, nplants;
  plant plants[3];
  bool passes, writes_unknown[ARGS];
  unsigned unwanted; /* runs in which it is left out */
} step;

typedef struct program {
  step steps[LAUNCHES];
  aotigen_param params[LAUNCHES][ARGS];
  aotigen_text texts[LAUNCHES][ARGS];
  aotigen_site sites[LAUNCHES];
  aotigen_input inputs[INPUTS];
  aotigen_weight weights[WEIGHTS];
  shape input[INPUTS], weight[WEIGHTS];
  int input_bad[INPUTS], weight_bad[WEIGHTS], nsteps; /* element, or -1; the kind */
  int input_kind[INPUTS], weight_kind[WEIGHTS];
  unsigned input_runs[INPUTS];
  uint8_t nan_asserts, printer, check_inputs;
  int late;
  char launches[40];
} program;

static program p;
static char *arena;
static float host[HOSTS]
                 [HOST_SIZE];     /* written when a call is made, not when the device comes to it */
static int weight_changed_before; /* the run before which weights are swapped, or -1 */

static int64_t numel(const shape *s) {
  int64_t n = 1;
  for (int i = 0; i < s->ndim; i++) n *= s->sizes[i];
  return n;
}

static const int item_sizes[] = {4, 4, 2};

static void make_contiguous(shape *s, int at, int room) {
  int left = room;
  memset(s, 0, sizeof *s);
  s->offset = s->room_at = at;
  s->room = room;
  s->dtype = one_in(10) ? 1 : one_in(8) ? 2 : 0;
  s->ndim = (int)below(DIMS + 1);
  for (int i = 0; i < s->ndim; i++) {
    s->sizes[i] = one_in(40) ? 0
                             : 1 + (int64_t)below((unsigned)(left < 12   ? left
                                                             : one_in(4) ? left
                                                                         : 12));
    if (s->sizes[i]) left /= (int)s->sizes[i];
  }
  for (int i = s->ndim - 1, next = 1; i >= 0; i--) {
    s->strides[i] = next;
    next *= s->sizes[i] > 1 ? (int)s->sizes[i] : 1;
  }
  if (s->ndim == 2 && one_in(5)) { /* transposed */
    int64_t z = s->sizes[0];
    s->sizes[0] = s->sizes[1], s->sizes[1] = z;
    z = s->strides[0], s->strides[0] = s->strides[1], s->strides[1] = z;
  }
}

static void slice(shape *s) {
  if (!s->ndim || s->host) return;
  int d = (int)below((unsigned)s->ndim);
  if (s->sizes[d] < 2) return;
  if (one_in(3)) { /* every other one */
    s->sizes[d] = s->sizes[d] / 2;
    s->strides[d] *= 2;
    return;
  }
  if (one_in(8)) { /* one of them, again and again */
    s->strides[d] = 0;
    return;
  }
  int from = (int)below((unsigned)s->sizes[d] - 1);
  s->offset += from * (int)s->strides[d] * item_sizes[s->dtype] / 4; /* on a whole word */
  s->sizes[d] = 1 + (int64_t)below((unsigned)(s->sizes[d] - from));
}

static struct {
  shape s;
  bool written, used;
} buffers[BUFFERS];

static bool is_taken(int at, int room) {
  for (int i = 0; i < BUFFERS; i++)
    if (buffers[i].used && at < buffers[i].s.room_at + buffers[i].s.room &&
        at + room > buffers[i].s.room_at)
      return true;
  for (int i = 0; i < WEIGHTS; i++)
    if (at < p.weight[i].room_at + p.weight[i].room && at + room > p.weight[i].room_at) return true;
  for (int i = 0; i < INPUTS; i++)
    if (at < p.input[i].room_at + p.input[i].room && at + room > p.input[i].room_at) return true;
  return false;
}

static bool allocate(shape *s, int places) {
  for (int k = 0; k < 20; k++) {
    int room = 16 << below(5), at = (int)below((unsigned)places) * 16;
    if (at + room > SLOTS || is_taken(at, room)) continue;
    make_contiguous(s, at, room);
    return true;
  }
  return false;
}

static int new_buffer(void) {
  for (int i = 0; i < BUFFERS; i++)
    if (!buffers[i].used) {
      if (!allocate(&buffers[i].s, 40)) return -1;
      buffers[i].used = true;
      buffers[i].written = false;
      return i;
    }
  return -1;
}

static int some_buffer(bool written) {
  for (int k = 0; k < 20; k++) {
    int i = (int)below(BUFFERS);
    if (buffers[i].used && (!written || buffers[i].written)) return i;
  }
  return -1;
}

static char *named(const char *prefix, int n) {
  char *s = malloc(20);
  snprintf(s, 20, "%s%d", prefix, n);
  return s;
}

/* The arguments of the launch so far. A memory that is passed twice is only read. */
static int bases[ARGS], nbases;
static bool written[ARGS];
static bool is_given(int base) {
  for (int i = 0; i < nbases; i++)
    if (bases[i] == base) return true;
  return false;
}
static bool is_given_to_write(int base) {
  for (int i = 0; i < nbases; i++)
    if (bases[i] == base && written[i]) return true;
  return false;
}

static void make_reader(aotigen_param *q, arg *a) {
  int base;
  unsigned how = below(10);
  int b = some_buffer(true);
  q->role = AOTIGEN_IN;
  if (how < 2) {
    int i = (int)below(WEIGHTS);
    *q = (aotigen_param){.name = p.weights[i].name,
                         .python_name = p.weights[i].fqn,
                         .role = AOTIGEN_IN,
                         .kind = AOTIGEN_WEIGHT};
    a->s = p.weight[i];
    base = 100 + i;
    if (one_in(3)) slice(&a->s);
  } else if (how < 4 || b < 0) {
    int i = (int)below(INPUTS);
    *q = (aotigen_param){.name = p.inputs[i].name,
                         .python_name = p.inputs[i].python_name,
                         .role = AOTIGEN_IN,
                         .kind = AOTIGEN_INPUT};
    a->s = p.input[i];
    base = 200 + i;
    if (one_in(4)) slice(&a->s);
  } else {
    *q = (aotigen_param){.name = named("buf", b), .role = AOTIGEN_IN, .kind = AOTIGEN_TENSOR};
    a->s = buffers[b].s;
    base = b;
    if (one_in(3)) slice(&a->s);
  }
  a->inside = one_in(3);
  bool given = is_given(base);
  if (is_given_to_write(base)) {
    *q = (aotigen_param){.name = "3L", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR};
    a->scalar = true;
    return;
  }
  written[nbases] = false;
  bases[nbases++] = base;
  if (given || how < 2) return; /* nor does anything write weights */
  if (one_in(8)) q->flags |= AOTIGEN_MAYBE_WRITTEN;
  if (one_in(10)) q->role = AOTIGEN_UNKNOWN;
  if (one_in(20)) q->role = AOTIGEN_INOUT;
  if (one_in(25)) q->flags |= AOTIGEN_UNASSERTED;
  written[nbases - 1] = q->role != AOTIGEN_IN || q->flags & AOTIGEN_MAYBE_WRITTEN;
}

static void make_writer(aotigen_param *q, arg *a, bool may_be_late) {
  int b = one_in(4) ? some_buffer(true) : new_buffer();
  if (b < 0) b = some_buffer(false);
  if (b < 0 || is_given(b)) return make_reader(q, a);
  *q = (aotigen_param){.name = named("buf", b), .role = AOTIGEN_OUT, .kind = AOTIGEN_TENSOR};
  a->s = buffers[b].s;
  written[nbases] = true;
  bases[nbases++] = b;
  if (!buffers[b].written) {
    if (may_be_late && one_in(4)) {
      q->flags |= AOTIGEN_LATE;
      a->late = true;
      if (one_in(10)) a->s.null = true;
    } else if (one_in(2)) {
      q->flags |= AOTIGEN_FRESH;
    }
    if (one_in(12)) q->role = AOTIGEN_UNKNOWN;
  } else {
    if (one_in(2)) slice(&a->s);
    q->role = one_in(3) ? AOTIGEN_OUT : one_in(5) ? AOTIGEN_UNKNOWN : AOTIGEN_INOUT;
  }
  buffers[b].written = true;
  if (one_in(20)) q->flags |= AOTIGEN_UNASSERTED;
}

static bool reads_nothing(int n) {
  for (int i = 0; i < p.steps[n].nargs; i++)
    if (!p.steps[n].args[i].scalar && p.params[n][i].role != AOTIGEN_OUT) return false;
  return true;
}

/* A launch that writes a host argument reads nothing on the device: its output is known when it is
 * planned, so that its inputs are not scanned afterwards. */
static void add_host_arg(int n, bool written_to) {
  static const int64_t sizes[HOSTS] = {0, 5, HOST_SIZE, 0};
  step *st = &p.steps[n];
  int i = (int)below(HOSTS);
  st->args[st->nargs].s = (shape){
      .host = true, .host_number = i, .ndim = sizes[i] > 0, .sizes = {sizes[i]}, .strides = {1}};
  p.params[n][st->nargs++] =
      (aotigen_param){.name = named("cpu", i),
                      .role = written_to && reads_nothing(n) ? AOTIGEN_OUT : AOTIGEN_IN,
                      .kind = AOTIGEN_TENSOR};
}

/* Chooses the text of a kernel: it says something of each tensor that it writes and of most that it
 * loads, or of none. */
static unsigned make_texts(int n) {
  if (one_in(3)) return 0;
  bool told = one_in(2);
  for (int i = 0; i < p.steps[n].nargs && told; i++) {
    aotigen_param *q = &p.params[n][i];
    bool writes = q->role == AOTIGEN_OUT || q->role == AOTIGEN_INOUT;
    if (p.steps[n].args[i].scalar || (!writes && one_in(3))) continue;
    p.texts[n][i] = (aotigen_text){.loads_all = one_in(4) ? NULL : one_in(4) ? "3" : "1000000"};
    q->text = &p.texts[n][i];
    if (!writes) continue;
    p.texts[n][i].stored = 1;
    p.texts[n][i].reached_by = below(1u << p.steps[n].nargs);
    for (int kind = 0; kind < 3 && one_in(2); kind++)
      p.texts[n][i].selected_by[kind] = below(1u << p.steps[n].nargs);
  }
  return AOTIGEN_KERNEL;
}

static void make_step(int n) {
  step *st = &p.steps[n];
  aotigen_param *q = p.params[n];
  bool ext = one_in(2);
  nbases = 0;
  int readers = one_in(15) ? 17 : (int)below(4), writers = 1 + (int)below(2);
  for (int i = 0; i < readers; i++, st->nargs++) make_reader(&q[st->nargs], &st->args[st->nargs]);
  for (int i = 0; i < writers; i++, st->nargs++) {
    arg *a = &st->args[st->nargs];
    make_writer(&q[st->nargs], a, ext);
    if (ext && one_in(12) && a->s.ndim && a->s.sizes[0] > 1 && !a->late) {
      a->resized = true;
      a->later = a->s;
      a->later.sizes[0]--;
    }
  }
  if (one_in(3)) {
    q[st->nargs] = (aotigen_param){.name = "4L", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR};
    st->args[st->nargs++].scalar = true;
  }
  if (ext && one_in(3)) add_host_arg(n, one_in(2));
  st->passes = one_in(2);
  st->nplants = one_in(3) ? 1 + (int)below(3) : 0;
  for (int i = 0; i < st->nplants; i++)
    st->plants[i] = (plant){readers + (int)below((unsigned)writers), (int)below(1000),
                            (int)below(3), below(1u << RUNS)};
  for (int i = 0; i < st->nargs; i++) st->writes_unknown[i] = one_in(2);
  p.sites[n] =
      (aotigen_site){.function = "run_impl",
                     .kernel = named("kernel_", n),
                     .nodes = one_in(2) ? "add, mul" : "",
                     .aten = "aten.add",
                     .params = q,
                     .line = n + 1,
                     .nparams = (uint16_t)st->nargs,
                     .form = ext ? (one_in(3) ? AOTIGEN_PROXY : AOTIGEN_EXTERN) : AOTIGEN_TRITON,
                     .flags = one_in(10) ? AOTIGEN_MAKES_NEG_INF : 0};
  if (!ext) p.sites[n].flags |= make_texts(n);
  st->unwanted = one_in(6) ? below(1u << RUNS) : 0;
  for (int i = 0; i < BUFFERS; i++)
    if (buffers[i].used && buffers[i].written && one_in(6)) buffers[i].used = false;
}

static void make_program(uint64_t number) {
  seed = number * 0x9e3779b97f4a7c15u + 88172645463325252u;
  for (int i = 0; i < 20; i++) below(2);
  for (int i = 0; i < WEIGHTS; i++) p.weight[i].room_at = p.input[i].room_at = -1000;
  for (int i = 0; i < WEIGHTS; i++) {
    while (!allocate(&p.weight[i], SLOTS / 16)) continue;
    p.weights[i] = (aotigen_weight){.name = named("w", i),
                                    .fqn = named("layer.w", i),
                                    .ndim = p.weight[i].ndim,
                                    .shape = p.weight[i].sizes,
                                    .stride = p.weight[i].strides,
                                    .is_buffer = one_in(3)};
    p.weight_bad[i] = one_in(6) ? (int)below(200) : -1;
    p.weight_kind[i] = (int)below(3);
  }
  for (int i = 0; i < INPUTS; i++) {
    while (!allocate(&p.input[i], SLOTS / 16)) continue;
    p.inputs[i] = (aotigen_input){
        .name = named("arg", i), .python_name = one_in(2) ? named("args.", i) : NULL, .ndim = -1};
    p.input_bad[i] = one_in(4) ? (int)below(200) : -1;
    p.input_kind[i] = (int)below(3);
    p.input_runs[i] = below(1u << RUNS);
  }
  p.nsteps = 2 + (int)below(LAUNCHES - 2);
  for (int i = 0; i < p.nsteps; i++) make_step(i);
  p.nan_asserts = one_in(4) ? 1 + (uint8_t)below(2) : 3;
  p.printer = one_in(2) ? 2 : 0;
  p.check_inputs = one_in(3) ? 1 : 0;
  p.late = one_in(3) ? 0 : one_in(2) ? 20 : 200;
  if (one_in(5))
    snprintf(p.launches, sizeof p.launches, "%u-%u,%u-", below(5), 4 + below(5), 10 + below(10));
  weight_changed_before = one_in(3) ? 1 + (int)below(RUNS - 1) : -1;
}

/* ---- the device's side ---------------------------------------------------------------------- */

static int64_t offset_of(const shape *s, int64_t index) {
  int64_t offset = 0;
  for (int d = s->ndim - 1; d >= 0; d--) {
    offset += index % s->sizes[d] * s->strides[d];
    index /= s->sizes[d];
  }
  return offset;
}

static const uint32_t bits32[] = {0x7fc00000, 0x7f800000, 0xff800000};
static const uint16_t bits16[] = {0x7e00, 0x7c00, 0xfc00};

static void put(const shape *s, int64_t index, int kind, int small) {
  char *at = arena + 4 * s->offset + offset_of(s, index) * item_sizes[s->dtype];
  float f = (float)small;
  if (s->dtype == 1) {
    memcpy(at, &small, 4);
  } else if (s->dtype == 2) {
    uint16_t h = kind >= 0 ? bits16[kind] : (uint16_t)(0x3c00 + small);
    memcpy(at, &h, 2);
  } else {
    if (kind >= 0) memcpy(&f, &bits32[kind], 4);
    memcpy(at, &f, 4);
  }
}

static int bad_kind(const shape *s) {
  for (int64_t i = 0, n = numel(s); i < n; i++) {
    const char *at = arena + 4 * s->offset + offset_of(s, i) * item_sizes[s->dtype];
    uint32_t x = 0;
    if (s->dtype == 1) return -1;
    memcpy(&x, at, (size_t)item_sizes[s->dtype]);
    if (s->dtype == 0 && (x & 0x7f800000) == 0x7f800000) return x & 0x7fffff ? 0 : x >> 31 ? 2 : 1;
    if (s->dtype == 2 && (x & 0x7c00) == 0x7c00) return x & 0x3ff ? 0 : x >> 15 ? 2 : 1;
  }
  return -1;
}

typedef struct work {
  int step, run;
} work;

static bool writes(const step *st, int n, int i) {
  const aotigen_param *q = &p.params[n][i];
  if (st->args[i].scalar || st->args[i].s.host || st->args[i].s.null) return false;
  if (q->role == AOTIGEN_IN) return q->flags & AOTIGEN_MAYBE_WRITTEN && st->writes_unknown[i];
  return q->role != AOTIGEN_UNKNOWN || st->writes_unknown[i];
}

static void do_step(void *of) {
  const work *w = of;
  const step *st = &p.steps[w->step];
  int bad = -1;
  for (int i = 0; i < st->nargs && bad < 0; i++)
    if (!st->args[i].scalar && !st->args[i].s.host && !st->args[i].s.null &&
        p.params[w->step][i].role != AOTIGEN_OUT)
      bad = bad_kind(&st->args[i].s);
  for (int i = 0; i < st->nargs; i++) {
    const shape *s = st->args[i].resized ? &st->args[i].later : &st->args[i].s;
    if (!writes(st, w->step, i)) continue;
    int64_t n = numel(s);
    /* A kernel whose text is known leaves parts of what it changes. */
    int64_t by = p.params[w->step][i].text && p.params[w->step][i].role == AOTIGEN_INOUT ? 2 : 1;
    for (int64_t k = 0; k < n; k += by) put(s, k, -1, (int)(k % 7) + w->step);
    if (st->passes && bad >= 0 && n) put(s, (w->step * 7) % n, bad, 0);
    for (int k = 0; k < st->nplants; k++)
      if (st->plants[k].arg == i && n && st->plants[k].runs >> w->run & 1)
        put(s, st->plants[k].index % n, st->plants[k].kind, 0);
  }
}

typedef struct fill {
  int run;
} fill;

/* What the host has the stream do before a run: it sets inputs, and new weights. */
static void do_inputs(void *of) {
  int run = ((const fill *)of)->run;
  for (int i = 0; i < INPUTS; i++) {
    int64_t n = numel(&p.input[i]);
    for (int64_t k = 0; k < n; k++) put(&p.input[i], k, -1, (int)k % 5 + run);
    if (n && p.input_bad[i] >= 0 && p.input_runs[i] >> run & 1)
      put(&p.input[i], p.input_bad[i] % n, p.input_kind[i], 0);
  }
}

static void do_weights(void *of) {
  int run = ((const fill *)of)->run;
  for (int i = 0; i < WEIGHTS; i++) {
    int64_t n = numel(&p.weight[i]);
    for (int64_t k = 0; k < n; k++) put(&p.weight[i], k, -1, (int)k % 5 + 1);
    if (n && p.weight_bad[i] >= 0 && (run == 0) == (i % 2 == 0))
      put(&p.weight[i], p.weight_bad[i] % n, p.weight_kind[i], 0);
  }
}

/* ---- the host's side ------------------------------------------------------------------------ */

static void *stream = &stream;

static void fill_handle(fake *f, const shape *s) {
  memset(f, 0, sizeof *f);
  f->dtype = fake_dtype(s->dtype == 0 ? "float32" : s->dtype == 1 ? "int32" : "float16");
  f->layout = FAKE_STRIDED;
  f->ndim = s->ndim;
  memcpy(f->sizes, s->sizes, sizeof s->sizes);
  memcpy(f->strides, s->strides, sizeof s->strides);
  f->storage = arena + 4 * s->room_at;
  f->storage_size = 4 * s->room;
  f->data = arena + 4 * s->offset;
  f->offset = (4 * (s->offset - s->room_at)) / item_sizes[s->dtype];
  f->device_type = FAKE_CUDA;
  if (s->host) {
    f->device_type = FAKE_CPU;
    f->device_index = -1;
    f->data = f->storage = host[s->host_number];
    f->storage_size = sizeof host[0];
    f->offset = 0;
  }
}

/* Values change with each call, and now and then one is bad. */
static void fill_host(int number, int call) {
  for (int i = 0; i < HOST_SIZE; i++) host[number][i] = (float)(i % 9 + call % 5);
  int at = call * 7 % HOST_SIZE, size = number == 1 ? 5 : number == 2 ? HOST_SIZE : 1;
  if (call % 4 == 0) memcpy(&host[number][at % size], &bits32[call / 4 % 3], 4);
}

static void one_run(aotigen_model *m, int number) {
  aotigen_run run;
  fake handles[ARGS], *inputs[INPUTS], inputs_of[INPUTS], weights_of[WEIGHTS];
  aotigen_value w[WEIGHTS];
  fake_give(stream, do_inputs, &(fill){number}, sizeof(fill));
  if (number == 0 || number == weight_changed_before) {
    fake_give(stream, do_weights, &(fill){number}, sizeof(fill));
    if (number) aotigen_weights_changed(m);
  }
  aotigen_run_begin(&run, m, 0, stream);
  for (int i = 0; i < INPUTS; i++) fill_handle(inputs[i] = &inputs_of[i], &p.input[i]);
  aotigen_check_inputs(&run, (const void *const *)inputs);
  for (int i = 0; i < WEIGHTS; i++) {
    fill_handle(&weights_of[i], &p.weight[i]);
    w[i] = handle(&weights_of[i]);
  }
  aotigen_inputs_owned(&run);
  aotigen_check_weights(&run, w, WEIGHTS);
  for (int n = 0; n < p.nsteps; n++) {
    const step *st = &p.steps[n];
    aotigen_value v[ARGS], late[ARGS];
    size_t nlate = 0;
    bool wanted;
    run.launch++;
    wanted = run.wanted[n] && !(st->unwanted >> number & 1);
    if (!wanted) run.unseen = run.launch;
    for (int i = 0; i < st->nargs; i++) {
      fill_handle(&handles[i], &st->args[i].s);
      v[i] = st->args[i].scalar ? integer(4) : handle(&handles[i]);
      if (st->args[i].inside && !st->args[i].scalar && !st->args[i].s.host) {
        v[i].kind = AOTIGEN_V_VIEW;
        v[i].ndim = st->args[i].s.ndim;
        v[i].sizes = st->args[i].s.sizes;
        v[i].strides = st->args[i].s.strides;
      }
      if (st->args[i].late) {
        late[nlate++] = st->args[i].s.null ? handle(NULL) : v[i];
        v[i] = nothing();
      }
    }
    if (wanted) aotigen_before(&run, (uint32_t)n, v, (size_t)st->nargs);
    fake_give(stream, do_step, &(work){n, number}, sizeof(work));
    for (int i = 0; i < st->nargs; i++)
      if (st->args[i].s.host && p.params[n][i].role == AOTIGEN_OUT)
        fill_host(st->args[i].s.host_number, n * RUNS + number);
    for (int i = 0; i < st->nargs; i++)
      if (st->args[i].resized) fill_handle(&handles[i], &st->args[i].later);
    if (wanted) aotigen_after(&run, (uint32_t)n, late, nlate);
    memset(handles, 0xee, sizeof handles);
  }
  aotigen_before_outputs(&run);
  aotigen_run_end(&run, 0);
}

static void whole(uint8_t sync, char **out, char **err) {
  aotigen_model m = MODEL(.nan_asserts = p.nan_asserts, .printer = p.printer, .sync = sync,
                          .check_inputs = p.check_inputs, .device = "cuda", .sites = p.sites,
                          .nsites = (uint32_t)p.nsteps, .inputs = p.inputs, .ninputs = INPUTS,
                          .weights = p.weights, .nweights = WEIGHTS);
  memset(arena, 0x7f, ARENA);
  fake_late(sync ? 0 : p.late);
  capture(1);
  capture(2);
  for (int i = 0; i < HOSTS; i++) fill_host(i, i);
  for (int i = 0; i < RUNS; i++) one_run(&m, i);
  fake_wait(stream);
  *err = without_runs(captured(2));
  *out = without_runs(captured(1));
}

/* If a launch takes more than one batch, the elements next to an output's may not have been kept,
 * and are not reported then. */
static int differ(const char *what, uint64_t number, const char *a, const char *b) {
  const char *x = a, *y = b;
  while (*x && *y) {
    if (*x == *y) {
      x++, y++;
    } else if (y[0] == '?' && (y[1] == '\n' || y[1] == ';')) {
      x += strcspn(x, ";\n");
      y++;
    } else {
      break;
    }
  }
  if (!*x && !*y) return 0;
  size_t i = (size_t)(x - a);
  size_t from = i;
  while (from && i - from < 700) from--;
  fprintf(stderr,
          "seed %llu: %s differs at byte %zu of %zu/%zu:\n--- waiting\n%.1100s\n--- not "
          "waiting\n%.1100s\n",
          (unsigned long long)number, what, i, strlen(a), strlen(b), a + from,
          y - b > 700 ? y - 700 : b);
  return 1;
}

static int one(uint64_t number) {
  char *out[2], *err[2];
  static char space[ARENA + 4096];
  if (fake_open()) return 3;
  arena = space + (4096 - (uintptr_t)space % 4096);
  fake_memory(arena, ARENA);
  make_program(number);
  if (*p.launches) environment("AOTIGEN_LAUNCHES", p.launches);
  whole(1, &out[0], &err[0]);
  whole(0, &out[1], &err[1]);
  if (getenv("SHOW")) {
    const char *names[] = {"a.err", "b.err", "a.out", "b.out"},
               *texts[] = {err[0], err[1], out[0], out[1]};
    for (int i = 0; i < 4; i++) {
      char name[300];
      snprintf(name, sizeof name, "%s/%s", getenv("SHOW"), names[i]);
      FILE *file = fopen(name, "w");
      fputs(texts[i], file);
      fclose(file);
    }
    for (int n = 0; n < p.nsteps; n++) {
      fprintf(stderr, "%d %s unwanted %x passes %d:", n + 1,
              p.sites[n].form == AOTIGEN_TRITON ? "triton" : "extern", p.steps[n].unwanted,
              p.steps[n].passes);
      for (int i = 0; i < p.steps[n].nargs; i++) {
        const arg *a = &p.steps[n].args[i];
        const aotigen_param *q = &p.params[n][i];
        if (a->scalar) continue;
        fprintf(stderr, " %s/%s%s%s%s%s@%d.%d[", q->name,
                (const char *[]){"in", "out", "inout", "unk"}[q->role],
                q->flags & AOTIGEN_FRESH ? "+fresh" : "", q->flags & AOTIGEN_LATE ? "+late" : "",
                q->flags & AOTIGEN_MAYBE_WRITTEN ? "+maybe" : "",
                q->flags & AOTIGEN_UNASSERTED ? "+unasserted" : "", a->s.offset, a->s.dtype);
        for (int d = 0; d < a->s.ndim; d++)
          fprintf(stderr, "%d:%d ", (int)a->s.sizes[d], (int)a->s.strides[d]);
        fprintf(stderr, "]%s", a->resized ? "*" : "");
      }
      fprintf(stderr, "\n");
    }
  }
  int bad = differ("stderr", number, err[0], err[1]) + differ("stdout", number, out[0], out[1]);
  if (fake_faults())
    bad++, fprintf(stderr, "seed %llu: faults of the fake\n", (unsigned long long)number);
  return bad;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
           n = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  int failed = 0;
  setenv("FAKE_DEVICE", "cuda", 1);
  for (uint64_t i = first; i < first + n; i++) {
    int status;
    pid_t child = fork();
    if (!child) {
      alarm(30);
      int bad = one(i);
      fflush(NULL);
      _exit(bad);
    }
    waitpid(child, &status, 0);
    if (status) {
      failed++;
      fprintf(stderr, "seed %llu: status %x\n", (unsigned long long)i, (unsigned)status);
    }
  }
  printf("%llu programs, %d failed\n", (unsigned long long)n, failed);
  return failed != 0;
}
