/* rewritten.h - what the child process that parses a wrapper made of it: the text, and the few
 * numbers that its parent goes on with. The parent trusts none of it.
 */
#ifndef GEN_STAGES_REWRITTEN_H
#define GEN_STAGES_REWRITTEN_H

#include "emit/emit.h"
#include "model/weights_declared.h"
#include <stdint.h>
#include <stdio.h>

typedef struct rewritten {
  const char *text; /* instrumented, NUL-terminated; empty where only something is printed */
  size_t n;
  const edits *edits; /* in the child: what makes `text` the instrumented one, or NULL */
  size_t sites;
  unsigned counts[FORMS], left_alone; /* as in a plan */
  weights_declared weights;
  size_t refuted;  /* accesses that a check refuted */
  bool pch_failed; /* the precompiled headers could not be used */
} rewritten;

/* A stream to what the parent prints: fclose() ends it, before rewritten_put(). Nothing of it is
 * kept in this process. */
FILE *rewritten_open_printed(FILE *to);

/* Writes it, and the messages in `d`. */
void rewritten_put(const rewritten *w, const diags *d, FILE *to);

/* The state while such an answer is read; all 0 at first. */
typedef struct rewritten_reader {
  const char *dir; /* the caller's: where a file is made for what is to be printed */
  FILE *printed;   /* it; NULL where nothing is to be printed */
  bool printed_ends;
  char head[sizeof(uint64_t)]; /* the length of a part of what is printed */
  size_t head_n;
  uint64_t left; /* the bytes of that part still to come */
  strbuf rest;
} rewritten_reader;

/* Takes the next n bytes (process.h): false with errno where the file cannot be written. */
bool rewritten_read(void *reader, const char *at, size_t n);
void rewritten_reader_free(rewritten_reader *reader);

/* Reads what rewritten_put() wrote; the messages go to `d`. False where it is of another form. */
bool rewritten_take(rewritten *w, const rewritten_reader *from, arena *a, diags *d);

#endif
