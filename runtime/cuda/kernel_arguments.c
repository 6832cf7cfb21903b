/* kernel_arguments.c - see kernel_arguments.h. It launches nothing. */
#define _GNU_SOURCE
#include "cuda/kernel_arguments.h"

#include <string.h>

_Static_assert((int)AGK_BOOL == (int)AG_BOOL && (int)AGK_SIGNED == (int)AG_SIGNED &&
                   (int)AGK_UNSIGNED == (int)AG_UNSIGNED && (int)AGK_FLOATING == (int)AG_FLOATING &&
                   (int)AGK_COMPLEX == (int)AG_COMPLEX,
               "decode.h numbers the classes as backend.h does");
_Static_assert((int)AGK_IEEE == (int)AG_IEEE && (int)AGK_FN == (int)AG_FN &&
                   (int)AGK_FNUZ == (int)AG_FNUZ && (int)AGK_E8M0 == (int)AG_E8M0 &&
                   (int)AGK_DIFFERS == (int)AG_DIFFERS && (int)AGK_HOLDS == (int)AG_HOLDS,
               "decode.h numbers the spellings of NaN as backend.h does");
_Static_assert(AGK_MAX_DIMS == AG_MAX_DIMS, "a layout holds the dimensions of every tensor");

/* Each format of kernels.h is the type of the same name in dtypes.def. */
#define FORMAT_CODE(cls, bytes, exponent, mantissa, special)                                       \
  ((cls) | (bytes) << 4 | (exponent) << 8 | (mantissa) << 16 | (special) << 24)
enum {
#define X(name, cls, bytes, exponent, mantissa, special, ...)                                      \
  CODE_OF_##name = FORMAT_CODE(cls, bytes, exponent, mantissa, special),
#include "shared/dtypes.def"
#undef X
};
#define CHECK_FORMAT(name, cls, bytes, exponent, mantissa, special)                                \
  _Static_assert(CODE_OF_##name == FORMAT_CODE((int)cls, bytes, exponent, mantissa, (int)special), \
                 "kernels.h has a format as dtypes.def has it");
AGK_SUMMARY_FORMATS(CHECK_FORMAT)
#undef CHECK_FORMAT

static agk_format format_of(const ag_dtype *d) {
  uint8_t parts = d->cls == AG_COMPLEX ? 2 : 1;
  return (agk_format){.cls = d->cls,
                      .bytes = (uint8_t)(d->item_size / parts),
                      .parts = parts,
                      .exponent = d->exponent,
                      .mantissa = d->mantissa,
                      .special = d->special};
}

static void describe_memory(const ag_tensor *t, ag_cuda_tensor *d) {
  ag_cuda_address data = (ag_cuda_address)(uintptr_t)t->data;
  d->tensor = t;
  d->format = format_of(t->dtype);
  d->aligned = data % t->dtype->item_size == 0;
  d->bytewise = data % d->format.bytes != 0;
  d->from = data + (uint64_t)(d->layout.lowest * t->dtype->item_size);
  d->to = data + (uint64_t)(d->layout.end * t->dtype->item_size);
}

/* Neither can overflow: a view's layout fits its memory. */
void ag_cuda_describe(const ag_tensor *t, ag_cuda_tensor *d) {
  ag_layout_measure(t->ndim, t->sizes, t->strides, &d->layout);
  describe_memory(t, d);
}

void ag_cuda_describe_extent(const ag_tensor *t, ag_cuda_tensor *d) {
  ag_layout_extent(t->ndim, t->sizes, t->strides, &d->layout.lowest, &d->layout.end);
  describe_memory(t, d);
}

/* ---- before a kernel may touch it ----------------------------------------------------------- */

static const char *check_address(ag_cuda_scope *scope, ag_cuda_address address) {
  unsigned mapped[2] = {0, 0};
  int error = scope->cu->cuPointerGetAttribute(mapped, AG_CU_POINTER_MAPPED, address);
  if (error == AG_CU_INVALID_VALUE || (!error && !mapped[0]))
    return ag_cuda_message("device 'cuda:%d' cannot read memory at address 0x%llx",
                           (int)scope->device->index, (unsigned long long)address);
  return ag_cuda_failed(scope, "cuPointerGetAttribute", error);
}

const char *ag_cuda_check_memory(ag_cuda_scope *scope, ag_cuda_address from, ag_cuda_address to) {
  const char *why = check_address(scope, from);
  return why ? why : check_address(scope, to - 1);
}

const char *ag_cuda_dense_kernel(const ag_cuda_tensor *d, bool summary) {
  agk_format f = d->format;
  if (!d->aligned) return NULL;
  if (!summary) return AGK_BAD_DENSE;
#define AG_SUMMARY_KERNEL(name, c, b, e, m, s)                                                     \
  if (f.cls == c && f.bytes == b && f.exponent == e && f.mantissa == m && f.special == s)          \
    return AGK_SUMMARY_PREFIX #name;
  AGK_SUMMARY_FORMATS(AG_SUMMARY_KERNEL)
#undef AG_SUMMARY_KERNEL
  return NULL;
}

/* ---- the kernels' arguments ----------------------------------------------------------------- */

uint32_t ag_cuda_blocks(int64_t work, int64_t tile, uint32_t most) {
  int64_t blocks = (work + tile - 1) / tile;
  return blocks < most ? (uint32_t)blocks : most;
}

static agk_layout layout_of(const ag_layout *l, bool bytewise) {
  agk_layout to = {.ndim = l->ndim, .bytewise = bytewise};
  memcpy(to.sizes, l->sizes, (size_t)l->ndim * sizeof *l->sizes);
  memcpy(to.strides, l->strides, (size_t)l->ndim * sizeof *l->strides);
  return to;
}

void ag_cuda_fill_dense(const ag_cuda_tensor *d, agk_dense *a) {
  *a = (agk_dense){.data = d->tensor->data, .numel = d->tensor->numel, .format = d->format};
  a->words = agk_words_of(a->format);
}

void ag_cuda_fill_strided(const ag_cuda_tensor *d, bool summary, agk_strided *a) {
  *a = (agk_strided){.data = d->tensor->data,
                     .numel = d->tensor->numel,
                     .format = d->format,
                     .summary = summary,
                     .layout = layout_of(&d->layout, d->bytewise)};
}

/* This kernel copies whole elements, not their parts. */
void ag_cuda_fill_gather(const ag_cuda_tensor *d, agk_gather *a) {
  *a = (agk_gather){.data = d->tensor->data,
                    .item_size = d->tensor->dtype->item_size,
                    .layout = layout_of(&d->layout, !d->aligned)};
}

/* ---- what they found ------------------------------------------------------------------------ */

static int64_t index_of(uint64_t first) { return first == AGK_NONE ? -1 : (int64_t)first; }

void ag_cuda_report(const ag_tensor *t, const agk_result *result, bool summary, ag_stats *out) {
  agk_format f = format_of(t->dtype);
  *out = (ag_stats){.nan = (int64_t)result->nan,
                    .pos_inf = (int64_t)result->pos_inf,
                    .neg_inf = (int64_t)result->neg_inf,
                    .first_nan = index_of(result->first_nan),
                    .first_pos_inf = index_of(result->first_pos_inf),
                    .first_neg_inf = index_of(result->first_neg_inf),
                    .finite = t->numel - (int64_t)result->bad};
  if (!summary) return;
  out->zero = (int64_t)result->zero;
  out->subnormal = (int64_t)result->subnormal;
  if (f.cls == AGK_COMPLEX || out->finite == 0) return;
  /* the sum turns a zero into +0 */
  out->min = agk_value(f, agk_unkey(f, result->min_key)) + 0.0;
  out->max = agk_value(f, agk_unkey(f, result->max_key)) + 0.0;
  out->sum = result->sum;
  out->sum_squares = result->sum_squares;
  if (f.cls == AGK_FLOATING) return;
  out->int_min = agk_integer(f, agk_unkey(f, result->min_key));
  out->int_max = agk_integer(f, agk_unkey(f, result->max_key));
}
