/* program.c - the files of a launch's program; see program.h. */
#define _GNU_SOURCE
#include "taken/program.h"
#include "base/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };

typedef struct writer {
  const char *dir;
  bool made; /* the directory was not there */
  arena *a;
  diags *d;
} writer;

static bool refuse(const writer *w, const char *path, int error) {
  diag_error(w->d, STATUS_INPUT, path, "cannot be written: %s", strerror(error));
  return false;
}

/* ---- the directory */

static bool is_empty(const char *dir) {
  DIR *at = opendir(dir);
  bool empty = at != NULL;
  for (const struct dirent *e; empty && (e = readdir(at)) != NULL;)
    empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
  if (at) closedir(at);
  return empty;
}

static bool open_dir(writer *w) {
  w->made = mkdir(w->dir, 0777) == 0;
  if (w->made || (errno == EEXIST && is_empty(w->dir))) return true;
  if (errno != EEXIST) return refuse(w, w->dir, errno);
  diag_error(w->d, STATUS_INPUT, w->dir,
             "is there, and is no empty directory: name another one with -o");
  return false;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at) {
  (void)s;
  (void)kind;
  return at->level ? remove(path) : 0;
}

/* What was written, but not a directory that was there. */
static void drop_dir(const writer *w) {
  nftw(w->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
  if (w->made) rmdir(w->dir);
}

/* ---- files */

static bool write_text(const writer *w, const char *name, const char *text, size_t n) {
  const char *path = arena_printf(w->a, "%s/%s", w->dir, name);
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool ok = fd >= 0 && file_write(fd, text, n);
  const int error = errno;
  if (fd >= 0) ok = close(fd) == 0 && ok;
  return ok || refuse(w, path, error);
}

static bool copy_all(int from, int to, arena *a) {
  char *piece = arena_alloc(a, PIECE);
  for (ssize_t n; (n = read(from, piece, PIECE)) != 0;)
    if (n < 0 || !file_write(to, piece, (size_t)n)) return false;
  return true;
}

static bool copy_file(const writer *w, const char *from, const char *name, mode_t mode) {
  const char *path = arena_printf(w->a, "%s/%s", w->dir, name);
  if (!file_make_dirs(file_dir(w->a, path), 0777)) return refuse(w, path, errno);
  const int in = open(from, O_RDONLY | O_CLOEXEC),
            out = in < 0 ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  bool ok = out >= 0 && copy_all(in, out, w->a);
  const int error = errno;
  if (in >= 0) close(in);
  if (out >= 0) ok = close(out) == 0 && ok;
  return ok || refuse(w, path, error);
}

/* It is what a user has sent: for the user alone, as a capsule is. */
static bool write_memory(const writer *w, const taken *t, size_t i, const char *when) {
  const char *from = taken_file(t->dir, i, when, w->a), *name = file_name(from);
  return rename(from, arena_printf(w->a, "%s/%s", w->dir, name)) == 0 ||
         copy_file(w, from, name, 0600);
}

static bool write_memories(const writer *w, const taken *t) {
  bool ok = true;
  for (size_t i = 0; i < t->memories.n && ok; i++)
    ok = write_memory(w, t, i, "before") &&
         (!t->returned || !t->memories.at[i].written || write_memory(w, t, i, "after"));
  return ok;
}

static bool write_headers(const writer *w, const kernel_build *b) {
  for (size_t i = 0; i < b->headers.n; i++) {
    const kernel_header *h = &b->headers.at[i];
    if (access(arena_printf(w->a, "%s/%s", w->dir, h->to), F_OK) == 0) continue;
    if (!copy_file(w, h->path, h->to, 0666)) return false;
  }
  return true;
}

bool program_write(const program *p, const char *dir, arena *a, diags *d) {
  writer w = {.dir = dir, .a = a, .d = d};
  const char *main_text = program_make_main(p, a), *makefile = program_make_makefile(p, a);
  if (!open_dir(&w)) return false;
  const bool ok = write_headers(&w, p->build) &&
                  write_text(&w, "kernel.cpp", p->build->source, p->build->n) &&
                  write_memories(&w, p->taken) &&
                  write_text(&w, "main.c", main_text, strlen(main_text)) &&
                  write_text(&w, "Makefile", makefile, strlen(makefile));
  if (!ok) drop_dir(&w);
  return ok;
}
