/* weights.c - see weights.h. */
#include "toolchain/weights.h"
#include "toolchain/elf_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char constants[] = "_binary_constants_bin";

/* The wrapper maps appended weights, which must begin at a multiple of this (model_base.h). */
enum { TAIL_ALIGNMENT = 0x4000 };
#define TAIL_MAX (1ull << 46) /* bytes */

/* USE_MMAP_SELF: what stands between the symbols. The magic number is also the tail's last word. */
typedef struct tail_header {
  uint64_t size, magic;
} tail_header;

enum weights_place weights_find_place(const strings *compile) {
  enum weights_place place = WEIGHTS_LINKED;
  for (size_t i = 0; i < compile->n; i++) {
    if (!strcmp(compile->at[i], "-DUSE_MMAP_SELF")) place = WEIGHTS_APPENDED;
    if (!strcmp(compile->at[i], "-DUSE_MMAP_EXTERNAL")) place = WEIGHTS_EXTERNAL;
  }
  return place;
}

/* The tail begins at the first multiple of TAIL_ALIGNMENT behind the ELF file, or later. A size
 * that no model has was not written by torch. */
static bool is_tail_cut(elf_file *f, uint64_t tail) {
  uint64_t end, need;
  if (tail > TAIL_MAX || !elf_symbols_find_end(f, &end)) return false;
  need = (end + TAIL_ALIGNMENT - 1) / TAIL_ALIGNMENT * TAIL_ALIGNMENT + tail;
  if (need <= f->size) return false;
  snprintf(f->cut, sizeof f->cut,
           "it is cut off: with the weights appended to it, it has at least %llu bytes, the last "
           "%llu of which are missing",
           (unsigned long long)need, (unsigned long long)(need - f->size));
  f->why = f->cut;
  return true;
}

static bool find_tail(elf_file *f, const elf_bytes *b, uint64_t *tail) {
  tail_header head;
  uint64_t magic;
  if (b->size < sizeof head || pread(f->fd, &head, sizeof head, (off_t)b->offset) != sizeof head) {
    f->why = "it does not say how many weights are appended to it";
    return false;
  }
  if (is_tail_cut(f, head.size)) return false;
  bool fits = head.size >= sizeof magic && head.size < f->size &&
              (f->size - head.size) % TAIL_ALIGNMENT == 0;
  if (!fits ||
      pread(f->fd, &magic, sizeof magic, (off_t)(f->size - sizeof magic)) != sizeof magic ||
      magic != head.magic) {
    f->why = "the weights appended to it are not whole";
    return false;
  }
  *tail = head.size;
  return true;
}

static bool find_weights(elf_file *f, enum weights_place place, elf_bytes *b, uint64_t *tail) {
  if (!elf_symbols_has_bytes(f, constants)) {
    f->why = "it does not define '_binary_constants_bin_start' and '_end' (it is not a model of "
             "AOTInductor, or is stripped)";
    return false;
  }
  return elf_symbols_find_bytes(f, constants, b) &&
         (place != WEIGHTS_APPENDED || f->header.e_type == ET_REL || find_tail(f, b, tail));
}

bool weights_extract(weights *w, const char *from, const char *made, enum weights_place place,
                     const char *name, arena *a, diags *d) {
  elf_file f;
  elf_bytes b;
  *w = (weights){.from = arena_strdup(a, from), .name = arena_strdup(a, name)};
  bool ok = elf_symbols_open(&f, from) && find_weights(&f, place, &b, &w->tail);
  if (!ok) {
    diag_error(d, STATUS_INPUT, name, "the weights cannot be taken from it: %s", f.why);
  } else {
    bool is_object = f.header.e_type == ET_REL;
    w->size = b.size;
    w->object = is_object ? w->from : arena_strdup(a, made);
    ok = is_object || elf_object_write(made, &b, d);
  }
  elf_symbols_close(&f);
  return ok;
}

bool weights_measure(weights *w, const char *so, enum weights_place place, const char **why,
                     arena *a) {
  elf_file f;
  elf_bytes b;
  uint64_t stated = 0;
  *w = (weights){.from = so};
  bool ok = elf_symbols_open(&f, so) && find_weights(&f, place, &b, &w->tail);
  if (ok) w->size = place == WEIGHTS_APPENDED ? w->tail : b.size;
  if (ok && place == WEIGHTS_EXTERNAL) {
    ok = b.size >= sizeof stated &&
         pread(f.fd, &stated, sizeof stated, (off_t)b.offset) == sizeof stated &&
         stated <= TAIL_MAX;
    w->size = stated;
    if (!ok) f.why = "it does not say how many weights the file beside it holds";
  }
  *why = ok ? NULL : arena_strdup(a, f.why);
  elf_symbols_close(&f);
  return ok;
}

bool weights_make_empty(weights *w, const char *made, diags *d) {
  const elf_bytes none = {.fd = -1, .name = constants};
  *w = (weights){.object = made};
  return elf_object_write(made, &none, d);
}

bool weights_check_size(const weights *w, const weights_declared *declared,
                        enum weights_place place, diags *d) {
  if (place != WEIGHTS_LINKED || (w->size <= 1 && declared->left_out) || w->size >= declared->bytes)
    return true;
  diag_error(
      d, STATUS_INPUT, w->name,
      "holds %llu bytes of weights, but the wrapper declares %llu: it belongs to another model",
      (unsigned long long)w->size, (unsigned long long)declared->bytes);
  return false;
}

bool weights_are_defined(const char *object) {
  elf_file f;
  bool defined = elf_symbols_open(&f, object) && f.header.e_type == ET_REL &&
                 elf_symbols_has_bytes(&f, constants);
  elf_symbols_close(&f);
  return defined;
}

bool weights_append(const weights *w, const char *so, diags *d) {
  struct stat st, old;
  if (!w->tail) return true;
  int from = open(w->from, O_RDONLY | O_CLOEXEC), to = open(so, O_WRONLY | O_CLOEXEC);
  bool ok = from >= 0 && to >= 0 && fstat(to, &st) == 0 && fstat(from, &old) == 0 &&
            (uint64_t)old.st_size > w->tail;
  off_t start = ok ? (st.st_size + TAIL_ALIGNMENT - 1) / TAIL_ALIGNMENT * TAIL_ALIGNMENT : 0;
  ok = ok && ftruncate(to, start) == 0 && lseek(to, start, SEEK_SET) == start &&
       elf_object_copy_bytes(from, (uint64_t)old.st_size - w->tail, to, w->tail);
  int error = errno;
  if (from >= 0) close(from);
  if (to >= 0 && close(to) != 0) ok = false;
  if (!ok)
    diag_error(d, STATUS_INPUT, w->name, "the weights appended to it cannot be copied: %s",
               strerror(error));
  return ok;
}
