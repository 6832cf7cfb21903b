/* here_ops.c - see here_rows.h. */
#include "here/here_rows.h"
#include "model/op_table.h"
#include "parse/lex.h"
#include <string.h>

enum { OPS_MAX = 2000, SHOWN = 4 };

/* An op's namespace and name, from "lab::rows", "torch.ops.lab.rows.default" */
typedef struct op_name {
  const char *space, *name; /* "lab", "rows" */
} op_name;

typedef arena_list(op_name) op_names;

static bool split_target(op_name *name, const char *target, arena *a) {
  static const char prefix[] = "torch.ops.";
  const char *colons = strstr(target, "::");
  if (colons && colons > target) {
    name->space = arena_strndup(a, target, (size_t)(colons - target));
    name->name = arena_strdup(a, colons + 2);
    return true;
  }
  if (strncmp(target, prefix, sizeof prefix - 1) != 0) return false;
  target += sizeof prefix - 1;
  const char *dot = strchr(target, '.');
  if (!dot || dot == target) return false;
  name->space = arena_strndup(a, target, (size_t)(dot - target));
  name->name = arena_strndup(a, dot + 1, strcspn(dot + 1, "."));
  return true;
}

static void add_target(op_names *list, const char *target, arena *a) {
  op_name x;
  if (list->n >= OPS_MAX || !split_target(&x, target, a)) return;
  if (op_table_is_torchs(x.space)) return;
  for (size_t i = 0; i < list->n; i++)
    if (!strcmp(list->at[i].space, x.space) && !strcmp(list->at[i].name, x.name)) return;
  *arena_push(a, list) = x;
}

/* aoti_torch_call_dispatcher("lab::rows", "", ...) */
static void add_dispatched(op_names *list, const here_model *m) {
  static const char word[] = "aoti_torch_call_dispatcher";
  for (size_t at = 0; (at = lex_find_word(m->source, at, m->n, word)) < m->n;) {
    at = lex_skip_space(m->source, at + sizeof word - 1, m->n);
    if (at >= m->n || m->source[at] != '(') continue;
    at = lex_skip_space(m->source, at + 1, m->n);
    if (at >= m->n || m->source[at] != '"') continue;
    size_t end = lex_skip_token(m->source, at, m->n);
    if (end - at > 2 && end - at < 400)
      add_target(list, arena_strndup(m->a, m->source + at + 1, end - at - 2), m->a);
  }
}

/* "lab::rows, lab::columns and 3 more" */
static const char *list_names(const op_names *list, const char *space, arena *a) {
  strings names = {0};
  size_t n = 0;
  for (size_t i = 0; i < list->n; i++) {
    if (strcmp(list->at[i].space, space) != 0) continue;
    if (n++ < SHOWN) *arena_push(a, &names) = arena_printf(a, "%s::%s", space, list->at[i].name);
  }
  const char *text = strings_join(a, &names, ", ");
  return n > SHOWN ? arena_printf(a, "%s and %zu more", text, n - SHOWN) : text;
}

/* The wrapper calls operators by their place in wrapper.json. */
static bool calls_by_proxy(const here_model *m) {
  static const char word[] = "aoti_torch_proxy_executor_call_function";
  return lex_find_word(m->source, 0, m->n, word) < m->n;
}

static void add_missing_file(here_model *m) {
  here_table_add(m->t, (here_row){.fits = FITS_NO,
                                  .what = "custom ops",
                                  .needs = "'...wrapper.json'",
                                  .has = "none",
                                  .cure = "torch finds the operators that the model calls by this "
                                          "file: get the package once more, or compile the model "
                                          "again"});
}

void here_add_ops(here_model *m) {
  op_names list = {0};
  strings spaces = {0};
  for (size_t i = 0; i < m->custom->n; i++) add_target(&list, m->custom->at[i].target, m->a);
  add_dispatched(&list, m);
  if (!m->files.ops && calls_by_proxy(m)) add_missing_file(m);
  for (size_t i = 0; i < list.n; i++) {
    const char *space = list.at[i].space;
    if (strings_has(&spaces, space)) continue;
    *arena_push(m->a, &spaces) = space;
    here_table_add(m->t, (here_row){.fits = FITS_UNKNOWN,
                                    .what = "custom ops",
                                    .needs = list_names(&list, space, m->a),
                                    .cure = arena_printf(m->a,
                                                         "before the model the program must load "
                                                         "the library, or import the Python "
                                                         "module, that registers '%s'",
                                                         space)});
  }
}
