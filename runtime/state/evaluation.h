/* evaluation.h - the state in which the launches of a run are evaluated. Inside the library only.
 *
 * The evaluation of a launch says what its scan results mean: where a bad value was born, what
 * propagated it, what is printed. It happens at once, on the run's thread; or, in an async run,
 * when the device's results have arrived. The code is the same: it reads values only through
 * ag_scan_results.
 *
 * An evaluation belongs to its run state. In an async run the holder of `eval_lock` uses it,
 * otherwise the run's thread. */
#ifndef AOTIGEN_EVALUATION_H
#define AOTIGEN_EVALUATION_H

#include "base/text.h"
#include "state/launch_record.h"
#include "tensor/reader.h"

/* Where a bad value came from. */
typedef struct ag_origin {
  enum { AG_BORN, AG_ARRIVED, AG_RECEIVED, AG_UNKNOWN } how;
  bool before;     /* for AG_UNKNOWN: a launch read it, and it is not known which one wrote it */
  uint8_t bad;     /* kinds */
  uint64_t launch; /* that it was born in or first seen at */
  uint32_t site;
  const char *name; /* the argument's, the input's or the weight's */
  int source;       /* enum ag_source; and index: to know an input or weight again */
  uint32_t index;
  uint32_t passed; /* the number of launches that propagated it */
  uint32_t surely; /* the number of those that surely did */
  bool deferred;   /* not reported yet: the report, and the event where there is a log */
  bool folded;     /* its report was not told in full: its path is not told */
  ag_text report, event;
} ag_origin;

/* A launch that propagated a bad value. */
typedef struct ag_step {
  uint64_t launch;
  uint32_t site;
  uint16_t origin, param;
  enum ag_certainty certainty;
  bool beside;    /* the step before this one is the launch's; this is another output in doubt */
  char also[128]; /* what is bad in the output, where it is perhaps of another origin; else "" */
} ag_step;

/* The origins of a run's bad values, and the path of each. */
typedef struct ag_origins {
  ag_origin *list;
  size_t count, room;
  ag_step *steps;
  size_t nsteps, steps_room;
} ag_origins;

/* What is known of bytes: those that launches of this run wrote, the model's inputs, its weights.
 */
typedef struct ag_byte_tables {
  ag_ranges written, inputs, weights;
} ag_byte_tables;

/* A zone that was reported: what was found in it is found again in each later scan. */
typedef struct ag_reported_zone {
  const aotigen_buffer *row;
  uint64_t allocated;
  bool behind, red;
} ag_reported_zone;

/* What a launch has left unwritten of a buffer that it was given to write. */
typedef struct ag_residue {
  const aotigen_buffer *row;
  uint64_t allocated, launch;
  bool failed; /* it is not known */
  ag_stats found;
} ag_residue;

/* What the arguments of a collective held before it, for the wait that completes it:
 * nan/received.c. */
typedef struct ag_collective {
  ag_launch launch;
  struct ag_collective_arg {
    bool reads, writes;
    ag_findings found; /* where `reads` */
  } * args;
  size_t nargs, room;
} ag_collective;

typedef struct ag_evaluation {
  struct ag_model_state *model;
  ag_launch launch;  /* that is evaluated, or was last */
  ag_record *record; /* the launch's */
  const struct ag_scan_results *results;
  void *source; /* the results' own: the async run */
  ag_byte_tables known;
  unsigned long long weights_generation; /* the model's generation when `known.weights` was made */
  bool knows_bad_weights;                /* `known.weights` has origins of this run */
  ag_origins origins;
  struct ag_released_buffers *released; /* this run's; NULL: it never released any */
  ag_text report;                       /* scratch */
  struct {
    ag_reported_zone *list;
    size_t count, room;
  } reported; /* of this run */
  struct {
    ag_residue *list;
    size_t count, room;
  } residues; /* of this run */
  struct {
    ag_collective *list; /* `room` of them are initialised */
    size_t count, room;
  } collectives; /* of this run */
  uint64_t
      decided; /* work that this run did to decide, by kernels' graphs, what values came from */
  struct {
    bool begun; /* a ledger has begun this run: */
    uint64_t run;
  } recorded;
  bool pattern_read; /* a launch of this run read floats that hold the pattern */
  ag_text pending;   /* a fault to throw before the outputs are handed over */
  ag_view view;      /* scratch */
} ag_evaluation;

/* The source of an evaluation's values. There are two implementations (launch/scan_results.h):
 * immediate, which reads the tensors now; and recorded, which has the results that the device was
 * asked for. */
typedef struct ag_scan_results {
  /* Scans `view`, which is the argument's own or, for a slice of a weight, the whole weight. Sets
   * in *out only what AG_WANT_BAD names. False if there is no result. */
  bool (*scan)(ag_evaluation *e, const ag_arg *a, const ag_view *view, enum ag_when when,
               ag_stats *out);
  /* Reads everything of an argument that the launch read and did not write, after it. A recorded
   * result exists only if something that the launch wrote was bad. */
  bool (*probe)(ag_evaluation *e, const ag_arg *a, ag_stats *out);
  /* Scans a weight that was taken for clean. *late: the result is current, long after the
   * launch. */
  bool (*rescan)(ag_evaluation *e, const ag_arg *a, ag_stats *out, bool *late);
  /* Reads one element; from a recorded result only the first NaN, +Inf or -Inf. */
  bool (*element)(ag_evaluation *e, const ag_arg *a, enum ag_when when, int64_t index,
                  unsigned char element[16]);
  /* Reads element `index` of an input, which belongs to `first`, the first NaN, +Inf or -Inf of an
   * output. */
  bool (*element_matching)(ag_evaluation *e, const ag_arg *a, int64_t index, const ag_stats *output,
                           int64_t first, unsigned char element[16]);
  /* Reads `size` bytes of an argument's storage, `at` bytes from its first element, after the
   * launch. *late: they are read now, and may have changed since the launch. Returns NULL, or why
   * they cannot be read. */
  const char *(*bytes)(ag_evaluation *e, const ag_arg *a, int64_t at, size_t size, void *to,
                       bool *late);
  /* What is found in a zone of the record counts as NaN (tensor/pattern.h); `element` is the first.
   * False where there is no result. */
  bool (*zone)(ag_evaluation *e, enum ag_when when, unsigned zone, ag_stats *out,
               unsigned char element[4]);
  /* Opens a reader, for the printer and for a check that needs more than scan() computes; the
   * caller closes it. In an async run it has what the scan plan requested. Returns NULL, or why
   * there is none. */
  const char *(*open)(ag_evaluation *e, const ag_arg *a, enum ag_when when, ag_reader *r);
} ag_scan_results;

/* Resets to the start of a run; what is known of weights stays. */
void ag_evaluation_clear(ag_evaluation *e);

#endif
