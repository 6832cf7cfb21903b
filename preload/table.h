/* table.h - the packages of one `aotigen run`, and the notes of what this process did with them.
 *
 * AOTIGEN_OPEN has the line "NOTES", and "DEVICE INODE SIZE SECONDS NANOSECONDS PATH" for each
 * package: the package as it was when its debug package was made, and the debug package. NOTES is
 * a directory. Its link "pN" leads to package N. Each action is noted once per process, as a link
 * in it that leads nowhere, named by a letter and the package's number: a link needs no descriptor,
 * and raises no signal, as a write can.
 *
 * No function allocates, and none changes errno but where it says so.
 */
#ifndef PRELOAD_TABLE_H
#define PRELOAD_TABLE_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* The actions that are noted, in the order of their letters "orwcmdf": the debug package was opened
 * in the package's place; the package was read as any file is; written to; had changed; had no
 * debug package any more; a debug model was loaded in the place of the package's '.so'; one could
 * not be written. */
enum action { OPENED, READ, WRITTEN, CHANGED, MISSING, LOADED, FAILED, ACTIONS };

typedef struct model {
  unsigned long long device, inode, size, seconds, nanoseconds;
  const char *debug;
  atomic_flag noted[ACTIONS];
} model;

/* Reads AOTIGEN_OPEN. Called once, before any other function here does more than find nothing. */
void table_read(void);

/* Makes an empty table of it: all files are as they are. */
void table_clear(void);

/* The number of packages. */
int table_models(void);
model *table_model(int i);
int table_number(const model *m);

/* The package of this device and inode, or NULL. */
model *table_find(const struct stat *s);

/* True if the package is as it was when its debug package was made. */
bool table_is_unchanged(const model *m, const struct stat *s);

/* "NOTES/NAME" in `to`; false if that is too long. */
bool table_path(char to[PATH_MAX], const char *name);

/* If a note cannot be made, the next call tries again. */
void table_note(model *m, enum action what);

/* ---- system calls, past the functions of their names, which are replaced, or differ between C
 * libraries. They set errno. */

int table_status(int fd, struct stat *s);
int table_status_of(const char *path, struct stat *s);
int table_open(const char *path, int flags);

#endif
