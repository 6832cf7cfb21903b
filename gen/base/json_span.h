/* json_span.h - finds values in a JSON text without building a tree of it: linear in the text, with
 * no memory of its own.
 *
 * A span is a part of the text, which must live as long. What a value holds is not checked until it
 * is read: a text that is not JSON gives fewer values, or none, and never a read outside of it.
 */
#ifndef GEN_JSON_SPAN_H
#define GEN_JSON_SPAN_H

#include "base/arena.h"

typedef struct json_span {
  const char *at; /* NULL: there is no such value */
  size_t n;
} json_span;

/* The members of an object, or the elements of an array, one after the other. */
typedef struct json_walk {
  json_span key;   /* the name of a member, without its quotes and with its escapes; else empty */
  json_span value; /* ends before the white space that follows it */
  const char *next, *end;
  bool object, begun;
  bool failed; /* the text ended, or has a character that stands in no JSON */
} json_walk;

/* The value that a text of n bytes is, without the white space around it. */
json_span json_span_of(const char *text, size_t n);

/* Nothing is walked of a value that is neither an object nor an array. */
json_walk json_walk_begin(json_span value);
bool json_walk_next(json_walk *walk);

/* The member of that key; none where `object` has none, or is no object. Reads up to the member. */
json_span json_span_member(json_span object, const char *key);

bool json_span_is_object(json_span value);
bool json_span_is_array(json_span value);
bool json_span_is_true(json_span value);

/* A string, unescaped, in the arena; NULL where the value is none, or has escapes that JSON has
 * not. */
const char *json_span_text(json_span value, arena *a);

/* The same; NULL also where the value has more than `most` bytes. */
const char *json_span_short_text(json_span value, size_t most, arena *a);

/* An integer; `otherwise` where the value is none. */
long long json_span_integer(json_span value, long long otherwise);

#endif
