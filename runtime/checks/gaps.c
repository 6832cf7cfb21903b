/* gaps.c - see gaps.h. A kernel that takes a tensor as one row of elements has no strides in its
 * text; gaps, and elements that share memory, show that they are other ones. */
#define _GNU_SOURCE
#include "checks/gaps.h"

#include <stdio.h>
#include <string.h>

#include "checks/extent.h"

/* True if the tensor takes more or less memory than its elements in a row. */
static bool is_no_row(const ag_view *view) {
  return view->state == AG_VIEW_OK && !view->dense && !view->lowest &&
         view->highest != view->t.numel;
}

/* The first element of memory, counted from the tensor's first one, that does not belong to it. */
static int64_t find_gap(const ag_tensor *t) {
  int64_t end = 1; /* one past those that the dimensions so far cover */
  for (int32_t covered = 0; covered < t->ndim;) {
    int32_t before = covered;
    for (int32_t i = 0; i < t->ndim; i++) {
      if (t->strides[i] != end || t->sizes[i] < 2) continue;
      end *= t->sizes[i];
      covered++;
    }
    if (covered == before) break;
  }
  return end;
}

static void add(ag_finding *f, const ag_item *item, const ag_view *view, const char *kernel) {
  char expected[320], why[64];
  ag_text found = {0};
  snprintf(expected, sizeof expected, "%lld elements in a row, as %s reads them",
           (long long)view->t.numel, ag_short_name(kernel));
  if (view->highest > view->t.numel)
    snprintf(why, sizeof why, ", where element %lld is a gap", (long long)find_gap(&view->t));
  else
    snprintf(why, sizeof why, ", where elements share memory");
  ag_text_add_list(&found, view->t.strides, view->t.ndim, "[", ", ", "]");
  ag_text_add(&found, why);
  ag_finding_add(f, item, AG_CHECK_STRIDES, expected, ag_text_string(&found));
  ag_text_free(&found);
}

static bool is_as_made(const aotigen_param *p) { return p->maker && !p->writer; }

/* True if the parameter's text says, without arguments, that a launch reads n elements in a row. */
static bool surely_reads(const aotigen_param *p, int64_t n) {
  char number[24];
  snprintf(number, sizeof number, "%lld", (long long)n);
  return p->text && p->text->loads_all && !strcmp(p->text->loads_all, number);
}

void ag_gaps_check_output(const aotigen_run *run, ag_finding *f, const ag_item *item) {
  const ag_view *v = &item->arg->view;
  if (!is_no_row(v)) return;
  for (uint32_t i = run->site + 1; i < run->model->nsites; i++) {
    const aotigen_site *site = &run->model->sites[i];
    for (int k = 0; k < site->nparams && site->flags & AOTIGEN_KERNEL; k++) {
      const aotigen_param *p = &site->params[k];
      if (!is_as_made(p) || p->maker != run->site + 1 || strcmp(p->name, item->arg->param->name) ||
          !surely_reads(p, v->t.numel))
        continue;
      add(f, item, v, site->kernel);
      return;
    }
  }
}

void ag_gaps_check_argument(ag_finding *f, const ag_record *record, const ag_arg *a) {
  const ag_item item = {.label = "argument", .arg = a};
  const aotigen_text *text = a->param->text;
  if (!is_as_made(a->param) || !text || !text->loads_all || !is_no_row(&a->view) ||
      ag_extent_compute(text->loads_all, record) != a->view.t.numel)
    return;
  add(f, &item, &a->view, ag_launch_site(&record->launch)->kernel);
}
