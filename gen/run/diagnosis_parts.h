/* diagnosis_parts.h - the parts of a diagnosis: diagnosis.c alone decides and joins them. */
#ifndef GEN_DIAGNOSIS_PARTS_H
#define GEN_DIAGNOSIS_PARTS_H

#include "run/diagnosis.h"
#include "run/screen.h"

/* " in run 1, launch 3: KERNEL", as far as it is known. */
const char *diagnosis_place(const event *x, arena *a);

/* ---- the part of a diagnosis about an Inf and the NaN that a launch made of it */

/* True of an event about an Inf. */
bool infinity_report_is(const event *x);

/* True if the Inf that the NaN of the event may have been made of is told. */
bool infinity_report_has_suspect(const evidence *e, const event *x);

/* Of an Inf, prints the NaN; of a NaN, the Inf that it may have been made of. */
void infinity_report_say(screen *s, const evidence *e, const event *x);

/* ---- the part of a diagnosis about a signal during a run: where the run was, and
 * whether the run's own thread got the signal */

/* "SIGSEGV in run 1, launch 3: KERNEL". */
const char *signal_report_what(const event *x, arena *a);

/* The evidence for and against the launch as the cause. */
const char *signal_report_why(const event *x);

/* ---- the report of a GPU's error if the driver wrote a core dump, or was to write
 * one. The dump names the kernel, its block, thread and line; the models' lists have the kernel's
 * launches. */

/* True if the event may belong to a later launch: while the driver writes a core dump, launches
 * behind the one that failed end. */
bool device_report_is_late(const evidence *e, const event *x);

/* Prints what happened, and where, for such an event. */
void device_report_say_late(screen *s, const evidence *e, const event *x);

/* Prints what the dump has. alone: no event has the error. */
void device_report_say_core(screen *s, const evidence *e, bool alone);

/* The reason for the report of such an event, or of a dump alone. */
const char *device_report_explain_late(const evidence *e);
const char *device_report_explain_alone(const evidence *e, arena *a);

/* True if the dump determines the launch. */
bool device_report_knows_launch(const evidence *e, const event *x, arena *a);

/* ---- a bad value that a collective brought from one rank to another, where the logs of both were
 * read */

/* Whose input of the collective held what came with it. */
const char *ranks_report_explain(const evidence *e, const event *x, arena *a);

/* Prints to which rank the verdict's value came. */
void ranks_report_say(screen *s, const evidence *e, const verdict *v);

/* ---- what a diagnosis tells apart from its cause: other findings, in which process, how
 * far each model came, and what the program did with the packages */

void summary_say_counts(screen *s, const evidence *e, const verdict *v);
void summary_say_process(screen *s, const evidence *e, const verdict *v);
void summary_say_runs(screen *s, const evidence *e);
void summary_say_models(screen *s, const evidence *e);

/* ---- the part of a diagnosis about an argument or an input: its names, what was expected
 * and found */

void argument_report_say(screen *s, const event *x);

/* "; the model was not compiled for what run 2 was given: ..." of an event that a run's inputs
 * may explain, else "". */
const char *argument_report_explain(const evidence *e, const event *x, arena *a);

/* ---- what the static check of the packages (static_check.h) adds to a diagnosis */

/* True if it refutes a launch of a package. */
bool static_report_is_refuted(const evidence *e);

/* Prints the refutation of a launch: of the verdict's, where that is refuted. */
void static_report_say_refuted(screen *s, const evidence *e, const verdict *v);

/* The launches that may have overwritten memory. */
typedef struct static_suspects {
  const char *proved;      /* "1, 3": they store only to their own memory; NULL: none */
  const char *left;        /* the others */
  size_t n;                /* the number of the others */
  long long launch;        /* the last of the others */
  const static_site *only; /* if there is no more than one, and something is known of its site */
} static_suspects;

/* Takes from the launches of the event those that cannot have overwritten memory. False if that
 * tells nothing. */
bool static_report_narrow(static_suspects *found, const evidence *e, const event *x, arena *a);

/* ", by launch 2: KERNEL", or ", by one of launches 1 to 2", of such an event. */
const char *static_report_name_writers(const evidence *e, const event *x, arena *a);

/* "; 'aotigen check' proves that ...", or "" if it tells nothing. */
const char *static_report_explain(const evidence *e, const event *x, arena *a);

/* Prints what neither the run nor the check looked at, where nothing was found. */
void static_report_say_unsought(screen *s, const evidence *e);

/* ---- the byte with which the program's malloc() fills memory, which tells a computed
 * value from one that was there before */

/* True if memory filled so holds numbers, in each type. set: MALLOC_PERTURB_, as glibc reads it,
 * or NULL. */
bool malloc_fill_is_finite(const char *set);

/* ---- what to try next: a table by cause */

/* Adds two pieces of advice at most, each a sentence and a command to type. */
void advice_add(screen *s, const evidence *e, const verdict *v);

/* Adds a word as a shell reads it, behind a blank if it is not the first. */
void advice_add_word(strbuf *t, const char *word, arena *a);

#endif
