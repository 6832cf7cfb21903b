/* gaps.c - see gaps.h. A kernel that takes a tensor as one row of elements has no strides in its
 * text; gaps show that they are other ones. */
#define _GNU_SOURCE
#include "checks/gaps.h"

#include <stdio.h>
#include <string.h>

#include "checks/extent.h"

static bool has_gaps(const ag_view *v) {
  return v->state == AG_VIEW_OK && !v->dense && !v->lowest && v->highest > v->t.numel;
}

/* The first element of memory, counted from the tensor's first one, that is none of its own. */
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

static void add(ag_finding *f, const ag_item *item, const ag_view *v, const char *kernel) {
  char expected[320], gap[64];
  ag_text found = {0};
  snprintf(expected, sizeof expected, "%lld elements without gaps, as %.200s reads them",
           (long long)v->t.numel, kernel);
  snprintf(gap, sizeof gap, ", where element %lld is a gap", (long long)find_gap(&v->t));
  ag_text_add_list(&found, v->t.strides, v->t.ndim, "[", ", ", "]");
  ag_text_add(&found, gap);
  ag_finding_add(f, item, "strides", expected, ag_text_string(&found));
  ag_text_free(&found);
}

static bool is_as_made(const aotigen_param *p) { return p->maker && !p->writer; }

/* Does the parameter's text tell, without arguments, that a launch reads n elements in a row. */
static bool surely_reads(const aotigen_param *p, int64_t n) {
  char number[24];
  snprintf(number, sizeof number, "%lld", (long long)n);
  return p->text && p->text->loads_all && !strcmp(p->text->loads_all, number);
}

void ag_gaps_check_output(const aotigen_run *run, ag_finding *f, const ag_item *item) {
  const ag_view *v = &item->arg->view;
  if (!has_gaps(v)) return;
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

void ag_gaps_check_argument(ag_finding *f, const ag_record *r, const ag_arg *a) {
  const ag_item item = {.label = "argument", .arg = a};
  const aotigen_text *text = a->param->text;
  if (!is_as_made(a->param) || !text || !text->loads_all || !has_gaps(&a->view) ||
      ag_extent_compute(text->loads_all, r) != a->view.t.numel)
    return;
  add(f, &item, &a->view, ag_launch_site(&r->launch)->kernel);
}
