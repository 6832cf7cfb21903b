/* json_span.c - see json_span.h. Leaves the escapes of a string to cJSON. */
#include "base/json_span.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

static const char *skip_space(const char *at, const char *end) {
  while (at < end && is_space(*at)) at++;
  return at;
}

/* Past the string that begins at `at`; `end` where it has no end. */
static const char *skip_string(const char *at, const char *end) {
  for (at++; at < end; at++) {
    if (*at == '\\')
      at++;
    else if (*at == '"')
      return at + 1;
  }
  return end;
}

/* Past the object or array that begins at `at`; NULL where it has no end. */
static const char *skip_nested(const char *at, const char *end) {
  for (size_t depth = 0; at < end;) {
    if (*at == '"') {
      at = skip_string(at, end);
      continue;
    }
    depth += *at == '{' || *at == '[';
    if ((*at == '}' || *at == ']') && --depth == 0) return at + 1;
    at++;
  }
  return NULL;
}

static const char *skip_value(const char *at, const char *end) {
  if (at == end) return NULL;
  if (*at == '"') return skip_string(at, end);
  if (*at == '{' || *at == '[') return skip_nested(at, end);
  const char *begin = at;
  while (at < end && !is_space(*at) && !strchr(",]}:\"{[", *at)) at++;
  return at > begin ? at : NULL;
}

json_span json_span_of(const char *text, size_t n) {
  const char *end = text + n, *at = skip_space(text, end);
  while (end > at && is_space(end[-1])) end--;
  return (json_span){at, (size_t)(end - at)};
}

static bool begins_with(json_span value, char c) { return value.n && value.at[0] == c; }

bool json_span_is_object(json_span value) { return begins_with(value, '{'); }

bool json_span_is_array(json_span value) { return begins_with(value, '['); }

bool json_span_is_true(json_span value) { return value.n == 4 && !memcmp(value.at, "true", 4); }

json_walk json_walk_begin(json_span value) {
  json_walk w = {.key = {"", 0}};
  if (!json_span_is_object(value) && !json_span_is_array(value)) return w;
  w.object = json_span_is_object(value);
  w.next = value.at;
  w.end = value.at + value.n;
  return w;
}

/* Takes `"key" :`, and leaves `next` at the value. */
static bool take_key(json_walk *walk) {
  const char *key = walk->next;
  if (key == walk->end || *key != '"') return false;
  walk->next = skip_string(key, walk->end);
  walk->key = (json_span){key + 1, (size_t)(walk->next - key) - 1};
  if (walk->key.n && walk->next[-1] == '"') walk->key.n--;
  walk->next = skip_space(walk->next, walk->end);
  if (walk->next == walk->end || *walk->next != ':') return false;
  walk->next = skip_space(walk->next + 1, walk->end);
  return true;
}

static bool stop_walk(json_walk *walk, bool failed) {
  walk->failed = failed;
  walk->next = walk->end;
  return false;
}

/* `next` is on the opening bracket, or on what follows a value. */
bool json_walk_next(json_walk *walk) {
  const char close = walk->object ? '}' : ']';
  if (walk->next == walk->end) return false;
  if (walk->begun && *walk->next == close) return stop_walk(walk, false);
  if (walk->begun && *walk->next != ',') return stop_walk(walk, true);
  walk->next = skip_space(walk->next + 1, walk->end);
  if (!walk->begun && walk->next < walk->end && *walk->next == close) return stop_walk(walk, false);
  walk->begun = true;
  if (walk->object && !take_key(walk)) return stop_walk(walk, true);
  const char *value = walk->next, *past = skip_value(value, walk->end);
  if (!past) return stop_walk(walk, true);
  walk->value = (json_span){value, (size_t)(past - value)};
  walk->next = skip_space(past, walk->end);
  walk->failed = walk->next == walk->end;
  return true;
}

json_span json_span_member(json_span object, const char *key) {
  size_t n = strlen(key);
  if (json_span_is_object(object))
    for (json_walk w = json_walk_begin(object); json_walk_next(&w);)
      if (w.key.n == n && !memcmp(w.key.at, key, n)) return w.value;
  return (json_span){0};
}

const char *json_span_text(json_span value, arena *a) {
  if (!begins_with(value, '"') || value.n < 2 || value.at[value.n - 1] != '"') return NULL;
  if (!memchr(value.at, '\\', value.n)) return arena_strndup(a, value.at + 1, value.n - 2);
  cJSON *json = cJSON_ParseWithLength(value.at, value.n);
  const char *text = cJSON_GetStringValue(json);
  const char *copy = text ? arena_strdup(a, text) : NULL;
  cJSON_Delete(json);
  return copy;
}

const char *json_span_short_text(json_span value, size_t most, arena *a) {
  return value.n <= most ? json_span_text(value, a) : NULL;
}

long long json_span_integer(json_span value, long long otherwise) {
  enum { DIGITS_MAX = 20 };
  char copy[DIGITS_MAX + 1], *past;
  if (!value.n || value.n > DIGITS_MAX) return otherwise;
  memcpy(copy, value.at, value.n);
  copy[value.n] = '\0';
  long long n = strtoll(copy, &past, 10);
  return *past || past == copy ? otherwise : n;
}
