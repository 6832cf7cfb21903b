/* kernel_file.c - see kernel_file.h. It reads the outlines of cubin, fatbin and PTX, and no
 * kernel. */
#define _GNU_SOURCE
#include "cuda/kernel_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/driver.h"

#ifndef EM_CUDA
#define EM_CUDA 190
#endif

/* What a fatbin begins with; `bytes` follow the header of `header_bytes`. */
typedef struct fatbin_header {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t bytes;
} fatbin_header;

#define FATBIN_MAGIC 0xba55ed50u

static const char *cut_short(const char *path, uint64_t size) {
  return ag_cuda_message("'%s' is cut short: %llu bytes", path, (unsigned long long)size);
}

/* NULL if all sections that the ELF header lists are there. */
static const char *check_cubin(int fd, const char *path, const Elf64_Ehdr *h, uint64_t size) {
  uint64_t segments = (uint64_t)h->e_phentsize * h->e_phnum;
  if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_machine != EM_CUDA)
    return ag_cuda_message("'%s' is an ELF file, but not one of CUDA", path);
  if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_phoff > size || segments > size - h->e_phoff ||
      h->e_shoff > size || h->e_shnum * sizeof(Elf64_Shdr) > size - h->e_shoff)
    return cut_short(path, size);
  for (unsigned i = 0; i < h->e_shnum; i++) {
    Elf64_Shdr s;
    if (pread(fd, &s, sizeof s, (off_t)(h->e_shoff + i * sizeof s)) != sizeof s)
      return ag_cuda_message("cannot read '%s'", path);
    if (s.sh_type != SHT_NOBITS && (s.sh_offset > size || s.sh_size > size - s.sh_offset))
      return cut_short(path, size);
  }
  return NULL;
}

static const char *check_contents(int fd, const char *path) {
  union {
    char bytes[4096];
    Elf64_Ehdr elf;
    fatbin_header fatbin;
  } head = {{0}};
  struct stat st;
  ssize_t n;
  if (fstat(fd, &st)) return ag_cuda_message("cannot read '%s': %s", path, strerror(errno));
  if (!S_ISREG(st.st_mode)) return ag_cuda_message("'%s' is not a file", path);
  n = pread(fd, head.bytes, sizeof head, 0);
  if (n < 0) return ag_cuda_message("cannot read '%s': %s", path, strerror(errno));
  if (n == 0) return ag_cuda_message("'%s' is empty", path);
  uint64_t size = (uint64_t)st.st_size;
  if (n >= (ssize_t)sizeof head.elf && !memcmp(head.bytes, ELFMAG, SELFMAG))
    return check_cubin(fd, path, &head.elf, size);
  if (n >= (ssize_t)sizeof head.fatbin && head.fatbin.magic == FATBIN_MAGIC)
    return head.fatbin.header_bytes <= size && head.fatbin.bytes <= size - head.fatbin.header_bytes
               ? NULL
               : cut_short(path, size);
  if (!memchr(head.bytes, 0, (size_t)n) && memmem(head.bytes, (size_t)n, ".version", 8))
    return NULL;
  return ag_cuda_message("'%s' holds no kernel: neither a cubin nor a fatbin nor PTX", path);
}

const char *ag_cuda_check_kernel_file(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const char *why;
  if (fd < 0) return ag_cuda_message("cannot open '%s': %s", path, strerror(errno));
  why = check_contents(fd, path);
  close(fd);
  return why;
}
