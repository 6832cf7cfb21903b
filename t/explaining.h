/* explaining.h - a kernel of two inputs and two outputs, given as a graph's text, and how an
 * element of an output is explained. */
#ifndef T_EXPLAINING_H
#define T_EXPLAINING_H

#include <math.h>
#include <stdio.h>

#include "explain/explain.h"
#include "explain/memory.h"
#include "shim.h"

static fake *in0, *in1, *out0, *out1;
static ag_view views[4];
static ag_operand operands[4];

BEFORE_EACH {
  fake *const all[] = {in0 = fake_new("float32", 6, 6, -1), in1 = fake_new("float32", 6, 6, -1),
                       out0 = fake_new("float32", 6, 6, -1), out1 = fake_new("float32", -1)};
  for (int i = 0; i < 36; i++) {
    FLOATS(in0)[i] = (float)i + 1;
    FLOATS(in1)[i] = i == 35 ? 100 : 0;
  }
  for (int i = 0; i < 4; i++) {
    ag_view_of_handle(&views[i], all[i]);
    operands[i] = (ag_operand){.view = &views[i]};
  }
}

AFTER_EACH {
  fake_free(in0);
  fake_free(in1);
  fake_free(out0);
  fake_free(out1);
}

static const aotigen_param params[] = {FLOAT32("arg0_1", AOTIGEN_IN), FLOAT32("arg1_1", AOTIGEN_IN),
                                       FLOAT32("buf0", AOTIGEN_OUT), FLOAT32("buf1", AOTIGEN_OUT)};
static const int16_t args_of_params[] = {0, 1, 2, 3};

static ag_explained explained; /* what it returned */
static const char *infinity;   /* the name of the argument that it names as that of an Inf */

static inline const char *explain(const char *text, size_t out, int64_t flat) {
  static char said[4000];
  const aotigen_graph graph = {text, args_of_params, 4};
  const aotigen_site site = {
      .function = "run_impl", .kernel = "cpp_fused_log_sum_0", .nparams = 4, .graph = &graph};
  const aotigen_model model = MODEL(.sites = &site, .nsites = 1);
  ag_arg args[4];
  ag_record r = {.launch = {.model = &model}, .nargs = 4, .args = args};
  ag_text t = {0};
  for (int i = 0; i < 4; i++) args[i] = (ag_arg){.param = &params[i], .view = views[i]};
  explained = ag_explain_add(&t, &r, out, flat);
  infinity = explained.infinity ? explained.infinity->param->name : NULL;
  snprintf(said, sizeof said, "%s", ag_text_string(&t));
  ag_text_free(&t);
  return said;
}

#endif
