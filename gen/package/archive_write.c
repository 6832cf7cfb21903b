/* archive_write.c - see archive_write.h. Knows the records of a ZIP file (APPNOTE.TXT 4.3), and how
 * torch's writer lays members out. Each member is written once: its sum, which stands before its
 * bytes, is put in behind them. */
#include "package/archive_write.h"
#include "base/file.h"
#include "base/string_map.h"
#include "package/archive_reader.h"
#include "system/atomic_output.h"
#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* torch's writer (caffe2/serialize/inline_container.cc) aligns each member's data to 64 bytes by an
 * extra field "FB" filled with 'Z'. */
enum {
  ALIGNMENT = 64,
  PADDING_ID = 0x4246,
  LOCAL_HEADER = 30, /* bytes, without name and extra fields */
  LOCAL_SUM = 14,
  FIELD_HEADER = 4,
  ZIP64_ID = 1,
  ZIP64_LOCAL = 20, /* bytes of that field there: two sizes */
  PLAIN_VERSION = 10,
  ZIP64_VERSION = 45,
  UTF8_NAME = 1 << 11,
  PIECE = 256 << 10,
  FIRST_DATE = 1 << 5 | 1 /* 1980-01-01, the first that ZIP knows: the same input, the same bytes */
};

typedef struct archive_writer {
  int fd;
  uint64_t at;         /* the bytes that are written */
  strbuf directory;    /* the entries of the members so far */
  uint64_t n;          /* their number */
  string_map *names;   /* of these members */
  const archive *from; /* NULL: there is none */
  const char *failure; /* why member `failed` could not be read, or NULL */
  size_t failed;
  const char *refused; /* why the package cannot be written, where errno does not say; or NULL */
  bool reported;       /* what could not be made is in the diagnostics already */
  char *piece;         /* of PIECE bytes */
  arena *a;
} archive_writer;

/* A member that is being written. */
typedef struct written_member {
  const char *name;
  uint64_t size;
  uint64_t header; /* its offset in the file */
  uint64_t left;   /* the bytes that are still missing */
  uint32_t sum;    /* of those that are written */
} written_member;

static bool put(archive_writer *w, const void *at, size_t n) {
  w->at += n;
  return file_write(w->fd, at, n);
}

/* ---- records */

static void add_number(strbuf *to, uint64_t x, int n) {
  char bytes[8];
  for (int i = 0; i < n; i++, x >>= 8) bytes[i] = (char)(x & 0xff);
  strbuf_add(to, bytes, (size_t)n);
}

static void add_numbers(strbuf *to, int each, const uint64_t *at, size_t n) {
  for (size_t i = 0; i < n; i++) add_number(to, at[i], each);
}
#define ADD_NUMBERS(to, each, ...)                                                                 \
  add_numbers(to, each, (const uint64_t[]){__VA_ARGS__},                                           \
              sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static bool is_large(uint64_t x) { return x >= UINT32_MAX; }

static uint64_t small(uint64_t x) { return is_large(x) ? UINT32_MAX : x; }

static bool is_ascii(const char *s) {
  while (*s && (unsigned char)*s < 0x80) s++;
  return !*s;
}

/* What a local header and an entry of the directory have alike: from the version on to the name's
 * length. */
static void add_common(strbuf *to, const written_member *m, bool large) {
  ADD_NUMBERS(to, 2, large ? ZIP64_VERSION : PLAIN_VERSION, is_ascii(m->name) ? 0 : UTF8_NAME, 0, 0,
              FIRST_DATE);
  ADD_NUMBERS(to, 4, m->sum, small(m->size), small(m->size));
  add_number(to, strlen(m->name), 2);
}

/* Writes the header of a member that begins here, and the padding before its data. */
static bool put_header(archive_writer *w, const written_member *m) {
  const bool large = is_large(m->size);
  const size_t name = strlen(m->name), fields = FIELD_HEADER + (large ? ZIP64_LOCAL : 0);
  const size_t padding = (size_t)(-(w->at + LOCAL_HEADER + name + fields) % ALIGNMENT);
  char filling[ALIGNMENT];
  strbuf t = {0};
  memset(filling, 'Z', sizeof filling);
  strbuf_add(&t, "PK\3\4", 4);
  add_common(&t, m, large);
  add_number(&t, fields + padding, 2);
  strbuf_add(&t, m->name, name);
  if (large) ADD_NUMBERS(&t, 2, ZIP64_ID, ZIP64_LOCAL - FIELD_HEADER);
  if (large) ADD_NUMBERS(&t, 8, m->size, m->size);
  ADD_NUMBERS(&t, 2, PADDING_ID, padding);
  strbuf_add(&t, filling, padding);
  bool ok = put(w, t.at, t.n);
  strbuf_free(&t);
  return ok;
}

static void add_entry(archive_writer *w, const written_member *m) {
  strbuf *to = &w->directory;
  const bool large = is_large(m->size), far = is_large(m->header);
  const size_t fields = (large ? 16 : 0) + (far ? 8 : 0);
  strbuf_add(to, "PK\1\2", 4);
  add_number(to, large || far ? ZIP64_VERSION : PLAIN_VERSION, 2);
  add_common(to, m, large || far);
  /* the extra fields' length, no comment, the first disk, two kinds of attributes */
  ADD_NUMBERS(to, 2, fields ? fields + FIELD_HEADER : 0, 0, 0, 0);
  ADD_NUMBERS(to, 4, 0, small(m->header));
  strbuf_puts(to, m->name);
  if (fields) ADD_NUMBERS(to, 2, ZIP64_ID, fields);
  if (large) ADD_NUMBERS(to, 8, m->size, m->size);
  if (far) add_number(to, m->header, 8);
  w->n++;
}

static bool put_directory(archive_writer *w) {
  strbuf t = {0};
  const uint64_t at = w->at, n = w->directory.n, end = at + n;
  if (is_large(at) || is_large(n) || w->n >= UINT16_MAX) {
    strbuf_add(&t, "PK\6\6", 4);
    add_number(&t, 44, 8); /* what follows of this record */
    ADD_NUMBERS(&t, 2, ZIP64_VERSION, ZIP64_VERSION);
    ADD_NUMBERS(&t, 4, 0, 0);
    ADD_NUMBERS(&t, 8, w->n, w->n, n, at);
    strbuf_add(&t, "PK\6\7", 4);
    add_number(&t, 0, 4);
    add_number(&t, end, 8);
    add_number(&t, 1, 4);
  }
  const uint64_t members = w->n < UINT16_MAX ? w->n : UINT16_MAX;
  strbuf_add(&t, "PK\5\6", 4);
  ADD_NUMBERS(&t, 2, 0, 0, members, members);
  ADD_NUMBERS(&t, 4, small(n), small(at));
  add_number(&t, 0, 2);
  bool ok = put(w, w->directory.at, w->directory.n) && put(w, t.at, t.n);
  strbuf_free(&t);
  return ok;
}

/* ---- a member */

static bool begin_member(archive_writer *w, written_member *m, const char *name, uint64_t size) {
  *m = (written_member){.name = name, .size = size, .header = w->at, .left = size};
  if (strlen(name) > UINT16_MAX)
    w->refused = "the name of a member is too long";
  else if (!string_map_put_index(w->names, name, 0))
    w->refused = arena_printf(w->a, "it would hold two members named '%s'", name);
  return !w->refused && put_header(w, m);
}

static bool put_summed(archive_writer *w, written_member *m, const char *at, size_t n) {
  if (n > m->left) {
    errno = EFBIG;
    return false;
  }
  m->left -= n;
  return put(w, at, n);
}

static bool put_data(archive_writer *w, written_member *m, const char *at, size_t n) {
  m->sum = libdeflate_crc32(m->sum, at, n);
  return put_summed(w, m, at, n);
}

static bool end_member(archive_writer *w, const written_member *m) {
  strbuf sum = {0};
  if (m->left) {
    w->refused = arena_printf(w->a, "what '%s' is made of has become shorter", m->name);
    return false;
  }
  add_number(&sum, m->sum, 4);
  const off_t at = (off_t)m->header + LOCAL_SUM;
  bool ok = pwrite(w->fd, sum.at, sum.n, at) == (ssize_t)sum.n;
  strbuf_free(&sum);
  add_entry(w, m);
  return ok;
}

static bool add_text(archive_writer *w, const char *name, const char *text, size_t n) {
  written_member m;
  return begin_member(w, &m, name, n) && put_data(w, &m, text, n) && end_member(w, &m);
}

static bool put_file(archive_writer *w, written_member *m, int fd) {
  for (ssize_t n; (n = read(fd, w->piece, PIECE)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || !put_data(w, m, w->piece, (size_t)n)) return false;
  }
  return true;
}

static bool add_file(archive_writer *w, const char *name, const char *path) {
  written_member m;
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && fstat(fd, &st) == 0 && begin_member(w, &m, name, (uint64_t)st.st_size) &&
            put_file(w, &m, fd) && end_member(w, &m);
  if (!ok && fd < 0) w->refused = arena_printf(w->a, "'%s': %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  return ok;
}

/* The reader computes the sum of a stored member, and ends it well only if that is the stated one.
 */
static bool put_copy(archive_writer *w, written_member *m, size_t i, archive_written *written) {
  struct archive_reader *r = w->from->reader;
  const char *why = archive_reader_begin(r, i, m->size);
  const archive_place *place = why ? NULL : r->place;
  if (written) written->offset = w->at;
  if (written) so_hash_begin(written->hash);
  for (size_t n; !why;) {
    n = PIECE;
    why = archive_reader_next(r, w->piece, &n, w->a);
    if (why || !n) break;
    if (written) so_hash_add(written->hash, w->piece, n);
    if (!(place ? put_summed(w, m, w->piece, n) : put_data(w, m, w->piece, n))) return false;
  }
  if (place) m->sum = place->sum;
  w->failed = i;
  w->failure = why ? arena_strdup(w->a, why) : NULL;
  return !why;
}

static bool add_copy(archive_writer *w, size_t i, const char *name, archive_written *written) {
  written_member m;
  return begin_member(w, &m, name, w->from->members.at[i].size) && put_copy(w, &m, i, written) &&
         end_member(w, &m);
}

/* What `make` makes of the file that is written so far. */
static bool add_made(archive_writer *w, const archive_addition *x) {
  written_member m;
  const char *path = arena_printf(w->a, "/proc/self/fd/%d", w->fd);
  char *at = arena_alloc(w->a, x->n + 1);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool made = x->make(x->data, fd, at, x->n);
  close(fd);
  w->reported = !made;
  return made && begin_member(w, &m, x->name, x->n) && put_data(w, &m, at, x->n) &&
         end_member(w, &m);
}

/* ---- all members */

static bool add_addition(archive_writer *w, const archive_addition *x) {
  if (x->text) return add_text(w, x->name, x->text, strlen(x->text));
  return x->make ? add_made(w, x) : add_file(w, x->name, x->file);
}

static bool add_old(archive_writer *w, size_t i, const archive_replacement *with) {
  const char *name = with->name ? with->name : w->from->members.at[i].name;
  if (with->left_out) return true;
  if (with->file) return add_file(w, name, with->file);
  if (with->text) return add_text(w, name, with->text, with->n);
  return add_copy(w, i, name, with->written);
}

static bool add_members(archive_writer *w, const archive_replacement *with,
                        const archive_additions *more) {
  for (size_t k = 0; !w->from && k < more->n; k++)
    if (!add_addition(w, &more->at[k])) return false;
  for (size_t i = 0; w->from && i < w->from->members.n; i++) {
    if (!add_old(w, i, &with[i])) return false;
    for (size_t k = 0; k < more->n; k++)
      if (more->at[k].after == i && !add_addition(w, &more->at[k])) return false;
  }
  return true;
}

static void report_failure(const archive_writer *w, const char *path, int error, diags *d) {
  if (w->reported) return;
  if (w->failure)
    diag_error(d, STATUS_INPUT, archive_member_path(w->from, w->failed, w->a),
               "cannot be unpacked: %s", w->failure);
  else
    diag_error(d, STATUS_INPUT, path, "cannot be written: %s",
               w->refused ? w->refused : strerror(error));
}

bool archive_pack(const archive_additions *files, const char *target, arena *a, diags *d) {
  return archive_write(NULL, NULL, files, target, a, d);
}

bool archive_write(const archive *z, const archive_replacement *with, const archive_additions *more,
                   const char *path, arena *a, diags *d) {
  atomic_output *to = arena_alloc(a, sizeof *to);
  archive_writer w = {
      .from = z, .names = string_map_create(a), .piece = arena_alloc(a, PIECE), .a = a};
  if (!atomic_output_open(to, path, d)) return false;
  w.fd = fileno(to->stream);
  bool ok = add_members(&w, with, more) && put_directory(&w);
  if (!ok) report_failure(&w, path, errno, d);
  strbuf_free(&w.directory);
  return atomic_output_close(to, ok, d);
}
