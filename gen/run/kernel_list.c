/* kernel_list.c - see kernel_list.h. */
#include "run/kernel_list.h"
#include "shared/glob.h"
#include <stdio.h>
#include <string.h>

/* Longer texts are skipped. */
enum {
  SITES_MAX = 8192,
  SOURCES_MAX = 1024,
  ARGUMENTS_MAX = 256,
  TEXT_MAX = 8 << 10,
  ARGUMENT_MAX = 1 << 10
};

/* [["in_ptr0","arg0_1"],...] */
static void read_arguments(kernel_site *s, json_span list, arena *a) {
  if (!json_span_is_array(list)) return;
  for (json_walk w = json_walk_begin(list); json_walk_next(&w) && s->args.n < ARGUMENTS_MAX;) {
    if (!json_span_is_array(w.value)) continue;
    const char *pair[2] = {NULL, NULL};
    int n = 0;
    for (json_walk p = json_walk_begin(w.value); n < 2 && json_walk_next(&p); n++)
      pair[n] = json_span_short_text(p.value, ARGUMENT_MAX, a);
    if (pair[0] && pair[1]) *arena_push(a, &s->args) = (kernel_argument){pair[0], pair[1]};
  }
}

/* The number of the event's source; STRING_MAP_NONE if there are too many. */
static size_t number_source(kernel_list *list, json_span source, arena *a) {
  if (!source.n || source.n > TEXT_MAX) return STRING_MAP_NONE;
  strbuf key = {0};
  strbuf_add(&key, source.at, source.n);
  size_t number = string_map_index(list->sources, key.at);
  if (number == STRING_MAP_NONE && string_map_count(list->sources) < SOURCES_MAX) {
    number = string_map_count(list->sources);
    string_map_put_index(list->sources, arena_strdup(a, key.at), number);
  }
  strbuf_free(&key);
  return number;
}

/* True for the first entry with that number. */
static bool is_new(kernel_list *list, size_t source, long long site, arena *a) {
  char key[48];
  snprintf(key, sizeof key, "%zu %lld", source, site);
  return string_map_index(list->known, key) == STRING_MAP_NONE &&
         string_map_count(list->known) < SITES_MAX &&
         string_map_put_index(list->known, arena_strdup(a, key), 0);
}

void kernel_list_add(kernel_list *list, json_span event, arena *a) {
  json_span sites = json_span_member(event, "sites"), source = json_span_member(event, "source");
  if (!list->sources) {
    list->sources = string_map_create(a);
    list->known = string_map_create(a);
  }
  const size_t number = number_source(list, source, a);
  const char *text = NULL; /* once it is needed */
  if (number == STRING_MAP_NONE || !json_span_is_array(sites)) return;
  const bool once = json_span_integer(json_span_member(event, "in_branches"), -1) == 0,
             copies = json_span_integer(json_span_member(event, "copies"), -1) != 0;
  for (json_walk w = json_walk_begin(sites); json_walk_next(&w);) {
    long long site = json_span_integer(json_span_member(w.value, "site"), -1);
    if (site < 1 || !is_new(list, number, site, a)) continue;
    if (!text && !(text = json_span_text(source, a))) return;
    kernel_site s = {
        .source = text,
        .kernel = json_span_short_text(json_span_member(w.value, "kernel"), TEXT_MAX, a),
        .number = site,
        .line = json_span_integer(json_span_member(w.value, "line"), -1),
        .once = once,
        .copies = copies};
    if (!s.kernel) continue;
    read_arguments(&s, json_span_member(w.value, "args"), a);
    *arena_push(a, &list->sites) = s;
  }
}

static bool is_of(const char *kernel, const char *name) {
  size_t n = strlen(name);
  if (strncmp(kernel, name, n) != 0) return false;
  if (!kernel[n]) return true;
  return kernel[n] == '_' && kernel[n + 1] && !kernel[n + 1 + strspn(kernel + n + 1, "0123456789")];
}

kernel_sites kernel_list_find(const kernel_list *list, const char *name, arena *a) {
  const kernel_sites *all = &list->sites;
  kernel_sites found = {0};
  for (size_t i = 0; name && i < all->n; i++)
    if (is_of(all->at[i].kernel, name)) *arena_push(a, &found) = all->at[i];
  return found;
}

const char *kernel_list_describe(const kernel_site *s, const char *text, arena *a) {
  const char *t = NULL;
  for (size_t i = 0; i < s->args.n; i++) {
    const kernel_argument *x = &s->args.at[i];
    if (!text || !ag_has_name(text, x->parameter)) continue;
    t = arena_printf(a, "%s%s%s is %s", t ? t : "", t ? ", " : "", x->parameter, x->name);
  }
  return t;
}
