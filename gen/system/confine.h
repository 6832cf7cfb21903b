/* confine.h - what a child process may do: which files it may read, write and execute, by the
 * kernel's Landlock (Linux 5.13); which system calls, by seccomp; how much processor time, memory
 * and disk, by rlimits.
 *
 * What is not allowed here is refused to the child and to all that it starts, whatever the files
 * say. The rules hold for inodes: a link is allowed where its target is.
 */
#ifndef GEN_CONFINE_H
#define GEN_CONFINE_H

#include "base/diag.h"
#include <stdint.h>

/* Bits of an allowed path: a file, or a directory with all below it. */
enum {
  CONFINE_READ = 1,
  CONFINE_EXECUTE = 2, /* and read */
  CONFINE_WRITE = 4    /* and read, make, rename and remove */
};

/* Of the child, and of each process that it starts. 0: as it is. */
typedef struct confine_limits {
  uint64_t cpu_seconds;
  uint64_t memory_bytes; /* address space */
  uint64_t data_bytes;   /* of it, what is private and can be written to */
  uint64_t file_bytes;   /* of one file */
  uint64_t processes;    /* of the user, those of other programs and their threads included; the
                            kernel does not hold root to it */
} confine_limits;

typedef struct confine {
  int ruleset;    /* Landlock's descriptor; -1: none */
  int outputs;    /* a second one, which decides on writing alone: confine_outputs(); -1: none */
  uint64_t files; /* what of a file's access the first decides: Landlock's bits */
  struct sock_filter *filter; /* NULL: all system calls may be made */
  uint16_t nfilter;
  confine_limits limits;
} confine;

/* The version of the kernel's Landlock; 0 where it has none, or where it is switched off. */
int confine_kernel_version(void);

/* Makes rules that allow no file but /dev/null, and `limits`. `alone`: nor may it start processes
 * and threads. End them with confine_end(). False with an error in `d`. Where the kernel has no
 * Landlock the rules hold seccomp's part and the limits alone. */
bool confine_begin(confine *c, const confine_limits *limits, bool alone, arena *a, diags *d);

/* Makes rules that hold nothing but `limits`. */
void confine_begin_limits(confine *c, const confine_limits *limits);

/* How much data, as a limit counts it, this process has: to be added to confine_limits.data_bytes
 * of a copy of it. 0 where that is not known. */
uint64_t confine_own_data(void);

/* How many processes and threads this user has, as far as /proc shows them: to be added to
 * confine_limits.processes. */
uint64_t confine_own_processes(void);

/* Adds a path to the rules. One that does not exist is left out. False with errno where the kernel
 * refuses it. */
bool confine_allow(confine *c, const char *path, unsigned access);

/* Makes of the rules `from`, which it shares, rules that allow writing in the directory `dir`
 * alone, as far as `from` allows it. End them with confine_end_outputs(), before `from`. False with
 * errno. */
bool confine_outputs(confine *c, const confine *from, const char *dir);
void confine_end_outputs(confine *c);

/* Subjects this process to the rules, for good. Async-signal-safe, for use between fork and exec.
 * False with errno. */
bool confine_enter(const confine *c);

void confine_end(confine *c);

#endif
