/* archive_write.c - see archive.h: the archive that is written. Knows how torch's writer lays
 * members out. */
#include "package/archive.h"
#include "system/atomic_output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

/* torch's writer begins each member's data at a multiple of 64, by an extra field "FB" filled with
 * 'Z' (caffe2/serialize/ inline_container.cc). A field takes 4 bytes beside its filling. */
enum {
  ALIGNMENT = 64,
  PADDING_ID = 0x4246,
  LOCAL_HEADER = 30,
  FIELD_HEADER = 4,
  ZIP64_FIELD = 20,
  STREAM_BUFFER = 1 << 20,
  FIRST_DATE = 1 << 5 | 1
};

/* ---- libzip writes into a file that output.h has registered */

typedef struct target {
  atomic_output file;
  zip_error_t error;
} target;

static zip_int64_t fail(target *t) {
  zip_error_set(&t->error, ZIP_ER_WRITE, errno);
  return -1;
}

static zip_int64_t seek(target *t, void *data, zip_uint64_t n) {
  zip_source_args_seek_t *args = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, n, &t->error);
  if (!args) return -1;
  return fseeko(t->file.stream, (off_t)args->offset, args->whence) == 0 ? 0 : fail(t);
}

static zip_int64_t transfer(target *t, void *data, zip_uint64_t n, bool write) {
  size_t k = write ? fwrite(data, 1, n, t->file.stream) : fread(data, 1, n, t->file.stream);
  return ferror(t->file.stream) ? fail(t) : (zip_int64_t)k;
}

static zip_int64_t tell_stat(target *t, void *data, zip_uint64_t n) {
  struct stat st;
  zip_stat_t *out = data;
  if (n < sizeof *out || fstat(fileno(t->file.stream), &st) != 0) return fail(t);
  zip_stat_init(out);
  out->size = (zip_uint64_t)st.st_size;
  out->valid = ZIP_STAT_SIZE;
  return sizeof *out;
}

static zip_int64_t serve(void *user, void *data, zip_uint64_t n, zip_source_cmd_t command) {
  target *t = user;
  switch (command) {
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_BEGIN_WRITE: return fseeko(t->file.stream, 0, SEEK_SET) == 0 ? 0 : fail(t);
    case ZIP_SOURCE_WRITE: return transfer(t, data, n, true);
    case ZIP_SOURCE_READ: return transfer(t, data, n, false);
    case ZIP_SOURCE_SEEK:
    case ZIP_SOURCE_SEEK_WRITE: return seek(t, data, n);
    case ZIP_SOURCE_TELL:
    case ZIP_SOURCE_TELL_WRITE: return ftello(t->file.stream);
    case ZIP_SOURCE_COMMIT_WRITE: return fflush(t->file.stream) == 0 ? 0 : fail(t);
    case ZIP_SOURCE_STAT: return tell_stat(t, data, n);
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&t->error, data, n);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_REMOVE:
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_WRITABLE;
    default: zip_error_set(&t->error, ZIP_ER_OPNOTSUPP, 0); return -1;
  }
}

/* ---- a member that is kept comes through here: libzip, left to itself, copies what is compressed
 * without looking at its sum */

typedef struct writing {
  zip_t *zip;
  const archive *from;
  const char *why; /* member `lost` could not be read */
  size_t lost;
  arena *a;
} writing;

typedef struct kept {
  writing *w;
  size_t i;
  zip_file_t *file;
  uint64_t done;
  zip_error_t error;
} kept;

static zip_int64_t lost(kept *k, const char *why) {
  zip_error_set(&k->error, ZIP_ER_READ, EIO);
  k->w->lost = k->i;
  k->w->why = arena_strdup(k->w->a, why);
  return -1;
}

static zip_int64_t open_kept(kept *k) {
  k->done = 0;
  k->file = zip_fopen_index(k->w->from->zip, k->i, 0);
  return k->file ? 0 : lost(k, zip_strerror(k->w->from->zip));
}

static zip_int64_t read_kept(kept *k, void *data, zip_uint64_t n) {
  const uint64_t size = k->w->from->members.at[k->i].size;
  zip_int64_t got = zip_fread(k->file, data, n);
  if (got < 0) return lost(k, zip_file_strerror(k->file));
  k->done += (uint64_t)got;
  if (k->done > size) return lost(k, "it holds more bytes than it claims");
  if (got == 0 && n > 0 && k->done < size) return lost(k, "it holds fewer bytes than it claims");
  return got;
}

static zip_int64_t serve_kept(void *user, void *data, zip_uint64_t n, zip_source_cmd_t command) {
  kept *k = user;
  zip_stat_t *out = data;
  switch (command) {
    case ZIP_SOURCE_OPEN: return open_kept(k);
    case ZIP_SOURCE_READ: return read_kept(k, data, n);
    case ZIP_SOURCE_CLOSE: return zip_fclose(k->file) == 0 ? 0 : -1;
    case ZIP_SOURCE_STAT:
      zip_stat_init(out);
      out->size = k->w->from->members.at[k->i].size;
      out->valid = ZIP_STAT_SIZE;
      return sizeof *out;
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&k->error, data, n);
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_READABLE;
    default: zip_error_set(&k->error, ZIP_ER_OPNOTSUPP, 0); return -1;
  }
}

/* ---- members */

static bool is_ascii(const char *s) {
  while (*s && (unsigned char)*s < 0x80) s++;
  return !*s;
}

/* The extra field that puts the data of a member at a multiple of 64, and *offset moved behind the
 * member. */
static bool align(zip_t *zip, zip_uint64_t i, const char *name, uint64_t size, uint64_t *offset) {
  unsigned char filling[ALIGNMENT];
  uint64_t data = *offset + LOCAL_HEADER + strlen(name) + FIELD_HEADER +
                  (size > UINT32_MAX ? ZIP64_FIELD : 0);
  zip_uint16_t n = (zip_uint16_t)((ALIGNMENT - data % ALIGNMENT) % ALIGNMENT);
  memset(filling, 'Z', sizeof filling);
  *offset = data + n + size;
  return zip_file_extra_field_set(zip, i, PADDING_ID, ZIP_EXTRA_FIELD_NEW, filling, n,
                                  ZIP_FL_LOCAL) == 0;
}

static bool add(zip_t *zip, const char *name, zip_source_t *source, uint64_t *offset) {
  zip_stat_t st;
  if (!source || zip_source_stat(source, &st) != 0 || !(st.valid & ZIP_STAT_SIZE)) {
    if (source) zip_source_free(source);
    return false;
  }
  zip_int64_t i =
      zip_file_add(zip, name, source, is_ascii(name) ? ZIP_FL_ENC_GUESS : ZIP_FL_ENC_UTF_8);
  if (i < 0) {
    zip_source_free(source);
    return false;
  }
  /* The first date there is, as torch writes none: the same package gives the same bytes. */
  return zip_set_file_compression(zip, (zip_uint64_t)i, ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(zip, (zip_uint64_t)i, 0, FIRST_DATE, 0) == 0 &&
         zip_file_set_external_attributes(zip, (zip_uint64_t)i, 0, ZIP_OPSYS_DOS, 0) == 0 &&
         align(zip, (zip_uint64_t)i, name, st.size, offset);
}

static zip_source_t *source_of(writing *w, size_t i, const replacement *with) {
  if (with && with->file) return zip_source_file(w->zip, with->file, 0, 0);
  if (with && with->text) return zip_source_buffer(w->zip, with->text, with->n, 0);
  kept *k = arena_alloc(w->a, sizeof *k);
  *k = (kept){.w = w, .i = i};
  zip_error_init(&k->error);
  return zip_source_function(w->zip, serve_kept, k);
}

static bool add_members(writing *w, const replacement *with, const additions *more) {
  uint64_t offset = 0;
  for (size_t i = 0; i < w->from->members.n; i++) {
    if (!add(w->zip, w->from->members.at[i].name, source_of(w, i, &with[i]), &offset)) return false;
    for (size_t k = 0; k < more->n; k++)
      if (more->at[k].after == i &&
          !add(w->zip, more->at[k].name, zip_source_file(w->zip, more->at[k].file, 0, 0), &offset))
        return false;
  }
  return true;
}

bool archive_write(const archive *z, const replacement *with, const additions *more,
                   const char *path, arena *a, diags *d) {
  target *t = arena_alloc(a, sizeof *t);
  zip_error_t error;
  zip_error_init(&error);
  zip_error_init(&t->error);
  if (!atomic_output_open(&t->file, path, d)) return false;
  setvbuf(t->file.stream, NULL, _IOFBF, STREAM_BUFFER);
  zip_source_t *source = zip_source_function_create(serve, t, &error);
  writing w = {.zip = source ? zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error)
                             : NULL,
               .from = z,
               .a = a};
  bool ok = w.zip && add_members(&w, with, more) && zip_close(w.zip) == 0;
  if (!ok && w.why)
    diag_error(d, STATUS_INPUT, archive_name(z, w.lost, a), "cannot be unpacked: %s", w.why);
  else if (!ok)
    diag_error(d, STATUS_INPUT, path, "cannot be written: %s",
               w.zip ? zip_strerror(w.zip) : zip_error_strerror(&error));
  if (w.zip && !ok) zip_discard(w.zip);
  if (source && !w.zip) zip_source_free(source);
  zip_error_fini(&error);
  return atomic_output_close(&t->file, ok, d);
}
