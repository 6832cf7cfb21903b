/* earlier_file.c - see earlier_file.h. */
#define _GNU_SOURCE
#include "output/earlier_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fork_lock.h"
#include "base/own_path.h"
#include "output/saved_file.h"
#include "tensor/layout.h"

/* ---- the files ------------------------------------------------------------------------------ */

/* As many as a large model has arguments, by memory and by place; a newer one takes the place of an
 * older one. */
enum { FILES = 8192, TRIED = 4 };

typedef struct file {
  ag_text key;
  char *name;
  struct stat as; /* when it was written */
  int64_t data;
} file;

static file *files[FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

AG_FORK_LOCK(lock)

static void add_form(ag_text *key, const ag_view *view, bool npy) {
  const ag_tensor *t = &view->t;
  const size_t bytes = (size_t)t->ndim * sizeof *t->sizes;
  ag_text_add_bytes(key, &t->dtype, sizeof t->dtype);
  ag_text_add_bytes(key, &t->device_type, sizeof t->device_type);
  ag_text_add_bytes(key, &t->device_index, sizeof t->device_index);
  ag_text_add_bytes(key, &npy, sizeof npy);
  ag_text_add_bytes(key, t->sizes, bytes);
  ag_text_add_bytes(key, t->strides, bytes);
}

void ag_earlier_file_key(ag_text *key, const ag_view *view, bool npy) {
  ag_text_add_bytes(key, &view->t.data, sizeof view->t.data);
  add_form(key, view, npy);
}

static void make_place_key(ag_text *key, const ag_view *view, bool npy, const char *place) {
  ag_text_add(key, place);
  add_form(key, view, npy);
}

uint64_t ag_earlier_file_hash(const ag_text *key) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < key->length; i++)
    hash = (hash ^ (unsigned char)key->data[i]) * 1099511628211u;
  return hash ^ hash >> 32;
}

static bool is_same_key(const ag_text *a, const ag_text *b) {
  return a->length == b->length && !memcmp(a->data, b->data, a->length);
}

/* Where the key's file is, or is to be. */
static file **find_place(const ag_text *key) {
  const uint64_t first = ag_earlier_file_hash(key);
  for (uint64_t i = first; i < first + TRIED; i++) {
    file **at = &files[i % FILES];
    if (!*at || is_same_key(&(*at)->key, key)) return at;
  }
  return &files[first % FILES];
}

static void free_file(file *f) {
  if (!f) return;
  ag_text_free(&f->key);
  free(f->name);
  free(f);
}

/* Takes the key over. */
static void keep_as(ag_text key, const char *name, int fd, int64_t data) {
  file *f = calloc(1, sizeof *f);
  if (!f) {
    ag_text_free(&key);
    return;
  }
  f->data = data;
  f->name = strdup(name);
  f->key = key;
  if (!f->name || !f->key.data || fstat(fd, &f->as)) {
    free_file(f);
    return;
  }
  pthread_mutex_lock(&lock);
  file **place = find_place(&f->key), *old = *place;
  *place = f;
  pthread_mutex_unlock(&lock);
  free_file(old);
}

void ag_earlier_file_keep(const ag_view *view, bool npy, const char *place, const char *name,
                          int fd, int64_t data) {
  ag_text memory = {0}, argument = {0};
  ag_earlier_file_key(&memory, view, npy);
  make_place_key(&argument, view, npy, place);
  keep_as(memory, name, fd, data);
  keep_as(argument, name, fd, data);
}

/* The descriptor of the file of this key, or -1. */
static int open_kept(const ag_text *key, int64_t *data) {
  char *name = NULL;
  struct stat as;
  pthread_mutex_lock(&lock);
  const file *kept = key->data ? *find_place(key) : NULL;
  if (kept && is_same_key(&kept->key, key)) {
    name = strdup(kept->name);
    as = kept->as;
    *data = kept->data;
  }
  pthread_mutex_unlock(&lock);
  int fd = name ? ag_saved_file_open_name(name, &as) : -1;
  free(name);
  return fd;
}

/* ---- one of them ---------------------------------------------------------------------------- */

/* True if the elements are in the file in an order in which they can be read: as save_pt.c and
 * save_npy.c write them. */
static bool order_elements(ag_earlier_file *f, const ag_view *view, bool npy) {
  f->tensor = *f->reader->tensor;
  if (view->contiguous || npy) return true;
  if (!view->dense || f->reader->owned) return false;
  ag_tensor in_memory = view->t;
  ag_layout_sort(in_memory.ndim, in_memory.sizes, in_memory.strides);
  in_memory.data = f->reader->tensor->data;
  f->tensor = in_memory;
  return true;
}

static bool is_same_file(int a, int b) {
  struct stat x, y;
  return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Frees the key. */
static void add_candidate(ag_earlier_file *f, ag_text *key) {
  struct ag_candidate *c = &f->found[f->nfound];
  c->fd = open_kept(key, &c->data);
  ag_text_free(key);
  if (c->fd < 0) return;
  if (f->nfound && is_same_file(f->found[0].fd, c->fd))
    close(c->fd);
  else
    f->nfound++;
}

void ag_earlier_file_open(ag_earlier_file *f, ag_reader *reader, const ag_view *view, bool npy,
                          const char *place) {
  ag_text memory = {0}, argument = {0};
  *f = (ag_earlier_file){.reader = reader};
  if (!view->t.numel || !order_elements(f, view, npy)) return;
  ag_earlier_file_key(&memory, view, npy);
  make_place_key(&argument, view, npy, place);
  add_candidate(f, &memory);
  add_candidate(f, &argument);
  if (!f->nfound) return;
  f->read = malloc(AG_EARLIER_BLOCK);
  f->filed = malloc(AG_EARLIER_BLOCK);
}

static bool read_filed(const ag_earlier_file *f, const struct ag_candidate *c, int64_t first,
                       int64_t n, char *to) {
  const int64_t size = f->tensor.dtype->item_size;
  return pread(c->fd, to, (size_t)(n * size), (off_t)(c->data + first * size)) == n * size;
}

/* Closes the files that do not have the block; where none has it, they stay. */
static bool is_filed(ag_earlier_file *f, int64_t n) {
  struct ag_candidate have[2] = {{0}}, others[2] = {{0}};
  int nhave = 0, nothers = 0;
  for (int i = 0; i < f->nfound; i++) {
    const struct ag_candidate *c = &f->found[i];
    if (read_filed(f, c, f->same, n, f->filed) &&
        !memcmp(f->read, f->filed, (size_t)(n * f->tensor.dtype->item_size)))
      have[nhave++] = *c;
    else
      others[nothers++] = *c;
  }
  if (!nhave) return false;
  memcpy(f->found, have, sizeof have);
  f->nfound = nhave;
  for (int i = 0; i < nothers; i++) close(others[i].fd);
  return true;
}

bool ag_earlier_file_is_same(ag_earlier_file *f) {
  if (!f->nfound || !f->read || !f->filed) return false;
  const int64_t most = AG_EARLIER_BLOCK / f->tensor.dtype->item_size;
  while (f->same < f->tensor.numel) {
    const int64_t left = f->tensor.numel - f->same, n = left < most ? left : most;
    if (f->reader->backend->read(&f->tensor, f->same, n, f->reader->stream, f->read)) return false;
    f->block = n;
    if (!is_filed(f, n)) return false;
    f->same += n;
    f->block = 0;
  }
  return true;
}

/* Reads what was compared from the file, what was not the same from the block, and the rest from
 * where it is. */
static const char *read_again(const ag_tensor *t, int64_t first, int64_t count, void *of,
                              void *to) {
  const ag_earlier_file *f = of;
  const int64_t size = t->dtype->item_size, ends[] = {f->same, f->same + f->block, t->numel};
  char *at = to;
  for (int part = 0; part < 3 && count; part++) {
    const int64_t n = first + count <= ends[part] ? count : ends[part] - first;
    if (n <= 0) continue;
    const char *why = NULL;
    if (part == 0 && !read_filed(f, &f->found[0], first, n, at))
      why = "an earlier file cannot be read again";
    if (part == 1) memcpy(at, f->read + (first - f->same) * size, (size_t)(n * size));
    if (part == 2) why = f->reader->backend->read(t, first, n, f->reader->stream, at);
    if (why) return why;
    first += n;
    count -= n;
    at += n * size;
  }
  return NULL;
}

static const ag_backend again = {.name = "read again", .read = read_again};

ag_reader ag_earlier_file_reread(ag_earlier_file *f) {
  ag_reader r = *f->reader;
  if (!f->same && !f->block) return r;
  r.backend = &again;
  r.stream = f;
  return r;
}

/* By the descriptor: that file was compared. */
bool ag_earlier_file_link(int fd, const char *name) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (!ag_own_path_is_own(name)) {
    errno = ELOOP;
    return false;
  }
  return !linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

void ag_earlier_file_close(ag_earlier_file *f) {
  for (int i = 0; i < f->nfound; i++) close(f->found[i].fd);
  free(f->read);
  free(f->filed);
}
