/* core_dump.h - the core dump that the driver writes of a failed device while the program goes on.
 * Inside the library only. From any thread.
 */
#ifndef AOTIGEN_CORE_DUMP_H
#define AOTIGEN_CORE_DUMP_H

#include "base/text.h"

/* Adds to the report of a device error that a launch before it may be the one, where the driver
 * writes a dump. */
void ag_core_dump_add_doubt(ag_text *t);

/* The device has failed: where the driver writes a dump (CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1), the
 * program's exit waits until it is written, 30 s at most. Else exit cuts it off, and cuda-gdb does
 * not read it. Does nothing from the second call on. */
void ag_core_dump_await_at_exit(void);

#endif
