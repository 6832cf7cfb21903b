/* so_hash.h - the hash by which a model's '.so' is known again: as 'aotigen watch' writes it into a
 * watch package, a capsule carries it, and 'aotigen replay' compares it.
 */
#ifndef GEN_SO_HASH_H
#define GEN_SO_HASH_H

#include "package/archive.h"

enum { SO_HASH_BLOCK = 64 << 10, SO_HASH_DIGITS = 16 };

/* The hash of bytes that come in pieces. The sum of a block includes the sum of those before it. */
typedef struct so_hash {
  struct {
    uint64_t before;
    char text[SO_HASH_BLOCK];
  } block;
  size_t n; /* the bytes of the block so far */
} so_hash;

void so_hash_begin(so_hash *h);
void so_hash_add(so_hash *h, const char *at, size_t n);
uint64_t so_hash_end(so_hash *h);

/* The hash as it is written: lower-case hexadecimal digits. */
const char *so_hash_format(uint64_t hash, arena *a);

/* The hash of member i, written so; its bytes are streamed. NULL with an error in `d`. */
const char *so_hash_member(const archive *z, size_t i, arena *a, diags *d);

#endif
