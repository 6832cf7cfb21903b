/* raw_text.h - text that a signal handler may put together and write.
 *
 * Nothing here allocates, takes a lock or uses stdio. What does not fit is omitted. One thread uses
 * a text. */
#ifndef AOTIGEN_RAW_TEXT_H
#define AOTIGEN_RAW_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { AG_RAW_MOST = 2048 };

/* A zeroed `length` is an empty text. */
typedef struct ag_raw_text {
  size_t length;
  char bytes[AG_RAW_MOST];
} ag_raw_text;

void ag_raw_add(ag_raw_text *t, const char *s);
/* At most `most` bytes of s, the cut marked by "..."; NULL is empty. */
void ag_raw_add_some(ag_raw_text *t, const char *s, size_t most);
/* At most `most` bytes; for a longer path "..." and its end, the file's name. NULL is empty. */
void ag_raw_add_path(ag_raw_text *t, const char *s, size_t most);
void ag_raw_add_number(ag_raw_text *t, int64_t x);
void ag_raw_add_hex(ag_raw_text *t, uint64_t x);

/* A comma, a field's name and a value of JSON. A byte that JSON would escape becomes '?'. */
void ag_raw_add_string_field(ag_raw_text *t, const char *field, const char *s, size_t most);
void ag_raw_add_path_field(ag_raw_text *t, const char *field, const char *s, size_t most);
void ag_raw_add_number_field(ag_raw_text *t, const char *field, int64_t x);

/* The byte that replaces `c` in a JSON string that is never escaped. */
char ag_raw_json_byte(char c);

/* Writes the text to a descriptor, waiting at most a second for room. No signal that the write
 * raises reaches the host. Preserves errno. */
void ag_raw_write(int fd, const ag_raw_text *t);

#endif
