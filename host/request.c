/* request.c - see request.h. What is allocated lives as long as the process. */
#include "host/request.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next word; "" behind the last. */
static char *next_word(char **at) {
  char *word = *at, *space = strchr(word, ' ');
  *at = space ? space + 1 : word + strlen(word);
  if (space) *space = '\0';
  return word;
}

static bool read_number(char **at, int64_t *to) {
  char *word = next_word(at), *end;
  *to = strtoll(word, &end, 10);
  return *word && !*end;
}

static bool read_numbers(char **at, int64_t *to, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    if (!read_number(at, &to[i])) return false;
  return true;
}

static bool read_device(char **at, request_device *to) {
  int64_t index;
  snprintf(to->name, sizeof to->name, "%s", next_word(at));
  if (!read_number(at, &index)) return false;
  to->index = (int)index;
  return true;
}

static request_tensor *add(request_tensor **list, size_t *n) {
  request_tensor *longer = reallocarray(*list, *n + 1, sizeof *longer);
  if (!longer) return NULL;
  *list = longer;
  longer[*n] = (request_tensor){0};
  return &longer[(*n)++];
}

static bool read_tensor(request_tensor *t, char *at, bool is_input) {
  if (!t) return false;
  snprintf(t->dtype, sizeof t->dtype, "%s", next_word(&at));
  if (!read_number(&at, &t->ndim) || t->ndim < 0 || t->ndim > REQUEST_DIMENSIONS ||
      !read_numbers(&at, t->sizes, t->ndim) || !read_numbers(&at, t->strides, t->ndim) ||
      !read_number(&at, &t->offset))
    return false;
  if (is_input && (!read_numbers(&at, t->laid, t->ndim) || !read_device(&at, &t->device)))
    return false;
  t->member = strdup(at);
  return t->member && *t->member;
}

static bool read_skipped(request *r, const char *why) {
  request_tensor *t = add(&r->outputs, &r->noutputs);
  return t && (t->skipped = strdup(why));
}

static bool read_text(request *r, const char *word, const char *value) {
  const struct {
    const char *word, **to;
  } texts[] = {{"torch", &r->torch},     {"package", &r->package}, {"directory", &r->directory},
               {"library", &r->library}, {"work", &r->work},       {"capsule", &r->capsule},
               {"result", &r->result}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!strcmp(word, texts[i].word)) return (*texts[i].to = strdup(value));
  return false;
}

static bool read_option(request *r, const char *word, int64_t value) {
  if (!strcmp(word, "runs"))
    r->runs = value;
  else if (!strcmp(word, "single_threaded"))
    r->single_threaded = value;
  else if (!strcmp(word, "tells"))
    r->tells = value;
  else
    return false;
  return true;
}

static bool read_line(request *r, char *line) {
  char *at = line;
  const char *word = next_word(&at);
  int64_t number;
  if (!strcmp(word, "input")) return read_tensor(add(&r->inputs, &r->ninputs), at, true);
  if (!strcmp(word, "output")) return read_tensor(add(&r->outputs, &r->noutputs), at, false);
  if (!strcmp(word, "skipped")) return read_skipped(r, at);
  if (!strcmp(word, "device")) return read_device(&at, &r->device);
  if (!strcmp(word, "otherwise"))
    return r->notherwise < REQUEST_WORDS && (r->otherwise[r->notherwise++] = strdup(at));
  if (read_text(r, word, at)) return true;
  return read_number(&at, &number) && read_option(r, word, number);
}

bool request_read(request *r, const char *path) {
  FILE *f = fopen(path, "re");
  char *line = NULL;
  size_t room = 0;
  bool ok = f;
  *r = (request){0};
  for (ssize_t n; ok && (n = getline(&line, &room, f)) > 0;) {
    if (line[n - 1] == '\n') line[n - 1] = '\0';
    ok = read_line(r, line);
  }
  free(line);
  if (f) fclose(f);
  return ok && r->torch && r->package && r->directory && r->library && r->work && r->capsule &&
         r->result && *r->device.name && r->runs > 0;
}
