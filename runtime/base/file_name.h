/* file_name.h - the names of files that a variable of the environment gives. Inside the library
 * only. */
#ifndef AOTIGEN_FILE_NAME_H
#define AOTIGEN_FILE_NAME_H

/* Replaces %h by the name of the host, %p by the process id, %r by the rank and %% by %. Any other
 * % stays, and is warned of on stderr as one of that variable. rank: NULL: 0. Neither host nor rank
 * names another directory. The caller frees the result. */
char *ag_file_name_expand(const char *variable, const char *s, const char *rank);

#endif
