/* backend_cpu.c - scans and reads tensors in this process's own memory; the reference for the other
 * backends. It walks strides, and spreads a large tensor over the OpenMP threads that the wrapper
 * has anyway. cpu_scan.c decodes the bits of an element. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tensor/backend.h"
#include "tensor/cpu_scan.h"
#include "tensor/layout.h"

/* Weak: the process may have no OpenMP, and the archive needs no -fopenmp. */
__attribute__((weak)) void GOMP_parallel(void (*work)(void *), void *data, unsigned threads,
                                         unsigned flags);
__attribute__((weak)) int omp_get_max_threads(void);
__attribute__((weak)) int omp_in_parallel(void);

enum { CHUNKS = 64, PARALLEL_FROM = 1 << 19, GATHER = 512 };

/* A dimension of the collapsed layout whose stride is not 0. weight: what one step adds to the flat
 * index. */
typedef struct dim {
  int64_t size, stride, weight;
} dim;

typedef struct walk {
  dim dims[AG_MAX_DIMS]; /* innermost first */
  int n;
  int64_t packed;  /* the number of elements, if they fill memory from the first one on without gaps
                      or overlaps, in any order; else 0 */
  int64_t repeats; /* how often each element occurs: the product of the sizes whose stride is 0 */
} walk;

static void plan_walk(const ag_tensor *t, walk *w) {
  int64_t sizes[AG_MAX_DIMS], strides[AG_MAX_DIMS], weight = 1, elements = 1;
  int32_t n = ag_layout_collapse(t->ndim, t->sizes, t->strides, sizes, strides), kept = n;
  w->n = 0;
  w->repeats = 1;
  while (n-- > 0) {
    dim d = {sizes[n], strides[n], weight};
    weight *= d.size;
    if (d.stride == 0) {
      w->repeats *= d.size;
      continue;
    }
    elements *= d.size;
    w->dims[w->n++] = d;
    sizes[--kept] = d.size; /* moves those that stay to the lists' end */
    strides[kept] = d.stride;
  }
  w->packed = ag_layout_is_dense(w->n, sizes + kept, strides + kept) ? elements : 0;
  if (!w->n) w->dims[w->n++] = (dim){1, 1, 1};
}

typedef struct job {
  const ag_dtype *dtype;
  const char *data;
  int64_t n;
  unsigned want;
  atomic_int next;
  int chunks;
  ag_stats parts[CHUNKS];
} job;

static void scan_chunks(void *p) {
  job *j = p;
  for (int k; (k = atomic_fetch_add(&j->next, 1)) < j->chunks;) {
    int64_t from = j->n * k / j->chunks, to = j->n * (k + 1) / j->chunks;
    j->parts[k] = ag_nothing_bad;
    ag_cpu_scan_elements(j->dtype, j->data + from * j->dtype->item_size, to - from, from, 1,
                         j->want, &j->parts[k]);
  }
}

static void scan_packed(const ag_tensor *t, int64_t n, unsigned want, ag_stats *out) {
  job j;
  int64_t bytes = n * t->dtype->item_size;
  if (bytes < PARALLEL_FROM || !GOMP_parallel || !omp_get_max_threads || !omp_in_parallel ||
      omp_in_parallel() || omp_get_max_threads() < 2 || n > INT64_MAX / CHUNKS) {
    ag_cpu_scan_elements(t->dtype, t->data, n, 0, 1, want, out);
    return;
  }
  j.dtype = t->dtype;
  j.data = t->data;
  j.n = n;
  j.want = want;
  j.chunks = bytes < CHUNKS * (PARALLEL_FROM / 8) ? (int)(bytes / (PARALLEL_FROM / 8)) : CHUNKS;
  atomic_init(&j.next, 0);
  int threads = omp_get_max_threads();
  GOMP_parallel(scan_chunks, &j, (unsigned)(threads < j.chunks ? threads : j.chunks), 0);
  for (int k = 0; k < j.chunks; k++) ag_stats_merge(out, &j.parts[k], t->dtype);
}

/* One row of the innermost dimension. */
static void scan_row(const ag_tensor *t, const dim *d, const char *from, int64_t index,
                     unsigned want, ag_stats *out) {
  size_t size = t->dtype->item_size;
  char gathered[GATHER * 16];
  if (d->stride == 1) {
    ag_cpu_scan_elements(t->dtype, from, d->size, index, d->weight, want, out);
    return;
  }
  for (int64_t i = 0; i < d->size; i += GATHER) {
    int64_t n = d->size - i < GATHER ? d->size - i : GATHER;
    for (int64_t k = 0; k < n; k++)
      memcpy(gathered + (size_t)k * size, from + (i + k) * d->stride * (int64_t)size, size);
    ag_cpu_scan_elements(t->dtype, gathered, n, index + i * d->weight, d->weight, want, out);
  }
}

static void scan_strided(const ag_tensor *t, const walk *w, unsigned want, ag_stats *out) {
  int64_t at[AG_MAX_DIMS] = {0}, offset = 0, index = 0, size = t->dtype->item_size;
  for (;;) {
    scan_row(t, &w->dims[0], (const char *)t->data + offset * size, index, want, out);
    int i = 1;
    for (; i < w->n; i++) {
      const dim *d = &w->dims[i];
      offset += d->stride;
      index += d->weight;
      if (++at[i] < d->size) break;
      offset -= d->stride * d->size;
      index -= d->weight * d->size;
      at[i] = 0;
    }
    if (i >= w->n) return;
  }
}

static void multiply_counts(ag_stats *h, int64_t times) {
  if (times == 1) return;
  h->nan *= times;
  h->pos_inf *= times;
  h->neg_inf *= times;
  h->zero *= times;
  h->subnormal *= times;
  h->finite *= times;
  h->sum *= (double)times;
  h->sum_squares *= (double)times;
}

static const char *scan_tensor(const ag_tensor *t, unsigned want, void *stream, ag_stats *out) {
  walk w;
  (void)stream;
  *out = ag_nothing_bad;
  if (!t->numel) return NULL;
  if (!t->data) return "no data";
  plan_walk(t, &w);
  int64_t n = w.packed;
  bool in_order = w.n == 1 && w.dims[0].weight == 1;
  if (n) scan_packed(t, n, want, out);
  /* Counts do not depend on the order of the scan; first indices need the logical order. */
  if (!n || (!in_order && (out->nan || out->pos_inf || out->neg_inf))) {
    *out = ag_nothing_bad;
    scan_strided(t, &w, want, out);
  }
  multiply_counts(out, w.repeats);
  return NULL;
}

static const char *read_elements(const ag_tensor *t, int64_t first, int64_t count, void *stream,
                                 void *to) {
  int64_t at[AG_MAX_DIMS], size = t->dtype->item_size;
  char *out = to;
  (void)stream;
  if (!count) return NULL;
  if (!t->data) return "no data";
  if (first < 0 || count < 0 || first > t->numel - count) return "no such elements";
  ag_layout_index(t->ndim, t->sizes, first, at);
  int64_t offset = ag_layout_offset(t->ndim, t->sizes, t->strides, first);
  int inner = t->ndim - 1;
  while (count) {
    int64_t stride = inner >= 0 ? t->strides[inner] : 1,
            n = inner >= 0 ? t->sizes[inner] - at[inner] : 1;
    const char *from = (const char *)t->data + offset * size;
    if (n > count) n = count;
    if (stride == 1)
      memcpy(out, from, (size_t)(n * size));
    else
      for (int64_t k = 0; k < n; k++)
        memcpy(out + k * size, from + k * stride * size, (size_t)size);
    out += n * size;
    count -= n;
    if (inner < 0) break;
    offset += n * stride;
    at[inner] += n;
    for (int i = inner; i > 0 && at[i] == t->sizes[i]; i--) {
      offset += t->strides[i - 1] - t->strides[i] * t->sizes[i];
      at[i] = 0;
      at[i - 1]++;
    }
  }
  return NULL;
}

static const char *ignore_sync(int32_t device_index, void *stream) {
  (void)device_index;
  (void)stream;
  return NULL;
}

static bool deny_capturing(void *stream) {
  (void)stream;
  return false;
}

static const char *allow_any_grid(int32_t device_index, int64_t limits[3]) {
  (void)device_index;
  limits[0] = limits[1] = limits[2] = INT64_MAX;
  return NULL;
}

static void *return_no_stream(int32_t device_index) {
  (void)device_index;
  return NULL;
}

static const char *check_kernel_file(const char *path) {
  struct stat s;
  if (stat(path, &s))
    return errno == ENOENT   ? "no such file"
           : errno == EACCES ? "permission denied"
                             : "it cannot be opened";
  if (!S_ISREG(s.st_mode)) return "not a file";
  if (!s.st_size) return "it is empty";
  return access(path, R_OK) ? "permission denied" : NULL;
}

static const char *fill_memory(int32_t device_index, void *stream, void *to, uint32_t word,
                               size_t words) {
  uint32_t *at = to;
  (void)device_index;
  (void)stream;
  for (size_t i = 0; i < words; i++) at[i] = word;
  return NULL;
}

static const char *write_memory(int32_t device_index, void *stream, void *to, const void *from,
                                size_t bytes) {
  (void)device_index;
  (void)stream;
  memcpy(to, from, bytes);
  return NULL;
}

const ag_backend ag_backend_cpu = {.name = "cpu",
                                   .device_type = 0,
                                   .stats = scan_tensor,
                                   .read = read_elements,
                                   .fill = fill_memory,
                                   .write = write_memory,
                                   .sync = ignore_sync,
                                   .capturing = deny_capturing,
                                   .grid_limits = allow_any_grid,
                                   .current_stream = return_no_stream,
                                   .check_kernel_file = check_kernel_file,
                                   .async = NULL};
