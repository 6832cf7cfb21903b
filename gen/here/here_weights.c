/* here_weights.c - see here_rows.h. */
#include "base/shown.h"
#include "base/file.h"
#include "toolchain/weights.h"
#include "here/here_rows.h"
#include "parse/lex.h"
#include "system/memory_limit.h"
#include <stdlib.h>
#include <string.h>

enum { MEMINFO_MAX = 64 << 10 };

/* ---- memory */

/* In bytes; 0 if /proc/meminfo has no such line. */
static uint64_t find_line(const char *text, const char *name) {
  const char *at = strstr(text, name);
  return at ? strtoull(at + strlen(name), NULL, 10) * 1024 : 0;
}

static void add_host_memory(here_model *m, uint64_t bytes) {
  strbuf t = {0};
  if (!file_read("/proc/meminfo", MEMINFO_MAX, &t)) return;
  const uint64_t swap = find_line(t.at, "SwapTotal:"), total = find_line(t.at, "MemTotal:") + swap,
                 unused = find_line(t.at, "MemAvailable:"), limit = memory_limit_find();
  strbuf_free(&t);
  here_row row = {
      .what = "memory",
      .needs = arena_printf(m->a, "%s for weights", byte_count_format(bytes, m->a)),
      .has = arena_printf(m->a, "%s %s", byte_count_format(limit < unused ? limit : unused, m->a),
                          limit < unused ? "for this group of processes" : "available")};
  if (bytes > total) {
    row.fits = FITS_NO;
    row.cure = "run the model on a machine with more memory";
  } else if (bytes > limit) {
    row.fits = bytes - limit > swap ? FITS_NO : FITS_UNKNOWN;
    row.cure = "raise the limit of memory of this container or other group of processes (cgroup)";
  } else if (bytes > unused) {
    row.fits = FITS_UNKNOWN;
    row.cure = "end other programs before, or expect the machine to swap";
  }
  here_table_add(m->t, row);
}

static void add_gpu_memory(here_model *m, uint64_t bytes) {
  const gpu *x = here_gpu(m);
  if (!x) return;
  here_row row = {.what = "GPU memory",
                  .needs = arena_printf(m->a, "%s for weights", byte_count_format(bytes, m->a)),
                  .has = arena_printf(m->a, "%s %s",
                                      byte_count_format(x->tells_free ? x->free : x->total, m->a),
                                      x->tells_free ? "free" : "in all")};
  if (bytes > x->total) {
    row.fits = FITS_NO;
    row.cure = "run the model on a GPU with more memory";
  } else if (!x->tells_free || bytes > x->free) {
    row.fits = FITS_UNKNOWN;
    row.cure = x->tells_free ? "end other programs on this GPU before"
                             : "the driver does not tell how much is free";
  }
  here_table_add(m->t, row);
}

/* ---- weights */

/* The offset behind `.data_size =` from `at` on; m->n if there is none. */
static size_t find_size(const here_model *m, size_t at) {
  static const char name[] = "data_size";
  while ((at = lex_find_word(m->source, at, m->n, name)) < m->n) {
    bool member = at > 0 && m->source[at - 1] == '.';
    at = lex_skip_space(m->source, at + sizeof name - 1, m->n);
    if (member && at < m->n && m->source[at] == '=') return at + 1;
  }
  return m->n;
}

/* `constants_info_[0].from_folded = true;`: the model computes it when it is loaded. */
static bool is_folded(const here_model *m, size_t at, size_t end) {
  static const char name[] = "from_folded";
  at = lex_find_word(m->source, at, end, name);
  if (at >= end) return false;
  at = lex_skip_space(m->source, at + sizeof name - 1, end);
  return at < end && m->source[at] == '=' &&
         lex_is_word(m->source, lex_skip_space(m->source, at + 1, end), end, "true");
}

/* `constants_info_[0].data_size = 4096;` of each weight that the package holds. */
static uint64_t sum_declared(const here_model *m) {
  uint64_t sum = 0;
  for (size_t at = find_size(m, 0), next; at < m->n; at = next) {
    next = find_size(m, at);
    if (is_folded(m, at, next)) continue;
    at = lex_skip_space(m->source, at, m->n);
    const uint64_t bytes = strtoull(m->source + at, NULL, 10);
    sum = sum + bytes < sum ? UINT64_MAX : sum + bytes;
  }
  return sum;
}

static void add_blob(here_model *m, uint64_t bytes) {
  here_row row = {.what = "weights",
                  .needs = arena_printf(m->a, "%s in a file", byte_count_format(bytes, m->a)),
                  .has = m->blob ? arena_printf(m->a, "'%s'", m->blob) : NULL};
  if (!m->blob) {
    row.fits = FITS_UNKNOWN;
    row.cure = "the package does not hold them: the program must give the model their file";
  } else if (m->blob_size < bytes) {
    row.fits = FITS_NO;
    row.has = arena_printf(m->a, "'%s', %s", m->blob, byte_count_format(m->blob_size, m->a));
    row.cure = "get the package once more: the file is cut off";
  }
  here_table_add(m->t, row);
}

/* The bytes of weights that a run needs, or 0. */
static uint64_t add_place(here_model *m) {
  const enum weights_place place = weights_find_place(&m->words);
  const uint64_t declared = sum_declared(m);
  const char *why = NULL;
  weights w;
  if (!declared) return 0;
  here_row row = {.what = "weights", .needs = byte_count_format(declared, m->a)};
  if (!weights_measure(&w, m->so, place, &why, m->a)) {
    row.fits = FITS_UNKNOWN;
    row.has = why;
    row.cure = "the '.so' does not tell where its weights are";
  } else if (place == WEIGHTS_EXTERNAL) {
    add_blob(m, w.size);
    return w.size;
  } else if (w.size <= 1) {
    row.fits = FITS_UNKNOWN;
    row.has = "none in the '.so'";
    row.cure = "the program must load them: load_constants()";
  } else {
    row.has = arena_printf(m->a, "%s %s", byte_count_format(w.size, m->a),
                           place == WEIGHTS_APPENDED ? "appended to the '.so'" : "in the '.so'");
  }
  here_table_add(m->t, row);
  return declared;
}

void here_add_weights(here_model *m) {
  uint64_t bytes = m->so ? add_place(m) : 0;
  if (!bytes) return;
  if (here_is_cuda(m))
    add_gpu_memory(m, bytes);
  else
    add_host_memory(m, bytes);
}
