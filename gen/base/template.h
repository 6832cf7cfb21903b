/* templates.h - the text that is inserted: files of templates/, embedded at build time, with named
 * slots @{name}.
 */
#ifndef GEN_TEMPLATES_H
#define GEN_TEMPLATES_H

#include "base/arena.h"

typedef struct template_file {
  const char *name;
  const char *text;
  unsigned size;
} template_file; /* NUL-terminated; size without it */

/* Made by the build from templates/NAME.tpl, in the order of the names. */
extern const template_file template_files[];
extern const unsigned template_files_n;

typedef struct slot {
  const char *name, *value;
} slot;

/* The text of template `name` with every slot filled, without its last newline. An unknown
 * template, an unknown slot and an unused one are faults of aotigen: they end the process with
 * status 3, for no input can cause them. */
char *template_fill(const char *name, const slot *slots, size_t n, arena *a);

/* `s` as the inside of a C string literal. */
char *template_quote(const char *s, arena *a);

#endif
