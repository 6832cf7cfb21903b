/* core_dump.h - the driver's core dump of a failed device, which it writes while the program goes
 * on. Inside the library only. Any thread may call. */
#ifndef AOTIGEN_CORE_DUMP_H
#define AOTIGEN_CORE_DUMP_H

#include "base/text.h"

/* Adds to the report of a device error that an earlier launch may be the cause, if the driver
 * writes a dump. */
void ag_core_dump_add_caveat(ag_text *t);

/* The device has failed: if the driver writes a dump (CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1), the
 * program's exit waits until it is written, for at most 30 s. Otherwise exit would truncate it, and
 * cuda-gdb could not read it. Does nothing from the second call on. */
void ag_core_dump_await_at_exit(void);

#endif
