/* launch.h - one launch: which it is, and the arguments it was made with. Inside the library only.
 *
 * An ag_launch is enough to name a launch in a report. An ag_arg holds one of its arguments: what
 * the marker handed over, and, as a part of its own, what the evaluation found out about it.
 */
#ifndef AOTIGEN_LAUNCH_H
#define AOTIGEN_LAUNCH_H

#include "base/short_name.h"
#include "shared/wrapper/aotigen.h"
#include "state/ranges.h"
#include "tensor/tensor.h"

enum ag_when { AG_BEFORE, AG_AFTER };

/* Where the elements of an argument come from. */
enum ag_source { AG_FROM_NOWHERE, AG_FROM_LAUNCH, AG_FROM_INPUT, AG_FROM_WEIGHT };

/* How certain it is that a bad value of an output is one that the launch read. AG_MAY_BE_RANK: a
 * collective may have brought it from another rank. AG_MAY_BE_BEFORE: it was already uncertain
 * where it was read. */
enum ag_certainty { AG_SURE, AG_MAY_BE_OWN, AG_MAY_BE_OTHER, AG_MAY_BE_RANK, AG_MAY_BE_BEFORE };

enum { AG_LOOPS_NAMED = 3 };

#define AG_NO_SITE UINT32_MAX /* not a launch: the model's inputs */

typedef struct ag_launch {
  const aotigen_model *model;
  uint64_t run;          /* the run's number */
  uint64_t number;       /* the launch's, within its run */
  uint64_t unscanned;    /* the last launch up to this one that was not scanned; 0: none */
  uint32_t site;         /* or AG_NO_SITE */
  uint32_t replay;       /* the replay, from 1, of a captured graph; else 0 */
  uint64_t captured_run; /* the run that was captured; only where replay is not 0 */
  void *stream;          /* the device's, that it is launched on; NULL on the CPU */
  uint32_t iteration[AG_LOOPS_NAMED]; /* for the counted loops around it, the innermost first */
  uint64_t lines; /* bit i: line i of the site may be what is reported; 0: it is about all */
} ag_launch;

/* The last launches that wrote to a buffer. Launches count from 1; 0: none. */
typedef struct ag_writers {
  uint64_t written; /* that was given it to write to */
  uint64_t filled;  /* that had it as an output alone */
  uint32_t writer;  /* the site of `written` */
  uint32_t filler;  /* the site of `filled` */
} ag_writers;

/* What the evaluation found out about the values of an argument, and what it looks at. */
typedef struct ag_arg_values {
  ag_stats before, after; /* valid where `counted`, and where `asserted_after` */
  bool reads;             /* a floating-point tensor that the launch reads */
  bool asserted_after;    /* one that it writes */
  bool lazy;      /* a weight that an earlier run found clean; not scanned for this launch */
  bool counted;   /* `before` holds statistics */
  bool untouched; /* the launch may write it, and did not */
  uint8_t own;    /* the kinds in `left` that have their origin in this launch */
  uint8_t certainties[AG_KINDS]; /* for each of the others: enum ag_certainty */
  uint16_t passed[AG_KINDS];     /* and its origin */
  int source;                    /* enum ag_source, of a tensor that is read */
  uint32_t index;                /* the input's or weight's */
  ag_findings found;             /* before the launch */
  ag_findings left;              /* after it, where `asserted_after` */
} ag_arg_values;

/* A collective that writes an argument. A collective returns before it is complete: until a wait
 * for the memory has returned, the argument is AG_VIEW_PENDING. */
typedef struct ag_writing {
  uint64_t launch; /* 0: none */
  uint32_t site;
  uint16_t param; /* its argument there */
} ag_writing;

/* What the marker gave, and `values`. What each launch comes to stands together, behind the
 * statistics and before a view's dimensions: with a view of a kilobyte between, a run of GPT-2 took
 * 2 % longer. */
typedef struct ag_arg {
  ag_arg_values values;
  const aotigen_param *param;
  aotigen_value value; /* a scalar's, or the handle; never its sizes, which are the marker's */
  const char *was;     /* the name under which it was written, where that is another */
  bool declared_read;  /* by the registered schema of the op, which does not write to it */
  const ag_view *earlier,
      *later;         /* in an async run: before the launch and after it, if the two differ */
  ag_writing writing; /* of a wait: the collective that it completes */
  ag_view view;
} ag_arg;

static inline const aotigen_site *ag_launch_site(const ag_launch *l) {
  return &l->model->sites[l->site];
}

/* The name of its kernel for a report: a long one is cut. */
static inline const char *ag_site_name(const aotigen_site *s) { return ag_short_name(s->kernel); }

/* True if the proxy executor or torch's dispatcher makes the call, also of a library's operator. */
static inline bool ag_site_is_dispatched(const aotigen_site *s) {
  return s->form == AOTIGEN_PROXY || s->form == AOTIGEN_DISPATCHER;
}

/* True if it is an operator that is not torch's own. */
static inline bool ag_site_is_of_library(const aotigen_site *s) {
  return s->flags & AOTIGEN_OF_LIBRARY;
}

/* True if it is a collective: what it writes is not there yet when it returns. */
static inline bool ag_site_is_collective(const aotigen_site *s) {
  return s->flags & AOTIGEN_COLLECTIVE;
}
/* True if it waits for collectives, and computes nothing. */
static inline bool ag_site_waits(const aotigen_site *s) { return s->flags & AOTIGEN_WAITS; }

/* True if its memory exists before the run and after it: an input's or a weight's. */
static inline bool ag_param_is_given(const aotigen_param *p) {
  return p->kind == AOTIGEN_INPUT || p->kind == AOTIGEN_WEIGHT;
}

/* True if the launch surely writes to it. */
static inline bool ag_param_is_overwritten(const aotigen_param *p) {
  return p->role == AOTIGEN_OUT || p->role == AOTIGEN_INOUT;
}

/* A tensor that the call makes. */
static inline bool ag_param_is_made(const aotigen_param *p) {
  return p->expected && !(p->flags & AOTIGEN_KEEPS_MEMORY);
}

/* An argument that does not exist until the launch has run. */
static inline bool ag_arg_is_late(const ag_arg *a) { return a->param->flags & AOTIGEN_LATE; }

static inline bool ag_arg_is_written(const ag_arg *a) {
  return a->param->role != AOTIGEN_IN || ag_arg_is_late(a);
}

/* True if what the tensor holds before the launch means something. */
static inline bool ag_arg_is_set_before(const ag_arg *a) {
  return a->param->role != AOTIGEN_OUT && !(a->param->flags & (AOTIGEN_FRESH | AOTIGEN_LATE));
}

static inline bool ag_value_is_scalar(const aotigen_value *value) {
  return value->kind == AOTIGEN_V_INT || value->kind == AOTIGEN_V_UINT ||
         value->kind == AOTIGEN_V_FLOAT || value->kind == AOTIGEN_V_BOOL;
}

/* True if the launch writes the argument, or may write it. view: AG_VIEW_OK. An op may want only
 * the shape of memory that nothing wrote: the call does not output it. */
static inline bool ag_arg_may_be_written(const ag_arg *a) {
  if (a->declared_read && a->param->flags & AOTIGEN_FRESH) return false;
  return a->param->role != AOTIGEN_IN || a->param->flags & (AOTIGEN_LATE | AOTIGEN_MAYBE_WRITTEN);
}

#endif
