/* saved_file.h - a file that holds a tensor, for names that are to be links to it. Inside the
 * library only.
 *
 * It is shared by counted references. It may be handed on before it is written: the thread that
 * writes files does so in the order in which they were handed in. Any thread may call. */
#ifndef AOTIGEN_SAVED_FILE_H
#define AOTIGEN_SAVED_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

typedef struct ag_saved_file ag_saved_file;

/* One that is still to be written, with one reference; NULL if memory ran out. */
ag_saved_file *ag_saved_file_create(void);
ag_saved_file *ag_saved_file_share(ag_saved_file *f);
/* f may be NULL. */
void ag_saved_file_release(ag_saved_file *f);

/* It was written: fd is open on it. name NULL: it was not. f may be NULL. */
void ag_saved_file_set(ag_saved_file *f, const char *name, int fd);

/* False if it was not written, or was removed or changed since. */
bool ag_saved_file_may_be_linked(ag_saved_file *f);

/* A descriptor of the file for reading; -1 if it was not written, or was removed or changed
 * since. */
int ag_saved_file_open(ag_saved_file *f);

/* The same of the file of a name, which was so when it was written. More names change its ctime. */
int ag_saved_file_open_name(const char *name, const struct stat *as);

#endif
