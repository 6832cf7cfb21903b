// fast.cuh - a part of stats.cu: summaries of the common floating formats of up to 4 bytes at the
// speed of memory. (FNUZ and E8M0, whose NaN is not the largest magnitude, go the ordinary way.)
//
// A word of four or two elements may cost some twenty instructions. Therefore nothing is done
// element by element:
// - Zeros and subnormals: one addition a word carries into the sign bit of each lane whose
// magnitude
//   reaches a limit.
// - Lanes that carried are counted by a dot product with ones; each counts as 128, the bit's value.
// - Numbers are sign and magnitude, so minimum and maximum follow from three values of words: the
//   largest as signed, the largest and the smallest as unsigned. A byte is compared as the upper
//   half of 16 bits; the lower half decides nothing. They also show whether something in a tile is
//   not finite: its magnitude is then the largest.
// - Sums of values that float16 can hold come from the tensor cores (`products`), others from float
//   and double.
//
// A warp takes a tile of 64 bytes a thread in this way if all of it is finite and its sums stay in
// range; otherwise it is taken as summary_of does, vector by vector.
#ifndef AOTIGEN_FAST_CUH
#define AOTIGEN_FAST_CUH

#include "walk.cuh"

namespace {

template <unsigned bytes> __device__ constexpr uint32_t lanes(uint32_t lane) {
  return bytes == 1 ? lane * 0x01010101u : bytes == 2 ? lane * 0x00010001u : lane;
}

#ifdef __CUDACC__
// c += A * B, a warp together. d is a pair of float16 of each thread: as rows 0 to 7 of A and as
// the columns of B they meet themselves on the diagonal, in c[0] and c[1]: squares. Rows 8 to 15 of
// A are ones: c[2] and c[3] are the sums of two columns of B, the same in all rows.
__device__ __forceinline__ void products(float (&c)[4], uint32_t d) {
  constexpr uint32_t ones = 0x3c003c00;
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%4}, {%0, %1, "
      "%2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(d), "r"(ones));
}
#endif

// ---- sums: take() the words of a tile, all lanes of a warp together

// Float16, and formats that become float16 with an exponent shifted by `scale` bits. The tensor
// cores' error grows with the length of a chain of additions: at most eight, and then double.
template <unsigned bytes, unsigned mantissa, unsigned special> struct product_sums {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  static constexpr bool converted = bytes == 1 && special == AGK_FN;
#else
  static constexpr bool converted = false;
#endif
  static constexpr bool shifted = bytes == 1 && mantissa == 3 && !converted;
  static constexpr double scale = shifted ? 256 : 1;
  double sum = 0, squares = 0;

  // For one-byte elements, those at odd addresses.
  __device__ __forceinline__ static uint32_t half_of(uint32_t w) {
    if (bytes == 2) return w;
    if (shifted) return (w & 0x80008000u) | (w & 0x7f007f00u) >> 1;
    return w & 0xff00ff00u;
  }
  __device__ __forceinline__ static void convert(uint32_t w, uint32_t &x, uint32_t &y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    asm("{.reg .b16 low, high; mov.b32 {low, high}, %2; cvt.rn.f16x2.e4m3x2 %0, low; "
        "cvt.rn.f16x2.e4m3x2 %1, high;}"
        : "=r"(x), "=r"(y)
        : "r"(w));
#else
    x = y = w;
#endif
  }

  template <unsigned N> __device__ __forceinline__ void take(const uint32_t (&w)[N]) {
    float c[2][4] = {};
#pragma unroll
    for (unsigned i = 0; i < N; i++) {
      uint32_t x = half_of(w[i]), y = half_of(w[i] << 8);
      if (converted) convert(w[i], x, y);
      products(c[2 * i / N], x);
      if (bytes == 1) products(c[2 * i / N], y);
    }
    // A thread has two columns of one row; the diagonal crosses one of them in 8 threads of a warp.
    // Rows 8 to 15 are alike: the first 4 threads speak for them.
    const unsigned row = threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
    const float square = row == column       ? c[0][0] + c[1][0]
                         : row == column + 1 ? c[0][1] + c[1][1]
                                             : 0;
    const float total = (c[0][2] + c[1][2]) + (c[0][3] + c[1][3]);
    squares += static_cast<double>(square);
    sum += row == 0 ? static_cast<double>(total) : 0;
  }
  template <class Key> __device__ __forceinline__ void fold(accumulator<Key> &t) const {
    t.sum += sum * scale;
    t.sum_squares += squares * (scale * scale);
  }
};

// Bfloat16: float, 8 elements at a time. The caller keeps away what would overflow (`limit`);
// squares that underflow are computed again in double.
struct bfloat16_sums {
  static constexpr bool shifted = false;
  static constexpr uint32_t limit = (127 + 60) << 7;
  double sum = 0, squares = 0;

  __device__ __forceinline__ static float value(uint32_t w, unsigned i) {
    return __uint_as_float(i ? w & 0xffff0000u : w << 16);
  }
  template <unsigned N> __device__ __forceinline__ void take(const uint32_t (&w)[N]) {
#pragma unroll
    for (unsigned k = 0; k < N; k += 4) {
      float s = 0, q = 0;
#pragma unroll
      for (unsigned i = k; i < k + 4; i++) {
        const float x = value(w[i], 0), y = value(w[i], 1);
        s += x + y;
        q += x * x;
        q += y * y;
      }
      sum += static_cast<double>(s);
      if (q < 0x1p-126f && ((w[k] | w[k + 1] | w[k + 2] | w[k + 3]) & 0x7fff7fffu)) {
#pragma unroll
        for (unsigned i = k; i < k + 4; i++)
          squares += exactly(value(w[i], 0)) + exactly(value(w[i], 1));
      } else {
        squares += static_cast<double>(q);
      }
    }
  }
  __device__ __forceinline__ static double exactly(float x) {
    return static_cast<double>(x) * static_cast<double>(x);
  }
  template <class Key> __device__ __forceinline__ void fold(accumulator<Key> &t) const {
    t.sum += sum;
    t.sum_squares += squares;
  }
};

struct float32_sums {
  static constexpr bool shifted = false;
  double sum = 0, squares = 0;

  template <unsigned N> __device__ __forceinline__ void take(const uint32_t (&w)[N]) {
#pragma unroll
    for (unsigned i = 0; i < N; i++) {
      const double x = static_cast<double>(__uint_as_float(w[i]));
      sum += x;
      squares += x * x;
    }
  }
  template <class Key> __device__ __forceinline__ void fold(accumulator<Key> &t) const {
    t.sum += sum;
    t.sum_squares += squares;
  }
};

template <unsigned bytes, unsigned exponent, unsigned mantissa, unsigned special> struct sums_of {
  using type = product_sums<bytes, mantissa, special>;
};
template <> struct sums_of<2, 8, 7, AGK_IEEE> { using type = bfloat16_sums; };
template <> struct sums_of<4, 8, 23, AGK_IEEE> { using type = float32_sums; };

// ---- the extremes

template <unsigned bytes> struct extremes {
  static constexpr uint32_t sign = bytes == 4 ? 0x80000000 : 0x80008000;
  uint32_t signed_max = bytes == 4 ? 0x80000000 : 0x80008000, unsigned_max = 0,
           unsigned_min = 0xffffffff;

  __device__ __forceinline__ void take(uint32_t a, uint32_t b, bool least) {
    if (bytes == 4) {
      signed_max = __vimax3_s32(signed_max, a, b);
      unsigned_max = __vimax3_u32(unsigned_max, a, b);
      if (least) unsigned_min = __vimin3_u32(unsigned_min, a, b);
    } else {
      signed_max = __vimax3_s16x2(signed_max, a, b);
      unsigned_max = __vimax3_u16x2(unsigned_max, a, b);
      if (least) unsigned_min = __vimin3_u16x2(unsigned_min, a, b);
    }
  }
  template <unsigned N> __device__ __forceinline__ void take(const uint32_t (&w)[N], bool least) {
#pragma unroll
    for (unsigned i = 0; i < N; i++)
      if (bytes == 1)
        take(w[i], w[i] << 8, least);
      else if (i % 2)
        take(w[i - 1], w[i], least);
  }
  // True if the thread has seen both signs. Then the smallest as unsigned, which gives the least of
  // one sign, does not matter any more.
  __device__ __forceinline__ bool both_signs() const {
    return (~signed_max & sign) && (unsigned_max & sign);
  }
  __device__ __forceinline__ void add(const extremes &e) {
    if (bytes == 4) {
      signed_max = __vimax3_s32(signed_max, e.signed_max, e.signed_max);
      unsigned_max = __vimax3_u32(unsigned_max, e.unsigned_max, e.unsigned_max);
      unsigned_min = __vimin3_u32(unsigned_min, e.unsigned_min, e.unsigned_min);
    } else {
      signed_max = __vimax3_s16x2(signed_max, e.signed_max, e.signed_max);
      unsigned_max = __vimax3_u16x2(unsigned_max, e.unsigned_max, e.unsigned_max);
      unsigned_min = __vimin3_u16x2(unsigned_min, e.unsigned_min, e.unsigned_min);
    }
  }
  // Not 0 if a magnitude was `limit` or more: the largest of those without a sign, and of those
  // with one.
  __device__ __forceinline__ uint32_t reach(uint32_t limit) const {
    constexpr uint32_t tops = bytes == 4 ? 0x80000000 : 0x80008000;
    const uint32_t more = bytes == 4 ? 0x80000000 - limit
                                     : (0x8000 - (limit << (bytes == 1 ? 8 : 0))) * 0x00010001u;
    return ((((signed_max & ~tops) + more) & ~signed_max) |
            (((unsigned_max & ~tops) + more) & unsigned_max)) &
           tops;
  }
  // Only after something was taken.
  template <class Key>
  __device__ __forceinline__ void fold(accumulator<Key> &t, agk_format f) const {
    const unsigned width = bytes == 4 ? 32 : 16, down = bytes == 1 ? 8 : 0;
#pragma unroll
    for (unsigned at = 0; at < 32; at += width) {
      const uint32_t ones = bytes == 4 ? full : 0xffff, top = ones ^ ones >> 1;
      const uint32_t s = signed_max >> at & ones, most = unsigned_max >> at & ones,
                     least = unsigned_min >> at & ones;
      const Key max_key = static_cast<Key>(agk_key(f, (s & top ? least : s) >> down));
      const Key min_key = static_cast<Key>(agk_key(f, (most & top ? most : least) >> down));
      t.max_key = max_key > t.max_key ? max_key : t.max_key;
      t.min_key = min_key < t.min_key ? min_key : t.min_key;
    }
  }
};

// ---- a tile

template <unsigned bytes, unsigned exponent, unsigned mantissa, unsigned special> struct fast_of {
  using slow_of = summary_of<AGK_FLOATING, bytes, exponent, mantissa, special>;
  using sums_type = typename sums_of<bytes, exponent, mantissa, special>::type;
  static constexpr int unrolled = 1;
  static constexpr bool together = true;
  static constexpr bool ahead = bytes > 1 ||
                                sums_type::shifted; // the latter for the registers it spares
  static constexpr uint32_t top = bytes == 4 ? 0x80000000u : 1u << (8 * bytes - 1);
  // The smallest magnitude that is not taken here.
  static constexpr uint32_t limit = exponent == 8 && bytes == 2 ? bfloat16_sums::limit
                                    : special == AGK_IEEE       ? ((1u << exponent) - 1) << mantissa
                                                                : top - 1;
  slow_of slow;
  sums_type sums;
  extremes<bytes> ends;
  uint32_t nonzero = 0, normal = 0, vectors = 0;
  bool settled = false; // warp-wide

  __device__ __forceinline__ static uint32_t reaches(uint32_t magnitude, uint32_t least) {
    return magnitude + lanes<bytes>(top - least);
  }

  __device__ __forceinline__ static void count(uint32_t &n, uint32_t carried) {
    if (bytes == 4)
      n += carried >> 31;
    else
      n = __dp4a(carried & lanes<bytes>(top), 0x01010101u, n);
  }

  __device__ __forceinline__ void element(const char *at, uint64_t index) {
    slow.element(at, index);
  }
  template <class Index> __device__ __forceinline__ void bits(uint64_t bits, Index index) {
    slow.bits(bits, index);
  }
  __device__ __forceinline__ bool vector(uint4 v) { return slow.vector(v); }
  template <unsigned V> __device__ __forceinline__ unsigned tile(uint4 (&got)[V]) {
    return quick(got) ? 0 : by_vector(*this, got, full);
  }
  // Takes all of it, or, for the whole warp, nothing.
  template <unsigned V> __device__ __forceinline__ bool quick(const uint4 (&got)[V]) {
    uint32_t w[4 * V];
#pragma unroll
    for (unsigned k = 0; k < V; k++) {
      w[4 * k] = got[k].x;
      w[4 * k + 1] = got[k].y;
      w[4 * k + 2] = got[k].z;
      w[4 * k + 3] = got[k].w;
    }
    extremes<bytes> of_tile;
    if (settled && !sums_type::shifted)
      of_tile.take(w, false);
    else
      of_tile.take(w, true);
    if (__any_sync(full, of_tile.reach(limit) != 0)) return false;
    ends.add(of_tile);
    if (!settled && !sums_type::shifted) settled = !__any_sync(full, !ends.both_signs());
#pragma unroll
    for (unsigned i = 0; i < 4 * V; i++) {
      const uint32_t magnitude = w[i] & ~lanes<bytes>(top);
      count(nonzero, reaches(magnitude, 1));
      count(normal, reaches(magnitude, 1u << mantissa));
    }
    sums.take(w);
    vectors += V;
    return true;
  }
  // Call it once, when all is taken.
  __device__ __forceinline__ const accumulator<typename slow_of::key> &seen() {
    constexpr unsigned worth = bytes == 4 ? 1 : 128;
    slow.t.zero += vectors * (16 / bytes) - nonzero / worth;
    slow.t.subnormal += (nonzero - normal) / worth;
    if (vectors) ends.fold(slow.t, slow_of::f);
    sums.fold(slow.t);
    return slow.t;
  }
};

// The operation for a format: fast_of if it can.
template <unsigned cls, unsigned bytes, unsigned exponent, unsigned mantissa, unsigned special>
struct op_of {
  using type = summary_of<cls, bytes, exponent, mantissa, special>;
};
template <> struct op_of<AGK_FLOATING, 1, 5, 2, AGK_IEEE> {
  using type = fast_of<1, 5, 2, AGK_IEEE>;
};
template <> struct op_of<AGK_FLOATING, 1, 4, 3, AGK_FN> { using type = fast_of<1, 4, 3, AGK_FN>; };
template <> struct op_of<AGK_FLOATING, 2, 5, 10, AGK_IEEE> {
  using type = fast_of<2, 5, 10, AGK_IEEE>;
};
template <> struct op_of<AGK_FLOATING, 2, 8, 7, AGK_IEEE> {
  using type = fast_of<2, 8, 7, AGK_IEEE>;
};
template <> struct op_of<AGK_FLOATING, 4, 8, 23, AGK_IEEE> {
  using type = fast_of<4, 8, 23, AGK_IEEE>;
};

} // namespace

#endif
