/* torch_archive.c - see torch_archive.h.
 *
 * A storage has exactly the bytes from the lowest to the highest element. Dense elements are
 * written in memory order. If there are gaps, or elements share memory, the gaps are written as
 * zeros, since we must not read them. */
#define _GNU_SOURCE
#include "output/torch_archive.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_write.h"
#include "tensor/layout.h"

enum { CHUNK = 1 << 20, ALIGN = 64, WAITING_MOST = 256 << 10 };

typedef struct ag_archive_member member;
typedef struct ag_torch_archive archive;

/* ---- CRC-32, eight bytes at a time ---------------------------------------------------------- */

static uint32_t table[8][256];

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[0][i] = c;
  }
  for (uint32_t i = 0; i < 256; i++)
    for (int k = 1; k < 8; k++)
      table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 255];
}

static uint32_t compute_crc32(uint32_t crc, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  crc = ~crc;
  for (; n >= 8; n -= 8, p += 8) {
    uint64_t x;
    memcpy(&x, p, 8);
    x ^= crc;
    crc = 0;
    for (int k = 0; k < 8; k++) crc ^= table[7 - k][x >> (8 * k) & 255];
  }
  while (n--) crc = crc >> 8 ^ table[0][(crc ^ *p++) & 255];
  return ~crc;
}

/* ---- little-endian fields ------------------------------------------------------------------- */

static void put_bytes(ag_text *t, uint64_t value, int bytes) {
  unsigned char b[8];
  for (int i = 0; i < bytes; i++) b[i] = (unsigned char)(value >> (8 * i));
  ag_text_add_bytes(t, b, (size_t)bytes);
}

static void flush(archive *a) {
  if (!a->why && a->waiting.length)
    a->why = ag_file_write_at(a->fd, a->waiting.data, a->waiting.length, a->waits_at);
  ag_text_clear(&a->waiting);
}

/* Most files are small: their parts are put together, and written at once. */
static void write_at(archive *a, const void *bytes, size_t n, int64_t offset) {
  const int64_t in_waiting = offset - a->waits_at;
  if (n && in_waiting >= 0 && in_waiting + (int64_t)n <= (int64_t)a->waiting.length) {
    memcpy(a->waiting.data + in_waiting, bytes, n);
    return;
  }
  if (in_waiting != (int64_t)a->waiting.length || a->waiting.length + n > WAITING_MOST) flush(a);
  if (!a->waiting.length) a->waits_at = offset;
  const size_t whole = a->waiting.length + n;
  if (n <= WAITING_MOST) ag_text_add_bytes(&a->waiting, bytes, n);
  if (a->waiting.length == whole) return;
  flush(a); /* there is too much of it, or no memory */
  if (!a->why) a->why = ag_file_write_at(a->fd, bytes, n, offset);
}

static void write_text(archive *a, const ag_text *t) {
  write_at(a, t->data, t->length, a->offset);
  a->offset += (int64_t)t->length;
}

/* ---- the ZIP -------------------------------------------------------------------------------- */

/* A local header, padded so that the data begin at a multiple of 64 bytes. Sizes are known, the CRC
 * is filled in later; the 64-bit fields are in the extra part of every member. */
static member begin_member(archive *a, const char *name, uint64_t size) {
  ag_text t = {0};
  member m = {.header = a->offset, .size = size};
  size_t length = (size_t)snprintf(m.name, sizeof m.name, "%s/%s", a->root, name);
  bool large = size >= UINT32_MAX;
  size_t fixed = 30 + length + (large ? 20 : 0) + 4,
         pad = (ALIGN - ((size_t)a->offset + fixed) % ALIGN) % ALIGN;
  put_bytes(&t, 0x04034b50, 4);
  put_bytes(&t, large ? 45 : 20, 2);
  put_bytes(&t, 0, 2);    /* flags */
  put_bytes(&t, 0, 2);    /* stored */
  put_bytes(&t, 0, 2);    /* time */
  put_bytes(&t, 0x21, 2); /* date: 1 January 1980 */
  put_bytes(&t, 0, 4);    /* CRC */
  put_bytes(&t, large ? UINT32_MAX : size, 4);
  put_bytes(&t, large ? UINT32_MAX : size, 4);
  put_bytes(&t, length, 2);
  put_bytes(&t, (large ? 20 : 0) + 4 + pad, 2);
  ag_text_add(&t, m.name);
  if (large) {
    put_bytes(&t, 1, 2);
    put_bytes(&t, 16, 2);
    put_bytes(&t, size, 8);
    put_bytes(&t, size, 8);
  }
  put_bytes(&t, 0x4246, 2); /* "FB", as torch pads */
  put_bytes(&t, pad, 2);
  for (size_t i = 0; i < pad; i++) ag_text_add(&t, "Z");
  write_text(a, &t);
  m.data = a->offset;
  a->offset += (int64_t)size;
  ag_text_free(&t);
  return m;
}

/* Adds the member to the directory. */
static void end_member(archive *a, const member *m) {
  unsigned char crc[4] = {(unsigned char)m->crc, (unsigned char)(m->crc >> 8),
                          (unsigned char)(m->crc >> 16), (unsigned char)(m->crc >> 24)};
  write_at(a, crc, 4, m->header + 14);
  if (a->count == a->room) {
    size_t room = a->room ? 2 * a->room : 8;
    member *list = realloc(a->members, room * sizeof *list);
    if (!list && !a->why) a->why = "out of memory";
    if (!list) return;
    a->members = list;
    a->room = room;
  }
  a->members[a->count++] = *m;
}

void ag_archive_begin(archive *a, int fd, const char *root) {
  pthread_once(&once, make_table);
  *a = (archive){.fd = fd, .root = root};
}

void ag_archive_add(archive *a, const char *name, const void *bytes, size_t n) {
  member m = begin_member(a, name, n);
  m.crc = compute_crc32(0, bytes, n);
  write_at(a, bytes, n, m.data);
  end_member(a, &m);
}

static void put_directory_entry(ag_text *t, const member *m) {
  bool large = m->size >= UINT32_MAX || m->header >= UINT32_MAX;
  put_bytes(t, 0x02014b50, 4);
  put_bytes(t, 45, 2);
  put_bytes(t, large ? 45 : 20, 2);
  put_bytes(t, 0, 2);
  put_bytes(t, 0, 2);
  put_bytes(t, 0, 2);
  put_bytes(t, 0x21, 2);
  put_bytes(t, m->crc, 4);
  put_bytes(t, large ? UINT32_MAX : m->size, 4);
  put_bytes(t, large ? UINT32_MAX : m->size, 4);
  put_bytes(t, strlen(m->name), 2);
  put_bytes(t, large ? 28 : 0, 2);
  put_bytes(t, 0, 2); /* comment */
  put_bytes(t, 0, 2); /* disk */
  put_bytes(t, 0, 2);
  put_bytes(t, 0, 4);
  put_bytes(t, large ? UINT32_MAX : (uint64_t)m->header, 4);
  ag_text_add(t, m->name);
  if (!large) return;
  put_bytes(t, 1, 2);
  put_bytes(t, 24, 2);
  put_bytes(t, m->size, 8);
  put_bytes(t, m->size, 8);
  put_bytes(t, (uint64_t)m->header, 8);
}

const char *ag_archive_end(archive *a) {
  ag_text t = {0};
  ag_archive_add(a, "byteorder", "little", 6);
  ag_archive_add(a, "version", "3\n", 2);
  uint64_t start = (uint64_t)a->offset, size;
  for (size_t i = 0; i < a->count; i++) put_directory_entry(&t, &a->members[i]);
  size = t.length;
  if (start >= UINT32_MAX) {
    uint64_t record = start + size;
    put_bytes(&t, 0x06064b50, 4);
    put_bytes(&t, 44, 8);
    put_bytes(&t, 45, 2);
    put_bytes(&t, 45, 2);
    put_bytes(&t, 0, 4);
    put_bytes(&t, 0, 4);
    put_bytes(&t, a->count, 8);
    put_bytes(&t, a->count, 8);
    put_bytes(&t, size, 8);
    put_bytes(&t, start, 8);
    put_bytes(&t, 0x07064b50, 4);
    put_bytes(&t, 0, 4);
    put_bytes(&t, record, 8);
    put_bytes(&t, 1, 4);
  }
  put_bytes(&t, 0x06054b50, 4);
  put_bytes(&t, 0, 4);
  put_bytes(&t, a->count, 2);
  put_bytes(&t, a->count, 2);
  put_bytes(&t, size, 4);
  put_bytes(&t, start >= UINT32_MAX ? UINT32_MAX : start, 4);
  put_bytes(&t, 0, 2);
  write_text(a, &t);
  flush(a);
  ag_text_free(&t);
  ag_text_free(&a->waiting);
  free(a->members);
  a->members = NULL;
  return a->why;
}

/* ---- the pickle, protocol 2 ----------------------------------------------------------------- */

void ag_pickle_string(ag_text *t, const char *s) {
  ag_text_add(t, "X");
  put_bytes(t, strlen(s), 4);
  ag_text_add(t, s);
}

static void pickle_int(ag_text *t, int64_t x) {
  if (x >= INT32_MIN && x <= INT32_MAX) {
    ag_text_add(t, "J");
    put_bytes(t, (uint64_t)x, 4);
  } else {
    ag_text_add(t, "\x8a\x08");
    put_bytes(t, (uint64_t)x, 8);
  }
}

static void pickle_tuple(ag_text *t, const int64_t *list, int64_t n) {
  ag_text_add(t, "(");
  for (int64_t i = 0; i < n; i++) pickle_int(t, list[i]);
  ag_text_add(t, "t");
}

void ag_pickle_tensor(ag_text *t, const ag_view *view, size_t storage_number) {
  char number[24];
  const char *storage = ag_dtype_spelling(view->t.dtype)->storage;
  int64_t elements = view->highest - view->lowest;
  snprintf(number, sizeof number, "%zu", storage_number);
  ag_text_addf(t, "ctorch._utils\n_rebuild_tensor_v%d\n((", storage ? 2 : 3);
  ag_pickle_string(t, "storage");
  if (storage)
    ag_text_addf(t, "ctorch\n%s\n", storage);
  else
    ag_text_add(t, "ctorch.storage\nUntypedStorage\n");
  ag_pickle_string(t, number);
  ag_pickle_string(t, "cpu");
  pickle_int(t, storage ? elements : elements * view->t.dtype->item_size);
  ag_text_add(t, "tQ");
  pickle_int(t, -view->lowest);
  pickle_tuple(t, view->t.sizes, view->t.ndim);
  pickle_tuple(t, view->t.strides, view->t.ndim);
  ag_text_add(t, "\x89"
                 "ccollections\nOrderedDict\n)R");
  if (!storage) ag_text_addf(t, "ctorch\n%s\n", view->t.dtype->name);
  ag_text_add(t, "tR");
}

/* ---- the storage ---------------------------------------------------------------------------- */

static void store_dense(archive *a, member *m, ag_reader *reader, const ag_view *view) {
  int64_t size = view->t.dtype->item_size, most = CHUNK / size;
  ag_tensor ordered = view->t; /* the same elements, in memory order */
  char *chunk = malloc(CHUNK);
  if (!chunk) a->why = a->why ? a->why : "out of memory";
  /* A host copy is contiguous and in logical order. Other dense tensors are scattered below. */
  ag_layout_sort(ordered.ndim, ordered.sizes, ordered.strides);
  ordered.data = reader->tensor->data;
  for (int64_t first = 0; !a->why && first < view->t.numel; first += most) {
    int64_t n = view->t.numel - first < most ? view->t.numel - first : most;
    a->why = reader->backend->read(&ordered, first, n, reader->stream, chunk);
    if (a->why) break;
    m->crc = compute_crc32(m->crc, chunk, (size_t)(n * size));
    write_at(a, chunk, (size_t)(n * size), m->data + first * size);
  }
  free(chunk);
}

/* Puts elements from `first` to first + n - 1 into their places. */
static void scatter_elements(const ag_view *view, int64_t first, int64_t n, const char *from,
                             char *to) {
  int64_t size = view->t.dtype->item_size;
  for (int64_t i = first; i < first + n; i++, from += size) {
    int64_t offset = -view->lowest, rest = i;
    for (int32_t d = view->t.ndim - 1; d >= 0; d--) {
      offset += rest % view->t.sizes[d] * view->t.strides[d];
      rest /= view->t.sizes[d];
    }
    memcpy(to + offset * size, from, (size_t)size);
  }
}

static void store_scattered(archive *a, member *m, ag_reader *reader, const ag_view *view) {
  int64_t size = view->t.dtype->item_size, most = CHUNK / size;
  char *chunk = malloc(CHUNK), *all = calloc((size_t)(m->size ? m->size : 1), 1);
  if (!chunk || !all) a->why = "out of memory";
  for (int64_t first = 0; !a->why && first < view->t.numel; first += most) {
    int64_t n = view->t.numel - first < most ? view->t.numel - first : most;
    a->why = ag_reader_read(reader, first, n, chunk);
    if (!a->why) scatter_elements(view, first, n, chunk, all);
  }
  if (!a->why) {
    m->crc = compute_crc32(0, all, m->size);
    write_at(a, all, m->size, m->data);
  }
  free(chunk);
  free(all);
}

int64_t ag_archive_add_storage(archive *a, size_t number, ag_reader *reader, const ag_view *view) {
  char name[32];
  snprintf(name, sizeof name, "data/%zu", number);
  member m =
      begin_member(a, name, (uint64_t)((view->highest - view->lowest) * view->t.dtype->item_size));
  if (view->contiguous || (view->dense && !reader->owned))
    store_dense(a, &m, reader, view);
  else
    store_scattered(a, &m, reader, view);
  end_member(a, &m);
  return m.data;
}
