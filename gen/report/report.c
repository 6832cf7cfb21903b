/* report.c - see report.h. */
#include "report/report.h"
#include "base/shown.h"
#include "base/template.h"
#include "report/report_json.h"
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

void report_write(const options *o, arena *a, diags *d) {
  const char *target = o->output.path, *input = o->report.file;
  if (!atomic_output_check(target, input, d)) return;
  const recording *r = recording_read(input, a, d);
  if (!r) return;
  const launch_table *t = launch_table_make(r, a);
  const char *text = text_of(report_json(t, verdict_make(t, a), a), a);
  if (o->report.format == REPORT_HTML) text = page_of(text, a);
  atomic_output_write(target, text, strlen(text), d);
}
