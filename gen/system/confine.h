/* confine.h - what a child process may do: which files it may read, write and execute, by the
 * kernel's Landlock (Linux 5.13); which system calls, by seccomp; how much processor time, memory
 * and disk, by rlimits.
 *
 * Anything that is not allowed here is refused to the child and to all processes that it starts,
 * whatever the files say. The rules hold for inodes: a link is allowed if its target is.
 */
#ifndef GEN_CONFINE_H
#define GEN_CONFINE_H

#include "base/diag.h"
#include <stdint.h>

/* Bits for an allowed path: a file, or a directory with all files below it. */
enum {
  CONFINE_READ = 1,
  CONFINE_EXECUTE = 2, /* and read */
  CONFINE_WRITE = 4    /* and read, make, rename and remove */
};

/* Limits of the child, and of each process that it starts. 0: unchanged. */
typedef struct confine_limits {
  uint64_t cpu_seconds;
  uint64_t memory_bytes; /* address space */
  uint64_t data_bytes;   /* private writable memory */
  uint64_t file_bytes;   /* the size of one file */
  uint64_t processes;    /* all processes and threads of the user; the kernel does not limit root */
} confine_limits;

typedef struct confine {
  int ruleset;    /* Landlock's descriptor; -1: none */
  int outputs;    /* a second one, which only restricts writing: confine_outputs(); -1: none */
  uint64_t files; /* the kinds of file access that the first decides on: Landlock's bits */
  struct sock_filter *filter; /* NULL: all system calls may be made */
  uint16_t nfilter;
  confine_limits limits;
} confine;

/* The version of the kernel's Landlock; 0 if it has none, or if that is switched off. */
int confine_kernel_version(void);

/* Makes rules that allow no file but /dev/null, and `limits`. `alone`: the child may not start
 * processes and threads either. End them with confine_end(). False with an error in `d`. On a
 * kernel without Landlock the rules are only those of seccomp and the limits. */
bool confine_begin(confine *c, const confine_limits *limits, bool alone, arena *a, diags *d);

/* Makes rules with only `limits`. */
void confine_begin_limits(confine *c, const confine_limits *limits);

/* The data of this process, as RLIMIT_DATA counts it, to be added to confine_limits.data_bytes of a
 * forked copy. 0 if that is not known. */
uint64_t confine_own_data(void);

/* The number of processes and threads of this user, as far as /proc shows them, to be added to
 * confine_limits.processes. */
uint64_t confine_own_processes(void);

/* Adds a path to the rules. A path that does not exist is skipped. False, with errno, if the kernel
 * refuses it. */
bool confine_allow(confine *c, const char *path, unsigned access);

/* Makes rules like `from`, whose descriptors they share, that allow writing only in the directory
 * `dir`, as far as `from` allows it. End them with confine_end_outputs(), before `from`. False with
 * errno. */
bool confine_outputs(confine *c, const confine *from, const char *dir);
void confine_end_outputs(confine *c);

/* Subjects this process to the rules, for good. Async-signal-safe, for use between fork and exec.
 * False with errno. */
bool confine_enter(const confine *c);

void confine_end(confine *c);

#endif
