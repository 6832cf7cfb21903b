/* completions.h - when what a launch computes is complete. Part of the model stage.
 *
 * Most launches are complete in program order on their stream. A collective of torch's functional
 * namespaces returns at once: what it writes is there, and what it reads is free again, behind a
 * wait for the memory that it writes. A wait computes nothing: its output is its input's memory. A
 * collective and its waits name each other in `completion` of their sites. */
#ifndef GEN_COMPLETIONS_H
#define GEN_COMPLETIONS_H

#include "model/model.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Sets the kind of a site whose kernel is known, and the flags that go with it. */
void completion_begin(site *s);

/* Corrects the role of an argument that a collective or a wait is passed: its number among the
 * tensors of the call is `tensor`. Their schemas say what they write. */
void completion_settle_role(const site *s, argument *arg, size_t tensor);

/* True if the site's output number is no memory of its own, but that of its first tensor. */
bool completion_returns_input(const site *s);

/* Finds the collectives among the calls of custom ops whose names no wrapper.json has: those of
 * which torch's comment names a collective, and whose result a wait is passed. The sites have their
 * arguments and the names of the comments. */
void completions_recognise(model *m, arena *a);

/* Fills `sites` of each completion. The sites are in source order, with their arguments. */
void completions_read(model *m, arena *a);

/* A line of the list, "completion  behind wait_tensor (launch 3)"; nothing for most launches. */
void completion_print(FILE *to, const model *m, const site *s, arena *a);
/* The field "completion" of the list's JSON, likewise. */
void completion_add_json(cJSON *to, const model *m, const site *s);

#endif
