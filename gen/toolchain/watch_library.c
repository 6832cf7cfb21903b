/* watch_library.c - see watch_library.h. The library is aotigen's own, and read as any file is. */
#include "toolchain/watch_library.h"
#include "base/file.h"
#include <elf.h>
#include <string.h>

enum { LIBRARY_MAX = 16 << 20 };

static const char name[] = "libaotigen-watch.so";

const char *watch_library_find(arena *a) {
  static const char *const places[] = {"", "../lib/aotigen/"};
  const char *home = file_program_dir(a);
  for (size_t i = 0; home && i < sizeof places / sizeof *places; i++) {
    const char *path = arena_printf(a, "%s/%s%s", home, places[i], name);
    if (file_is_file(path)) return path;
  }
  return NULL;
}

/* True if n elements of a size lie in the library. */
static bool holds(const watch_library *l, uint64_t offset, uint64_t n, uint64_t size) {
  return offset <= l->n && n <= (l->n - offset) / size;
}

static void read_entries(watch_library *l, const Elf64_Shdr *symbols, const Elf64_Shdr *names,
                         arena *a) {
  Elf64_Sym s;
  const uint64_t n = symbols->sh_size / sizeof s;
  if (!holds(l, symbols->sh_offset, n, sizeof s) || !holds(l, names->sh_offset, names->sh_size, 1))
    return;
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t at = symbols->sh_offset + i * sizeof s;
    memcpy(&s, l->bytes + at, sizeof s);
    const char *text = l->bytes + names->sh_offset + s.st_name;
    if (s.st_shndx == SHN_UNDEF || s.st_name >= names->sh_size ||
        !memchr(text, '\0', names->sh_size - s.st_name) || !text_begins(text, WATCH_ENTRIES))
      continue;
    *arena_push(a, &l->entries) = (watch_entry){text, (size_t)at};
  }
}

static void read_symbols(watch_library *l, arena *a) {
  Elf64_Ehdr h;
  Elf64_Shdr section, names;
  if (!holds(l, 0, 1, sizeof h)) return;
  memcpy(&h, l->bytes, sizeof h);
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || !holds(l, h.e_shoff, h.e_shnum, sizeof section))
    return;
  for (size_t i = 0; i < h.e_shnum; i++) {
    memcpy(&section, l->bytes + h.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= h.e_shnum) continue;
    memcpy(&names, l->bytes + h.e_shoff + section.sh_link * sizeof names, sizeof names);
    read_entries(l, &section, &names, a);
  }
}

bool watch_library_read(watch_library *l, arena *a, diags *d) {
  strbuf t = {0};
  *l = (watch_library){.path = watch_library_find(a)};
  if (!l->path) {
    diag_error(d, STATUS_INPUT, NULL,
               "'%s', which watches models, was found neither beside the program nor in its "
               "'../lib/aotigen': aotigen is not installed completely",
               name);
    return false;
  }
  if (file_read(l->path, LIBRARY_MAX, &t)) {
    l->n = t.n;
    l->bytes = memcpy(arena_alloc(a, t.n + 1), t.at, t.n);
    read_symbols(l, a);
  }
  strbuf_free(&t);
  if (l->entries.n) return true;
  diag_error(d, STATUS_INPUT, l->path,
             "is not aotigen's library that watches models: install "
             "aotigen again");
  return false;
}

bool watch_library_has(const watch_library *l, const char *entry) {
  for (size_t i = 0; i < l->entries.n; i++)
    if (!strcmp(l->entries.at[i].name, entry)) return true;
  return false;
}

/* dlsym() passes over a symbol without a value. */
void watch_library_copy(const watch_library *l, const strings *entries, char *to) {
  memcpy(to, l->bytes, l->n);
  for (size_t i = 0; i < l->entries.n; i++)
    if (!strings_has(entries, l->entries.at[i].name))
      memset(to + l->entries.at[i].at + offsetof(Elf64_Sym, st_value), 0, sizeof(Elf64_Addr));
}
