/* causes.h - the events and causes of shared/causes.def, as both halves name them. */
#ifndef SHARED_CAUSES_H
#define SHARED_CAUSES_H

#include <stddef.h>

enum event_kind {
#define EVENT(NAME, ...) EVENT_##NAME,
#include "shared/causes.def"
  EVENT_KINDS
};

/* In the order of a diagnosis: the first is the worst. */
enum cause {
#define CAUSE(NAME, ...) CAUSE_##NAME,
#include "shared/causes.def"
  CAUSES,
  CAUSE_NONE = CAUSES
};

/* The check of an event of EVENT_MEMORY that tells CAUSE_UNWRITTEN. */
#define EVENT_UNWRITTEN "unwritten"

static inline const char *event_name(enum event_kind kind) {
  static const char *const names[] = {
#define EVENT(NAME, name) name,
#include "shared/causes.def"
  };
  return names[kind];
}

/* What has happened, in words; NULL if the words depend on more than the cause. */
static inline const char *cause_what(enum cause cause) {
  static const char *const words[] = {
#define CAUSE(NAME, event, what, ...) what,
#include "shared/causes.def"
  };
  return cause < CAUSES ? words[cause] : NULL;
}

#endif
