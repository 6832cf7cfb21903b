/* 338-model-lines - the lines of the model that a launch computes: in reports and the log, and
 * which of them a filter selects. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "shared/filter.h"
#include "../runtime/base/settings.h"
#include "../runtime/base/sink.h"
#include "../runtime/checks/model_lines.h"
#include "../runtime/state/crash_lines.h"
#include "shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_IN)};
static const aotigen_line log_lines[] = {
    {"/home/me/model.py", 14, "b = torch.log(x - y)", "encoder.layers.3.mlp"},
    {"/home/me/model.py", 15, NULL, NULL}};
static const aotigen_line many[8] = {
    {"m.py", 1, "a", NULL}, {"m.py", 2, "b", NULL}, {"m.py", 3, "c", NULL}, {"m.py", 4, "d", NULL},
    {"m.py", 5, "e", NULL}, {"m.py", 6, "f", NULL}, {"m.py", 7, "g", NULL}, {"m.py", 8, "h", NULL}};

enum { LOG, MANY, NONE };
static const aotigen_site sites[] = {[LOG] = CPU_SITE("cpp_fused_log_0", params, 7, .nodes = "log",
                                                      .aten = "aten.log", WITH(lines, log_lines)),
                                     [MANY] = CPU_SITE("cpp_fused_1", params, 8, WITH(lines, many)),
                                     [NONE] = CPU_SITE("cpp_fused_2", params, 9, .nodes = "log")};
static aotigen_model model;

BEFORE_EACH { model = MODEL(WITH(sites, sites), .check_inputs = 2); }

/* The report of a launch whose argument has another dtype. */
static char *report_of(uint32_t site, uint32_t nsites) {
  fake *x = fake_new("float16", 4, -1);
  const aotigen_value v[] = {handle(x)};
  aotigen_run run;
  model.nsites = nsites;
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  assert_non_null(aotigen_before(&run, site, v, 1));
  aotigen_run_end(&run, 1);
  fake_free(x);
  return captured(2);
}

TEST(a_report_shows_lines) {
  assert_has_freed(report_of(LOG, 3),
                   "  ATen ops      aten.log\n"
                   "  model line    model.py:14  b = torch.log(x - y)  (encoder.layers.3.mlp)\n"
                   "  model line    model.py:15\n"
                   "  launched at   model.cpp:7, in run_impl\n");
}

TEST(a_text_is_read_from_its_file) {
  char dir[] = "/tmp/aotigen-lines-XXXXXX", name[64], other[64];
  assert_non_null(mkdtemp(dir));
  snprintf(name, sizeof name, "%s/m.py", dir);
  snprintf(other, sizeof other, "%s/m.txt", dir);
  const aotigen_line lines[] = {{name, 2, NULL, "a.b"}, {name, 3, NULL, NULL},
                                {name, 9, NULL, NULL},  {dir, 2, NULL, NULL},
                                {other, 2, NULL, NULL}, {name, 2, "x", NULL}};
  aotigen_site site = sites[LOG];
  site.lines = lines;
  site.nlines = 6;
  site.flags |= AOTIGEN_LINES_GUESSED;
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(i ? other : name, "w");
    fputs("first\n  y\t= \x1b[2J\xc3\xa9 \n \n", file);
    fclose(file);
  }
  model.sites = &site;
  char *got = report_of(0, 1);
  assert_has(got, "  model line    m.py:2  y = ?[2J??  (a.b)  (guessed)\n"
                  "  model line    m.py:3  (guessed)\n"
                  "  model line    m.py:9  (guessed)\n");
  assert_has(got, ":2  (guessed)\n  model line    m.txt:2  (guessed)\n"
                  "  model line    m.py:2  x  (guessed)\n");
  free(got);
  unlink(name);
  unlink(other);
  rmdir(dir);
}

TEST(a_report_counts_what_it_leaves_out) { as_expected(report_of(MANY, 3)); }

TEST(a_report_says_once_how_to_get_them) {
  static const aotigen_site bare[] = {{.function = "run_impl",
                                       .kernel = "k",
                                       .nodes = "log",
                                       .aten = "aten.log",
                                       .params = params,
                                       .nparams = 1,
                                       .form = AOTIGEN_CPU,
                                       .flags = AOTIGEN_KERNEL}};
  char *got = report_of(NONE, 3); /* lines of other sites are known */
  assert_int_equal(count(got, "model line"), 0);
  free(got);
  model.sites = bare;
  got = report_of(0, 1);
  assert_has(got, "  model line    not known: 'aotigen --exported=FILE' tells it; "
                  "torch.export.save() writes FILE\n");
  free(got);
  got = report_of(0, 1);
  assert_int_equal(count(got, "model line"), 0);
  free(got);
}

/* What is known of operation 4 and of argument 1 of the kernel; of others nothing is. */
TEST(lines_of_an_operation) {
  static const aotigen_graph graph = {.lines = "4:2 40:5 @1:3 12:0 @0:300 !:84"};
  aotigen_site site = sites[MANY];
  site.graph = &graph;
  assert_int_equal(ag_model_lines_of(&site, 4, 0), 2);
  assert_int_equal(ag_model_lines_of(&site, 40, 1), 5);
  assert_int_equal(ag_model_lines_of(&site, 0, 1), 3);
  assert_int_equal(ag_model_lines_of(&site, -1, 1), 3);
  assert_int_equal(ag_model_lines_of(&site, 12, 1), 3);
  assert_int_equal(ag_model_lines_of(&site, -1, 0), 0xff); /* it has no line 8 or 9 */
  assert_int_equal(ag_model_lines_of(&site, 4, 2), 2);
  assert_int_equal(ag_model_lines_of(&sites[MANY], 4, 1), 0xff);
  assert_int_equal(ag_model_lines_of_lookup(&site), 0x84);
  assert_int_equal(ag_model_lines_of_lookup(&sites[MANY]), 0);
  assert_int_equal(ag_model_lines_of(&sites[NONE], 4, 1), 0);
}

static char *lines_about(uint32_t site, uint64_t lines) {
  ag_text t = {0};
  ag_launch l = {.model = &model, .site = site, .lines = lines};
  model.nsites = 3;
  ag_model_lines_report(&t, &l);
  ag_model_lines_event(&t, &l);
  char *text = strdup(ag_text_string(&t));
  ag_text_free(&t);
  return text;
}

TEST(what_is_about_one_line_shows_it) {
  char *got = lines_about(LOG, 2);
  assert_string_equal(got, "  model line    model.py:15\n"
                           ",\"model_lines\":[{\"file\":\"/home/me/model.py\",\"line\":15,"
                           "\"text\":null,\"module\":null}]");
  free(got);
  got = lines_about(MANY, 0x42);
  assert_has(got, "  model line    candidate 1 of 2: m.py:2  b\n"
                  "  model line    candidate 2 of 2: m.py:7  g\n,");
  assert_has(got, "],\"lines_are_candidates\":true");
  assert_int_equal(count(got, "\"file\""), 2);
  free(got);
  got = lines_about(MANY, 0xff);
  assert_has(got, "  model line    candidate 6 of 8: m.py:6  f\n"
                  "  model line    and 2 more, which 'aotigen list' names\n");
  free(got);
}

TEST(the_log_has_all) {
  char name[] = "/tmp/aotigen-lines-XXXXXX", text[4096];
  close(mkstemp(name));
  environment("AOTIGEN_LOG", name);
  ag_settings_reload();
  ag_sink_reopen();
  free(report_of(LOG, 3));
  FILE *log = fopen(name, "r");
  text[fread(text, 1, sizeof text - 1, log)] = '\0';
  fclose(log);
  unlink(name);
  environment("AOTIGEN_LOG", NULL);
  ag_sink_reopen();
  assert_has(text,
             "\"aten\":\"aten.log\",\"model_lines\":[{\"file\":\"/home/me/model.py\",\"line\":"
             "14,\"text\":\"b = torch.log(x - y)\",\"module\":\"encoder.layers.3.mlp\"},"
             "{\"file\":\"/home/me/model.py\",\"line\":15,\"text\":null,\"module\":null}],"
             "\"arg\":");
}

TEST(a_filter_selects_by_them) {
  static const char *const in[] = {"model.py:14",
                                   "MODEL.py:15",
                                   "me/model.py:14",
                                   "/home/me/model.py:14",
                                   "model.py:*",
                                   "*model.py:1?",
                                   "encoder.layers.3.*",
                                   "encoder.layers.3.mlp",
                                   "encoder.layers.3",
                                   "encoder",
                                   "encoder.layers.?.mlp",
                                   "encoder.layers.3.mlp.*",
                                   "*.mlp",
                                   "!encoder.layers.2"};
  static const char *const out[] = {"model.py",         "model.py:16", "odel.py:14",
                                    "model.py:1",       "layers.3",    "encoder.layers.3.ml",
                                    "encoder.layers.2", "enc",         "encoder.layers.3.mlp.up",
                                    "!encoder",         "!model.py:14"};
  for (size_t i = 0; i < sizeof in / sizeof *in; i++)
    if (!ag_filter_selects(in[i], &sites[LOG])) fail_msg("'%s' leaves it out", in[i]);
  for (size_t i = 0; i < sizeof out / sizeof *out; i++)
    if (ag_filter_selects(out[i], &sites[LOG])) fail_msg("'%s' lets it in", out[i]);
  assert_true(ag_filter_selects("log", &sites[LOG]));
}

static const char *crash_says(const aotigen_site *s, int signal) {
  static char said[AG_RAW_MOST + 1];
  ag_raw_text t = {0};
  ag_crash_lines_add(&t, s, signal);
  ag_raw_add(&t, "\n");
  ag_crash_lines_add_field(&t, s, signal);
  memcpy(said, t.bytes, t.length);
  said[t.length] = '\0';
  return said;
}

TEST(of_a_crash) {
  static aotigen_line lines[9];
  for (int i = 0; i < 9; i++)
    lines[i] = (aotigen_line){"/m/m.py", i + 1, "y = x[\"k\"]", i % 2 ? "enc" : NULL};
  static const aotigen_graph graph = {.asserted = 1, .lines = "3:1 12:ff !:82"};
  aotigen_site s = {.kernel = "k", WITH(lines, lines), .graph = &graph};
  assert_string_equal(crash_says(&s, SIGABRT),
                      ", one of model lines m.py:2, m.py:8\n,\"model_lines\":["
                      "{\"line\":2,\"file\":\"/m/m.py\",\"text\":\"y = x[\\\"k\\\"]\",\"module\":"
                      "\"enc\"},{\"line\":8,\"file\":\"/m/m.py\",\"text\":\"y = x[\\\"k\\\"]\","
                      "\"module\":\"enc\"}],\"lines_are_candidates\":true");
  s.flags = AOTIGEN_LINES_GUESSED;
  const char *all = crash_says(&s, SIGSEGV);
  assert_has(all, ", one of model lines m.py:1, m.py:2, m.py:3, m.py:4 and 5 more\n");
  assert_has(all, "],\"lines_are_candidates\":true,\"lines_guessed\":true");
  s.nlines = 0;
  assert_string_equal(crash_says(&s, SIGABRT), "\n");
}

/* The event is whole JSON though not all lines have room. */
TEST(of_a_crash_with_long_lines) {
  static aotigen_line lines[40];
  static char text[1000];
  memset(text, '"', sizeof text - 1);
  for (int i = 0; i < 40; i++) lines[i] = (aotigen_line){text, i + 1, text, text};
  const aotigen_site s = {.kernel = "k", WITH(lines, lines)};
  const char *said = strchr(crash_says(&s, SIGSEGV), '\n');
  assert_true(strlen(said) < AG_RAW_MOST);
  assert_int_equal(count(said, "{\"line\":"), count(said, "\"module\":"));
  assert_has(said, "\"}],\"lines_are_candidates\":true");
}
