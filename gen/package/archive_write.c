/* archive_write.c - see archive_write.h. Knows how torch's writer lays members out, and how libzip
 * asks for the bytes that it reads and writes, in their order. */
#include "package/archive_write.h"
#include "package/archive_reader.h"
#include "system/atomic_output.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

/* torch's writer (caffe2/serialize/inline_container.cc) aligns each member's data to 64 bytes by an
 * extra field "FB" filled with 'Z'. */
enum {
  ALIGNMENT = 64,
  PADDING_ID = 0x4246,
  LOCAL_HEADER = 30, /* bytes, without name and extra fields */
  FIELD_HEADER = 4,
  ZIP64_FIELD = 20,
  STREAM_BUFFER = 1 << 20,
  PIECE = 256 << 10,
  FIRST_DATE = 1 << 5 | 1 /* 1980-01-01, the first that ZIP knows */
};

/* ---- the target: libzip writes into a file that atomic_output.h has registered */

typedef struct write_target {
  atomic_output file;
  zip_error_t error;
} write_target;

static zip_int64_t report_error(write_target *t) {
  zip_error_set(&t->error, ZIP_ER_WRITE, errno);
  return -1;
}

static zip_int64_t seek_target(write_target *t, void *data, zip_uint64_t n) {
  zip_source_args_seek_t *args = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, n, &t->error);
  if (!args) return -1;
  return fseeko(t->file.stream, (off_t)args->offset, args->whence) == 0 ? 0 : report_error(t);
}

static zip_int64_t transfer_bytes(write_target *t, void *data, zip_uint64_t n, bool write) {
  size_t k = write ? fwrite(data, 1, n, t->file.stream) : fread(data, 1, n, t->file.stream);
  return ferror(t->file.stream) ? report_error(t) : (zip_int64_t)k;
}

static zip_int64_t describe_target(write_target *t, void *data, zip_uint64_t n) {
  struct stat st;
  zip_stat_t *out = data;
  if (n < sizeof *out || fstat(fileno(t->file.stream), &st) != 0) return report_error(t);
  zip_stat_init(out);
  out->size = (zip_uint64_t)st.st_size;
  out->valid = ZIP_STAT_SIZE;
  return sizeof *out;
}

static zip_int64_t serve_target(void *user, void *data, zip_uint64_t n, zip_source_cmd_t command) {
  write_target *t = user;
  switch (command) {
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_BEGIN_WRITE:
      return fseeko(t->file.stream, 0, SEEK_SET) == 0 ? 0 : report_error(t);
    case ZIP_SOURCE_WRITE: return transfer_bytes(t, data, n, true);
    case ZIP_SOURCE_READ: return transfer_bytes(t, data, n, false);
    case ZIP_SOURCE_SEEK:
    case ZIP_SOURCE_SEEK_WRITE: return seek_target(t, data, n);
    case ZIP_SOURCE_TELL:
    case ZIP_SOURCE_TELL_WRITE: return ftello(t->file.stream);
    case ZIP_SOURCE_COMMIT_WRITE: return fflush(t->file.stream) == 0 ? 0 : report_error(t);
    case ZIP_SOURCE_STAT: return describe_target(t, data, n);
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&t->error, data, n);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_REMOVE:
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_WRITABLE;
    default: zip_error_set(&t->error, ZIP_ER_OPNOTSUPP, 0); return -1;
  }
}

/* ---- members that are copied
 *
 * They are read through this source, from the confined child. */

typedef struct archive_writer {
  zip_t *zip;
  write_target *to;
  const archive *from; /* NULL: there is none */
  const char *failure; /* why member `failed` could not be read, or NULL */
  size_t failed;
  char *piece; /* of the member that is copied: libzip asks for 8 KiB at a time */
  size_t piece_n, piece_done;
  bool reported; /* what could not be made is in the diagnostics already */
  arena *a;
} archive_writer;

typedef struct copied_member {
  archive_writer *w;
  size_t i;
  archive_written *written; /* or NULL */
  zip_error_t error;
} copied_member;

static zip_int64_t fail_copy(copied_member *m, const char *why) {
  zip_error_set(&m->error, ZIP_ER_READ, EIO);
  m->w->failed = m->i;
  m->w->failure = arena_strdup(m->w->a, why);
  return -1;
}

static zip_int64_t open_copy(copied_member *m) {
  const archive *from = m->w->from;
  const char *why = archive_reader_begin(from->reader, m->i, from->members.at[m->i].size);
  m->w->piece_n = m->w->piece_done = 0;
  if (m->written) so_hash_begin(m->written->hash);
  return why ? fail_copy(m, why) : 0;
}

static const char *read_piece(copied_member *m) {
  archive_writer *w = m->w;
  w->piece_n = PIECE;
  w->piece_done = 0;
  const char *why = archive_reader_next(w->from->reader, w->piece, &w->piece_n, w->a);
  if (!why && m->written) so_hash_add(m->written->hash, w->piece, w->piece_n);
  return why;
}

static zip_int64_t read_copy(copied_member *m, void *data, zip_uint64_t n) {
  archive_writer *w = m->w;
  const char *why = w->piece_done == w->piece_n ? read_piece(m) : NULL;
  const size_t left = w->piece_n - w->piece_done, k = n < left ? (size_t)n : left;
  if (why) return fail_copy(m, why);
  memcpy(data, w->piece + w->piece_done, k);
  w->piece_done += k;
  return (zip_int64_t)k;
}

/* All that a source of a known size is asked for but to be opened and read. */
static zip_int64_t serve_rest(zip_error_t *error, uint64_t size, void *data, zip_uint64_t n,
                              zip_source_cmd_t command) {
  zip_stat_t *out = data;
  switch (command) {
    case ZIP_SOURCE_CLOSE: return 0;
    case ZIP_SOURCE_STAT:
      zip_stat_init(out);
      out->size = size;
      out->valid = ZIP_STAT_SIZE;
      return sizeof *out;
    case ZIP_SOURCE_ERROR: return zip_error_to_data(error, data, n);
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_READABLE;
    default: zip_error_set(error, ZIP_ER_OPNOTSUPP, 0); return -1;
  }
}

static zip_int64_t serve_copy(void *user, void *data, zip_uint64_t n, zip_source_cmd_t command) {
  copied_member *m = user;
  if (command == ZIP_SOURCE_OPEN) return open_copy(m);
  if (command == ZIP_SOURCE_READ) return read_copy(m, data, n);
  return serve_rest(&m->error, m->w->from->members.at[m->i].size, data, n, command);
}

/* ---- members that are made when their turn comes */

typedef struct made_member {
  archive_writer *w;
  const archive_addition *x;
  char *at;
  size_t done;
  zip_error_t error;
} made_member;

static bool make_member(made_member *m) {
  FILE *to = m->w->to->file.stream;
  const char *path = arena_printf(m->w->a, "/proc/self/fd/%d", fileno(to));
  int fd = fflush(to) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  m->done = 0;
  m->at = arena_alloc(m->w->a, m->x->n + 1);
  bool ok = fd >= 0 && m->x->make(m->x->data, fd, m->at, m->x->n);
  m->w->reported = fd >= 0 && !ok;
  if (!ok) zip_error_set(&m->error, ZIP_ER_READ, fd >= 0 ? EIO : errno);
  if (fd >= 0) close(fd);
  return ok;
}

static zip_int64_t read_made(made_member *m, void *data, zip_uint64_t n) {
  const size_t left = m->x->n - m->done, k = n < left ? (size_t)n : left;
  memcpy(data, m->at + m->done, k);
  m->done += k;
  return (zip_int64_t)k;
}

static zip_int64_t serve_made(void *user, void *data, zip_uint64_t n, zip_source_cmd_t command) {
  made_member *m = user;
  if (command == ZIP_SOURCE_OPEN) return make_member(m) ? 0 : -1;
  if (command == ZIP_SOURCE_READ) return read_made(m, data, n);
  return serve_rest(&m->error, m->x->n, data, n, command);
}

/* ---- all members */

static bool is_ascii(const char *s) {
  while (*s && (unsigned char)*s < 0x80) s++;
  return !*s;
}

/* Adds the extra field that aligns the data of member i, and moves *offset behind the member. */
static bool align_member(zip_t *zip, zip_uint64_t i, const char *name, uint64_t size,
                         uint64_t *offset) {
  unsigned char filling[ALIGNMENT];
  uint64_t data = *offset + LOCAL_HEADER + strlen(name) + FIELD_HEADER +
                  (size > UINT32_MAX ? ZIP64_FIELD : 0);
  zip_uint16_t n = (zip_uint16_t)((ALIGNMENT - data % ALIGNMENT) % ALIGNMENT);
  memset(filling, 'Z', sizeof filling);
  *offset = data + n + size;
  return zip_file_extra_field_set(zip, i, PADDING_ID, ZIP_EXTRA_FIELD_NEW, filling, n,
                                  ZIP_FL_LOCAL) == 0;
}

/* Adds a member at *offset. Takes ownership of `source` in either case. */
static bool add_member(zip_t *zip, const char *name, zip_source_t *source, uint64_t *offset) {
  zip_stat_t st;
  zip_int64_t i = -1;
  zip_flags_t encoding = is_ascii(name) ? ZIP_FL_ENC_GUESS : ZIP_FL_ENC_UTF_8;
  if (source && zip_source_stat(source, &st) == 0 && st.valid & ZIP_STAT_SIZE)
    i = zip_file_add(zip, name, source, encoding);
  if (i < 0) {
    if (source) zip_source_free(source);
    return false;
  }
  /* A fixed date, as torch writes: the same package gives the same bytes. */
  return zip_set_file_compression(zip, (zip_uint64_t)i, ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(zip, (zip_uint64_t)i, 0, FIRST_DATE, 0) == 0 &&
         zip_file_set_external_attributes(zip, (zip_uint64_t)i, 0, ZIP_OPSYS_DOS, 0) == 0 &&
         align_member(zip, (zip_uint64_t)i, name, st.size, offset);
}

static zip_source_t *member_source(archive_writer *writer, size_t i,
                                   const archive_replacement *with) {
  if (with->file) return zip_source_file(writer->zip, with->file, 0, 0);
  if (with->text) return zip_source_buffer(writer->zip, with->text, with->n, 0);
  copied_member *m = arena_alloc(writer->a, sizeof *m);
  *m = (copied_member){.w = writer, .i = i, .written = with->written};
  zip_error_init(&m->error);
  return zip_source_function(writer->zip, serve_copy, m);
}

static zip_source_t *addition_source(archive_writer *writer, const archive_addition *x) {
  if (x->text) return zip_source_buffer(writer->zip, x->text, strlen(x->text), 0);
  if (!x->make) return zip_source_file(writer->zip, x->file, 0, 0);
  made_member *m = arena_alloc(writer->a, sizeof *m);
  *m = (made_member){.w = writer, .x = x};
  zip_error_init(&m->error);
  return zip_source_function(writer->zip, serve_made, m);
}

static bool add_file(archive_writer *writer, const archive_addition *x, uint64_t *offset) {
  return add_member(writer->zip, x->name, addition_source(writer, x), offset);
}

static bool add_old(archive_writer *writer, size_t i, const archive_replacement *with,
                    uint64_t *offset) {
  const archive_member *m = &writer->from->members.at[i];
  const char *name = with->name ? with->name : m->name;
  if (with->left_out) return true;
  if (!add_member(writer->zip, name, member_source(writer, i, with), offset)) return false;
  if (with->written) with->written->offset = *offset - m->size;
  return true;
}

static bool add_members(archive_writer *writer, const archive_replacement *with,
                        const archive_additions *more) {
  uint64_t offset = 0;
  for (size_t k = 0; !writer->from && k < more->n; k++)
    if (!add_file(writer, &more->at[k], &offset)) return false;
  if (!writer->from) return true;
  for (size_t i = 0; i < writer->from->members.n; i++) {
    if (!add_old(writer, i, &with[i], &offset)) return false;
    for (size_t k = 0; k < more->n; k++) {
      const archive_addition *x = &more->at[k];
      if (x->after == i && !add_file(writer, x, &offset)) return false;
    }
  }
  return true;
}

static void report_failure(const archive_writer *writer, const char *path, zip_error_t *error,
                           diags *d) {
  if (writer->reported) return;
  if (writer->failure)
    diag_error(d, STATUS_INPUT, archive_member_path(writer->from, writer->failed, writer->a),
               "cannot be unpacked: %s", writer->failure);
  else
    diag_error(d, STATUS_INPUT, path, "cannot be written: %s",
               writer->zip ? zip_strerror(writer->zip) : zip_error_strerror(error));
}

bool archive_pack(const archive_additions *files, const char *target, arena *a, diags *d) {
  return archive_write(NULL, NULL, files, target, a, d);
}

bool archive_write(const archive *z, const archive_replacement *with, const archive_additions *more,
                   const char *path, arena *a, diags *d) {
  write_target *t = arena_alloc(a, sizeof *t);
  archive_writer w = {.to = t, .from = z, .piece = arena_alloc(a, PIECE), .a = a};
  zip_error_t error;
  zip_error_init(&error);
  zip_error_init(&t->error);
  if (!atomic_output_open(&t->file, path, d)) return false;
  setvbuf(t->file.stream, arena_alloc(a, STREAM_BUFFER), _IOFBF, STREAM_BUFFER);
  zip_source_t *source = zip_source_function_create(serve_target, t, &error);
  if (source) w.zip = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error);
  bool ok = w.zip && add_members(&w, with, more) && zip_close(w.zip) == 0;
  if (!ok) report_failure(&w, path, &error, d);
  if (w.zip && !ok) zip_discard(w.zip);
  if (source && !w.zip) zip_source_free(source);
  zip_error_fini(&error);
  return atomic_output_close(&t->file, ok, d);
}
