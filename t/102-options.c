/* 102-options.c - the command line and the environment. */
#include "base/option_value.h"
#include "base/options.h"
#include "unit.h"

typedef struct parsed {
  arena *a;
  diags *d;
  options o;
} parsed;

static const char *variables[8][2];

static const char *env(const char *name) {
  for (size_t i = 0; i < 8 && variables[i][0]; i++)
    if (!strcmp(variables[i][0], name)) return variables[i][1];
  return NULL;
}

static void set(const char *name, const char *value) {
  for (size_t i = 0; i < 8; i++)
    if (!variables[i][0]) {
      variables[i][0] = name;
      variables[i][1] = value;
      return;
    }
}

static void forget(void) { memset(variables, 0, sizeof variables); }

BEFORE_EACH { forget(); }

/* Parses words that single blanks separate; "~" stands for a blank in a word. */
static parsed parse(const char *line) {
  static char buffer[4096];
  static char *argv[64];
  int argc = 0;
  snprintf(buffer, sizeof buffer, *line ? "aotigen %s" : "aotigen", line);
  for (char *s = buffer; s;) {
    argv[argc++] = s;
    s = strchr(s, ' ');
    if (s) *s++ = '\0';
  }
  for (int i = 0; i < argc; i++)
    for (char *s = argv[i]; *s; s++)
      if (*s == '~') *s = ' ';
  argv[argc] = NULL;
  parsed p = {.a = arena_new()};
  p.d = diags_new(p.a);
  options_parse(&p.o, argc, argv, env, p.a, p.d);
  return p;
}

static void done(parsed *p) { arena_free(p->a); }

static void refused(const char *line, enum status status, const char *says) {
  parsed p = parse(line);
  char *at = unit_messages(p.d, false);
  if (diags_status(p.d) != status) fail_msg("%s: status %d: %s", line, (int)diags_status(p.d), at);
  if (!strstr(at, says)) fail_msg("%s: '%s' is not in: %s", line, says, at);
  const char *first = strstr(at, "error: ");
  if (!first || strstr(first + 1, "error: ")) fail_msg("%s: not one error: %s", line, at);
  if (status == STATUS_USAGE && !strstr(at, "try 'aotigen --help'"))
    fail_msg("%s: no hint: %s", line, at);
  free(at);
  done(&p);
}

static parsed accepted(const char *line) {
  parsed p = parse(line);
  char *at = unit_messages(p.d, false);
  if (*at) fail_msg("%s: %s", line, at);
  free(at);
  return p;
}

TEST(the_defaults_are_those_of_the_table) {
  parsed p = accepted("m.cpp -o out.cpp");
  assert_int_equal(p.o.verb, VERB_REWRITE);
  assert_string_equal(p.o.input, "m.cpp");
  assert_string_equal(p.o.output.path, "out.cpp");
  assert_int_equal(p.o.levels.printer, 0);
  assert_int_equal(p.o.levels.check_inputs, 3);
  assert_int_equal(p.o.levels.nan_asserts, 1);
  assert_int_equal(p.o.levels.sync, 0);
  assert_string_equal(p.o.levels.kernels, "");
  assert_int_equal(p.o.levels_set, 0);
  assert_int_equal(p.o.verbosity, 0);
  assert_null(p.o.torch);
  assert_null(p.o.env.cache);
  assert_string_equal(p.o.env.tmpdir, "/tmp");
  assert_string_equal(p.o.python, "python3");
  done(&p);
}

TEST(every_spelling_is_read) {
  static const char *const lines[] = {
      "-p 2 -k a,!b --check-inputs model --nan-asserts inf --sync --torch /t --ops j -v -o x m.cpp",
      "-p2 -ka,!b --check-inputs=model --nan-asserts=inf --sync --torch=/t --ops=j -vo x m.cpp",
      ("--printer=0 --printer=2 --kernels=a,!b --check-inputs=model --nan-asserts=inf --sync "
       "--torch=/t --ops=j -q --verbose --output=x -- m.cpp"),
  };
  for (size_t i = 0; i < 3; i++) {
    parsed p = accepted(lines[i]);
    assert_int_equal(p.o.levels.printer, 2);
    assert_string_equal(p.o.levels.kernels, "a,!b");
    assert_int_equal(p.o.levels.check_inputs, 1);
    assert_int_equal(p.o.levels.nan_asserts, 2);
    assert_int_equal(p.o.levels.sync, 1);
    assert_string_equal(p.o.torch, "/t");
    assert_string_equal(p.o.files.ops, "j");
    assert_int_equal(p.o.verbosity, 1);
    assert_string_equal(p.o.output.path, "x");
    assert_string_equal(p.o.input, "m.cpp");
    assert_int_equal(p.o.levels_set, LEVEL_PRINTER | LEVEL_KERNELS | LEVEL_CHECK_INPUTS |
                                         LEVEL_NAN_ASSERTS | LEVEL_SYNC);
    done(&p);
  }
}

/* As t/343 holds it of the runtime. */
TEST(elements_are_a_list) {
  static const char *const good[] = {"", "1:buf0[]",
                                     " 12 : buf0 [ 2,3 ]; gelu,!x:a:b[];x:y[0][7];"},
                           *const bad[] = {
                               "buf0",        "buf0[1]",     ":buf0[1]",
                               "1:[1]",       "1:buf0",      "1:buf0[1",
                               "1:buf0[1]x",  "1:buf0[-1]",  "1:buf0[1,]",
                               "1:buf0[,1]",  "1:buf0[1 2]", "1:buf0[x]",
                               "0:buf0[1]",   "!:buf0[1]",   "1:buf0[99999999999999999999]",
                               "1:buf0[1];x", "1:buf0\n[1]"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_true(option_value_is_elements(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(option_value_is_elements(bad[i]));
  parsed p = accepted("--explain=3:buf0[2,3] -o x m.cpp");
  assert_string_equal(p.o.levels.explain, "3:buf0[2,3]");
  assert_int_equal(p.o.levels_set, LEVEL_EXPLAIN);
  done(&p);
}

TEST(elements_want_a_level) {
  static const char off[] = "m.cpp -o x --explain=1:b[0] --check-inputs=off --nan-asserts=off";
  parsed p = parse(off);
  unit_says(p.d, "--explain has nothing to explain");
  done(&p);
  p = accepted("build m.cpp -o x --explain=1:b[0] --check-inputs=off --nan-asserts=off");
  done(&p);
  set("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "3");
  p = accepted(off);
  done(&p);
}

TEST(guard_has_modes) {
  static const struct {
    const char *value, *buffers;
    unsigned guard;
  } good[] = {{"off", "", 0},
              {"canary", "", AOTIGEN_GUARD_CANARY},
              {"poison,page", "", AOTIGEN_GUARD_POISON | AOTIGEN_GUARD_PAGE},
              {"page-before", "", AOTIGEN_GUARD_PAGE_BEFORE},
              {"page:buf3+buf_7,poison", "buf3+buf_7", AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_POISON},
              {"canary,page:b", "b", AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_PAGE},
              {"ops", "", AOTIGEN_GUARD_OPS},
              {"ops,canary", "", AOTIGEN_GUARD_OPS | AOTIGEN_GUARD_CANARY}};
  static const char *const bad[] = {"",
                                    "on",
                                    "canary,",
                                    "canary,canary",
                                    "page:",
                                    "page:+",
                                    "page:a+",
                                    "page:a++b",
                                    "page,canary",
                                    "page:a-b",
                                    "page:a,page:b",
                                    "off,canary",
                                    "page,page:a",
                                    "canary page",
                                    "page-before,page"};
  unsigned guard;
  char buffers[12];
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_true(option_value_read_guard(good[i].value, &guard, buffers, sizeof buffers));
    assert_int_equal(guard, good[i].guard);
    assert_string_equal(buffers, good[i].buffers);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(option_value_read_guard(bad[i], &guard, buffers, sizeof buffers));
  assert_false(option_value_read_guard("page:a_very_long_one", &guard, buffers, sizeof buffers));
  parsed p = accepted("--guard=canary,page:buf3 -o x m.cpp");
  assert_int_equal(p.o.levels.guard, AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_PAGE);
  assert_string_equal(p.o.levels.guard_buffers, "buf3");
  assert_int_equal(p.o.levels_set, LEVEL_GUARD);
  done(&p);
}

TEST(the_verbs_take_their_options) {
  parsed p = accepted("--json list --kernel=triton_poi_0 --no-cache m.cpp");
  assert_int_equal(p.o.verb, VERB_LIST);
  assert_true(p.o.json);
  assert_string_equal(p.o.kernel, "triton_poi_0");
  done(&p);
  p = accepted("build -q m.cpp k.cpp w.o -o m.so --weights=old.so --sync");
  assert_int_equal(p.o.verb, VERB_BUILD);
  assert_int_equal(p.o.objects.n, 2);
  assert_string_equal(p.o.objects.at[1], "w.o");
  assert_string_equal(p.o.files.weights, "old.so");
  assert_int_equal(p.o.levels_set, LEVEL_SYNC);
  assert_int_equal(p.o.verbosity, -1);
  done(&p);
  p = accepted("m.cpp --dump=edits"); /* a dump wants no output */
  assert_int_equal(p.o.dump, DUMP_EDITS);
  done(&p);
  p = accepted("./list -o -");
  assert_int_equal(p.o.verb, VERB_REWRITE);
  done(&p);
  p = accepted("-o x -- -p");
  assert_string_equal(p.o.input, "-p");
  done(&p);
}

TEST(help_and_version_go_before_all_else) {
  parsed p = accepted("--help");
  assert_int_equal(p.o.verb, VERB_HELP);
  done(&p);
  p = accepted("build --version a b c");
  assert_int_equal(p.o.verb, VERB_VERSION);
  done(&p);
  p = accepted("--version -h");
  assert_int_equal(p.o.verb, VERB_HELP);
  done(&p);
}

TEST(usage_is_told_in_one_line) {
  static const char *const wrong[][2] = {
      {"", "no input"},
      {"-o x", "no input"},
      {"list", "no input for the verb 'list'"},
      {"m.cpp", "no output"},
      {"build m.cpp", "no output"},
      {"build m.cpp -o -", "must be a file"},
      {"m.cpp n.cpp -o x", "more than one input: 'm.cpp' and 'n.cpp'"},
      {"m.cpp -o x --chek-inputs=all", "unknown option '--chek-inputs=all'"},
      {"m.cpp -o x -z", "unknown option '-z'"},
      {"m.cpp -o x -qz", "unknown option '-z' in '-qz'"},
      {"m.cpp -o x --print=2", "unknown option"},
      {"m.cpp -o", "needs a value"},
      {"m.cpp -o x --torch", "'--torch' needs a value"},
      {"m.cpp -o x --torch=", "'--torch'"},
      {"m.cpp -o x --sync=1", "'--sync' takes no value"},
      {"m.cpp -o x -p 4", "value '4' of option '--printer' must be 0, 1, 2 or 3"},
      {"m.cpp -o x -p -1", "'-1'"},
      {"m.cpp -o x -p 02", "'02'"},
      {"m.cpp -o x -p 2~", "'2 '"},
      {"m.cpp -o x --printer=", "''"},
      {"m.cpp -o x --check-inputs=on", "off, model, launch or all"},
      {"m.cpp -o x --nan-asserts=NaN", "off, nan, inf, all or cause"},
      {"m.cpp -o x --subnormals=101", "off or a percentage, 0 to 100"},
      {"m.cpp -o x --subnormals=0x1", "off or a percentage, 0 to 100"},
      {"m.cpp -o x --explain=buf0",
       "value 'buf0' of option '--explain' must be launches and elements such as 3:buf0[2,3] or "},
      {"m.cpp -o x --dump=all", "command, model, kernels, plan or edits"},
      {"m.cpp -o x -k a\nb", "control characters"},
      {"m.cpp -o x -k !",
       "value '!' of option '--kernels' must be a comma list of patterns, with a "
       "pattern after each '!' (as in '!*mm*')"},
      {"m.cpp -o x -k gelu,~!~,b", "a pattern after each '!'"},
      {"build m.cpp -o x -k !,a", "a pattern after each '!'"},
      {"m.cpp -o x --json", "'--json' does not go with rewriting"},
      {"m.cpp -o x --weights=a", "'--weights' does not go with rewriting"},
      {"list m.cpp -o x", "'--output' does not go with the verb 'list'"},
      {"check m.pt2 --here", "'--here' does not go with the verb 'check'"},
      {"list m.pt2 --here --kernel=k", "'--kernel' does not go with '--here'"},
      {"list -p 1 m.cpp", "'--printer' does not go with the verb 'list'"},
      {"build m.cpp -o x --json", "'--json' does not go with the verb 'build'"},
      {"build m.cpp -o x --dump=model", "'--dump' does not go"},
      {"build m.cpp notes.txt -o x", "'notes.txt'"},
      {"- -o x", "standard input is not read"},
      {"list a.cpp b.cpp", "more than one input"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    refused(wrong[i][0], STATUS_USAGE, wrong[i][1]);
}

TEST(a_package_is_rewritten_and_listed_and_not_built) {
  parsed p = parse("--model=decoder -p 3 model.pt2 -o x.pt2");
  assert_int_equal(diags_status(p.d), STATUS_OK);
  assert_string_equal(p.o.model, "decoder");
  done(&p);
  p = parse("list model.pt2");
  assert_int_equal(diags_status(p.d), STATUS_OK);
  assert_null(p.o.model);
  done(&p);
  refused("build model.pt2 -o m.so", STATUS_USAGE,
          "the verb 'build' takes a wrapper: a package is rewritten and built by 'aotigen "
          "model.pt2 -o OUTPUT'");
  refused("build --model=a w.cpp -o m.so", STATUS_USAGE,
          "option '--model' does not go with the verb 'build'");
  refused("--model= model.pt2 -o x.pt2", STATUS_USAGE,
          "value '' of option '--model' must be printable: a model's name, or of 'run' a package");
}

TEST(behind_run_stands_a_command) {
  parsed p = parse("run --sync --model=a.pt2 --model b.pt2 -- python -v list --model=c");
  assert_int_equal(diags_status(p.d), STATUS_OK);
  assert_int_equal(p.o.verb, VERB_RUN);
  assert_int_equal(p.o.run.nmodels, 2);
  assert_string_equal(p.o.run.models[1], "b.pt2");
  assert_string_equal(p.o.run.command[0], "python");
  assert_string_equal(p.o.run.command[3], "--model=c");
  assert_null(p.o.run.command[4]);
  assert_int_equal(p.o.verbosity, 0);
  assert_int_equal(p.o.run.given.n, 4); /* without the verb and the two hyphens */
  done(&p);
  p = parse("--keep=k --printer-to=p.txt run make -j2 check");
  assert_int_equal(diags_status(p.d), STATUS_OK);
  assert_string_equal(p.o.run.printer_to, "p.txt");
  assert_string_equal(p.o.run.keep, "k");
  assert_string_equal(p.o.run.command[1], "-j2");
  done(&p);
  refused("run", STATUS_USAGE, "no command for the verb 'run'");
  refused("run --model=a.pt2 --", STATUS_USAGE, "no command for the verb 'run'");
  refused("run -p2 -- true", STATUS_USAGE, "option '--printer' is for a debug package");
  refused("run --no-cache -- true", STATUS_USAGE, "option '--no-cache' is for a debug package");
  refused("run --model=a --dump=plan -- true", STATUS_USAGE,
          "'--dump' does not go with the verb 'run'");
}

TEST(watch_takes_a_package_and_names_its_output) {
  parsed p = accepted("watch --model=a -q --torch=t model.pt2 -o w.pt2 --confine=require");
  assert_int_equal(p.o.verb, VERB_WATCH);
  assert_string_equal(p.o.input, "model.pt2");
  assert_string_equal(p.o.model, "a");
  assert_int_equal(p.o.confining, CONFINING_REQUIRE);
  done(&p);
  refused("watch", STATUS_USAGE, "no input for the verb 'watch'");
  refused("watch m.pt2", STATUS_USAGE, "no output: name it with -o FILE");
  refused("watch m.pt2 n.pt2 -o w.pt2", STATUS_USAGE, "more than one input");
  refused("watch -p2 m.pt2 -o w.pt2", STATUS_USAGE,
          "option '--printer' does not go with the verb 'watch'");
  refused("watch --exported=e m.pt2 -o w.pt2", STATUS_USAGE,
          "option '--exported' does not go with the verb 'watch'");
  refused("wach m.pt2 -o w.pt2", STATUS_USAGE, "unknown verb 'wach'; the nearest is 'watch'");
}

TEST(limits_are_changed_by_name) {
  static const char *const wrong[][2] = {
      {"m.cpp -o x --confine=on", "auto, require or off"},
      {"m.cpp -o x --limits=", "'--limits' must be a comma list of parser=SECONDS"},
      {"m.cpp -o x --limits=cpu", "'--limits'"},
      {"m.cpp -o x --limits=cpu=", "'--limits'"},
      {"m.cpp -o x --limits=cpu=-1", "'--limits'"},
      {"m.cpp -o x --limits=cpu=1x", "'--limits'"},
      {"m.cpp -o x --limits=cpu=12345678", "'--limits'"},
      {"m.cpp -o x --limits=cpu=1,", "'--limits'"},
      {"m.cpp -o x --limits=,cpu=1", "'--limits'"},
      {"m.cpp -o x --limits=cp=1", "'--limits'"},
      {"m.cpp -o x --limits=cpus=1", "'--limits'"},
      {"build m.cpp -o x --limits=cpu=1", "'--limits' does not go with the verb 'build'"},
      {"build m.cpp -o x --confine=off", "'--confine' does not go with the verb 'build'"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    refused(wrong[i][0], STATUS_USAGE, wrong[i][1]);
  parsed p = parse("m.cpp -o x");
  const process_limits *l = &p.o.limits;
  assert_memory_equal(l, &limits_default, sizeof *l);
  done(&p);
  p = parse("list m.cpp --limits=parser-memory=1,file=0 "
            "--limits=cpu=9999999,clock=4,memory=5,parser=6,processes=7");
  assert_int_equal(diags_status(p.d), STATUS_OK);
  assert_true(l->parser_mib == 1 && l->file_mib == 0 && l->cpu_seconds == 9999999);
  assert_true(l->clock_seconds == 4 && l->memory_mib == 5 && l->parser_seconds == 6 &&
              l->processes == 7);
  done(&p);
}

TEST(the_environment_gives_defaults) {
  set("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "3");
  set("AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT", "gelu");
  set("TORCHINDUCTOR_NAN_ASSERTS", "1");
  set("HOME", "/home/u");
  set("TMPDIR", "/var/tmp");
  parsed p = accepted("m.cpp -o x");
  assert_int_equal(p.o.levels.printer, 3);
  assert_string_equal(p.o.levels.kernels, "gelu");
  assert_int_equal(p.o.levels.nan_asserts, 3);
  assert_int_equal(p.o.levels_set, 0);
  assert_string_equal(p.o.env.cache, "/home/u/.cache/aotigen");
  assert_string_equal(p.o.env.tmpdir, "/var/tmp");
  done(&p);
  set("XDG_CACHE_HOME", "/c");
  p = accepted("m.cpp -o x -p 0 --kernels= --nan-asserts=off --subnormals=5 --subnormals=off");
  assert_int_equal(p.o.levels.subnormals, 0);
  assert_int_equal(p.o.levels.printer, 0);
  assert_string_equal(p.o.levels.kernels, "");
  assert_int_equal(p.o.levels.nan_asserts, 0);
  assert_string_equal(p.o.env.cache, "/c/aotigen");
  done(&p);
  p = accepted("m.cpp -o x --no-cache");
  assert_null(p.o.env.cache);
  done(&p);
  p = accepted("--cached m.pt2 --no-cache");
  assert_string_equal(p.o.env.cache, "/c/aotigen");
  assert_true(p.o.env.packages_only);
  done(&p);
  p = accepted("build m.cpp -o x"); /* keeps what the wrapper says */
  assert_int_equal(p.o.levels_set, 0);
  assert_int_equal(p.o.levels.printer, 0);
  done(&p);
}

TEST(a_bad_variable_is_named) {
  static const char *const bad[][3] = {
      {"AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "4", "0, 1, 2 or 3"},
      {"AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "yes", "'yes'"},
      {"TORCHINDUCTOR_NAN_ASSERTS", "2", "0 or 1"},
      {"TORCHINDUCTOR_NAN_ASSERTS", "true", "'true'"},
      {"AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT", "a\033b", "control characters"},
      {"AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT", "gelu, !", "a pattern after each '!'"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    forget();
    set(bad[i][0], bad[i][1]);
    refused("m.cpp -o x", STATUS_USAGE, bad[i][0]);
    refused("m.cpp -o x", STATUS_USAGE, bad[i][2]);
    parsed p = accepted("list m.cpp"); /* an option that a verb does not use cannot be wrong */
    done(&p);
  }
}

TEST(an_exclusion_has_a_pattern) {
  static const char *const good[] = {"!a", "!~a", "a,,~,!b~", ",", "!!", "a!", "!*mm*,gelu"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    char line[64];
    snprintf(line, sizeof line, "m.cpp -o x -k %s", good[i]);
    parsed p = accepted(line);
    done(&p);
  }
}

TEST(empty_variables_are_unset) {
  set("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "");
  set("TORCHINDUCTOR_NAN_ASSERTS", "0");
  set("CXX", "");
  set("XDG_CACHE_HOME", "relative");
  parsed p = accepted("m.cpp -o x");
  assert_int_equal(p.o.levels.printer, 0);
  assert_int_equal(p.o.levels.nan_asserts, 1);
  assert_null(p.o.env.cache);
  done(&p);
  p = accepted("build m.cpp -o x");
  assert_null(p.o.env.cxx);
  done(&p);
}

TEST(cxx_is_a_program_without_arguments) {
  static const char *const bad[] = {"ccache g++", "./g++", "-g++", "g++;id", "$(id)", "a/b"},
                           *const good[] = {"g++-12", "/usr/bin/clang++"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    forget();
    set("CXX", bad[i]);
    refused("build m.cpp -o x", STATUS_USAGE, "'CXX'");
  }
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    forget();
    set("CXX", good[i]);
    parsed p = accepted("build m.cpp -o x");
    assert_string_equal(p.o.env.cxx, good[i]);
    done(&p);
  }
}

TEST(help_lists_every_option_with_its_default) {
  char *at = NULL, letter, wanted[64];
  const char *value, *name;
  size_t n = 0, count = 0;
  FILE *to = open_memstream(&at, &n);
  options_help(to);
  fclose(to);
  for (; (name = options_name(count, &letter, &value)); count++) {
    snprintf(wanted, sizeof wanted, "%c%s --%s%s%s", letter ? '-' : ' ',
             letter ? (char[]){letter, ',', 0} : "  ", name, value ? "=" : "", value ? value : "");
    if (!strstr(at, wanted)) fail_msg("--help has no '%s':\n%s", wanted, at);
  }
  assert_true(count >= 15);
  assert_non_null(strstr(at, "[$AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER, else 0]"));
  assert_null(strstr(at, "(null)"));
  for (const char *limit = LIMITS_WANTS; (limit = strpbrk(limit, "=")); limit++) {
    const char *begin = limit;
    while (begin[-1] != ' ') begin--;
    snprintf(wanted, sizeof wanted, " %.*s=", (int)(limit - begin), begin);
    if (!strstr(at, wanted)) fail_msg("--help has no limit '%s':\n%s", wanted, at);
  }
  for (char *line = strtok(at, "\n"); line; line = strtok(NULL, "\n"))
    assert_true(strlen(line) <= 100);
  free(at);
}
