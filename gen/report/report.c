/* report.c - see report.h. */
#include "report/report.h"
#include "base/shown.h"
#include "base/template.h"
#include "report/report_json.h"
#include "report/report_text.h"
#include "system/atomic_output.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As one line of JSON. */
static char *text_of(cJSON *json, arena *a) {
  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  if (to) shown_print_json(json, to);
  if (!to || fclose(to) != 0) {
    fputs("aotigen: error: out of memory\n", stderr);
    exit(3);
  }
  char *copy = arena_strndup(a, text, n);
  free(text);
  return copy;
}

/* Within an element of HTML, of JSON that means the same: nothing in it ends the element or begins
 * a comment. */
static void add_escaped(strbuf *to, const char *json) {
  for (const char *s = json; *s; s++)
    if (*s == '<' || *s == '>' || *s == '&')
      strbuf_printf(to, "\\u%04x", (unsigned char)*s);
    else
      strbuf_add(to, s, 1);
}

static char *page_of(const char *json, arena *a) {
  strbuf data = {0};
  add_escaped(&data, json);
  const slot slots[] = {
      {"style_hash", template_sha256("page_style")},
      {"script_hash", template_sha256("page_script")},
      {"style", template_fill("page_style", NULL, 0, a)},
      {"script", template_fill("page_script", NULL, 0, a)},
      {"data", data.at ? data.at : ""},
  };
  strbuf page = {0};
  template_add(&page, "page", slots, sizeof slots / sizeof *slots);
  strbuf_puts(&page, "\n");
  strbuf_free(&data);
  return strbuf_take(&page, a);
}

/* As it is asked for. */
static char *result_of(const options *o, const launch_table *t, const verdict *v, const pairing *p,
                       arena *a) {
  if (o->report.format == REPORT_TEXT) return report_text(t, v, a);
  char *json = text_of(report_json(t, v, p, a), a);
  return o->report.format == REPORT_HTML ? page_of(json, a) : json;
}

/* A directory was named where the recording is a file in it. */
static const recording *read_input(const options *o, size_t i, arena *a, diags *d) {
  const recording *r = recording_read(o->report.files[i], a, d);
  return r && atomic_output_check(o->output.path, r->path, d) ? r : NULL;
}

static char *result_of_one(const options *o, arena *a, diags *d) {
  const recording *r = read_input(o, 0, a, d);
  if (!r) return NULL;
  const launch_table *t = launch_table_make(r, a);
  return result_of(o, t, verdict_make(t, a), NULL, a);
}

static char *result_of_two(const options *o, arena *a, diags *d) {
  const char *const *files = o->report.files;
  const recording *x = read_input(o, 0, a, d), *y = read_input(o, 1, a, d);
  difference found;
  char *result = NULL;
  if (!x || !y) return NULL;
  difference_find(&found, x, y, &o->diff);
  if (found.pairs) {
    const launch_table *of_x = launch_table_make(x, a), *of_y = launch_table_make(y, a);
    const pairing *p = pairing_make(&found, of_x, of_y, a);
    result = result_of(o, of_x, verdict_compare(p, a), p, a);
  } else {
    diag_error(d, STATUS_USAGE, NULL, "'%s' and '%s' have no run to compare", files[0], files[1]);
  }
  difference_free(&found);
  return result;
}

void report_write(const options *o, arena *a, diags *d) {
  const char *text = (o->report.files[1] ? result_of_two : result_of_one)(o, a, d);
  if (text) atomic_output_write(o->output.path, text, strlen(text), d);
}
