/* kernel_list.c - see kernel_list.h. */
#include "run/kernel_list.h"
#include "parse/lex.h"
#include <string.h>

enum { SITES_MAX = 8192, ARGUMENTS_MAX = 256 };

/* [["in_ptr0","arg0_1"],...] */
static void read_arguments(kernel_site *s, json_span list, arena *a) {
  if (!json_span_is_array(list)) return;
  for (json_walk w = json_walk_begin(list); json_walk_next(&w) && s->args.n < ARGUMENTS_MAX;) {
    if (!json_span_is_array(w.value)) continue;
    const char *pair[2] = {NULL, NULL};
    int n = 0;
    for (json_walk p = json_walk_begin(w.value); n < 2 && json_walk_next(&p); n++)
      pair[n] = json_span_text(p.value, a);
    if (pair[0] && pair[1]) *arena_push(a, &s->args) = (kernel_argument){pair[0], pair[1]};
  }
}

static bool has_site(const kernel_sites *list, const kernel_site *s) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].number == s->number && !strcmp(list->at[i].source, s->source)) return true;
  return false;
}

void kernel_list_add(kernel_sites *list, json_span event, arena *a) {
  json_span sites = json_span_member(event, "sites");
  const char *source = json_span_text(json_span_member(event, "source"), a);
  if (!source || !json_span_is_array(sites)) return;
  for (json_walk w = json_walk_begin(sites); json_walk_next(&w) && list->n < SITES_MAX;) {
    if (!json_span_is_object(w.value)) continue;
    kernel_site s = {.source = source,
                     .kernel = json_span_text(json_span_member(w.value, "kernel"), a),
                     .number = json_span_integer(json_span_member(w.value, "site"), -1),
                     .line = json_span_integer(json_span_member(w.value, "line"), -1),
                     .once = json_span_integer(json_span_member(event, "in_branches"), -1) == 0,
                     .copies = json_span_integer(json_span_member(event, "copies"), -1) != 0};
    if (!s.kernel || s.number < 1 || has_site(list, &s)) continue;
    read_arguments(&s, json_span_member(w.value, "args"), a);
    *arena_push(a, list) = s;
  }
}

static bool is_of(const char *kernel, const char *name) {
  size_t n = strlen(name);
  if (strncmp(kernel, name, n) != 0) return false;
  if (!kernel[n]) return true;
  return kernel[n] == '_' && kernel[n + 1] && !kernel[n + 1 + strspn(kernel + n + 1, "0123456789")];
}

kernel_sites kernel_list_find(const kernel_sites *list, const char *name, arena *a) {
  kernel_sites found = {0};
  for (size_t i = 0; name && i < list->n; i++)
    if (is_of(list->at[i].kernel, name)) *arena_push(a, &found) = list->at[i];
  return found;
}

static bool has_word(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *at = text; n && (at = strstr(at, word)); at += n)
    if ((at == text || !lex_is_identifier(at[-1])) && !lex_is_identifier(at[n])) return true;
  return false;
}

const char *kernel_list_describe(const kernel_site *s, const char *text, arena *a) {
  const char *t = NULL;
  for (size_t i = 0; i < s->args.n; i++) {
    const kernel_argument *x = &s->args.at[i];
    if (!text || !has_word(text, x->parameter)) continue;
    t = arena_printf(a, "%s%s%s is %s", t ? t : "", t ? ", " : "", x->parameter, x->name);
  }
  return t;
}
