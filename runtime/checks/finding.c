/* finding.c - the parts that every report is made of. */
#define _GNU_SOURCE
#include "checks/finding.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/settings.h"
#include "base/sink.h"
#include "checks/again.h"
#include "checks/model_lines.h"
#include "state/iterations.h"

enum { FRAMES = 64, LABEL = 16 /* the column behind the labels of a report */ };

void ag_report_head(ag_text *t, const ag_launch *l, const char *what) {
  ag_text_addf(t, "aotigen: %s in run %llu, launch %llu: %s\n", what, (unsigned long long)l->run,
               (unsigned long long)l->number, ag_site_name(ag_launch_site(l)));
}

/* True if each name begins with "aten.". A custom op's does not. */
static bool are_aten(const char *names) {
  for (; names; names = strstr(names, ", ")) {
    names += strspn(names, ", ");
    if (strncmp(names, "aten.", 5)) return false;
  }
  return true;
}

static void add_loop(ag_text *t, const aotigen_scope *s, uint32_t iteration) {
  const char *loop = s->kind == AOTIGEN_WHILE ? "while_loop" : "for loop";
  if (iteration)
    ag_text_add_line(t, "within", "iteration %u of the %s at line %d", iteration, loop, s->line);
  else
    ag_text_add_line(t, "within", "the %s at line %d", loop, s->line);
}

static void add_branch(ag_text *t, const aotigen_scope *s) {
  if (s->kind == AOTIGEN_COPY_IF)
    ag_text_add_line(t, "within", "the copy of an input that is not aligned, at line %d", s->line);
  else if (s->name)
    ag_text_add_line(t, "within", "%s, a branch of the cond at line %d", s->name, s->line);
  else
    ag_text_add_line(t, "within", "the '%s' branch of the 'if' at line %d",
                     s->kind == AOTIGEN_IF ? "if" : "else", s->line);
}

/* The loops and branches around the launch, the innermost first. */
static void add_scopes(ag_text *t, const ag_launch *l) {
  int n = 0;
  for (const aotigen_scope *s = ag_launch_site(l)->scope; s; s = s->outer) {
    bool counted = ag_loop_is_counted(s) && n < AG_LOOPS_NAMED;
    if (s->kind == AOTIGEN_WHILE || s->kind == AOTIGEN_FOR)
      add_loop(t, s, counted ? l->iteration[n++] : 0);
    else
      add_branch(t, s);
  }
}

/* Names that were derived from a kernel's name may be as long as it is. */
static const char *shorten(const char *names, const aotigen_site *s) {
  return s->flags & AOTIGEN_NAMES_GUESSED ? ag_short_name(names) : names;
}

void ag_report_site(ag_text *t, const ag_launch *l) {
  const aotigen_site *s = ag_launch_site(l);
  const char *guessed = s->flags & AOTIGEN_NAMES_GUESSED ? " (guessed from the kernel's name)" : "";
  if (s->nodes && *s->nodes)
    ag_text_add_line(t, "source nodes", "%s%s", shorten(s->nodes, s), guessed);
  if (s->aten && *s->aten)
    ag_text_add_line(t, are_aten(s->aten) ? "ATen ops" : "ops", "%s%s", shorten(s->aten, s),
                     guessed);
  ag_model_lines_report(t, l);
  if (!s->number || s->number == l->number)
    ag_text_add_line(t, "launched at", "%s:%d, in %s", l->model->source, s->line, s->function);
  else
    ag_text_add_line(t, "launched at", "%s:%d, in %s (site %u)", l->model->source, s->line,
                     s->function, s->number);
  add_scopes(t, l);
  if (s->stream) ag_text_add_line(t, "stream", "%s", s->stream);
  if (l->replay)
    ag_text_add_line(t, "replay", "%u of the graph that run %llu was captured into", l->replay,
                     (unsigned long long)l->captured_run);
}

void ag_report_after_launch(ag_text *t, uint64_t launch) {
  ag_text_addf(t, launch ? "after launch %llu" : "before the first launch",
               (unsigned long long)launch);
}

void ag_report_two_names(ag_text *t, const char *python_name, const char *name) {
  if (python_name)
    ag_text_addf(t, "%s (%s)", python_name, name);
  else
    ag_text_add(t, name);
}

void ag_report_arg_name(ag_text *t, const ag_arg *a) {
  ag_text_add(t, a->param->name);
  if (a->param->python_name) ag_text_addf(t, " (%s)", a->param->python_name);
  const char *was = __atomic_load_n(&a->was, __ATOMIC_RELAXED);
  if (was) ag_text_addf(t, " (was %s)", was);
}

void ag_report_arg(ag_text *t, const ag_arg *a) {
  ag_report_arg_name(t, a);
  if (a->view.state == AG_VIEW_NONE) return;
  ag_text_add(t, ": ");
  ag_view_describe(t, &a->view);
}

void ag_event_run(ag_text *t, enum event_kind event, const aotigen_model *model, uint64_t run) {
  ag_event_begin(t, event);
  ag_event_add_string(t, "source", model->source);
  ag_event_add_number(t, "run", (int64_t)run);
}

void ag_event_launch(ag_text *t, enum event_kind event, const ag_launch *l, const ag_arg *a) {
  const aotigen_site *s = ag_launch_site(l);
  ag_text device = {0};
  ag_event_run(t, event, l->model, l->run);
  if (a && a->view.state == AG_VIEW_OK)
    ag_device_describe(&device, a->view.t.device_type, a->view.t.device_index);
  else if (l->model->device)
    ag_text_add(&device, l->model->device);
  ag_event_add_string(t, "device", device.length ? ag_text_string(&device) : NULL);
  ag_event_add_number(t, "launch", (int64_t)l->number);
  if (s->number)
    ag_event_add_number(t, "site", s->number);
  else
    ag_event_add_string(t, "site", NULL);
  if (l->iteration[0]) ag_event_add_number(t, "iteration", l->iteration[0]);
  ag_event_add_number(t, "line", s->line);
  ag_event_add_string(t, "kernel", s->kernel);
  if (s->stream) ag_event_add_string(t, "stream", s->stream);
  ag_event_add_string(t, "nodes", s->nodes);
  ag_event_add_string(t, "aten", s->aten);
  if (s->flags & AOTIGEN_NAMES_GUESSED) ag_text_add(t, ",\"names_guessed\":true");
  ag_model_lines_event(t, l);
  ag_event_add_string(t, "arg", a ? a->param->name : NULL);
  ag_event_add_string(t, "python_name", a ? a->param->python_name : NULL);
  ag_text_free(&device);
}

typedef char *(*demangler)(const char *, char *, size_t *, int *);

static void add_frame(ag_text *t, int number, void *frame) {
  Dl_info where;
  demangler demangle;
  *(void **)&demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
  bool known = dladdr(frame, &where);
  int status = -1;
  char *plain =
      known && where.dli_sname && demangle ? demangle(where.dli_sname, NULL, NULL, &status) : NULL;
  const char *file = known && where.dli_fname ? where.dli_fname : "?";
  const char *name = plain ? plain : known && where.dli_sname ? where.dli_sname : NULL;
  uintptr_t base = !known ? 0 : name ? (uintptr_t)where.dli_saddr : (uintptr_t)where.dli_fbase;
  ag_text_addf(t, "    #%d %s+0x%zx in %s\n", number, name ? name : "",
               (size_t)((uintptr_t)frame - base), file);
  free(plain);
}

void ag_report_frames(ag_text *t, void *const *frames, int n) {
  for (int i = 0; i < n; i++) add_frame(t, i, frames[i]);
}

/* The C stack of this thread. */
static void add_stack(ag_text *t) {
  void *frames[FRAMES];
  int n = backtrace(frames, FRAMES);
  ag_text_add(t, "  C stack, innermost first\n");
  ag_report_frames(t, frames + 1, n - 1);
}

bool ag_report_is_ours(const char *text) {
  return strncmp(text, "aotigen: ", strlen("aotigen: ")) == 0;
}

void ag_report_write(ag_text *report) {
  if (ag_settings_get()->stacks && !ag_sink_logs_as_thread())
    add_stack(report); /* the evaluator's own would tell nothing */
  ag_sink_write_stderr(ag_text_string(report));
}

/* The line of a report that is not told in full. */
static const char in_a_line[] = "\n  in a line     ";

bool ag_report_tell(ag_model_state *m, ag_text *report) {
  ag_text line = {0};
  enum ag_telling how = ag_again_note(m, ag_text_string(report), &line);
  if (how == AG_TELL_IN_FULL) ag_report_write(report);
  if (line.length) ag_sink_write_stderr(ag_text_string(&line));
  if (how == AG_TELL_LIMITED) ag_text_add(report, in_a_line + 1);
  ag_text_free(&line);
  return how == AG_TELL_IN_FULL;
}

/* The length of the name in " argument buf1 (was buf0): float32 [6, 6] on cpu". */
static size_t measure_name(const char *line) {
  size_t n = strcspn(line, "\n");
  const char *end = memmem(line, n, ": ", 2);
  return end ? (size_t)(end - line) : n;
}

/* ", NAME: FINDING" of the first argument, input or weight of the report that has a finding. Its
 * lines follow the name's line, and are indented past the labels. */
static void add_first_finding(ag_text *message, const char *report) {
  const char *name = NULL, *next;
  for (const char *line = report; *line; line = next) {
    size_t n = strcspn(line, "\n");
    next = line + n + (line[n] == '\n');
    bool finding = n > LABEL && strspn(line, " ") == LABEL;
    if (!finding) name = n > LABEL ? line + LABEL : NULL;
    if (!finding || !name || strncmp(line + LABEL, "no ", 3) == 0) continue;
    ag_text_add(message, ", ");
    ag_text_add_bytes(message, name, measure_name(name));
    ag_text_add(message, ": ");
    ag_text_add_bytes(message, line + LABEL, n - LABEL);
    return;
  }
}

/* Adds the text behind the first of these labels that the report has. */
static bool add_labelled(ag_text *message, const char *report) {
  static const char *const labels[] = {"error",       "grid",    "device",
                                       "kernel file", "weights", "tensors"};
  char start[32];
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
    snprintf(start, sizeof start, "\n  %-13s ", labels[i]);
    const char *at = strstr(report, start);
    if (!at) continue;
    at += strlen(start);
    if (i)
      ag_text_addf(message, ", %s: ", labels[i]);
    else
      ag_text_add(message, ", ");
    ag_text_add_bytes(message, at, strcspn(at, "\n"));
    return true;
  }
  return false;
}

/* "; run 1, launch 3: KERNEL" of each launch that a device error may be of. */
static void add_suspects(ag_text *message, const char *report) {
  static const char head[] = "\naotigen: device error in ";
  for (const char *at = report; (at = strstr(at, head));) {
    at += sizeof head - 1;
    ag_text_add(message, "; ");
    ag_text_add_bytes(message, at, strcspn(at, "\n"));
  }
}

/* "; look also at OPERATOR" of the first such line. */
static void add_also(ag_text *message, const char *report) {
  static const char label[] = "\n  look also at  ";
  const char *at = strstr(report, label);
  if (!at) return;
  ag_text_add(message, "; look also at ");
  ag_text_add_bytes(message, at + sizeof label - 1, strcspn(at + sizeof label - 1, "\n"));
}

/* Adds the lines from `at` on that are indented past the labels, as a list of texts. */
static void add_steps(ag_text *event, const char *at) {
  static const char indent[] = "\n                ";
  ag_text step = {0};
  if (strncmp(at, indent, sizeof indent - 1) != 0) return;
  ag_json_add_name(event, "how_steps");
  for (char before = '['; strncmp(at, indent, sizeof indent - 1) == 0; before = ',') {
    at += sizeof indent - 1;
    size_t n = strcspn(at, "\n");
    ag_text_clear(&step);
    ag_text_add_bytes(&step, at, n);
    ag_text_addf(event, "%c", before);
    ag_json_add_string(event, ag_text_string(&step));
    at += n;
  }
  ag_text_add(event, "]");
  ag_text_free(&step);
}

void ag_event_add_how(ag_text *event, const char *report) {
  static const char label[] = "\n  how           ";
  const char *at = strstr(report, label);
  ag_text how = {0};
  if (!at) return;
  at += sizeof label - 1;
  size_t n = strcspn(at, "\n");
  ag_text_add_bytes(&how, at, n && at[n - 1] == ':' ? n - 1 : n);
  ag_event_add_string(event, "how", ag_text_string(&how));
  ag_text_free(&how);
  add_steps(event, at + n);
}

void ag_report_add_found(ag_text *t, const char *report) {
  if (!add_labelled(t, report)) add_first_finding(t, report);
}

void ag_report_summarize(ag_text *message, const char *report) {
  ag_text_clear(message);
  ag_text_add_bytes(message, report, strcspn(report, "\n"));
  ag_report_add_found(message, report);
  add_also(message, report);
  add_suspects(message, report);
  ag_text_add(message, strstr(report, in_a_line) ? "; AOTIGEN_REPORTS limits the full reports"
                                                 : "; the full report is on stderr");
}

const char *ag_report_fault(const aotigen_model *model, ag_text *message, ag_text *report) {
  ag_report_tell(__atomic_load_n((ag_model_state **)&model->state, __ATOMIC_ACQUIRE), report);
  if (ag_settings_get()->on_fault == AG_FAULT_REPORT) return NULL;
  ag_report_summarize(message, ag_text_string(report));
  return ag_text_string(message);
}

void ag_warn(const char *format, ...) {
  char line[1024];
  ag_text t = {0};
  va_list args;
  va_start(args, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  vsnprintf(line, sizeof line, format, args);
#pragma GCC diagnostic pop
  va_end(args);
  ag_text_addf(&t, "aotigen: warning: %s\n", line);
  ag_sink_write_stderr(ag_text_string(&t));
  ag_text_free(&t);
}

/* ---- the violations of a check -------------------------------------------------------------- */

/* The operator of a library that made an argument of another launch. */
static void add_library_maker(ag_text *event, const ag_launch *l, const ag_item *item) {
  uint32_t row = item && item->arg ? item->arg->param->maker : 0;
  const aotigen_site *maker = row && row <= l->model->nsites ? &l->model->sites[row - 1] : NULL;
  if (maker && maker != ag_launch_site(l) && ag_site_is_of_library(maker))
    ag_event_add_string(event, "maker", maker->kernel);
}

/* "storage", "size of dimension 2" */
static const char *name_check(char *to, size_t size, enum ag_check check, const ag_item *item) {
  bool numbered = check == AG_CHECK_SIZE_OF_DIMENSION || check == AG_CHECK_STRIDE_OF_DIMENSION;
  if (!numbered) return ag_check_name(check);
  snprintf(to, size, "%s %d", ag_check_name(check), item->dimension);
  return to;
}

void ag_finding_log(const ag_finding *f, enum event_kind event, const ag_item *item,
                    enum ag_check check, const char *expected, const char *found) {
  char text[64];
  ag_text t;
  if (!ag_sink_has_log()) return;
  if (f->launch) {
    ag_event_launch(&t, event, f->launch, item ? item->arg : NULL);
    const bool kernel = ag_launch_site(f->launch)->flags & AOTIGEN_KERNEL;
    ag_event_add_string(&t, "launch_is", kernel ? "kernel" : "operator");
    add_library_maker(&t, f->launch, item);
  } else if (f->in_run) {
    ag_event_run(&t, event, f->model, f->run);
    ag_event_add_string(&t, "device", f->model->device);
    ag_event_add_string(&t, "arg", item->name);
    ag_event_add_string(&t, "python_name", item->python_name);
  } else {
    ag_event_begin(&t, event);
    ag_event_add_string(&t, "source", f->model->source);
    if (f->op) ag_event_add_string(&t, "kernel", f->op);
    if (item) ag_event_add_string(&t, "arg", item->name);
  }
  ag_event_add_string(&t, "check", name_check(text, sizeof text, check, item));
  ag_event_add_string(&t, "expected", expected);
  ag_event_add_string(&t, "found", found);
  ag_event_end(&t);
}

static void add_item(ag_finding *f, const ag_item *item) {
  ag_text_addf(&f->lines, "  %-13s ", item->label);
  if (item->arg) {
    ag_report_arg(&f->lines, item->arg);
  } else {
    ag_report_two_names(&f->lines, item->python_name, item->name);
    if (item->view && item->view->state == AG_VIEW_OK) {
      ag_text_add(&f->lines, ": ");
      ag_view_describe(&f->lines, item->view);
    }
  }
  ag_text_add(&f->lines, "\n");
  f->items++;
}

void ag_finding_add(ag_finding *f, const ag_item *item, enum ag_check check, const char *expected,
                    const char *found) {
  char text[64];
  const void *name = !item ? NULL : item->arg ? (const void *)item->arg : item->name;
  f->violations++;
  f->concerns |= ag_check_concern(check);
  if (item && name != f->last) add_item(f, item);
  f->last = name;
  ag_text_addf(&f->lines,
               item ? "                %s: expected %s, found %s\n"
                    : "  %-13s expected %s, found %s\n",
               name_check(text, sizeof text, check, item), expected, found);
  ag_finding_log(f, f->event, item, check, expected, found);
}

const char *ag_finding_absence(const ag_view *view) {
  if (view->state == AG_VIEW_NULL) return "none: the handle is null";
  if (view->state == AG_VIEW_UNDEFINED) return "none: the tensor is undefined, it has no data";
  return view->why;
}

bool ag_finding_check_opaque(ag_finding *f, const ag_item *item, const ag_view *view,
                             const char *dtype, bool strided) {
  bool other = view->opaque == AG_OPAQUE_DTYPE && ag_dtype_of_name(dtype),
       layout = view->opaque == AG_OPAQUE_LAYOUT && strided,
       undescribed = view->opaque == AG_OPAQUE_UNDESCRIBED && strided;
  ag_text found = {0};
  ag_view_describe_opaque(&found, view);
  if (other) ag_finding_add(f, item, AG_CHECK_DTYPE, dtype, ag_text_string(&found));
  if (layout) ag_finding_add(f, item, AG_CHECK_LAYOUT, "strided", ag_text_string(&found));
  if (undescribed)
    ag_finding_add(f, item, AG_CHECK_SIZES, "sizes of a tensor", ag_text_string(&found));
  ag_text_free(&found);
  return other || layout || undescribed;
}

void ag_finding_check_memory(ag_finding *f, const ag_item *item, const ag_view *view) {
  char expected[96], found[96];
  if (!view->t.numel) return;
  if (!view->t.data) {
    ag_finding_add(f, item, AG_CHECK_DATA_POINTER, "memory for its elements", "null");
  } else if (!ag_view_fits_storage(view)) {
    int64_t size = view->t.dtype->item_size;
    snprintf(expected, sizeof expected, "at least %lld bytes (sizes, strides and offset)",
             (long long)(view->first_byte + view->highest * size));
    snprintf(found, sizeof found, "%lld bytes%s", (long long)view->storage_bytes,
             view->first_byte + view->lowest * size < 0 ? ", and elements before its start" : "");
    ag_finding_add(f, item, AG_CHECK_STORAGE, expected, found);
  }
}

void ag_finding_end(ag_finding *f, ag_text *report) {
  ag_text_add_bytes(report, f->lines.data, f->lines.length);
  ag_text_free(&f->lines);
}
