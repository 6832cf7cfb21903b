/* program_text.c - the texts of a launch's program; see program.h. */
#include "taken/program.h"
#include "base/file.h"
#include "base/template.h"
#include <inttypes.h>
#include <string.h>

/* ---- the arguments, as they are declared */

const char *program_explain_mismatch(const program *p, arena *a) {
  const size_t n = p->taken->arguments.n;
  if (n != p->text->parameters.n)
    return arena_printf(a, "the kernel has %zu parameters, and the launch %zu arguments",
                        p->text->parameters.n, n);
  for (size_t i = 0; i < n; i++) {
    const taken_argument *x = &p->taken->arguments.at[i];
    const kernel_parameter *k = &p->text->parameters.at[i];
    if ((x->kind == TAKEN_TENSOR) == k->is_pointer) continue;
    return arena_printf(a, "its parameter '%s' is %s pointer, and the argument '%s' is a %s",
                        k->name, k->is_pointer ? "a" : "no", x->name,
                        k->is_pointer ? "number" : "tensor");
  }
  return NULL;
}

static const char *declare(const kernel_parameter *k, arena *a) {
  return arena_printf(a, "%s%s%s", k->is_const && k->is_pointer ? "const " : "", k->type,
                      k->is_pointer ? " *" : " ");
}

/* One parameter a line. */
static const char *make_declaration(const program *p, arena *a) {
  strbuf t = {0};
  strbuf_printf(&t, "void %s(", p->taken->kernel);
  for (size_t i = 0; i < p->text->parameters.n; i++) {
    const kernel_parameter *k = &p->text->parameters.at[i];
    strbuf_printf(&t, "%s%s%s", i ? ",\n    " : "\n    ", declare(k, a), k->name);
  }
  strbuf_puts(&t, p->text->parameters.n ? ");" : "void);");
  return strbuf_take(&t, a);
}

static const char *spell_number(const taken_argument *x, arena *a) {
  switch (x->kind) {
    case TAKEN_FLOAT: {
      double value;
      memcpy(&value, &x->bits, sizeof value);
      return arena_printf(a, "float_of(UINT64_C(0x%016" PRIx64 ")) /* %.17g */", x->bits, value);
    }
    case TAKEN_BOOL: return x->bits ? "true" : "false";
    case TAKEN_UINT: return arena_printf(a, "UINT64_C(%" PRIu64 ")", x->bits);
    default: break;
  }
  if (x->bits == (uint64_t)INT64_MIN) return "INT64_MIN";
  return arena_printf(a, "INT64_C(%" PRId64 ")", (int64_t)x->bits);
}

static const char *make_call(const program *p, arena *a) {
  strbuf t = {0};
  int tensor = 0;
  strbuf_printf(&t, "%s(", p->taken->kernel);
  for (size_t i = 0; i < p->taken->arguments.n; i++) {
    const taken_argument *x = &p->taken->arguments.at[i];
    strbuf_puts(&t, i ? ",\n      " : "\n      ");
    if (x->kind == TAKEN_TENSOR)
      strbuf_printf(&t, "at(%d)", tensor++);
    else
      strbuf_puts(&t, spell_number(x, a));
  }
  strbuf_puts(&t, ");");
  return strbuf_take(&t, a);
}

/* ---- tables */

static const char *make_memories(const program *p, arena *a) {
  strbuf t = {0};
  for (size_t i = 0; i < p->taken->memories.n; i++) {
    const taken_memory *m = &p->taken->memories.at[i];
    strbuf_printf(&t, "%s    {.bytes = %lld, .place = %lld, .written = %s},", i ? "\n" : "",
                  m->bytes, m->place, m->written ? "true" : "false");
  }
  return strbuf_take(&t, a);
}

static void add_numbers(strbuf *t, const char *name, const long long *list, size_t n) {
  strbuf_printf(t, ".%s = {", name);
  for (size_t i = 0; i < n; i++) strbuf_printf(t, "%s%lld", i ? ", " : "", list[i]);
  strbuf_puts(t, n ? "}" : "0}");
}

static void add_tensor(strbuf *t, const taken_argument *x, const kernel_parameter *k, arena *a) {
  strbuf_printf(t,
                "%s    {.name = \"%s\", .wrapper_name = \"%s\", .dtype = \"%s\",\n"
                "     .memory = %lld, .offset = %lld, .element = %lld, .written = %s,\n"
                "     .ndim = %zu, ",
                t->n ? "\n" : "", k->name, template_quote(x->name, a), x->dtype, x->memory,
                x->offset, x->element, x->written ? "true" : "false", x->ndim);
  add_numbers(t, "sizes", x->sizes, x->ndim);
  strbuf_puts(t, ", ");
  add_numbers(t, "strides", x->strides, x->ndim);
  strbuf_puts(t, "},");
}

static const char *make_tensors(const program *p, arena *a) {
  strbuf t = {0};
  for (size_t i = 0; i < p->taken->arguments.n; i++)
    if (p->taken->arguments.at[i].kind == TAKEN_TENSOR)
      add_tensor(&t, &p->taken->arguments.at[i], &p->text->parameters.at[i], a);
  return strbuf_take(&t, a);
}

static const char *count_dimensions(const program *p, arena *a) {
  size_t most = 1;
  for (size_t i = 0; i < p->taken->arguments.n; i++)
    if (p->taken->arguments.at[i].ndim > most) most = p->taken->arguments.at[i].ndim;
  return arena_printf(a, "%zu", most);
}

/* A name as it may stand in a comment of C or of make. */
static const char *tame(const char *name, arena *a) {
  char *made = arena_strdup(a, name);
  for (char *c = made; *c; c++)
    if (*c == '*' || *c == '\\' || *c == '$' || (unsigned char)*c < ' ') *c = '?';
  return made;
}

static const char *make_title(const program *p, arena *a) {
  return arena_printf(a, "launch %u of '%s'", p->launch, tame(file_name(p->package), a));
}

const char *program_make_main(const program *p, arena *a) {
  const char *heading = arena_printf(a, "launch %u: %s", p->launch, p->taken->kernel);
  const slot slots[] = {
      {"title", make_title(p, a)},
      {"declaration", make_declaration(p, a)},
      {"check", strings_has(&p->build->missing, kernel_build_check)
                    ? template_fill("launch_check", NULL, 0, a)
                    : ""},
      {"threads", arena_printf(a, "%lld", p->taken->threads)},
      {"compared", p->taken->returned ? "1" : "0"},
      {"dimensions", count_dimensions(p, a)},
      {"memories", make_memories(p, a)},
      {"tensors", make_tensors(p, a)},
      {"call", make_call(p, a)},
      {"heading", arena_printf(a, "\"%s\"", template_quote(heading, a))},
  };
  return arena_printf(a, "%s\n",
                      template_fill("launch_main", slots, sizeof slots / sizeof *slots, a));
}

/* ---- Makefile */

/* A word as make hands it to a shell, which takes it as it is. */
static const char *quote_word(const char *word, arena *a) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-+=,./:@%";
  const bool is_plain = *word && strspn(word, plain) == strlen(word);
  strbuf t = {0};
  if (!is_plain) strbuf_puts(&t, "'");
  for (; *word; word++) {
    if (*word == '\'')
      strbuf_puts(&t, "'\\''");
    else if (*word == '$')
      strbuf_puts(&t, "$$");
    else if (*word == '#')
      strbuf_puts(&t, "\\#");
    else
      strbuf_add(&t, word, 1);
  }
  if (!is_plain) strbuf_puts(&t, "'");
  return strbuf_take(&t, a);
}

/* In lines that end with a backslash. */
static const char *make_flags(const program *p, arena *a) {
  strbuf t = {0};
  size_t width = 8;
  for (size_t i = 0; i < p->build->flags.n; i++) {
    const char *word = quote_word(p->build->flags.at[i], a);
    if (i && width + strlen(word) > 90) {
      strbuf_puts(&t, " \\\n ");
      width = 2;
    }
    strbuf_printf(&t, "%s%s", i ? " " : "", word);
    width += strlen(word) + 1;
  }
  return strbuf_take(&t, a);
}

static const char *make_libraries(const program *p, arena *a) {
  const strings all = kernel_build_torch_functions(p->build, a);
  strings some = all;
  if (!some.n) return "LIBRARIES =";
  if (some.n > 3) some.n = 3;
  const char *more = all.n > 3 ? " and others" : "";
  const char *functions = arena_printf(a, "%s%s", strings_join(a, &some, ", "), more);
  const char *torch = arena_printf(a, "%s/lib", p->text->command.torch);
  const slot slots[] = {{"functions", tame(functions, a)}, {"torch", tame(torch, a)}};
  return template_fill("launch_libraries", slots, sizeof slots / sizeof *slots, a);
}

const char *program_make_makefile(const program *p, arena *a) {
  const slot slots[] = {
      {"title", make_title(p, a)},
      {"compiler", p->build->compiler},
      {"flags", make_flags(p, a)},
      {"libraries", make_libraries(p, a)},
      {"openmp", kernel_build_openmp(p->build)},
      {"tab", "\t"},
  };
  return arena_printf(a, "%s\n",
                      template_fill("launch_makefile", slots, sizeof slots / sizeof *slots, a));
}
