/* archive_reader.c - see archive_reader.h. The child's answers are numbers of 4 or 8 bytes and
 * texts of so many bytes: at first 0, the number of members, and of each its place and name; else
 * 1, a member's name or "", and why the archive is refused; to the number of a member: pieces of
 * it, an empty one, and why it cannot be unpacked or "". */
#include "package/archive_reader.h"
#include "system/budget.h"
#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

enum {
  NAME_MAX_BYTES = 64 << 10, /* of a name in a ZIP file, which archive.c refuses by its own limit */
  WHY_MAX_BYTES = 8 << 10,
  PIECE = 256 << 10,
  RATIO_MAX = 200, /* unpacked size to packed size, of members larger than: */
  RATIO_FREE = 16 << 20,
  CLOCK_FACTOR = 3,   /* as for the parser */
  SECOND_OF = 2 << 20 /* the bytes of an archive that a second of processor time is added for */
};

/* ---- in the child: libzip ------------------------------------------------------------------- */

typedef struct serving {
  int file;
  uint64_t size; /* of the file */
  arena *a;
  zip_t *zip;
  archive_extent extent;
  uint64_t *sizes; /* those of the members, unpacked */
  uint64_t n;
  FILE *to;
} serving;

static void put(serving *s, const void *at, size_t n) { fwrite(at, 1, n, s->to); }

static void put_number(serving *s, uint64_t x) { put(s, &x, sizeof x); }

static void put_text(serving *s, const char *text) {
  uint32_t n = (uint32_t)strlen(text);
  put(s, &n, sizeof n);
  put(s, text, n);
}

static const char *describe_zip_error(int code, arena *a) {
  zip_error_t e;
  if (code == ZIP_ER_EXISTS)
    return "holds two members of one name: aotigen cannot tell which one is meant";
  zip_error_init_with_code(&e, code);
  const char *why =
      arena_printf(a, "is not a ZIP archive that can be read: %s", zip_error_strerror(&e));
  zip_error_fini(&e);
  return why;
}

static bool is_directory(const char *name) { return name[strlen(name) - 1] == '/'; }

static const char *check_kind(zip_t *zip, uint64_t i, const zip_stat_t *st) {
  zip_uint8_t system;
  zip_uint32_t attributes;
  const zip_uint64_t wanted = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                              ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((st->valid & wanted) != wanted) return "has no sizes";
  if (st->encryption_method != ZIP_EM_NONE) return "is encrypted: decrypt the package first";
  if (st->comp_method != ZIP_CM_STORE && st->comp_method != ZIP_CM_DEFLATE)
    return "is compressed by a method that torch does not read";
  if (zip_file_get_external_attributes(zip, i, 0, &system, &attributes) != 0)
    return "has no attributes";
  mode_t kind = system == ZIP_OPSYS_UNIX ? attributes >> 16 & S_IFMT : 0;
  if (kind && kind != S_IFREG && kind != S_IFDIR)
    return "is a link or a device: torch writes no such package";
  return NULL;
}

static const char *check_size(const zip_stat_t *st, uint64_t left) {
  if (st->comp_size > left) return "claims more bytes than the archive has";
  if (st->comp_method == ZIP_CM_STORE && st->comp_size != st->size)
    return "is stored, and claims two different sizes";
  if (is_directory(st->name) && st->size > 0) return "is a directory that claims to hold bytes";
  if (st->size > RATIO_FREE && st->size / RATIO_MAX > st->comp_size)
    return "claims to unpack to more than 200 times its size: torch stores members as they are";
  return NULL;
}

/* On success the open archive owns the file. */
static const char *open_zip(serving *s) {
  const char *why = archive_records_check(s->file, s->size, &s->extent);
  if (why) return why;
  zip_error_t e;
  zip_error_init(&e);
  int fd = dup(s->file);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
  if (!file) return strerror(errno);
  zip_source_t *archive = zip_source_filep_create(file, 0, (zip_int64_t)s->extent.end, &e);
  if (archive) s->zip = zip_open_from_source(archive, ZIP_CHECKCONS | ZIP_RDONLY, &e);
  /* libzip wants all sizes before the bytes or none: zip -fd writes one of them. */
  if (archive && !s->zip && s->extent.is_whole && zip_error_code_zip(&e) == ZIP_ER_INCONS)
    s->zip = zip_open_from_source(archive, ZIP_RDONLY, &e);
  if (s->zip) return NULL;
  if (archive)
    zip_source_free(archive);
  else
    fclose(file);
  return describe_zip_error(zip_error_code_zip(&e), s->a);
}

/* Of member i, which libzip and the directory's own entry say the same of. */
static archive_place find_place(const archive_place *found, const zip_stat_t *st) {
  const bool same = st->comp_method == ZIP_CM_STORE && st->valid & ZIP_STAT_CRC &&
                    found->size == st->size && found->sum == st->crc;
  return (archive_place){same ? found->at : 0, st->size, found->sum};
}

/* Writes the list of members to `list`. The reason to refuse one, by its *name, or the archive. */
static const char *list_members(serving *s, serving *list, const char **name) {
  uint64_t left = s->size;
  s->n = (uint64_t)zip_get_num_entries(s->zip, 0);
  s->sizes = arena_alloc(s->a, (s->n + 1) * sizeof *s->sizes);
  archive_place *found = arena_alloc(s->a, (s->n + 1) * sizeof *found);
  const bool all = archive_records_find(s->file, &s->extent, found, s->n + 1) == s->n;
  put_number(list, s->n);
  for (uint64_t i = 0; i < s->n; i++) {
    zip_stat_t st;
    if (zip_stat_index(s->zip, i, ZIP_FL_ENC_RAW, &st) != 0) return zip_strerror(s->zip);
    *name = st.valid & ZIP_STAT_NAME ? st.name : "";
    if (!**name) return "its directory has a member without a name";
    const char *why = check_kind(s->zip, i, &st);
    if (!why) why = check_size(&st, left);
    if (why) return why;
    left -= st.comp_size;
    s->sizes[i] = st.size;
    const archive_place place = find_place(&found[i], &st);
    put_number(list, all ? place.at : 0);
    put_number(list, place.size);
    put_number(list, place.sum);
    put_text(list, *name);
  }
  *name = "";
  return s->n ? NULL : "holds no member, so it is not a package";
}

static bool answer_list(serving *s) {
  char *at = NULL;
  size_t n = 0;
  serving list = {.to = open_memstream(&at, &n)};
  const char *name = "", *why = list.to ? open_zip(s) : strerror(errno);
  if (!why) why = list_members(s, &list, &name);
  if (list.to) fclose(list.to);
  put_number(s, why != NULL);
  if (!why) {
    put(s, at, n);
  } else {
    put_text(s, name);
    put_text(s, why);
  }
  free(at);
  return !why;
}

/* Sends all of the open member. NULL, or the reason for a failure. */
static const char *answer_pieces(serving *s, zip_file_t *f, uint64_t size) {
  static char buffer[PIECE];
  for (uint64_t done = 0;;) {
    zip_int64_t n = zip_fread(f, buffer, sizeof buffer);
    if (n < 0) return zip_file_strerror(f);
    if (n == 0) return done == size ? NULL : "it holds fewer bytes than it claims";
    if ((uint64_t)n > size - done) return "it holds more bytes than it claims";
    uint32_t piece = (uint32_t)n;
    put(s, &piece, sizeof piece);
    put(s, buffer, piece);
    done += piece;
  }
}

static void answer_member(serving *s, uint64_t i) {
  zip_file_t *f = zip_fopen_index(s->zip, i, 0);
  const char *why = f ? answer_pieces(s, f, s->sizes[i]) : zip_strerror(s->zip);
  put(s, &(uint32_t){0}, sizeof(uint32_t));
  put_text(s, why ? why : "");
  if (f) zip_fclose(f);
}

void archive_reader_serve(int file, uint64_t size, int from, FILE *to) {
  serving s = {.file = file, .size = size, .a = arena_new(), .to = to};
  uint64_t i;
  bool ok = answer_list(&s);
  while (fflush(to) == 0 && ok && read(from, &i, sizeof i) == sizeof i && i < s.n)
    answer_member(&s, i);
  if (s.zip) zip_discard(s.zip);
  close(file);
  arena_free(s.a);
}

static bool serve(void *data, FILE *to) {
  archive_reader_serve(PROCESS_FILE, *(uint64_t *)data, fileno(to), to);
  return true;
}

/* ---- in the parent -------------------------------------------------------------------------- */

/* Waits until there is something to read. False if the time is over. */
static bool await_bytes(const archive_reader *r) {
  enum { TICK_MS = 200 };
  long until = r->seconds ? budget_now() + 1000L * r->seconds : 0;
  for (;;) {
    struct pollfd f = {r->socket, POLLIN, 0};
    int ready = poll(&f, 1, TICK_MS);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (budget_is_spent(false) || (until && budget_now() >= until)) return false;
  }
}

static bool get(archive_reader *r, void *to, size_t n) {
  for (char *at = to; n;) {
    ssize_t k = await_bytes(r) ? recv(r->socket, at, n, 0) : 0;
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += k;
    n -= (size_t)k;
  }
  return true;
}

/* NULL if there is none, or a longer one than `most`. */
static const char *get_text(archive_reader *r, size_t most, arena *a) {
  uint32_t n;
  if (!get(r, &n, sizeof n) || n > most) return NULL;
  char *text = arena_alloc(a, n + 1);
  if (!get(r, text, n)) return NULL;
  text[n] = '\0';
  return text;
}

/* The parser's limits, which hold without confinement, too, and time for the bytes. */
static confine_limits find_limits(archive_reader *r, const options *o, uint64_t size) {
  const process_limits *l = &o->limits;
  uint64_t data = (uint64_t)l->parser_mib << 20, own = confine_own_data(),
           cpu = l->parser_seconds ? l->parser_seconds + size / SECOND_OF : 0;
  r->seconds = (unsigned)(CLOCK_FACTOR * cpu);
  return (confine_limits){.cpu_seconds = cpu, .data_bytes = data && own ? own + data : 0};
}

const char *archive_reader_start(archive_reader *r, int file, uint64_t size, const options *o,
                                 arena *a, diags *d) {
  confine rules;
  *r = (archive_reader){.socket = -1, .file = -1, .size = size};
  const confine_limits limits = find_limits(r, o, size);
  confine_begin_limits(&rules, &limits);
  if (o->confining != CONFINING_OFF && !confine_begin(&rules, &limits, true, a, d)) return "";
  const process_setting how = {.confine = &rules, .closed = true, .file = file};
  bool ok = process_serve(&r->child, serve, &size, &how, &r->socket);
  confine_end(&rules);
  if (ok) r->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (ok && r->file >= 0) return NULL;
  return arena_printf(a, "its reader cannot be started: %s", strerror(errno));
}

/* Whatever the child said: it is not asked again. */
static const char *give_up(archive_reader *r) {
  const char *spent = budget_why();
  archive_reader_stop(r);
  if (spent) return spent;
  return "its reader gave up on it: it takes more than --limits=parser or parser-memory allow, or "
         "has found a bug in libzip";
}

/* False also for a place that is not in the file. */
static bool get_place(archive_reader *r, archive_place *p) {
  uint64_t sum;
  if (!get(r, &p->at, sizeof p->at) || !get(r, &p->size, sizeof p->size) ||
      !get(r, &sum, sizeof sum))
    return false;
  p->sum = (uint32_t)sum;
  return !p->at || (p->at <= r->size && p->size <= r->size - p->at);
}

const char *archive_reader_list(archive_reader *r, archive_reader_take *take, void *to,
                                const char **member, arena *a) {
  uint64_t refused, n;
  *member = "";
  if (!get(r, &refused, sizeof refused)) return give_up(r);
  if (refused) {
    *member = get_text(r, NAME_MAX_BYTES, a);
    const char *why = *member ? get_text(r, WHY_MAX_BYTES, a) : NULL;
    return why && *why ? why : give_up(r);
  }
  if (!get(r, &n, sizeof n) || !n || n > ARCHIVE_MEMBERS_MAX) return give_up(r);
  r->places = arena_alloc(a, n * sizeof *r->places);
  for (uint64_t i = 0; i < n; i++) {
    const char *name = get_place(r, &r->places[i]) ? get_text(r, NAME_MAX_BYTES, a) : NULL;
    if (!name) return give_up(r);
    const char *why = take(to, name, r->places[i].size);
    if (why) *member = name;
    if (why) return why;
  }
  return NULL;
}

const char *archive_reader_begin(archive_reader *r, uint64_t member, uint64_t size) {
  if (r->socket < 0 || r->reading) return give_up(r);
  r->reading = true;
  r->left = size;
  r->piece = 0;
  r->sum = 0;
  r->place = r->places[member].at ? &r->places[member] : NULL;
  if (r->place) return NULL;
  return send(r->socket, &member, sizeof member, MSG_NOSIGNAL) == sizeof member ? NULL : give_up(r);
}

/* Reads at most `most` bytes of the member at r->place. */
static const char *read_stored(archive_reader *r, void *to, size_t most, size_t *n) {
  const size_t k = r->left < most ? (size_t)r->left : most;
  if (!k) {
    r->reading = false;
    return r->sum == r->place->sum ? NULL : "CRC error";
  }
  if (budget_is_spent(false)) return give_up(r);
  const ssize_t got = pread(r->file, to, k, (off_t)(r->place->at + r->place->size - r->left));
  if (got <= 0) {
    const char *why = got ? strerror(errno) : "the file has become shorter";
    archive_reader_stop(r);
    return why;
  }
  r->sum = libdeflate_crc32(r->sum, to, (size_t)got);
  r->left -= (size_t)got;
  *n = (size_t)got;
  return NULL;
}

const char *archive_reader_next(archive_reader *r, void *to, size_t *n, arena *a) {
  uint32_t piece = r->piece;
  size_t most = *n;
  *n = 0;
  if (!r->reading || !most) return NULL;
  if (r->place) return read_stored(r, to, most, n);
  if (!piece && !get(r, &piece, sizeof piece)) return give_up(r);
  if (!piece) {
    const char *why = get_text(r, WHY_MAX_BYTES, a);
    r->reading = false;
    if (!why || (!*why && r->left)) return give_up(r);
    return *why ? why : NULL;
  }
  size_t k = piece < most ? piece : most;
  if (piece > r->left || !get(r, to, k)) return give_up(r);
  r->left -= k;
  r->piece = piece - (uint32_t)k;
  *n = k;
  return NULL;
}

void archive_reader_stop(archive_reader *r) {
  if (r->socket >= 0) close(r->socket);
  if (r->file >= 0) close(r->file);
  r->socket = r->file = -1;
  r->reading = false;
  process_kill(&r->child);
}
