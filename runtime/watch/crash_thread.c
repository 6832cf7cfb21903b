/* crash_thread.c - see crash_thread.h. A worker's first function is OpenMP's, or that of torch's
 * own library: its stack has an address of it, which no other thread's has. */
#define _GNU_SOURCE
#include "watch/crash_thread.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

enum { RANGES = 16, PAGE = 4096, STACK_MOST = 16 << 20 };

static struct { uintptr_t from, to; } ranges[RANGES];
static int nranges;

/* ---- before a crash ------------------------------------------------------------------------- */

/* own: this library's path. */
static bool is_models(const char *path, const char *own) {
  static const char *const names[] = {"libgomp", "libomp", "libiomp"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
             *end = own ? strrchr(own, '/') : NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(name, names[i], strlen(names[i]))) return true;
  return slash && end && slash - path == end - own && !strncmp(path, own, (size_t)(end - own)) &&
         !strcmp(name, "torch_model.original");
}

static int add_object(struct dl_phdr_info *object, size_t size, void *own) {
  (void)size;
  if (!object->dlpi_name || !is_models(object->dlpi_name, own)) return 0;
  for (int i = 0; i < object->dlpi_phnum && nranges < RANGES; i++) {
    const ElfW(Phdr) *h = &object->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;
    ranges[nranges].from = object->dlpi_addr + h->p_vaddr;
    ranges[nranges].to = ranges[nranges].from + h->p_memsz;
    nranges++;
  }
  return 0;
}

void ag_crash_thread_prepare(void) {
  Dl_info own;
  if (dladdr(ranges, &own)) dl_iterate_phdr(add_object, (void *)(uintptr_t)own.dli_fname);
}

/* ---- in a handler --------------------------------------------------------------------------- */

static bool is_code(uintptr_t address) {
  for (int i = 0; i < nranges; i++)
    if (address >= ranges[i].from && address < ranges[i].to) return true;
  return false;
}

/* Reads the stack page by page: where it ends is not known, and a page behind it may fault. */
static bool has_caller(uintptr_t at) {
  uintptr_t page[PAGE / sizeof(uintptr_t)];
  for (size_t read = 0; read < STACK_MOST; read += PAGE) {
    const size_t n = PAGE - at % PAGE;
    const struct iovec to = {page, n}, from = {(void *)at, n};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)n) return false;
    for (size_t i = 0; i < n / sizeof *page; i++)
      if (is_code(page[i])) return true;
    at += n;
  }
  return false;
}

bool ag_crash_thread_is_models(const ag_crash *c) {
#ifdef __x86_64__
  const ucontext_t *u = c->context;
  if (!u) return false;
  return is_code((uintptr_t)u->uc_mcontext.gregs[REG_RIP]) ||
         has_caller((uintptr_t)u->uc_mcontext.gregs[REG_RSP] & ~(uintptr_t)7);
#else
  (void)c;
  (void)has_caller;
  return false;
#endif
}
