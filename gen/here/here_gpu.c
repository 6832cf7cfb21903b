/* here_gpu.c - see here_rows.h. */
#include "here/here_rows.h"
#include "parse/lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX_MAX = 1000 };

/* ---- the device */

/* The highest number that follows `word` and `after` in the text, or `highest`. */
static long find_index(const here_model *m, const char *word, char after, long highest) {
  for (size_t at = 0; (at = lex_find_word(m->source, at, m->n, word)) < m->n;) {
    at = lex_skip_token(m->source, at, m->n);
    size_t next = lex_skip_space(m->source, at, m->n);
    if (next < m->n && lex_is_identifier(m->source[next])) /* a variable's name */
      next = lex_skip_space(m->source, lex_skip_token(m->source, next, m->n), m->n);
    if (next >= m->n || m->source[next] != after) continue;
    next = lex_skip_space(m->source, next + 1, m->n);
    if (next >= m->n || !isdigit((unsigned char)m->source[next])) continue;
    long index = strtol(m->source + next, NULL, 10);
    if (index > highest && index < INDEX_MAX) highest = index;
  }
  return highest;
}

long here_find_device(const here_model *m) {
  return find_index(m, "cached_torch_device_type_cuda", ',',
                    find_index(m, "AOTICudaGuard", '(', -1));
}

static const char *list_gpus(const gpus *g, arena *a) {
  strings names = {0};
  for (size_t i = 0; i < g->n; i++)
    *arena_push(a, &names) =
        arena_printf(a, "%s (%u.%u)", g->at[i].name, g->at[i].major, g->at[i].minor);
  return strings_join(a, &names, ", ");
}

static void add_device(here_model *m) {
  const gpus *g = m->gpus;
  const long index = m->device;
  here_row row = {.what = "GPU", .needs = "an NVIDIA GPU"};
  if (index >= 0) row.needs = arena_printf(m->a, "cuda:%ld", index);
  row.has = g->why ? g->why : list_gpus(g, m->a);
  if (g->why) {
    row.fits = g->unknown ? FITS_UNKNOWN : FITS_NO;
    row.cure = g->unknown    ? "see what nvidia-smi says"
               : g->outdated ? "install a newer driver"
                             : "run the model on a machine with a GPU and NVIDIA's driver";
  } else if (index >= 0 && (size_t)index >= g->n) {
    row.fits = FITS_NO;
    row.cure = arena_printf(m->a,
                            "this machine has no GPU of that number: compile the model for one of "
                            "the first %zu",
                            g->n);
  }
  here_table_add(m->t, row);
}

/* The CUDA of this machine's torch, by "+cu130"; 0 if it has none. */
static unsigned find_cuda(const here_model *m) {
  const char *suffix = m->torch_version ? strstr(m->torch_version, "+cu") : NULL;
  unsigned version = suffix ? (unsigned)strtoul(suffix + 3, NULL, 10) : 0;
  return version < 10000 ? version : 0;
}

static void add_driver(here_model *m) {
  const unsigned needs = find_cuda(m), has = m->gpus->driver;
  if (!needs || m->gpus->why) return;
  here_row row = {.what = "GPU driver",
                  .needs = arena_printf(m->a, "CUDA %u.%u", needs / 10, needs % 10),
                  .has = arena_printf(m->a, "CUDA %u.%u", has / 1000, has % 1000 / 10)};
  if (has / 1000 < needs / 10) {
    row.fits = FITS_NO;
    row.cure = arena_printf(
        m->a, "install a newer driver, or a torch for CUDA %u and compile the model with it",
        has / 1000);
  }
  here_table_add(m->t, row);
}

/* ---- the kernels */

static bool runs_on(const gpu_kernel *k, const gpu *x) {
  for (size_t i = 0; i < k->codes.n; i++)
    if (gpu_code_runs(&k->codes.at[i], x->major, x->minor)) return true;
  return false;
}

/* "sm_90a, PTX of 8.0 (41 kernels)" */
static const char *list_codes(const here_model *m) {
  gpu_codes all = {0};
  strings names = {0};
  for (size_t i = 0; i < m->kernels.n; i++)
    for (size_t k = 0; k < m->kernels.at[i].codes.n; k++)
      gpu_code_add(&all, m->kernels.at[i].codes.at[k], m->a);
  for (size_t i = 0; i < all.n && i < 8; i++)
    *arena_push(m->a, &names) = gpu_code_name(&all.at[i], m->a);
  return arena_printf(m->a, "%s%s (%zu kernel%s)", strings_join(m->a, &names, ", "),
                      all.n > 8 ? ", ..." : "", m->kernels.n, m->kernels.n == 1 ? "" : "s");
}

/* Adds a row for kernels that are not whole binaries. */
static void add_damaged(here_model *m) {
  const char *first = NULL;
  size_t n = 0;
  for (size_t i = 0; i < m->kernels.n; i++) {
    if (m->kernels.at[i].read == GPU_CODE_READ) continue;
    if (!first) first = m->kernels.at[i].name;
    n++;
  }
  if (!n) return;
  here_table_add(
      m->t, (here_row){.fits = FITS_UNKNOWN,
                       .what = "GPU code",
                       .needs = arena_printf(m->a, "'%s'%s", first, n > 1 ? " and others" : ""),
                       .cure = "these are not whole binaries of kernels: get the package once "
                               "more, or compile the model again"});
}

const gpu *here_gpu(const here_model *m) {
  const size_t i = m->device > 0 ? (size_t)m->device : 0;
  return !m->gpus->why && i < m->gpus->n ? &m->gpus->at[i] : NULL;
}

static void add_codes(here_model *m) {
  const gpu *x = here_gpu(m);
  const char *unfit = NULL;
  size_t n = 0, read = 0;
  for (size_t i = 0; i < m->kernels.n; i++) {
    const gpu_kernel *k = &m->kernels.at[i];
    if (k->read != GPU_CODE_READ) continue;
    read++;
    if (!x || runs_on(k, x)) continue;
    if (!unfit) unfit = k->name;
    n++;
  }
  if (!read) return;
  here_row row = {.what = "GPU code", .needs = list_codes(m), .fits = FITS_UNKNOWN};
  if (x) {
    row.has = arena_printf(m->a, "sm_%u%u, %s", x->major, x->minor, x->name);
    row.fits = n ? FITS_NO : FITS_YES;
  }
  if (n)
    row.cure = arena_printf(m->a,
                            "%zu of them, the first '%s', do not run on this GPU: compile the "
                            "model on such a GPU, or with aot_inductor.emit_multi_arch_kernel=True",
                            n, unfit);
  else if (m->gpus->n > 1 && m->device < 0)
    row.has = arena_printf(m->a, "%s (the first GPU)", row.has);
  here_table_add(m->t, row);
}

void here_add_gpu(here_model *m) {
  const char *device = here_metadata(m, "AOTI_DEVICE_KEY");
  if (!here_is_cuda(m)) {
    if (device && strcmp(device, "cpu") != 0)
      here_table_add(m->t, (here_row){.fits = FITS_UNKNOWN,
                                      .what = "device",
                                      .needs = device,
                                      .cure = "only NVIDIA's GPUs and the CPU are looked at"});
    return;
  }
  add_device(m);
  add_driver(m);
  add_damaged(m);
  add_codes(m);
}
