/* file_write.h - whole writes to a descriptor, and directories.
 *
 * The functions return NULL, or why it failed, in words that stay valid until the thread's next
 * call. No signal that a write raises (SIGPIPE if nobody reads the pipe) reaches the host. Any
 * thread may call; nothing here takes a lock. */
#ifndef AOTIGEN_FILE_WRITE_H
#define AOTIGEN_FILE_WRITE_H

#include <stddef.h>
#include <stdint.h>

/* Writes all n bytes. Waits for a descriptor that would block, at most a second each time. */
const char *ag_file_write(int fd, const void *bytes, size_t n);

/* The same at `offset`, in bytes from the start of a file. */
const char *ag_file_write_at(int fd, const void *bytes, size_t n, int64_t offset);

/* Between these two, ag_file_write() takes the limit of a file's size, which each write of this
 * thread else asks for, to be what it is at the first. */
void ag_file_write_begin_many(void);
void ag_file_write_end_many(void);

/* Makes a directory and all missing ones above it, but none through another user's link
 * (base/own_path.h). Reports no failure: opening a file there will fail. */
void ag_file_make_directories(const char *path);

#endif
