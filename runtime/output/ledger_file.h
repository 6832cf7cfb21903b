/* ledger_file.h - the file of a ledger (shared/ledger.h), and its ring. Inside the library only.
 *
 * The file is made when it is first asked for, in the directory that AOTIGEN_RECORD names, as
 * HOST-PROCESS.ledger. AOTIGEN_RECORD_BYTES is its size, all of which is allocated on the disk at
 * once. A child of fork() makes a file of its own. If that fails, it is warned of once, and nothing
 * is recorded. Any thread may call. */
#ifndef AOTIGEN_LEDGER_FILE_H
#define AOTIGEN_LEDGER_FILE_H

#include <stdbool.h>

#include "base/text.h"
#include "shared/ledger.h"

/* True if AOTIGEN_RECORD is set. */
bool ag_ledger_is_wanted(void);
/* The number, from 1, of the process's file: another one is another file. 0: there is none. */
unsigned ag_ledger_number(void);
/* Microseconds since the file was made. */
int64_t ag_ledger_time_us(void);

/* An entry: begin it in a text, add its struct and what follows, write it. It is written whole, or
 * counted as lost. */
void ag_ledger_begin(ag_text *entry);
void ag_ledger_write(enum ledger_kind kind, ag_text *entry);

#endif
