/* answer.h - what came out, as gen/replay/host.c reads it: one JSON object. */
#ifndef HOST_ANSWER_H
#define HOST_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An output of the first run beside the capsule's. */
typedef struct answer_output {
  bool equal;
  const char *skipped; /* why it is not compared, or NULL */
  char why[1600];      /* what differs in shape or dtype; "" for none */
  int64_t index[64];   /* of the first other element */
  int64_t ndim, count, numel;
  char now[96], kept[96]; /* its values */
} answer_output;

typedef struct answer {
  char *refused, *failed; /* NULL for none */
  char torch[48];         /* "2.11.0"; "": it is not told */
  long long runs, alike, as_kept;
  answer_output *outputs; /* of the first run */
  size_t noutputs;
} answer;

__attribute__((format(printf, 2, 3))) void answer_refuse(answer *to, const char *format, ...);
__attribute__((format(printf, 2, 3))) void answer_fail(answer *to, const char *format, ...);

/* Writes it whole, or not at all. False with errno. */
bool answer_write(const answer *from, const char *path);

#endif
