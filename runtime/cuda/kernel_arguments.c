/* kernel_arguments.c - see kernel_arguments.h. Knows tensors and kernels.h; launches nothing. */
#define _GNU_SOURCE
#include "cuda/kernel_arguments.h"

#include "tensor/layout.h"

_Static_assert((int)AGK_BOOL == (int)AG_BOOL && (int)AGK_SIGNED == (int)AG_SIGNED &&
                   (int)AGK_UNSIGNED == (int)AG_UNSIGNED && (int)AGK_FLOATING == (int)AG_FLOATING &&
                   (int)AGK_COMPLEX == (int)AG_COMPLEX,
               "decode.h numbers the classes as backend.h does");
_Static_assert((int)AGK_IEEE == (int)AG_IEEE && (int)AGK_FN == (int)AG_FN &&
                   (int)AGK_FNUZ == (int)AG_FNUZ && (int)AGK_E8M0 == (int)AG_E8M0,
               "decode.h numbers the spellings of NaN as backend.h does");
_Static_assert(AGK_MAX_DIMS == AG_MAX_DIMS, "a layout holds the dimensions of every tensor");

/* Each format of kernels.h is the type of that name in dtype.def. */
#define FORMAT_CODE(cls, bytes, exponent, mantissa, special)                                       \
  ((cls) | (bytes) << 4 | (exponent) << 8 | (mantissa) << 16 | (special) << 24)
enum {
#define X(name, cls, bytes, exponent, mantissa, special, ...)                                      \
  CODE_OF_##name = FORMAT_CODE(cls, bytes, exponent, mantissa, special),
#include "tensor/dtype.def"
#undef X
};
#define CHECK_FORMAT(name, cls, bytes, exponent, mantissa, special)                                \
  _Static_assert(CODE_OF_##name == FORMAT_CODE((int)cls, bytes, exponent, mantissa, (int)special), \
                 "kernels.h has a format as dtype.def has it");
AGK_SUMMARY_FORMATS(CHECK_FORMAT)
#undef CHECK_FORMAT

agk_format ag_cuda_format(const ag_dtype *d) {
  uint8_t parts = d->cls == AG_COMPLEX ? 2 : 1;
  return (agk_format){.cls = d->cls,
                      .bytes = (uint8_t)(d->item_size / parts),
                      .parts = parts,
                      .exponent = d->exponent,
                      .mantissa = d->mantissa,
                      .special = d->special};
}

bool ag_cuda_is_bytewise(const ag_tensor *t) {
  return (uintptr_t)t->data % ag_cuda_format(t->dtype).bytes != 0;
}

void ag_cuda_layout_of(const ag_tensor *t, agk_layout *l) {
  l->ndim = ag_layout_collapse(t->ndim, t->sizes, t->strides, l->sizes, l->strides);
  l->bytewise = ag_cuda_is_bytewise(t);
}

/* ---- before a kernel may touch it ----------------------------------------------------------- */

static const char *check_address(ag_cuda_scope *scope, ag_cuda_address address) {
  unsigned mapped[2] = {0, 0};
  int error = scope->cu->cuPointerGetAttribute(mapped, AG_CU_POINTER_MAPPED, address);
  if (error == AG_CU_INVALID_VALUE || (!error && !mapped[0]))
    return ag_cuda_message("address 0x%llx is no memory that device 'cuda:%d' can read",
                           (unsigned long long)address, (int)scope->device->index);
  return ag_cuda_failed(scope, "cuPointerGetAttribute", error);
}

void ag_cuda_reach(const ag_tensor *t, int64_t *before, int64_t *behind) {
  int64_t lowest, end;
  ag_layout_extent(t->ndim, t->sizes, t->strides, &lowest, &end); /* a view's fits its memory */
  *before = -lowest * t->dtype->item_size;
  *behind = end * t->dtype->item_size;
}

const char *ag_cuda_check_reach(ag_cuda_scope *scope, const ag_tensor *t) {
  int64_t before, behind;
  const char *why;
  ag_cuda_reach(t, &before, &behind);
  why = check_address(scope, (ag_cuda_address)(uintptr_t)t->data - (uint64_t)before);
  return why ? why
             : check_address(scope, (ag_cuda_address)(uintptr_t)t->data + (uint64_t)behind - 1);
}

const char *ag_cuda_dense_kernel(const ag_tensor *t, bool summary) {
  agk_format f = ag_cuda_format(t->dtype);
  if ((uintptr_t)t->data % t->dtype->item_size) return NULL;
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

void ag_cuda_fill_dense(const ag_tensor *t, agk_dense *a) {
  *a = (agk_dense){.data = t->data, .numel = t->numel, .format = ag_cuda_format(t->dtype)};
  a->words = agk_words_of(a->format);
}

void ag_cuda_fill_strided(const ag_tensor *t, const agk_layout *l, bool summary, agk_strided *a) {
  *a = (agk_strided){.data = t->data,
                     .numel = t->numel,
                     .format = ag_cuda_format(t->dtype),
                     .summary = summary,
                     .layout = *l};
}

void ag_cuda_fill_gather(const ag_tensor *t, const agk_layout *l, agk_gather *a) {
  *a = (agk_gather){.data = t->data, .item_size = t->dtype->item_size, .layout = *l};
  a->layout.bytewise = (uintptr_t)t->data % t->dtype->item_size != 0;
}

/* ---- what they found ------------------------------------------------------------------------ */

static int64_t index_of(uint64_t first) { return first == AGK_NONE ? -1 : (int64_t)first; }

void ag_cuda_report(const ag_tensor *t, const agk_result *r, bool summary, ag_stats *out) {
  agk_format f = ag_cuda_format(t->dtype);
  *out = (ag_stats){.nan = (int64_t)r->nan,
                    .pos_inf = (int64_t)r->pos_inf,
                    .neg_inf = (int64_t)r->neg_inf,
                    .first_nan = index_of(r->first_nan),
                    .first_pos_inf = index_of(r->first_pos_inf),
                    .first_neg_inf = index_of(r->first_neg_inf),
                    .finite = t->numel - (int64_t)r->bad};
  if (!summary) return;
  out->zero = (int64_t)r->zero;
  out->subnormal = (int64_t)r->subnormal;
  if (f.cls == AGK_COMPLEX || out->finite == 0) return;
  /* The sum makes a zero +0. */
  out->min = agk_value(f, agk_unkey(f, r->min_key)) + 0.0;
  out->max = agk_value(f, agk_unkey(f, r->max_key)) + 0.0;
  out->sum = r->sum;
  out->sum_squares = r->sum_squares;
  if (f.cls == AGK_FLOATING) return;
  out->int_min = agk_integer(f, agk_unkey(f, r->min_key));
  out->int_max = agk_integer(f, agk_unkey(f, r->max_key));
}
