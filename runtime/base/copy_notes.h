/* copy_notes.h - objects by which the copies of the library in this process find each other. Inside
 * the library only.
 *
 * Each model's shared object has a copy of its own, with all symbols hidden. An object that others
 * are to find has an ELF note, whose contents are its distance from them. */
#ifndef AOTIGEN_COPY_NOTES_H
#define AOTIGEN_COPY_NOTES_H

#include <stdint.h>

enum { AG_NOTE_COPY = 1, AG_NOTE_COUNTS = 2 };

/* The note of the type, in text, of an object of the file that this stands in, which is not
 * static. */
#define AG_COPY_NOTE(section, type, object)                                                        \
  __asm__(".pushsection " section ",\"a\",%note\n"                                                 \
          ".balign 4\n"                                                                            \
          ".long 8, 8, " #type "\n"                                                                \
          ".asciz \"aotigen\"\n"                                                                   \
          "1: .quad " #object " - 1b\n"                                                            \
          ".popsection\n")

/* Calls `take` with each such object, this copy's own among them, and then `use`: while no other
 * copy is loaded, unloaded, or in this function. */
void ag_copy_notes_visit(uint32_t type, void (*take)(void *object, void *data),
                         void (*use)(void *data), void *data);

#endif
