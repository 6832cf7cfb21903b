/* here_torch.c - see here_rows.h. */
#include "toolchain/elf_file.h"
#include "here/here_rows.h"
#include <string.h>

static void add_version(here_model *m) {
  here_row row = {.what = "torch", .needs = m->emitted};
  if (m->torch)
    row.has =
        arena_printf(m->a, "%s in '%s'", m->torch_version ? m->torch_version : "one", m->torch);
  if (!m->torch) {
    row.fits = FITS_UNKNOWN;
    row.cure = "none was found: install torch, or name the one that the program uses with "
               "--torch=DIR";
  } else if (!m->emitted || !m->torch_version) {
    row.fits = FITS_UNKNOWN;
    row.cure = m->emitted ? NULL : "the wrapper does not tell its version: the rows below do";
  } else if (m->mismatch) {
    row.fits = FITS_UNKNOWN;
    row.cure = arena_printf(m->a,
                            "another version may load it where it has all functions below; safe is "
                            "torch %s, or to compile it again",
                            m->emitted);
  }
  here_table_add(m->t, row);
}

/* ---- the ABI of std::string */

typedef struct abi {
  bool other, with_new; /* torch's own functions; some take the new std::string */
} abi;

static void visit_symbol(const char *name, const GElf_Sym *symbol, void *data) {
  abi *x = data;
  if (symbol->st_shndx == SHN_UNDEF || !strstr(name, "3c10")) return;
  x->other = true;
  x->with_new = x->with_new || strstr(name, "__cxx11");
}

static abi read_abi(const char *path) {
  abi x = {false, false};
  elf_file f;
  if (elf_symbols_open_parts(&f, path, ELF_DYNAMIC))
    elf_symbols_visit_dynamic(&f, visit_symbol, &x);
  elf_symbols_close(&f);
  return x;
}

/* '0' or '1' of the recorded flag; 0 if there is none. */
static char find_recorded(const here_model *m) {
  static const char flag[] = "-D_GLIBCXX_USE_CXX11_ABI=";
  char value = 0;
  for (size_t i = 0; i < m->words.n; i++)
    if (!strncmp(m->words.at[i], flag, sizeof flag - 1)) value = m->words.at[i][sizeof flag - 1];
  return value == '0' || value == '1' ? value : 0;
}

static void add_abi(here_model *m) {
  const char needs = find_recorded(m);
  const char *c10 = m->torch ? arena_printf(m->a, "%s/lib/libc10.so", m->torch) : NULL;
  const abi x = c10 ? read_abi(c10) : (abi){false, false};
  if (!needs) return;
  here_row row = {.what = "C++ ABI",
                  .needs = needs == '1' ? "_GLIBCXX_USE_CXX11_ABI=1" : "_GLIBCXX_USE_CXX11_ABI=0"};
  if (x.other) row.has = x.with_new ? "_GLIBCXX_USE_CXX11_ABI=1" : "_GLIBCXX_USE_CXX11_ABI=0";
  if (!row.has) {
    row.fits = FITS_UNKNOWN;
  } else if (strcmp(row.needs, row.has) != 0) {
    row.fits = FITS_UNKNOWN;
    row.cure = "torch's functions that a model calls are C's, and take no std::string; where a run "
               "fails, compile it again with this torch";
  }
  here_table_add(m->t, row);
}

void here_add_torch(here_model *m) {
  add_version(m);
  add_abi(m);
}
