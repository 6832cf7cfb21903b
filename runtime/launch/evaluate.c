/* evaluate.c - in which order a launch's scan results are evaluated. */
#define _GNU_SOURCE
#include "launch/evaluate.h"

#include "checks/nan.h"
#include "checks/op_effects.h"
#include "checks/origin_path.h"
#include "memory/overwritten.h"
#include "memory/unwritten.h"
#include "output/printer.h"

void ag_evaluate_begin(ag_evaluation *e, ag_record *r) {
  e->record = r;
  e->launch = r->launch;
}

void ag_evaluate_before(ag_evaluation *e) {
  ag_overwritten_check(e, AG_BEFORE);
  ag_unwritten_check(e);
  if (e->launch.model->nan_asserts) ag_nan_before(e);
  if (e->launch.model->printer == 2) ag_printer_launch(e, AG_BEFORE);
}

/* What is found in the buffers that the launch wrote. */
static void keep_left(ag_evaluation *e) {
  const ag_record *r = e->record;
  for (unsigned i = 0; i < r->nzones[AG_AFTER]; i++) {
    const ag_zone *z = &r->zones[AG_AFTER][i];
    ag_left_zone left = {.row = z->row, .allocated = z->allocated, .launch = z->until};
    unsigned char element[4];
    if (!z->left) continue;
    left.found = ag_nothing_bad;
    left.failed = !e->results->zone(e, AG_AFTER, i, &left.found, element);
    if (ag_list_grow((void **)&e->left.list, &e->left.room, e->left.count, sizeof *e->left.list))
      e->left.list[e->left.count++] = left;
  }
}

void ag_evaluate_after(ag_evaluation *e) {
  keep_left(e);
  ag_overwritten_check(e, AG_AFTER);
  ag_op_effects_check(e);
  if (e->launch.model->nan_asserts) ag_nan_after(e);
  ag_unwritten_check_after(e);
  ag_unwritten_check_outputs(e);
  if (e->launch.model->printer == 2) ag_printer_launch(e, AG_AFTER);
}

void ag_evaluate_inputs(ag_evaluation *e) {
  const aotigen_model *m = e->launch.model;
  for (size_t i = 0; i < e->record->nargs && i < m->ninputs; i++) {
    const ag_arg *a = &e->record->args[i];
    if (a->view.state == AG_VIEW_OK || a->view.state == AG_VIEW_REFUSED)
      ag_printer_input(e, &m->inputs[i], a);
  }
}

void ag_evaluate_end(ag_evaluation *e) {
  if (e->launch.model && e->launch.model->nan_asserts) ag_origin_report_paths(e);
}
