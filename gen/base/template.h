/* template.h - the text that is inserted: the files of templates/, embedded at build time, with
 * slots @{name}.
 */
#ifndef GEN_TEMPLATE_H
#define GEN_TEMPLATE_H

#include "base/arena.h"

typedef struct template_file {
  const char *name;
  const char *text;
  unsigned size;
  const char *sha256; /* in base64, of the text as template_fill() gives it where it has no slot */
} template_file;      /* `text` is NUL-terminated; `size` does not count the NUL */

/* Made by the build from templates/NAME.tpl, in the order of the names. */
extern const template_file template_files[];
extern const unsigned template_files_n;

typedef struct slot {
  const char *name, *value;
} slot;

enum { TEMPLATE_SLOTS_MAX = 32 };

/* The text of template `name` with every slot filled, without its last newline. An unknown
 * template, an unknown slot, an unused one, and more than TEMPLATE_SLOTS_MAX are bugs of aotigen,
 * whatever the input: they end the process with status 3. */
char *template_fill(const char *name, const slot *slots, size_t n, arena *a);

/* The same, added to a text. */
void template_add(strbuf *to, const char *name, const slot *slots, size_t n);

/* Of a template without slots, as a Content-Security-Policy names a script. */
const char *template_sha256(const char *name);

/* `s` as it stands between the quotes of a C string literal. */
char *template_quote(const char *s, arena *a);

#endif
