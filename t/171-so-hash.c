/* 171-so-hash - the same hash however the bytes come, and another of each other content. */
#include "package/so_hash.h"
#include "unit.h"
#include <string.h>

static uint64_t hash_in(const char *at, size_t n, size_t piece) {
  static so_hash h;
  so_hash_begin(&h);
  for (size_t i = 0; i < n; i += piece) so_hash_add(&h, at + i, n - i < piece ? n - i : piece);
  return so_hash_end(&h);
}

TEST(pieces_do_not_matter) {
  static char bytes[3 * SO_HASH_BLOCK + 5];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * 31 + i / 251);
  const size_t lengths[] = {1, SO_HASH_BLOCK - 1, SO_HASH_BLOCK, SO_HASH_BLOCK + 1, sizeof bytes};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    const uint64_t whole = hash_in(bytes, lengths[k], lengths[k]);
    assert_int_equal(hash_in(bytes, lengths[k], 7), whole);
    assert_int_equal(hash_in(bytes, lengths[k], SO_HASH_BLOCK), whole);
    bytes[lengths[k] / 2] ^= 1;
    assert_int_not_equal(hash_in(bytes, lengths[k], 4096), whole);
    bytes[lengths[k] / 2] ^= 1;
  }
}

/* Capsules of earlier versions carry it. */
TEST(stays_as_it_is) {
  arena *a = arena_new();
  assert_string_equal(so_hash_format(hash_in("\x7f" "ELF", 4, 4), a), "22b88c562b41885c");
  assert_string_equal(so_hash_format(10, a), "000000000000000a");
  arena_free(a);
}
