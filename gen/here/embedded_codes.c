/* embedded_codes.c - see here_rows.h. */
#include "here/here_rows.h"
#include "base/file.h"
#include "base/string_map.h"
#include "toolchain/elf_file.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MAX = 20000, KERNEL_MAX = 64 << 20 };

typedef struct named_bytes {
  const char *name;
  elf_pair pair;
} named_bytes;

typedef struct found {
  arena *a;
  arena_list(named_bytes) list;
  string_map *index;
} found;

static size_t add_name(found *x, const char *name, size_t n) {
  const char *copy = arena_strndup(x->a, name, n);
  size_t i = string_map_index(x->index, copy);
  if (i != STRING_MAP_NONE) return i;
  string_map_put_index(x->index, copy, x->list.n);
  *arena_push(x->a, &x->list) = (named_bytes){.name = copy};
  return x->list.n - 1;
}

static void visit(const char *name, const GElf_Sym *symbol, void *data) {
  static const char *const ends[] = {"_start", "_end"};
  found *x = data;
  if (symbol->st_shndx == SHN_UNDEF || x->list.n >= NAMES_MAX) return;
  for (int i = 0; i < 2; i++) {
    if (!file_ends_with(name, ends[i])) continue;
    size_t k = add_name(x, name, strlen(name) - strlen(ends[i]));
    elf_pair_add(&x->list.at[k].pair, symbol, i == 1);
  }
}

/* `left`: the bytes that further kernels may have; those of a sound file do not overlap. */
static void read_one(gpu_kernels *kernels, elf_file *f, const named_bytes *x, uint64_t *left,
                     arena *a) {
  elf_bytes b;
  gpu_kernel k = {.name = x->name};
  if (!elf_symbols_read_bytes(f, x->name, &x->pair, &b) || b.size < 16 || b.size > KERNEL_MAX ||
      b.size > *left)
    return;
  *left -= b.size;
  char *bytes = malloc(b.size);
  if (bytes && pread(f->fd, bytes, b.size, (off_t)b.offset) == (ssize_t)b.size) {
    k.read = gpu_code_read(&k.codes, bytes, b.size, a);
    if (k.read != GPU_CODE_OTHER) *arena_push(a, kernels) = k;
  }
  free(bytes);
}

void embedded_codes_read(gpu_kernels *kernels, const char *so, arena *a) {
  found x = {.a = a, .index = string_map_create(a)};
  elf_file f;
  if (elf_symbols_open(&f, so)) {
    uint64_t left = f.size;
    elf_symbols_visit(&f, visit, &x);
    for (size_t i = 0; i < x.list.n; i++)
      if (strcmp(x.list.at[i].name, "_binary_constants_bin") != 0)
        read_one(kernels, &f, &x.list.at[i], &left, a);
  }
  elf_symbols_close(&f);
}
