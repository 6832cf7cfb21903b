/* ranges.h - what is known of the bytes that launches wrote: the last writer, and what was found in
 * them.
 *
 * A buffer is known by its device and byte range, not by a name: the wrapper renames, moves and
 * views its buffers. Ranges in one ag_ranges are sorted and disjoint; a write replaces what it
 * covers. Nothing here reads memory or reports. Not for two threads at once. If memory runs out, a
 * range is forgotten, which only costs a second scan. */
#ifndef AOTIGEN_RANGES_H
#define AOTIGEN_RANGES_H

#include "shared/bad.h"
#include "tensor/tensor.h"

/* The slots for enum ag_bad: NaN and Inf (of either sign) have separate origins. */
enum { AG_NAN_ORIGIN, AG_INF_ORIGIN, AG_ORIGINS };
#define AG_NO_ORIGIN UINT16_MAX

static inline int ag_origin_slot(unsigned kinds) {
  return kinds & AG_NAN ? AG_NAN_ORIGIN : AG_INF_ORIGIN;
}

/* The index of a kind, from 0. */
enum { AG_KINDS = 3 };
static inline int ag_kind_index(unsigned kind) { return (int)kind >> 1; }

/* What was found in elements. */
typedef struct ag_findings {
  uint8_t scanned;             /* 1: the rest is what they hold; 0: it is what they may hold */
  uint8_t bad;                 /* enum ag_bad */
  uint8_t intended;            /* the kinds that are intended */
  uint8_t uncertain;           /* the bad kinds that may be of another origin */
  uint16_t origin[AG_ORIGINS]; /* the origins of the bad kinds; AG_NO_ORIGIN */
  uintptr_t first_address[AG_ORIGINS]; /* the addresses of the first bad elements; 0: not known */
  uint8_t unchecked;                   /* the kinds that are present and not checked */
  uint8_t mixed; /* the bad kinds of which an element but the first may be of another origin */
} ag_findings;

/* What is known before a scan, and after a scan that found nothing. */
static const ag_findings ag_unscanned = {0, 0, 0, 0, {AG_NO_ORIGIN, AG_NO_ORIGIN}, {0, 0}, 0, 0},
                         ag_found_clean = {1, 0, 0, 0, {AG_NO_ORIGIN, AG_NO_ORIGIN}, {0, 0}, 0, 0};

typedef struct ag_range {
  uintptr_t begin, end;
  int32_t device_type, device_index;
  const ag_dtype *dtype;
  uint64_t launch; /* that wrote it last; 0: before the run */
  uint64_t seen;   /* the findings hold up to this launch: a later one, which was not scanned, may
                      have written the bytes */
  uint32_t site;   /* that launch's; for inputs and weights, their index */
  uint16_t param;  /* the launch's; for inputs and weights: 1 if their elements have no gaps */
  ag_findings found;
  bool assumed; /* a scan plan assumes it to be clean: until that is evaluated, a launch that reads
                   any of it has it scanned again */
  bool patched; /* not all of it was written at once: the findings may be those of another part */
} ag_range;

typedef struct ag_ranges {
  ag_range *list;
  size_t count, capacity;
} ag_ranges;

/* What is known of the bytes of a view, taken together. */
typedef struct ag_known {
  bool any;     /* some of it was written */
  bool covered; /* all of it was */
  ag_range *
      exact; /* the one range that is just this tensor, with its type; valid until the next write */
  const ag_range *last; /* the range among those written last */
  bool assumed;         /* a range among them is */
  uint64_t seen;        /* the least of theirs */
  ag_findings
      found; /* scanned only where all of it was, as elements of this type; bad where any is */
} ag_known;

/* If memory runs out, `to` is empty. */
void ag_ranges_copy(ag_ranges *to, const ag_ranges *from);
/* From now on, what is known of the view is an assumption of a scan plan. */
void ag_ranges_assume(ag_ranges *ranges, const ag_view *view);
static inline void ag_ranges_clear(ag_ranges *ranges) { ranges->count = 0; }

/* view: AG_VIEW_OK. Nothing is known of an empty one. */
void ag_ranges_query(ag_ranges *ranges, const ag_view *view, ag_known *known);
void ag_ranges_forget(ag_ranges *ranges, const ag_view *view);

/* Records that `launch` wrote the view. A view with gaps leaves the bytes between unchanged, so
 * what is known of it is the worst of both. */
void ag_ranges_write(ag_ranges *ranges, const ag_view *view, uint64_t launch, uint32_t site,
                     uint16_t param, const ag_findings *found);

/* Records that `launch` may have written the view's bytes: nothing is certain of them any more.
 * True if anything was known of one. */
bool ag_ranges_mark_uncertain(ag_ranges *ranges, const ag_view *view, uint64_t launch,
                              uint32_t site, uint16_t param);

#endif
