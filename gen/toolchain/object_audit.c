/* object_audit.c - see include_audit.h. Knows how GCC names sections of its link-time compiler. */
#include "toolchain/include_audit.h"
#include "system/budget.h"
#include "toolchain/elf_file.h"
#include <string.h>

/* What torch's sources become: 4 to 10 times their size, and some MiB of templates. */
enum { TIMES_TEXT = 64, MORE = 128 << 20 };

static bool is_lto_section(const char *name) {
  static const char *const prefixes[] = {".gnu.lto", ".gnu.debuglto"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (text_begins(name, prefixes[i])) return true;
  return false;
}

/* False also where a section's name cannot be read. */
static bool has_plain_sections(const elf_file *f) {
  for (size_t i = 0; i < f->contents.sections.n; i++) {
    const elf_section *x = &f->contents.sections.at[i];
    if (!x->named || is_lto_section(x->name)) return false;
  }
  return f->contents.sections.n > 0;
}

bool object_audit_check(const char *object, const char *name, diags *d) {
  elf_file f;
  bool ok = elf_symbols_open_parts(&f, object, ELF_LINKS) && has_plain_sections(&f);
  elf_symbols_close(&f);
  if (!ok && !budget_report(name, d)) /* what ends the compilers ends the reader, too */
    diag_error(d, STATUS_INPUT, name,
               "compiles to an object that has more for the linker than code and data: it is not "
               "linked");
  return ok;
}

bool object_audit_check_size(uint64_t made, uint64_t of, uint64_t copied, const char *name,
                             diags *d) {
  if (made <= TIMES_TEXT * of + MORE + copied) return true;
  diag_error(d, STATUS_INPUT, name,
             "compiles to an object of %llu MiB, more than %d times the size of the source and %d "
             "MiB: torch emits no such source, and it is not linked",
             (unsigned long long)(made >> 20), TIMES_TEXT, MORE >> 20);
  return false;
}
