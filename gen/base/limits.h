/* limits.h - how much time, memory and disk a child process may take that parses or compiles what
 * comes from outside: the value of --limits.
 */
#ifndef GEN_LIMITS_H
#define GEN_LIMITS_H

#include <stdbool.h>

/* 0: no limit. */
typedef struct process_limits {
  unsigned parser_seconds; /* of processor time, for each text; more if it exceeds 1 MiB */
  unsigned parser_total;   /* of processor time, for all texts of a package */
  unsigned parser_mib;     /* of memory, beyond what it takes for the length of the text */
  unsigned cpu_seconds;    /* a compiler: of processor time */
  unsigned clock_seconds;  /* a compiler: by the clock */
  unsigned memory_mib;     /* the compilers that run at once: of address space */
  unsigned file_mib;       /* a compiler: of one file */
  unsigned processes;      /* the compilers: beyond those that the user has */
  unsigned disk_mib;       /* a package: of temporary files */
  unsigned total_seconds;  /* a package: by the clock */
} process_limits;

/* The value of memory_mib: as much as the machine has. */
enum { LIMITS_OF_MACHINE = 10000000 };

/* Real packages need a tenth of these. */
extern const process_limits limits_default;

#define LIMITS_WANTS                                                                               \
  "a comma list of parser=SECONDS, parser-total=SECONDS, parser-memory=MIB, cpu=SECONDS, "         \
  "clock=SECONDS, memory=MIB, file=MIB, processes=N, disk=MIB and total=SECONDS, where 0 is no "   \
  "limit"

/* Changes the limits that are named. False where the text is of another form; a number is at most
 * 9999999. */
bool limits_read(process_limits *l, const char *text);

#endif
