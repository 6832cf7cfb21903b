/* gpu_code.c - see gpu_code.h. Knows the ELF header of a cubin in both of its ABIs, and the header
 * of a fatbin's entry. */
#include "here/gpu_code.h"
#include <ctype.h>
#include <elf.h>
#include <string.h>

enum { OSABI_CUDA = 0x33, OSABI_CUDA_V2 = 0x41 }; /* before CUDA 12.8, and since */
enum { ACCELERATED_V1 = 0x800, ACCELERATED_V2 = 0x8, SECTIONS_MAX = 60000 };
enum {
  FATBIN_MAGIC = 0xba55ed50u,
  FATBIN_HEAD = 16,
  ENTRY_HEAD = 32,
  ENTRY_PTX = 1,
  ENTRY_ELF = 2
};
#define ENTRY_ACCELERATED 0x100000u

void gpu_code_add(gpu_codes *codes, gpu_code code, arena *a) {
  for (size_t i = 0; i < codes->n; i++) {
    const gpu_code *x = &codes->at[i];
    if (x->kind == code.kind && x->sm == code.sm && x->variant == code.variant) return;
  }
  *arena_push(a, codes) = code;
}

static bool is_sane(const gpu_code *code) { return code->sm >= 20 && code->sm < 1000; }

/* ---- an ELF file */

/* The "a" of "-arch sm_90a", as ptxas notes its command; 0 where it notes none. */
static char find_variant(const char *note, size_t n, unsigned sm) {
  static const char option[] = "-arch sm_";
  const char *at = memmem(note, n, option, sizeof option - 1), *end = note + n;
  unsigned number = 0;
  if (!at) return 0;
  for (at += sizeof option - 1; at < end && isdigit((unsigned char)*at) && number < 1000; at++)
    number = number * 10 + (unsigned)(*at - '0');
  return number == sm && at < end && (*at == 'a' || *at == 'f') ? *at : 0;
}

static char find_noted_variant(const char *at, size_t n, const Elf64_Ehdr *h, unsigned sm) {
  const unsigned count = h->e_shnum < SECTIONS_MAX ? h->e_shnum : SECTIONS_MAX;
  char variant = 0;
  for (unsigned i = 0; i < count && !variant && h->e_shentsize == sizeof(Elf64_Shdr); i++) {
    Elf64_Shdr s;
    if (h->e_shoff > n || (i + 1) * sizeof s > n - h->e_shoff) return 0;
    memcpy(&s, at + h->e_shoff + i * sizeof s, sizeof s);
    if (s.sh_type == SHT_NOTE && s.sh_offset <= n && s.sh_size <= n - s.sh_offset)
      variant = find_variant(at + s.sh_offset, s.sh_size, sm);
  }
  return variant;
}

static bool is_whole(const Elf64_Ehdr *h, size_t n) {
  const uint64_t sections = (uint64_t)h->e_shnum * h->e_shentsize,
                 segments = (uint64_t)h->e_phnum * h->e_phentsize;
  return h->e_shoff <= n && sections <= n - h->e_shoff && h->e_phoff <= n &&
         segments <= n - h->e_phoff;
}

static enum gpu_code_read read_elf(gpu_codes *codes, const char *at, size_t n, arena *a) {
  Elf64_Ehdr h;
  gpu_code code = {.kind = GPU_CODE_SASS};
  if (n < sizeof h) return GPU_CODE_DAMAGED;
  memcpy(&h, at, sizeof h);
  if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_machine != EM_CUDA) return GPU_CODE_OTHER;
  if (!is_whole(&h, n)) return GPU_CODE_DAMAGED;
  bool accelerated = false;
  if (h.e_ident[EI_OSABI] == OSABI_CUDA) {
    code.sm = h.e_flags & 0xff;
    accelerated = h.e_flags & ACCELERATED_V1;
  } else if (h.e_ident[EI_OSABI] == OSABI_CUDA_V2) {
    code.sm = h.e_flags >> 8 & 0xff;
    accelerated = h.e_flags & ACCELERATED_V2;
  }
  if (!is_sane(&code)) return GPU_CODE_DAMAGED;
  code.variant = accelerated ? 'a' : find_noted_variant(at, n, &h, code.sm);
  gpu_code_add(codes, code, a);
  return GPU_CODE_READ;
}

/* ---- a fatbin */

static uint64_t read_number(const char *at, size_t size) {
  uint64_t x = 0;
  memcpy(&x, at, size);
  return x;
}

/* An entry: kind, version, bytes of its head, bytes behind it; at 28 the version of the GPU, and at
 * 40 flags. */
static enum gpu_code_read read_fatbin(gpu_codes *codes, const char *at, size_t n, arena *a) {
  if (n < FATBIN_HEAD) return GPU_CODE_DAMAGED;
  uint64_t head = read_number(at + 6, 2), size = read_number(at + 8, 8);
  if (head < FATBIN_HEAD || head > n || size > n - head) return GPU_CODE_DAMAGED;
  for (const char *end = at + head + size, *s = at + head; s < end;) {
    const size_t left = (size_t)(end - s);
    if (left < ENTRY_HEAD + 16) return GPU_CODE_DAMAGED;
    const uint64_t kind = read_number(s, 2), its_head = read_number(s + 4, 4),
                   its_size = read_number(s + 8, 8), flags = read_number(s + 40, 8);
    gpu_code code = {.sm = (unsigned)read_number(s + 28, 4),
                     .kind = kind == ENTRY_PTX ? GPU_CODE_PTX : GPU_CODE_SASS,
                     .variant = flags & ENTRY_ACCELERATED ? 'a' : 0};
    if (its_head < ENTRY_HEAD + 16 || its_head > left || its_size > left - its_head ||
        !is_sane(&code))
      return GPU_CODE_DAMAGED;
    if (kind == ENTRY_PTX || kind == ENTRY_ELF) gpu_code_add(codes, code, a);
    s += its_head + its_size;
  }
  return GPU_CODE_READ;
}

/* ---- PTX */

static enum gpu_code_read read_ptx(gpu_codes *codes, const char *at, size_t n, arena *a) {
  static const char target[] = ".target sm_";
  gpu_code code = {.kind = GPU_CODE_PTX};
  const char *found = memmem(at, n, target, sizeof target - 1);
  if (!found) return GPU_CODE_OTHER;
  for (found += sizeof target - 1; found < at + n && isdigit((unsigned char)*found); found++) {
    code.sm = code.sm * 10 + (unsigned)(*found - '0');
    if (code.sm >= 1000) return GPU_CODE_DAMAGED;
  }
  if (found < at + n && (*found == 'a' || *found == 'f')) code.variant = *found;
  if (!is_sane(&code)) return GPU_CODE_DAMAGED;
  gpu_code_add(codes, code, a);
  return GPU_CODE_READ;
}

enum gpu_code_read gpu_code_read(gpu_codes *codes, const char *at, size_t n, arena *a) {
  if (n >= SELFMAG && !memcmp(at, ELFMAG, SELFMAG)) return read_elf(codes, at, n, a);
  if (n >= 4 && read_number(at, 4) == FATBIN_MAGIC) return read_fatbin(codes, at, n, a);
  return read_ptx(codes, at, n, a);
}

bool gpu_code_runs(const gpu_code *code, unsigned major, unsigned minor) {
  const unsigned here = major * 10 + minor;
  if (code->variant == 'a') return here == code->sm;
  if (code->variant == 'f' || code->kind == GPU_CODE_SASS)
    return major == code->sm / 10 && here >= code->sm;
  return here >= code->sm;
}

const char *gpu_code_name(const gpu_code *code, arena *a) {
  const char variant[] = {code->variant, '\0'};
  return code->kind == GPU_CODE_PTX
             ? arena_printf(a, "PTX of %u.%u%s", code->sm / 10, code->sm % 10, variant)
             : arena_printf(a, "sm_%u%s", code->sm, variant);
}
