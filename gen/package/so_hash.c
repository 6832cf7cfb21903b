/* so_hash.c - see so_hash.h. */
#include "package/so_hash.h"
#include "system/cache.h"
#include <inttypes.h>
#include <string.h>

void so_hash_begin(so_hash *h) {
  h->block.before = CACHE_KEY;
  h->n = 0;
}

static void end_block(so_hash *h) {
  h->block.before = cache_sum((const char *)&h->block, sizeof h->block.before + h->n);
  h->n = 0;
}

void so_hash_add(so_hash *h, const char *at, size_t n) {
  while (n) {
    const size_t room = SO_HASH_BLOCK - h->n, k = n < room ? n : room;
    memcpy(h->block.text + h->n, at, k);
    h->n += k;
    at += k;
    n -= k;
    if (h->n == SO_HASH_BLOCK) end_block(h);
  }
}

uint64_t so_hash_end(so_hash *h) {
  if (h->n) end_block(h);
  return h->block.before;
}

const char *so_hash_format(uint64_t hash, arena *a) { return arena_printf(a, "%016" PRIx64, hash); }

static void take_bytes(void *to, const char *at, size_t n) { so_hash_add(to, at, n); }

const char *so_hash_member(const archive *z, size_t i, arena *a, diags *d) {
  so_hash *h = arena_alloc(a, sizeof *h);
  so_hash_begin(h);
  if (!archive_read_bytes(z, i, take_bytes, h, a, d)) return NULL;
  return so_hash_format(so_hash_end(h), a);
}
