/* element_hash.c - see element_hash.h.
 *
 * The mix is the finalizer of MurmurHash3 (Austin Appleby, public domain) with its 32-bit
 * multipliers on 64 bits, whose products by halves AVX2 has. Each step is one to one. The first
 * shift brings a double's sign to where the multipliers spread it. Without the last one a bit that
 * changes in two elements cancels once in 10^7 pairs of like elements (t/375). */
#define _GNU_SOURCE
#include "tensor/element_hash.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "tensor/layout.h"

#define STEP 0x9e3779b97f4a7c15u /* 2^64 / golden ratio: what an index adds to the key */
#define FIRST 0x85ebca6bu
#define SECOND 0xc2b2ae35u

enum { GATHERED = 4096 }; /* bytes */

static uint64_t mix(uint64_t bits, uint64_t key) {
  uint64_t h = bits ^ key;
  h ^= h >> 32;
  h *= FIRST;
  h ^= h >> 32;
  h *= SECOND;
  return h ^ h >> 32;
}

/* `key` is that of the first element. */
static uint64_t hash_one_by_one(const char *data, int64_t n, unsigned size, uint64_t key) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < n; i++, data += size, key += STEP) {
    uint64_t bits = 0;
    memcpy(&bits, data, size);
    sum += mix(bits, key);
  }
  return sum;
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i multiply(__m256i h, __m256i by) {
  __m256i high = _mm256_mul_epu32(_mm256_srli_epi64(h, 32), by);
  return _mm256_add_epi64(_mm256_mul_epu32(h, by), _mm256_slli_epi64(high, 32));
}

AVX2 static inline __m256i mix4(__m256i bits, __m256i key) {
  __m256i h = _mm256_xor_si256(bits, key);
  h = _mm256_xor_si256(h, _mm256_srli_epi64(h, 32));
  h = multiply(h, _mm256_set1_epi64x(FIRST));
  h = _mm256_xor_si256(h, _mm256_srli_epi64(h, 32));
  h = multiply(h, _mm256_set1_epi64x(SECOND));
  return _mm256_xor_si256(h, _mm256_srli_epi64(h, 32));
}

/* Four elements, each in 64 bits. */
AVX2 static inline __m256i load1(const char *p) {
  int32_t bits;
  memcpy(&bits, p, sizeof bits);
  return _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bits));
}
AVX2 static inline __m256i load2(const char *p) {
  return _mm256_cvtepu16_epi64(_mm_loadl_epi64((const void *)p));
}
AVX2 static inline __m256i load4(const char *p) {
  return _mm256_cvtepu32_epi64(_mm_loadu_si128((const void *)p));
}
AVX2 static inline __m256i load8(const char *p) { return _mm256_loadu_si256((const void *)p); }

#define HASH_BY_FOUR(size)                                                                         \
  AVX2 static uint64_t hash_by_four##size(const char *data, int64_t n, uint64_t key) {             \
    __m256i sum = _mm256_setzero_si256(), step = _mm256_set1_epi64x((int64_t)(4 * STEP));          \
    __m256i keys = _mm256_setr_epi64x((int64_t)key, (int64_t)(key + STEP),                         \
                                      (int64_t)(key + 2 * STEP), (int64_t)(key + 3 * STEP));       \
    uint64_t sums[4];                                                                              \
    for (int64_t i = 0; i < n; i += 4, data += 4 * size) {                                         \
      sum = _mm256_add_epi64(sum, mix4(load##size(data), keys));                                   \
      keys = _mm256_add_epi64(keys, step);                                                         \
    }                                                                                              \
    memcpy(sums, &sum, sizeof sums);                                                               \
    return sums[0] + sums[1] + sums[2] + sums[3];                                                  \
  }
HASH_BY_FOUR(1)
HASH_BY_FOUR(2)
HASH_BY_FOUR(4)
HASH_BY_FOUR(8)

/* n: a multiple of four. */
static uint64_t hash_fours(const char *data, int64_t n, unsigned size, uint64_t key) {
  if (!__builtin_cpu_supports("avx2")) return hash_one_by_one(data, n, size, key);
  return size == 1   ? hash_by_four1(data, n, key)
         : size == 2 ? hash_by_four2(data, n, key)
         : size == 4 ? hash_by_four4(data, n, key)
                     : hash_by_four8(data, n, key);
}
#else
#define hash_fours hash_one_by_one
#endif

uint64_t ag_hash_elements(const ag_dtype *dtype, const void *data, int64_t n, int64_t index) {
  unsigned size = dtype->item_size, words = size > 8 ? size / 8 : 1;
  uint64_t key = ((uint64_t)index * words + 1) * STEP;
  n *= words; /* an element of 16 bytes counts as two of 8 */
  size /= words;
  const int64_t fours = n & ~(int64_t)3;
  return hash_fours(data, fours, size, key) +
         hash_one_by_one((const char *)data + fours * size, n - fours, size,
                         key + (uint64_t)fours * STEP);
}

uint64_t ag_hash_part(const ag_tensor *t, int64_t first, int64_t n) {
  char gathered[GATHERED];
  const int64_t size = t->dtype->item_size, most = GATHERED / size;
  int64_t sizes[AG_MAX_DIMS], strides[AG_MAX_DIMS];
  uint64_t sum = 0;
  if (n <= 0) return 0;
  int32_t ndim = ag_layout_collapse(t->ndim, t->sizes, t->strides, sizes, strides);
  if (!ndim || (ndim == 1 && strides[0] == 1))
    return ag_hash_elements(t->dtype, (const char *)t->data + first * size, n, first);
  for (int64_t i = 0; i < n; i += most) {
    const int64_t count = n - i < most ? n - i : most;
    if (ag_backend_cpu.read(t, first + i, count, NULL, gathered)) return 0;
    sum += ag_hash_elements(t->dtype, gathered, count, first + i);
  }
  return sum;
}
