/* 118-container.c - the part of a wrapper that is the same in every model, cut out. */
#include "toolchain/container.h"
#include "system/process.h"
#include "machine.h"

#define INTERFACE                                                                                  \
  "#include <torch/interface.h>\n\n#include <vector>\n\n#define TRY(...) __VA_ARGS__\n"            \
  "extern \"C\" {\nint AOTInductorModelRun() { TRY(return 0;) }\n} // extern \"C\""
#define BEFORE "\n#include <torch/cpu.h>\n// Definition\n\n"
#define BEHIND "\n\nint model;\n"

typedef struct cut {
  machine *m;
  const char *torch;
  wrapper_text w;
  container_cut cut;
} cut;

static cut cut_of(machine *m, const char *original, const char *compiled, bool instrumented) {
  machine_file(m, "torch/_inductor/codegen/aoti_runtime/interface.cpp", INTERFACE "\n\n");
  cut c = {.m = m, .torch = arena_printf(m->a, "%s/torch", m->dir)};
  c.w = (wrapper_text){.original = original,
                       .original_n = strlen(original),
                       .at = compiled,
                       .n = strlen(compiled),
                       .instrumented = instrumented,
                       .on = true,
                       .name = "w.cpp"};
  return c;
}

static bool separates(cut *c) { return container_separate(&c->cut, &c->w, c->torch, c->m->a); }

static void drop(cut *c) {
  strbuf_free(&c->cut.container);
  strbuf_free(&c->cut.rest);
}

static bool holds(const strbuf *t, const char *part) { return strstr(t->at, part) != NULL; }

TEST(torch_s_text_is_cut_out) {
  machine *m = *state;
  const char *text = BEFORE INTERFACE BEHIND;
  cut c = cut_of(m, text, text, false);
  assert_true(separates(&c));
  assert_true(holds(&c.cut.container, "AOTInductorModelRun() {"));
  assert_false(holds(&c.cut.container, "int model;"));
  assert_false(holds(&c.cut.container, "aotigen"));
  assert_false(holds(&c.cut.rest, "AOTInductorModelRun"));
  assert_false(holds(&c.cut.rest, "#define TRY"));
  assert_true(holds(&c.cut.rest, "#include <vector>\n"));
  assert_true(holds(&c.cut.rest, "\n#line 12 \"w.cpp\"\n\n\nint model;\n"));
  drop(&c);
}

TEST(insertions_stay_where_they_were) {
  machine *m = *state;
  const char *prologue = "#include \"aotigen.h\"\nint tables;\n#line 1 \"w.cpp\"\n";
  const char *compiled =
      "#include <torch/interface.h>\n\n#include <vector>\n\n#define TRY(...) __VA_ARGS__\n"
      "extern \"C\" {\nint AOTInductorModelRun() { INSERTED(); TRY(return 0;) }\n} // extern \"C\"";
  cut c = cut_of(m, BEFORE INTERFACE BEHIND,
                 arena_printf(m->a, "%s" BEFORE "%s" BEHIND, prologue, compiled), true);
  assert_true(separates(&c));
  assert_true(holds(&c.cut.container, "{ INSERTED(); TRY(return 0;) }"));
  assert_true(holds(&c.cut.container, "#include \"aotigen.h\"\n"));
  assert_false(holds(&c.cut.container, "int tables;"));
  assert_true(holds(&c.cut.rest, "int tables;"));
  drop(&c);
  c.w.on = false; /* then its macros are empty, and there is no model to point at */
  assert_true(separates(&c));
  assert_true(holds(&c.cut.container, "#include \"aotigen.h\"\n"));
  assert_false(holds(&c.cut.container, "aotigen_model"));
  assert_false(holds(&c.cut.rest, "aotigen_model"));
  drop(&c);
}

TEST(headers_are_those_of_the_rest) {
  machine *m = *state;
#define CONTAINER "#include <torch/csrc/inductor/aoti_runtime/model_container.h>\n"
  const char *text = BEFORE CONTAINER INTERFACE BEHIND;
  cut c = cut_of(m, text, text, false);
  machine_file(m, "torch/_inductor/codegen/aoti_runtime/interface.cpp", CONTAINER INTERFACE);
  assert_true(separates(&c));
  assert_false(holds(&c.cut.rest, "model_container.h"));
  assert_true(holds(&c.cut.rest, "#include <torch/csrc/inductor/aoti_runtime/model.h>\n"));
  assert_true(holds(&c.cut.container, CONTAINER));
  drop(&c);
  strbuf list = container_apart_headers(&c.w, c.torch, m->a);
  assert_true(text_begins(list.at, "#include <torch/cpu.h>\n"
                                   "#include <torch/csrc/inductor/aoti_runtime/model.h>\n"
                                   "#include <torch/interface.h>\n#if"));
  assert_true(holds(&list, "extern template class std::basic_regex<char>;\n"));
  strbuf_free(&list);
  c.w.original_n = c.w.n = strlen(BEFORE);
  assert_int_equal(container_apart_headers(&c.w, c.torch, m->a).n, 0);
}

static bool is_apart(machine *m, const char *source) {
  const char *from = machine_file(m, "o.s", source), *to = machine_path(m, "o.o");
  char *const argv[] = {"as", "-o", (char *)to, (char *)from, NULL};
  process p;
  assert_true(process_start(&p, argv, machine_path(m, "log"), &(process_setting){0}));
  assert_true(process_wait(&p));
  return container_is_apart(to);
}

TEST(an_object_that_wants_a_regex_is_not_apart) {
  machine *m = *state;
  assert_true(is_apart(m, "call f\n"));
  assert_true(is_apart(m, ".weak a_regex\na_regex: ret\n"));
  assert_false(is_apart(m, "call f\ncall a_regex\n"));
  assert_false(container_is_apart(machine_file(m, "o.o", "no object")));
}

TEST(other_text_stays_whole) {
  machine *m = *state;
  static const char *const texts[] = {
      BEFORE BEHIND, "int own;\n" BEFORE INTERFACE BEHIND, BEFORE INTERFACE "int f() { TRY() }\n",
      "#include \\\n" BEFORE INTERFACE BEHIND,
      BEFORE "#include <torch/interface.h>\nint other;\n} // extern \"C\"" BEHIND};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    cut c = cut_of(m, texts[i], texts[i], false);
    assert_false(separates(&c));
  }
  cut c = cut_of(m, BEFORE INTERFACE BEHIND, BEFORE INTERFACE BEHIND, false);
  c.torch = m->dir;
  assert_false(separates(&c));
  c.torch = NULL;
  assert_false(separates(&c));
}
