/* archive.c - see archive.h. Knows what a member of a PT2 package may look like; libzip is
 * archive_reader.c's. */
#include "package/archive.h"
#include "base/file.h"
#include "base/shown.h"
#include "package/archive_reader.h"
#include "system/budget.h"
#include "system/input.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 1024, TEXT_MAX = 32 << 20 };

static bool refuse_member(const archive *z, const char *name, const char *why, arena *a, diags *d) {
  const char *subject = name ? arena_printf(a, "%s/%.300s", z->path, name) : z->path;
  diag_error(d, STATUS_INPUT, subject, "%s", why);
  return false;
}

/* ---- members */

static const char *check_name(const char *name) {
  size_t n = strlen(name);
  if (n > NAME_MAX_BYTES) return "has a name longer than a package has";
  if (name[0] == '/' || name[1] == ':')
    return "has an absolute path, or one of another system: torch writes no such package";
  if (!shown_is_one_line(name)) return "has a control character or invalid UTF-8 in its name";
  for (const char *s = name; *s;) {
    size_t part = strcspn(s, "/");
    if (part == 0 || (part == 1 && *s == '.') || (part == 2 && s[0] == '.' && s[1] == '.'))
      return "has a path that climbs, or with empty parts: torch writes no such package";
    s += part;
    if (*s == '/') s++;
  }
  return NULL;
}

static bool is_directory(const char *name) { return name[strlen(name) - 1] == '/'; }

typedef struct taking {
  archive *z;
  arena *a;
} taking;

static const char *take_member(void *to, const char *name, uint64_t size) {
  const taking *t = to;
  char *slashed = arena_strdup(t->a, name); /* Windows has another */
  for (char *s = slashed; (s = strchr(s, '\\'));) *s = '/';
  const char *why = *name ? check_name(slashed) : "its directory has a member without a name";
  if (!why) *arena_push(t->a, &t->z->members) = (archive_member){slashed, size};
  return why;
}

/* The place of a character in the order of names: the end first, then '/', then all others. */
static int character_rank(unsigned char c) { return c == '/' ? 1 : c ? c + 1 : 0; }

/* '/' sorts before all other characters, so that "a/b" directly follows "a". */
static int compare_names(const void *x, const void *y) {
  const unsigned char *a = *(const unsigned char *const *)x, *b = *(const unsigned char *const *)y;
  while (*a && *a == *b) a++, b++;
  return character_rank(*a) - character_rank(*b);
}

/* Refuses a file that is also the directory of another member. */
static bool check_clashes(const archive *z, arena *a, diags *d) {
  size_t n = z->members.n;
  const char **names = arena_alloc(a, (n + 1) * sizeof *names);
  for (size_t i = 0; i < n; i++) names[i] = z->members.at[i].name;
  qsort(names, n, sizeof *names, compare_names);
  for (size_t i = 0; i + 1 < n; i++) {
    size_t k = strlen(names[i]);
    if (!strcmp(names[i], names[i + 1]))
      return refuse_member(
          z, NULL, "holds two members of one name: aotigen cannot tell which one is meant", a, d);
    if (!is_directory(names[i]) && !strncmp(names[i], names[i + 1], k) && names[i + 1][k] == '/')
      return refuse_member(z, names[i], "is both a file and a directory", a, d);
  }
  return true;
}

/* The reason to refuse the file, or NULL; *size is its size. */
static const char *check_file(int fd, uint64_t *size, arena *a) {
  struct stat st;
  if (fd < 0 || fstat(fd, &st) != 0) return arena_printf(a, "cannot be read: %s", strerror(errno));
  if (S_ISDIR(st.st_mode))
    return "is a directory: name the package, or the wrapper's '.cpp' file in it";
  if (!S_ISREG(st.st_mode)) return "is not a regular file";
  if (st.st_size == 0) return "is empty, not a package";
  *size = (uint64_t)st.st_size;
  return NULL;
}

/* Starts the reader, and takes its list of members. */
static bool read_list(archive *z, const options *o, arena *a, diags *d) {
  taking t = {z, a};
  uint64_t size = 0;
  int fd = open(z->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const char *member = "", *why = check_file(fd, &size, a);
  if (!why) why = archive_reader_start(z->reader, fd, size, o, a, d);
  if (fd >= 0) close(fd);
  if (!why) why = archive_reader_list(z->reader, take_member, &t, &member, a);
  if (!why || !*why || budget_report(z->path, d)) return !why;
  if (*member && check_name(member)) why = check_name(member);
  return refuse_member(z, *member ? member : NULL, why, a, d);
}

bool archive_open(archive *z, const char *path, const options *o, arena *a, diags *d) {
  *z =
      (archive){.path = path, .below = o->input_below, .reader = arena_alloc(a, sizeof *z->reader)};
  *z->reader = (archive_reader){.socket = -1, .file = -1};
  return read_list(z, o, a, d) && check_clashes(z, a, d);
}

void archive_close(archive *z) {
  if (z->reader) archive_reader_stop(z->reader);
}

const char *archive_member_path(const archive *z, size_t i, arena *a) {
  const char *name = z->members.at[i].name;
  const size_t n = z->below ? strlen(z->below) : 0;
  if (n && !strncmp(name, z->below, n)) name += n;
  return arena_printf(a, "%s/%s", z->path, name);
}

/* ---- reading one member */

/* The receiver of unpacked bytes. */
typedef struct unpack_target {
  char *memory;       /* or NULL */
  archive_take *take; /* or NULL: to fd */
  void *to;           /* of `take` */
  int fd;
} unpack_target;

/* Passes on a piece that was not read to memory. False with errno. */
static bool pass_on(const unpack_target *to, const char *at, size_t n) {
  if (!to->take) return file_write(to->fd, at, n);
  to->take(to->to, at, n);
  return true;
}

/* Reads all of the member. NULL, or the reason for a failure. */
static const char *unpack_member(const archive *z, size_t i, const unpack_target *to, arena *a) {
  static char buffer[256 * 1024];
  const char *why = archive_reader_begin(z->reader, i, z->members.at[i].size);
  for (uint64_t done = 0; !why;) {
    size_t n = sizeof buffer;
    why = archive_reader_next(z->reader, to->memory ? to->memory + done : buffer, &n, a);
    if (why || !n) break;
    if (!to->memory && !pass_on(to, buffer, n)) {
      why = strerror(errno);
      archive_reader_stop(z->reader); /* the rest is not wanted */
    }
    done += n;
  }
  return why ? arena_printf(a, "cannot be unpacked: %s", why) : NULL;
}

const char *archive_read_long_text(const archive *z, size_t i, uint64_t most, const char *too_large,
                                   size_t *n, arena *a, diags *d) {
  const archive_member *m = &z->members.at[i];
  const char *why = m->size == 0 ? "is empty" : NULL;
  char *text = NULL;
  *n = m->size;
  if (m->size > most) why = too_large;
  if (!why) {
    text = arena_alloc(a, m->size + 1);
    why = unpack_member(z, i, &(unpack_target){.memory = text}, a);
  }
  if (!why && memchr(text, '\0', m->size)) why = "is binary, where a text is expected";
  if (why) return refuse_member(z, m->name, why, a, d), NULL;
  input_drop_mark(text, n);
  return text;
}

const char *archive_read_text(const archive *z, size_t i, size_t *n, arena *a, diags *d) {
  return archive_read_long_text(
      z, i, TEXT_MAX, "is too large to be what AOTInductor emits (more than 32 MiB)", n, a, d);
}

bool archive_read_bytes(const archive *z, size_t i, archive_take *take, void *to, arena *a,
                        diags *d) {
  const char *why = unpack_member(z, i, &(unpack_target){.take = take, .to = to}, a);
  return !why || refuse_member(z, z->members.at[i].name, why, a, d);
}

bool archive_extract(const archive *z, size_t i, const char *to, arena *a, diags *d) {
  unpack_target t = {.fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)};
  const char *why = t.fd < 0 ? arena_printf(a, "cannot be unpacked: %s", strerror(errno))
                             : unpack_member(z, i, &t, a);
  if (t.fd >= 0 && close(t.fd) != 0 && !why)
    why = arena_printf(a, "cannot be unpacked: %s", strerror(errno));
  return !why || refuse_member(z, z->members.at[i].name, why, a, d);
}
