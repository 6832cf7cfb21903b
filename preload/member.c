/* member.c - see member.h. Knows the records of ZIP and ZIP64. */
#include "preload/member.h"
#include <string.h>

enum {
  END = 22, /* bytes of each record, without names, fields and comments */
  END64 = 56,
  LOCATOR64 = 20,
  ENTRY = 46,
  LOCAL = 30,
  COMMENT_MOST = 65535,
  ZIP64_FIELD = 1,
  METHOD_STORED = 0
};

static uint64_t number(const unsigned char *at, int bytes) {
  uint64_t n = 0;
  while (bytes--) n = n << 8 | at[bytes];
  return n;
}

static bool has(archive_bytes z, uint64_t at, uint64_t n) { return at <= z.n && n <= z.n - at; }

static bool is_record(archive_bytes z, uint64_t at, uint64_t n, const char *kind) {
  return has(z, at, n) && !memcmp(z.at + at, "PK", 2) && !memcmp(z.at + at + 2, kind, 2);
}

/* The end record of ZIP64, which the locator before `end` leads to; 0 if there is none. */
static uint64_t find_end64(archive_bytes z, uint64_t end) {
  if (end < LOCATOR64 || !is_record(z, end - LOCATOR64, LOCATOR64, "\6\7")) return 0;
  uint64_t at = number(z.at + end - LOCATOR64 + 8, 8);
  return is_record(z, at, END64, "\6\6") ? at : 0;
}

void member_begin(member_walk *w, archive_bytes z) {
  *w = (member_walk){.archive = z};
  const uint64_t least = z.n > END + COMMENT_MOST ? z.n - END - COMMENT_MOST : 0;
  for (uint64_t end = z.n >= END ? z.n - END + 1 : 0; end-- > least;) {
    if (!is_record(z, end, END, "\5\6")) continue;
    const uint64_t end64 = find_end64(z, end);
    w->left = end64 ? number(z.at + end64 + 32, 8) : number(z.at + end + 10, 2);
    w->at = end64 ? number(z.at + end64 + 48, 8) : number(z.at + end + 16, 4);
    return;
  }
}

/* What 32 bits have no room for stands in an extra field, in this order. */
static void read_wide(member *m, const unsigned char *at, uint64_t n) {
  uint64_t *const wide[] = {&m->size, &m->packed, &m->header};
  while (n >= 4 && number(at + 2, 2) <= n - 4) {
    const uint64_t field = number(at + 2, 2);
    uint64_t read = 0;
    for (int i = 0; number(at, 2) == ZIP64_FIELD && i < 3; i++) {
      if (*wide[i] != UINT32_MAX || field - read < 8) continue;
      *wide[i] = number(at + 4 + read, 8);
      read += 8;
    }
    at += 4 + field;
    n -= 4 + field;
  }
}

bool member_next(member_walk *w, member *m) {
  const archive_bytes z = w->archive;
  if (!w->left || !is_record(z, w->at, ENTRY, "\1\2")) return false;
  const unsigned char *at = z.at + w->at;
  const uint64_t name = number(at + 28, 2), extra = number(at + 30, 2), note = number(at + 32, 2);
  if (!has(z, w->at, ENTRY + name + extra + note)) return false;
  *m = (member){.name = (const char *)at + ENTRY,
                .name_n = (size_t)name,
                .size = number(at + 24, 4),
                .packed = number(at + 20, 4),
                .header = number(at + 42, 4),
                .crc = (uint32_t)number(at + 16, 4),
                .stored = number(at + 10, 2) == METHOD_STORED};
  read_wide(m, at + ENTRY + name, extra);
  w->at += ENTRY + name + extra + note;
  w->left--;
  return true;
}

bool member_is_shared_object(const member *m) {
  return m->name_n > 3 && !memcmp(m->name + m->name_n - 3, ".so", 3);
}

archive_bytes member_bytes(archive_bytes z, const member *m) {
  archive_bytes none = {0};
  if (!m->stored || !is_record(z, m->header, LOCAL, "\3\4")) return none;
  const uint64_t names = number(z.at + m->header + 26, 2) + number(z.at + m->header + 28, 2);
  if (!has(z, m->header + LOCAL, names) || !has(z, m->header + LOCAL + names, m->size)) return none;
  return (archive_bytes){z.at + m->header + LOCAL + names, m->size};
}

static uint32_t sum(archive_bytes bytes) {
  uint32_t rest[256], all = UINT32_MAX;
  for (uint32_t i = 0; i < 256; i++) {
    rest[i] = i;
    for (int k = 0; k < 8; k++) rest[i] = rest[i] >> 1 ^ (rest[i] & 1 ? 0xedb88320 : 0);
  }
  for (uint64_t i = 0; i < bytes.n; i++) all = all >> 8 ^ rest[(all ^ bytes.at[i]) & 255];
  return ~all;
}

bool member_holds(archive_bytes z, const member *m, archive_bytes bytes) {
  if (m->size != bytes.n) return false;
  if (!m->stored) return m->crc == sum(bytes);
  const archive_bytes own = member_bytes(z, m);
  return own.n == bytes.n && !memcmp(own.at, bytes.at, own.n);
}
