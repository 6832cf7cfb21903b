/* crash_lines.h - the lines of the model's own source that the launch in flight computes, in what a
 * signal handler writes. Inside the library only.
 *
 * At a SIGABRT of a kernel with asserts they are those that look elements up by an index, where
 * these are known. Nothing here allocates or reads a file: a line's text is the table's. */
#ifndef AOTIGEN_CRASH_LINES_H
#define AOTIGEN_CRASH_LINES_H

#include "base/raw_text.h"
#include "tensor/tensor.h"

/* Adds ", model line m.py:14 (enc.0)"; of several ", one of model lines m.py:14, m.py:17 and 3
 * more". Nothing where none is known. */
void ag_crash_lines_add(ag_raw_text *t, const aotigen_site *s, int signal);

/* Adds the fields "model_lines", "lines_are_candidates" and "lines_guessed" of an event, as
 * checks/model_lines.h has them: as many lines as there is room for. */
void ag_crash_lines_add_field(ag_raw_text *t, const aotigen_site *s, int signal);

/* The lines, as bits, that the text of a graph's lines has for a key: an operation, or "!" for
 * those that look elements up. 0 if there is none. */
uint64_t ag_site_lines_find(const aotigen_site *s, const char *key);

#endif
