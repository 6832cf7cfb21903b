/* 335-loops - where in its loops and branches a launch is, whatever the filter leaves out. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_scope outer = {AOTIGEN_WHILE, 10, NULL, NULL, 1},
                           inner = {AOTIGEN_WHILE, 20, NULL, &outer, 2},
                           branch = {AOTIGEN_ELSE, 25, "false_graph_0", &inner, 0},
                           plain = {AOTIGEN_IF, 40, NULL, NULL, 0},
                           uncounted = {AOTIGEN_FOR, 50, NULL, NULL, 0};
enum { START, OUTER_HEAD, INNER_HEAD, BODY, BRANCH, UNCOUNTED, NSITES };
static const aotigen_site sites[] = {
    [START] = EXTERN_SITE("start", params, 5, .number = 1),
    [OUTER_HEAD] = EXTERN_SITE("outer_head", params, 11, .number = 2, .scope = &outer, .heads = 1),
    [INNER_HEAD] = EXTERN_SITE("inner_head", params, 21, .number = 3, .scope = &inner, .heads = 1),
    [BODY] = EXTERN_SITE("body", params, 30, .number = 4, .scope = &branch),
    [BRANCH] = EXTERN_SITE("branch", params, 41, .number = 5, .scope = &plain),
    [UNCOUNTED] = EXTERN_SITE("uncounted", params, 51, .number = 6, .scope = &uncounted)};
static aotigen_run run;
static fake *buf;

BEFORE_EACH { buf = fake_new("float32", 4, -1); }

AFTER_EACH {
  environment("AOTIGEN_KERNELS", NULL);
  environment("AOTIGEN_LOG", NULL);
  fake_free(buf);
}

static void launch(uint32_t site, float value) {
  const aotigen_value values[] = {handle(buf)};
  run.launch++;
  if (!run.wanted[site]) {
    run.unseen = run.launch;
    return;
  }
  assert_null(aotigen_before(&run, site, values, 1));
  for (int i = 0; i < 4; i++) FLOATS(buf)[i] = value;
  assert_null(aotigen_after(&run, site, NULL, 0));
}

/* The outer loop twice, the inner one three times and once; a NaN at the end. */
static void run_loops(aotigen_model *model) {
  aotigen_run_begin(&run, model, 0, NULL);
  launch(START, 0);
  for (int i = 0; i < 2; i++) {
    launch(OUTER_HEAD, 0);
    for (int k = 0; k < (i ? 2 : 3); k++) {
      launch(INNER_HEAD, 0);
      launch(BODY, i && k ? NAN : 0);
    }
  }
  launch(BRANCH, NAN);
  launch(UNCOUNTED, NAN);
  aotigen_run_end(&run, 0);
}

static void place_launches(aotigen_model *model) {
  char name[512], line[2048];
  *model = MODEL(WITH(sites, sites), .nan_asserts = 1, .device = fake_device());
  close(mkstemp(temporary(name, sizeof name)));
  environment("AOTIGEN_LOG", name);
  for (int times = 0; times < 2; times++) { /* a run counts for itself */
    capture(2);
    run_loops(model);
    as_expected(captured(2));
  }
  FILE *f = fopen(name, "r");
  do assert_non_null(fgets(line, sizeof line, f));
  while (!strstr(line, "\"event\":\"born\"")); /* the first line is of what is in flight */
  fclose(f);
  unlink(name);
  assert_has(line, "\"launch\":13,\"site\":4,\"iteration\":2,\"line\":30,");
}

TEST(each_launch_is_placed) {
  static aotigen_model model;
  place_launches(&model);
}

TEST(sites_that_are_left_out_count) {
  static aotigen_model model;
  environment("AOTIGEN_KERNELS", "body,branch,uncounted");
  place_launches(&model);
}
