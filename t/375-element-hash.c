/* 375-element-hash - the hash of a tensor's elements against its definition, and what it tells
 * apart. */
#include "../runtime/tensor/dtype.h"
#include "../runtime/tensor/element_hash.h"
#include "shim.h"

static uint64_t seed = 88172645463325252u;
static uint64_t chance(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}

/* As element_hash.h defines it: what it is must not change, since hashes are kept in files. */
static uint64_t defined(const unsigned char *p, int64_t n, unsigned size) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    uint64_t x = 0;
    memcpy(&x, p + i * size, size);
    x ^= (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 32) * 0x85ebca6bu;
    x = (x ^ x >> 32) * 0xc2b2ae35u;
    sum += x ^ x >> 32;
  }
  return sum;
}

static const ag_dtype *const *all_dtypes(int *n) {
  static const ag_dtype *all[64];
  static const char *const names[] = {
#define X(name, ...) #name,
#include "shared/dtypes.def"
#undef X
  };
  *n = (int)(sizeof names / sizeof *names);
  for (int i = 0; i < *n; i++) all[i] = ag_dtype_of_name(names[i]);
  return all;
}

TEST(is_its_definition) {
  enum { N = 1000 };
  static unsigned char data[N * 16 + 1];
  int dtypes;
  const ag_dtype *const *all = all_dtypes(&dtypes);
  for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)chance();
  for (int d = 0; d < dtypes; d++)
    for (int64_t n = 0; n < 20; n++) {
      unsigned size = all[d]->item_size, parts = size > 8 ? 2 : 1;
      assert_int_equal(ag_hash_elements(all[d], data + 1, n, 0),
                       defined(data + 1, n * parts, size / parts));
      assert_int_equal(ag_hash_elements(all[d], data, N - n, 0),
                       defined(data, (N - n) * parts, size / parts));
    }
}

/* Parts of any length add up. */
TEST(is_a_sum_of_parts) {
  enum { N = 5000 };
  static unsigned char data[N * 16];
  int dtypes;
  const ag_dtype *const *all = all_dtypes(&dtypes);
  for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)chance();
  for (int d = 0; d < dtypes; d++) {
    uint64_t sum = 0;
    for (int64_t i = 0, n; i < N; i += n) {
      n = (int64_t)(chance() % 700);
      if (n > N - i) n = N - i;
      sum += ag_hash_elements(all[d], data + i * all[d]->item_size, n, i);
    }
    assert_int_equal(sum, ag_hash_elements(all[d], data, N, 0));
  }
}

/* The same elements with other strides: of all layouts the hash of the contiguous copy. */
TEST(does_not_depend_on_strides) {
  static const struct {
    int32_t ndim;
    int64_t sizes[4], strides[4];
  } all[] = {{2, {101, 70}, {1, 101}},
             {2, {50, 60}, {101, 1}},
             {1, {2000}, {3}},
             {3, {3, 40, 50}, {0, 50, 1}},
             {4, {2, 5, 20, 30}, {3000, 1, 150, 5}},
             {3, {1, 77, 1}, {9, 1, 3}},
             {0, {0}, {0}},
             {2, {0, 5}, {5, 1}}};
  static unsigned char data[7070 * 16], copy[7070 * 16];
  int dtypes;
  const ag_dtype *const *types = all_dtypes(&dtypes);
  for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)chance();
  for (int d = 0; d < dtypes; d++)
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
      ag_tensor t = {.data = data, .dtype = types[d], .numel = 1, .ndim = all[i].ndim};
      for (int k = 0; k < t.ndim; k++) {
        t.sizes[k] = all[i].sizes[k];
        t.strides[k] = all[i].strides[k];
        t.numel *= t.sizes[k];
      }
      assert_null(ag_backend_cpu.read(&t, 0, t.numel, NULL, copy));
      uint64_t whole = ag_hash_elements(t.dtype, copy, t.numel, 0);
      int64_t half = t.numel / 2;
      assert_int_equal(ag_hash_part(&t, 0, t.numel), whole);
      assert_int_equal(ag_hash_part(&t, 0, half) + ag_hash_part(&t, half, t.numel - half), whole);
    }
}

/* What programs do to a buffer: an element, rows exchanged, signs turned, all moved by one, all
 * set to one value. */
TEST(tells_changes_apart) {
  enum { N = 4096 };
  static uint32_t floats[N], other[N];
  const ag_dtype *d = ag_dtype_of_name("float32");
  for (int i = 0; i < N; i++) floats[i] = (uint32_t)chance();
  uint64_t was = ag_hash_elements(d, floats, N, 0);
  for (int i = 0; i < N; i++)
    for (int bit = 0; bit < 32; bit++) {
      floats[i] ^= 1u << bit;
      assert_true(ag_hash_elements(d, floats, N, 0) != was);
      floats[i] ^= 1u << bit;
    }
  memcpy(other, floats + N / 2, sizeof other / 2);
  memcpy(other + N / 2, floats, sizeof other / 2);
  assert_true(ag_hash_elements(d, other, N, 0) != was);
  for (int i = 0; i < N; i++) other[i] = floats[i] ^ 1u << 31;
  assert_true(ag_hash_elements(d, other, N, 0) != was);
  for (int i = 0; i < N; i++) other[i] = floats[(i + 1) % N];
  assert_true(ag_hash_elements(d, other, N, 0) != was);
  memset(other, 0, sizeof other);
  assert_true(ag_hash_elements(d, other, N, 0) != ag_hash_elements(d, other, N - 1, 0));
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* One bit of two elements: their changes never cancel, whichever two they are. */
static void two_elements(const char *dtype, unsigned bit) {
  enum { N = 20000 };
  static uint64_t changes[2 * N];
  const ag_dtype *d = ag_dtype_of_name(dtype);
  for (int i = 0; i < N; i++) {
    double near = 1 + i * 1e-6; /* values that are alike */
    float single = (float)near;
    unsigned char bytes[8];
    memcpy(bytes, d->item_size == 8 ? (void *)&near : (void *)&single, d->item_size);
    uint64_t was = ag_hash_elements(d, bytes, 1, i);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    changes[2 * i] = ag_hash_elements(d, bytes, 1, i) - was;
    changes[2 * i + 1] = 0 - changes[2 * i];
  }
  qsort(changes, 2 * N, sizeof *changes, by_value);
  for (int i = 1; i < 2 * N; i++)
    if (changes[i] == changes[i - 1]) fail_msg("%s: bit %u of two elements cancels", dtype, bit);
}

TEST(changes_of_two_elements_do_not_cancel) {
  for (unsigned bit = 0; bit < 64; bit++) {
    if (bit < 32) two_elements("float32", bit);
    two_elements("float64", bit);
  }
}
