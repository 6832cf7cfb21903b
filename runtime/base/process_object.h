/* process_object.h - objects that are found by a name for as long as the process lives, when no
 * copy of the library is loaded meanwhile too. Inside the library only.
 *
 * The object's address is in a mapping of its own, whose name /proc/self/maps has. A child of
 * fork() has it, too; an exec() ends it. Callers take turns (copy_notes.h). */
#ifndef AOTIGEN_PROCESS_OBJECT_H
#define AOTIGEN_PROCESS_OBJECT_H

/* NULL: there is none. name: without spaces. */
void *ag_process_object_find(const char *name);
/* Without memory files, or /proc, it is not found later. The object is never freed. */
void ag_process_object_leave(const char *name, void *object);

#endif
