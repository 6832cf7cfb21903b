/* limits.h - how much time, memory and disk a child process may take that parses or compiles what
 * comes from outside: the value of --limits.
 */
#ifndef GEN_LIMITS_H
#define GEN_LIMITS_H

#include <stdbool.h>

/* Of each process. 0: no limit. */
typedef struct process_limits {
  unsigned parser_seconds; /* of processor time; more for a text of more than 1 MiB */
  unsigned parser_mib;     /* of memory, beyond what it takes for the length of the text */
  unsigned cpu_seconds;    /* a compiler: of processor time */
  unsigned clock_seconds;  /* a compiler: by the clock */
  unsigned memory_mib;     /* a compiler: of address space */
  unsigned file_mib;       /* a compiler: of one file */
  unsigned processes;      /* the compilers: beyond those that the user has */
} process_limits;

/* What real packages take is a tenth of these. */
extern const process_limits limits_default;

#define LIMITS_WANTS                                                                               \
  "a comma list of parser=SECONDS, parser-memory=MIB, cpu=SECONDS, clock=SECONDS, memory=MIB, "    \
  "file=MIB and processes=N, where 0 is no limit"

/* Changes the limits that are named. False where the text is of another form; a number is at most
 * 9999999. */
bool limits_read(process_limits *l, const char *text);

#endif
