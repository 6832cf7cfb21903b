/* printer.c - levels 2 and 3: what PyTorch's printer writes to stdout, and what it omits. It prints
 * the lines of a block; aten_print.c prints the elements. */
#define _GNU_SOURCE
#include "output/printer.h"

#include <math.h>
#include <stdlib.h>

#include "base/file_write.h"
#include "base/sink.h"
#include "state/launch_hooks.h"
#include "tensor/aten_print.h"

enum { WHOLE_UP_TO = 64, EDGE = 3 };

/* NULL, or why they cannot be read. */
static const char *read_values(ag_reader *reader, const ag_dtype *d, int64_t first, int64_t n,
                               double *out, double *imaginary) {
  unsigned char elements[WHOLE_UP_TO * 16];
  const char *why = ag_reader_read(reader, first, n, elements);
  if (why) return why;
  for (int64_t i = 0; i < n; i++) {
    out[i] = ag_dtype_decode(d, elements + i * d->item_size);
    if (imaginary)
      imaginary[i] = d->cls == AG_COMPLEX
                         ? ag_dtype_decode(d, elements + i * d->item_size + d->item_size / 2)
                         : 0;
  }
  return NULL;
}

/* For a large tensor: "Values: 0.1 0.2 0.3 ... 0.7 0.8 0.9". */
static const char *add_edges(ag_text *t, ag_reader *reader, const ag_view *view) {
  double re[2 * EDGE], im[2 * EDGE];
  bool complex = view->t.dtype->cls == AG_COMPLEX;
  const char *why = read_values(reader, view->t.dtype, 0, EDGE, re, im);
  if (!why)
    why = read_values(reader, view->t.dtype, view->t.numel - EDGE, EDGE, re + EDGE, im + EDGE);
  if (why) return why;
  ag_text_add(t, "Values:");
  for (int i = 0; i < 2 * EDGE; i++) {
    ag_text_add(t, i == EDGE ? " ... " : " ");
    if (complex) ag_text_add(t, "(");
    ag_text_add_g(t, re[i]);
    if (!complex) continue;
    ag_text_add(t, ",");
    ag_text_add_g(t, im[i]);
    ag_text_add(t, ")");
  }
  ag_text_add(t, "\n");
  return NULL;
}

static double bad_extreme(const ag_stats *h, bool max, double finite) {
  if (h->nan) return NAN;
  if (max ? h->pos_inf : h->neg_inf) return max ? INFINITY : -INFINITY;
  if (!h->finite) return max ? -INFINITY : INFINITY;
  return finite;
}

static double mean_of(const ag_stats *h, int64_t numel) {
  if (h->nan || (h->pos_inf && h->neg_inf)) return NAN;
  if (h->pos_inf || h->neg_inf) return h->pos_inf ? INFINITY : -INFINITY;
  return h->sum / (double)numel;
}

static void add_count(ag_text *t, const char *label, int64_t n, const char *end) {
  ag_text_add(t, label);
  ag_text_add_int(t, n);
  ag_text_add(t, end);
}

/* Adds mean, min and max like torch, where a NaN or Inf overrides all; then their number, and the
 * statistics without them. */
static void add_summary(ag_text *t, const ag_view *view, const ag_stats *h) {
  const ag_dtype *d = view->t.dtype;
  if (d->cls != AG_COMPLEX) {
    ag_text_add(t, "Mean value: ");
    ag_text_add_g(t, mean_of(h, view->t.numel));
    ag_text_add(t, "\nMin value: ");
    ag_text_add_g(t, bad_extreme(h, false, h->min));
    ag_text_add(t, "\nMax value: ");
    ag_text_add_g(t, bad_extreme(h, true, h->max));
    ag_text_add(t, "\n");
  }
  if (ag_dtype_is_floating(d)) {
    add_count(t, "NaN count: ", h->nan, "\n");
    add_count(t, "Inf count: ", h->pos_inf + h->neg_inf, "");
    add_count(t, " (+Inf ", h->pos_inf, "");
    add_count(t, ", -Inf ", h->neg_inf, ")\n");
  }
  add_count(t, "Zero count: ", h->zero, "\n");
  if (d->cls != AG_FLOATING || !h->finite || h->finite == view->t.numel) return;
  ag_text_add(t, "Finite values: ");
  ag_text_add_g(t, h->min);
  ag_text_add(t, " to ");
  ag_text_add_g(t, h->max);
  ag_text_add(t, "\n");
}

/* Why the tensor must not be read, or NULL. */
static const char *refusal_of(const ag_view *view) {
  if (view->state == AG_VIEW_PENDING) return "it is complete behind wait_tensor";
  if (view->state != AG_VIEW_REFUSED) return NULL;
  return ag_view_fits_storage(view) ? "it failed its guard"
                                    : "its storage is smaller than its elements";
}

static void add_contents(ag_text *t, ag_evaluation *e, const ag_arg *a, enum ag_when when) {
  double values[WHOLE_UP_TO];
  ag_stats h;
  ag_reader r;
  const ag_view *v = &a->view;
  const char *open = refusal_of(v), *why;
  if (!open) open = e->results->open(e, a, when, &r);
  why = open;
  if (!why && v->t.numel) why = ag_reader_stats(&r, AG_WANT_BAD | AG_WANT_SUMMARY, &h);
  if (!why && v->t.numel <= WHOLE_UP_TO) {
    why = read_values(&r, v->t.dtype, 0, v->t.numel, values, NULL);
    if (!why) ag_aten_print_elements(t, v, values);
  }
  add_count(t, "Number of elements: ", v->t.numel, "\nDtype: ");
  ag_text_add(t, ag_dtype_spelling(v->t.dtype)->printed);
  ag_text_add(t, "\n");

  if (!why && v->t.numel) add_summary(t, v, &h);
  if (!why && v->t.numel > WHOLE_UP_TO) why = add_edges(t, &r, v);
  if (why) ag_text_addf(t, "Values: not read: %s\n", why);
  if (!open) ag_reader_close(&r);
}

static void add_block(ag_text *t, ag_evaluation *e, const ag_arg *a, enum ag_when when) {
  const ag_view *v = &a->view;
  if (!ag_view_is_described(v)) {
    ag_view_describe(t, v);
    ag_text_add(t, "\n\n");
    return;
  }
  add_contents(t, e, a, when);
  ag_text_add(t, "Device: ");
  ag_device_describe(t, v->t.device_type, v->t.device_index);
  ag_text_add_list(t, v->t.sizes, v->t.ndim, "\nSize: [", ", ", "]\n");
  ag_text_add_list(t, v->t.strides, v->t.ndim, "Stride: [", ", ", "]\n");
  ag_text_add(t, "Layout: Strided\nIs contiguous: ");
  ag_text_add(t, v->contiguous ? "1\nRequires grad: 0\n\n" : "0\nRequires grad: 0\n\n");
}

static void add_scalar(ag_text *t, const aotigen_value *value) {
  switch (value->kind) {
    case AOTIGEN_V_INT: ag_text_addf(t, "%lld", (long long)value->v.i); return;
    case AOTIGEN_V_UINT: ag_text_addf(t, "%llu", (unsigned long long)value->v.u); return;
    case AOTIGEN_V_BOOL: ag_text_add(t, value->v.i ? "true" : "false"); return;
    default: ag_text_add_shortest(t, value->v.f);
  }
}

static bool shows(const ag_arg *a, enum ag_when when) {
  if (a->view.state == AG_VIEW_NONE) return false;
  return when == AG_AFTER || ag_arg_is_set_before(a);
}

static unsigned want(const ag_arg *a, enum ag_when when, ag_edges *edges) {
  bool whole = a->view.t.numel <= WHOLE_UP_TO;
  edges->head = whole ? (int16_t)a->view.t.numel : EDGE;
  edges->tail = whole ? 0 : EDGE;
  return shows(a, when) ? AG_WANT_SUMMARY : 0;
}

static void add_title(ag_text *t, const char *when, const char *kernel, const char *arg,
                      const char *end) {
  ag_text_add(t, "[  ");
  ag_text_add(t, when);
  ag_text_add(t, " - ");
  ag_text_add(t, kernel);
  ag_text_add(t, " - ");
  ag_text_add(t, arg);
  ag_text_add(t, end);
}

/* Adds the number on a line of its own: PyTorch's lines have none, and programs that read them must
 * go on working. */
static void add_number(ag_text *t, uint64_t run, uint64_t launch) {
  ag_text_add(t, "[ run ");
  ag_text_add_int(t, (int64_t)run);
  ag_text_add(t, ", launch ");
  ag_text_add_int(t, (int64_t)launch);
  ag_text_add(t, " ]\n");
}

static void print_launch(ag_evaluation *e, enum ag_when when) {
  const ag_record *r = e->record;
  ag_text *t = &e->report;
  const char *title = when == AG_AFTER ? "after_launch" : "before_launch";
  const char *kernel = ag_site_name(ag_launch_site(&e->launch));
  ag_text_clear(t);
  add_number(t, e->launch.run, e->launch.number);
  size_t number = t->length;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    if (ag_value_is_scalar(&a->value)) {
      add_title(t, title, kernel, a->param->name, ": ");
      add_scalar(t, &a->value);
      ag_text_add(t, "  ]\n");
    } else if (shows(a, when)) {
      add_title(t, title, kernel, a->param->name, "  ]:\n");
      add_block(t, e, a, when);
    }
  }
  if (t->length > number) ag_sink_write_stdout(ag_text_string(t));
}

/* The lines of a site, by enum ag_when. */
typedef struct ag_name_lines {
  ag_text of[2];
} ag_name_lines;

static void make_line(ag_text *t, const char *title, const aotigen_site *site) {
  ag_text_add(t, title);
  ag_text_add(t, ag_site_name(site));
  ag_text_add(t, " ]\n");
}

static ag_name_lines *make_lines(const aotigen_model *model) {
  ag_name_lines *lines = calloc(model->nsites + 1u, sizeof *lines);
  for (uint32_t i = 0; lines && i < model->nsites; i++) {
    make_line(&lines[i].of[AG_BEFORE], "[ before_launch: ", &model->sites[i]);
    make_line(&lines[i].of[AG_AFTER], "[ after_launch: ", &model->sites[i]);
  }
  return lines;
}

/* The lines are put together once, since a run prints two for each launch. */
static void begin_names(aotigen_run *run) {
  ag_model_state *m = run->state->model;
  pthread_mutex_lock(&m->lock);
  if (!m->name_lines) m->name_lines = make_lines(m->model);
  run->state->name_lines = m->name_lines;
  pthread_mutex_unlock(&m->lock);
  ag_file_write_begin_many();
}

static void end_names(aotigen_run *run, bool unwinding) {
  (void)run;
  (void)unwinding;
  ag_file_write_end_many();
}

static void print_name(aotigen_run *run, enum ag_when when) {
  const ag_name_lines *lines = run->state->name_lines;
  ag_text *scratch = &run->state->texts.report;
  if (!lines) return; /* there is no memory */
  ag_text_clear(scratch);
  if (when == AG_BEFORE) add_number(scratch, run->number, run->launch);
  ag_text_add_bytes(scratch, lines[run->site].of[when].data, lines[run->site].of[when].length);
  ag_sink_write_stdout(ag_text_string(scratch));
}

void ag_printer_input(ag_evaluation *e, const aotigen_input *input, const ag_arg *a) {
  ag_text *t = &e->report;
  ag_text_clear(t);
  ag_text_addf(t, "[  aoti_model_inputs - %s  ]:\n", input->name);
  add_block(t, e, a, AG_BEFORE);
  ag_sink_write_stdout(ag_text_string(t));
}

/* ---- at a launch ---------------------------------------------------------------------------- */

static void print_before(ag_evaluation *e) { print_launch(e, AG_BEFORE); }
static void print_after(ag_evaluation *e) { print_launch(e, AG_AFTER); }
static bool prints_values(const ag_model_state *m) { return m->model->printer == 2; }

AG_LAUNCH_HOOKS(printer) = {.wanted = prints_values,
                            .evaluate_before = print_before,
                            .evaluate_after = print_after,
                            .wants = want};

static const char *print_name_before(aotigen_run *run) {
  print_name(run, AG_BEFORE);
  return NULL;
}

static const char *print_name_after(aotigen_run *run) {
  print_name(run, AG_AFTER);
  return NULL;
}

static bool prints_names(const ag_model_state *m) { return m->model->printer == 3; }

AG_LAUNCH_HOOKS(names) = {.wanted = prints_names,
                          .begin_run = begin_names,
                          .end_run = end_names,
                          .before = print_name_before,
                          .after = print_name_after};
