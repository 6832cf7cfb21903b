/* staged.h - stores to a mapped file that may be truncated at any time. Inside the library only.
 *
 * A store to a page that the file no longer has raises SIGBUS, which a host may handle in its own
 * way. So the bytes are put together in memory of the library's own, a memfd, and the kernel copies
 * them: where the page is gone, it returns an error. It neither extends the file nor raises a
 * signal. One thread at a time uses a slot. */
#ifndef AOTIGEN_STAGED_H
#define AOTIGEN_STAGED_H

#include <stdbool.h>
#include <stddef.h>

enum {
  AG_STAGED_SLOTS = 256,
  AG_STAGED_SLOT = 1152, /* bytes that may be copied to a file; 8 divides it */
  AG_STAGED_FETCHED = 64 /* bytes that may be fetched at once */
};

/* A slot's bytes, at an address that 8 divides; NULL if there is no memory or no descriptor. They
 * stay until ag_staged_forget(). */
char *ag_staged_slot(int slot);

/* Copies n bytes at `from`, in a slot, to the mapped file. False if the file has lost the page, or
 * the host has closed the memfd: some of the bytes may have been copied. */
bool ag_staged_copy(void *to, const char *from, size_t n);

/* Compares n bytes of a mapped file with `expected`. False, too, if the file has lost the page. */
bool ag_staged_is(const char *mapped, int slot, const char *expected, size_t n);

/* In a child of fork(), where the memory is the parent's, and at the library's unloading. No slot
 * is in use. For a child it is async-signal-safe. */
void ag_staged_forget(void);

#endif
