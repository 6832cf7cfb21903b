/* main.c - one launch of a compiled model as a program: @{title}
 *
 *   make && ./launch        calls the kernel on the recorded memory, compares, bit for bit, what it
 *                           leaves there with the recording, and times it
 *   ./launch --repeat=N     calls it N times on that memory: does it always do the same?
 *   make clean; make EXTRA='-g -fsanitize=address'; ./launch
 *                           each memory ends where it ended: what goes beyond it is reported
 *
 * Exit status: 0 all is equal; 1 something is not; 2 it could not be run.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

@{declaration}
@{check}

enum { THREADS = @{threads}, COMPARED = @{compared}, DIMENSIONS = @{dimensions}, SHOWN = 4 };

/* What arguments lie in. `written` false: the kernel is not to change it, and .after is .before. */
typedef struct memory {
  size_t bytes, place; /* place: of its first byte, behind a multiple of 64 */
  bool written;
  unsigned char *at, *before, *after, *first, *varies;
} memory;

static memory memories[] = {
@{memories}
    {0}};
enum { MEMORIES = sizeof memories / sizeof *memories - 1 };

typedef struct tensor {
  const char *name, *wrapper_name, *dtype;
  int memory; /* -1: it has no element */
  size_t offset, element; /* bytes */
  bool written;
  int ndim;
  long long sizes[DIMENSIONS], strides[DIMENSIONS]; /* strides: in elements */
} tensor;

static const tensor tensors[] = {
@{tensors}
    {0}};
enum { TENSORS = sizeof tensors / sizeof *tensors - 1 };

/* ---- the call */

static unsigned char nothing[64];

static void *at(int i) {
  const tensor *t = &tensors[i];
  return t->memory < 0 ? nothing : memories[t->memory].at + t->offset;
}

static inline double float_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void call_kernel(void) {
  @{call}
}

/* ---- memory */

static void fail(const char *what, const char *name) {
  fprintf(stderr, "launch: %s '%s'\n", what, name);
  exit(2);
}

static void *allocate(size_t n) {
  void *made = calloc(1, n ? n : 1);
  if (!made) fail("no memory for", "the launch");
  return made;
}

/* Memory whose end is the allocation's, for tools that know the ends of allocations. */
static unsigned char *allocate_placed(const memory *m) {
  void *made = NULL;
  if (posix_memalign(&made, 64, m->place + m->bytes) || !made) fail("no memory for", "the launch");
  return (unsigned char *)made + m->place;
}

/* The files lie beside the program. */
static unsigned char *read_memory(int i, size_t n, const char *when) {
  char path[4096], name[64];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof name);
  path[length > 0 ? length : 0] = 0;
  char *slash = strrchr(path, '/');
  snprintf(name, sizeof name, "memory%d.%s", i, when);
  strcpy(slash ? slash + 1 : path, name);
  FILE *f = fopen(path, "rb");
  unsigned char *to = allocate(n + 1);
  if (!f) fail("cannot be read:", path);
  if (fread(to, 1, n + 1, f) != n) fail("has not the size that it had:", path);
  fclose(f);
  return to;
}

static void read_all(void) {
  for (int i = 0; i < MEMORIES; i++) {
    memory *m = &memories[i];
    m->before = read_memory(i, m->bytes, "before");
    m->after = m->written && COMPARED ? read_memory(i, m->bytes, "after") : m->before;
    m->at = allocate_placed(m);
  }
}

static void restore(void) {
  for (int i = 0; i < MEMORIES; i++) memcpy(memories[i].at, memories[i].before, memories[i].bytes);
}

/* ---- elements */

static double half_of(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double x = exponent == 31  ? (mantissa ? NAN : INFINITY)
                   : exponent == 0 ? ldexp(mantissa, -24)
                                   : ldexp(1024 + mantissa, exponent - 25);
  return bits >> 15 ? -x : x;
}

static void show_value(const char *dtype, const unsigned char *at, size_t n) {
  uint64_t bits = 0;
  float f;
  memcpy(&bits, at, n < 8 ? n : 8); /* of a complex number the real part */
  const int unused = n < 8 ? 64 - 8 * (int)n : 0;
  if (!strcmp(dtype, "float32")) {
    memcpy(&f, at, sizeof f);
    printf("%.9g, ", (double)f);
  } else if (!strcmp(dtype, "float64")) {
    printf("%.17g, ", float_of(bits));
  } else if (!strcmp(dtype, "float16")) {
    printf("%.6g, ", half_of((uint16_t)bits));
  } else if (!strcmp(dtype, "bfloat16")) {
    const uint32_t wide = (uint32_t)bits << 16;
    memcpy(&f, &wide, sizeof f);
    printf("%.6g, ", (double)f);
  } else if (!strncmp(dtype, "int", 3)) {
    printf("%" PRId64 ", ", (int64_t)(bits << unused) >> unused);
  } else if (!strncmp(dtype, "uint", 4) || !strcmp(dtype, "bool")) {
    printf("%" PRIu64 ", ", bits);
  }
  printf("bits 0x");
  for (size_t i = n; i-- > 0;) printf("%02x", at[i]);
}

static void show_list(const long long *list, int n) {
  printf("[");
  for (int i = 0; i < n; i++) printf("%s%lld", i ? ", " : "", list[i]);
  printf("]");
}

static void show_name(const tensor *t) {
  printf("  %s, which is %s: %s ", t->name, t->wrapper_name, t->dtype);
  show_list(t->sizes, t->ndim);
}

/* The next index in row-major order; false behind the last one. */
static bool step(const tensor *t, long long *index) {
  for (int i = t->ndim - 1; i >= 0; i--) {
    if (++index[i] < t->sizes[i]) return true;
    index[i] = 0;
  }
  return false;
}

/* Where an element lies in its memory. */
static size_t place_of(const tensor *t, const long long *index) {
  long long at = 0;
  for (int i = 0; i < t->ndim; i++) at += index[i] * t->strides[i];
  return t->offset + (size_t)(at * (long long)t->element);
}

static long long count_elements(const tensor *t) {
  long long n = 1;
  for (int i = 0; i < t->ndim; i++) n *= t->sizes[i];
  return n;
}

/* ---- what differs */

/* Of a tensor the elements whose bytes are not the same; shows the first ones. */
static long long compare_tensor(const tensor *t, bool shows) {
  const memory *m = &memories[t->memory];
  long long index[DIMENSIONS] = {0}, n = 0;
  do {
    const size_t place = place_of(t, index);
    if (!memcmp(m->at + place, m->after + place, t->element)) continue;
    if (n++ >= SHOWN || !shows) continue;
    printf("      ");
    show_list(index, t->ndim);
    printf(": ");
    show_value(t->dtype, m->at + place, t->element);
    printf("; recorded: ");
    show_value(t->dtype, m->after + place, t->element);
    printf("\n");
  } while (step(t, index));
  return n;
}

/* Bytes of a memory that belong to no element, if nothing else in it differs. */
static long long compare_gaps(int i) {
  const memory *m = &memories[i];
  size_t first = 0;
  long long n = 0;
  for (int k = 0; k < TENSORS; k++)
    if (tensors[k].memory == i && compare_tensor(&tensors[k], false)) return 0;
  for (size_t k = 0; k < m->bytes; k++) {
    if (m->at[k] == m->after[k]) continue;
    if (!n++) first = k;
  }
  if (n)
    printf("  memory%d: %lld bytes beside all elements differ, the first is %zu\n", i, n, first);
  return n;
}

/* True if the memories are as recorded. */
static bool compare(bool shows) {
  bool equal = true;
  for (int i = 0; i < MEMORIES; i++)
    equal &= !memcmp(memories[i].at, memories[i].after, memories[i].bytes);
  if (!shows) return equal;
  for (int i = 0; i < TENSORS; i++) {
    const tensor *t = &tensors[i];
    const long long n = t->memory < 0 ? 0 : compare_tensor(t, false);
    if (!n && !t->written) continue;
    show_name(t);
    if (n)
      printf(": %lld of %lld elements differ\n", n, count_elements(t));
    else
      printf(": equal, bit for bit\n");
    if (n) compare_tensor(t, true);
  }
  for (int i = 0; i < MEMORIES && !equal; i++) compare_gaps(i);
  return equal;
}

/* ---- many calls */

static void note_first(void) {
  for (int i = 0; i < MEMORIES; i++) {
    memory *m = &memories[i];
    m->first = allocate(m->bytes);
    m->varies = allocate(m->bytes);
    memcpy(m->first, m->at, m->bytes);
  }
}

/* True if the memories are those of the first call. */
static bool note_varying(void) {
  bool alike = true;
  for (int i = 0; i < MEMORIES; i++) {
    memory *m = &memories[i];
    if (!memcmp(m->at, m->first, m->bytes)) continue;
    alike = false;
    for (size_t k = 0; k < m->bytes; k++) m->varies[k] |= m->at[k] != m->first[k];
  }
  return alike;
}

static bool has_varied(const tensor *t, size_t place) {
  for (size_t i = 0; i < t->element; i++)
    if (memories[t->memory].varies[place + i]) return true;
  return false;
}

static void show_varying(const tensor *t) {
  long long index[DIMENSIONS] = {0}, first[DIMENSIONS] = {0}, n = 0;
  if (t->memory < 0) return;
  do {
    if (!has_varied(t, place_of(t, index))) continue;
    if (!n++) memcpy(first, index, sizeof first);
  } while (step(t, index));
  if (!n) return;
  show_name(t);
  printf(": %lld of %lld elements vary, the first at ", n, count_elements(t));
  show_list(first, t->ndim);
  printf("\n");
}

/* True if all did the same. */
static bool repeat(long long calls) {
  long long alike = 1, recorded = compare(false);
  note_first();
  for (long long i = 1; i < calls; i++) {
    restore();
    call_kernel();
    alike += note_varying();
    recorded += compare(false);
  }
  if (alike == calls)
    printf("  repeated: %lld calls, deterministic, bit for bit\n", calls);
  else
    printf("  repeated: %lld calls, not deterministic: %lld had another result than the first\n",
           calls, calls - alike);
  if (COMPARED) printf("  repeated: %lld of %lld calls had the recorded result\n", recorded, calls);
  for (int i = 0; i < TENSORS && alike < calls; i++) show_varying(&tensors[i]);
  return alike == calls;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Of calls for a fifth of a second, each on the recorded memory. */
static void measure(void) {
  double least = INFINITY, sum = 0;
  int calls = 0;
  for (const double end = now() + 0.2; calls < 3 || now() < end; calls++) {
    restore();
    const double began = now();
    call_kernel();
    const double took = now() - began;
    least = took < least ? took : least;
    sum += took;
  }
  printf("  time: %.3f us at best, %.3f us on average of %d calls\n", least * 1e6,
         sum * 1e6 / calls, calls);
}

int main(int argc, char **argv) {
  const char *const option = argc > 1 ? argv[1] : "--repeat=1";
  const long long calls = strncmp(option, "--repeat=", 9) ? 0 : atoll(option + 9);
  if (argc > 2 || calls < 1) fail("wants --repeat=N or nothing, not", option);
#ifdef _OPENMP
  if (THREADS && !getenv("OMP_NUM_THREADS")) omp_set_num_threads(THREADS);
#endif
  read_all();
  restore();
  printf("%s\n", @{heading});
  call_kernel();
  bool equal = true;
  if (COMPARED)
    equal = compare(true);
  else
    printf("  not compared: the recorded launch did not return\n");
  if (calls > 1) equal &= repeat(calls);
  measure();
  return equal ? 0 : 1;
}
