/* emit.c - see emit.h. */
#include "emit/emit.h"
#include "shared/version.h"
#include <ctype.h>
#include <string.h>

const char *emit_summary(const plan *p, arena *a) {
  const char *out = "";
  for (size_t i = 0; i < sizeof p->counts / sizeof *p->counts; i++)
    if (p->counts[i])
      out = arena_printf(a, "%s%s%u %s", out, *out ? ", " : "", p->counts[i], form_names[i]);
  return arena_printf(a, "%s instrumented, %u left alone", *out ? out : "nothing", p->left_alone);
}

static const char *format_number(unsigned n, arena *a) { return arena_printf(a, "%u", n); }

/* ---- the levels */

/* The number of switches, as a word. */
static const char *count_switches(void) {
  static const char *const words[] = {"no",  "one",   "two",   "three", "four", "five",
                                      "six", "seven", "eight", "nine",  "ten"};
  size_t n = 0;
  for (unsigned i = 0; i < LEVEL_ROWS; i++) n += !level_table[i].is_text;
  return n < sizeof words / sizeof *words ? words[n] : "the";
}

/* A definition of each macro. */
static const char *define_levels(const levels *l, arena *a) {
  const char *out = "";
  for (unsigned i = 0; i < LEVEL_ROWS; i++) {
    const slot slots[] = {{"macro", level_table[i].macro},
                          {"value", level_spell(l, &level_table[i], a)},
                          {"meaning", level_table[i].meaning}};
    out = arena_printf(a, "%s%s%s", out, *out ? "\n" : "",
                       template_fill("level", slots, sizeof slots / sizeof *slots, a));
  }
  return out;
}

/* "AOTIGEN_PRINTER || AOTIGEN_SYNC": one of the numbers is not 0. */
static const char *join_switches(arena *a) {
  const char *out = "";
  for (unsigned i = 0; i < LEVEL_ROWS; i++)
    if (!level_table[i].is_text)
      out = arena_printf(a, "%s%sAOTIGEN_%s", out, *out ? " || " : "", level_table[i].macro);
  return out;
}

/* The macros as initialisers, behind `column` characters, in lines of at most 100. */
static const char *list_levels(size_t column, arena *a) {
  const char *out = "";
  for (unsigned i = 0; i < LEVEL_ROWS; i++) {
    const char *next = arena_printf(a, "AOTIGEN_%s,", level_table[i].macro);
    bool fits = column + 1 + strlen(next) <= 100;
    out = arena_printf(a, "%s%s%s", out, fits ? " " : "\n    ", next);
    column = (fits ? column + 1 : 4) + strlen(next);
  }
  return out;
}

/* Only a package in the cache of `run` is told so. */
static const char *fill_kept(const options *o, arena *a) {
  const slot slots[] = {{"of", o->kept_of ? template_quote(o->kept_of, a) : ""}};
  return o->kept_of ? arena_printf(a, "%s\n", template_fill("kept", slots, 1, a)) : "";
}

static const char *fill_prologue(const plan *p, const options *o, arena *a) {
  const slot slots[] = {{"version", AOTIGEN_VERSION}, {"summary", emit_summary(p, a)},
                        {"count", count_switches()},  {"levels", define_levels(&o->levels, a)},
                        {"any", join_switches(a)},    {"abi", format_number(AOTIGEN_ABI, a)},
                        {"kept", fill_kept(o, a)}};
  return arena_printf(a, "%s\n", template_fill("prologue", slots, sizeof slots / sizeof *slots, a));
}

static const char *fill_prologue_end(const site_tables *t, const plan *p, const model *m,
                                     arena *a) {
  const slot slots[] = {{"levels", list_levels(strlen("    AOTIGEN_ABI,"), a)},
                        {"source", t->source},
                        {"device", t->device},
                        {"sites", t->sites},
                        {"inputs", t->inputs},
                        {"weights", t->weights},
                        {"cubins", t->cubins},
                        {"buffers", t->buffers},
                        {"promises", t->promises},
                        {"nsites", format_number((unsigned)m->sites.n, a)},
                        {"ninputs", format_number((unsigned)m->inputs.n, a)},
                        {"nweights", format_number((unsigned)m->weights.n, a)},
                        {"ncubins", format_number((unsigned)m->cubins.n, a)},
                        {"nbuffers", format_number((unsigned)m->buffers.n, a)},
                        {"npromises", format_number((unsigned)m->promises.n, a)},
                        {"nleft_alone", format_number(p->left_alone, a)},
                        {"marks_order", p->marks_order ? "1" : "0"},
                        {"path", template_quote(m->facts->path, a)}};
  return arena_printf(a, "\n%s\n",
                      template_fill("prologue_end", slots, sizeof slots / sizeof *slots, a));
}

/* The tables are most of the text, so they are not copied into a template. */
static edit make_top(const plan *p, const model *m, const options *o, const kernel_tables *kernels,
                     arena *a) {
  site_tables t;
  site_tables_make(&t, m, kernels, a);
  return (edit){.before = fill_prologue(p, o, a),
                .line = t.text,
                .after = fill_prologue_end(&t, p, m, a),
                .top = true};
}

static size_t find_line(const facts *f, size_t at) {
  while (at > 0 && f->text[at - 1] != '\n') at--;
  return at;
}

static bool is_blank(const facts *f, size_t begin, size_t end) {
  for (; begin < end; begin++)
    if (!isspace((unsigned char)f->text[begin])) return false;
  return true;
}

/* The start of the next line, if only blanks or a line comment stand before the end of this one;
 * else 0. */
static size_t find_next_line(const facts *f, size_t at) {
  while (at < f->n && (f->text[at] == ' ' || f->text[at] == '\t' || f->text[at] == '\r')) at++;
  if (at + 1 < f->n && f->text[at] == '/' && f->text[at + 1] == '/') {
    const char *nl = memchr(f->text + at, '\n', f->n - at);
    at = nl ? (size_t)(nl - f->text) : f->n;
  }
  return at < f->n && f->text[at] == '\n' ? at + 1 : 0;
}

static const char *copy_indent(const facts *f, size_t at, arena *a) {
  size_t begin = find_line(f, at), end = begin;
  while (f->text[end] == ' ' || f->text[end] == '\t') end++;
  return arena_strndup(a, f->text + begin, end - begin);
}

static edit place_before(const facts *f, const insertion *x, const char *line, arena *a) {
  unsigned row, column;
  facts_position(f, x->offset, &row, &column);
  size_t begin = find_line(f, x->offset);
  bool own = is_blank(f, begin, x->offset) && !x->opens;
  edit e = {.offset = own ? begin : x->offset,
            .before = own ? "" : "\n",
            .after = "",
            .resume = facts_presumed_line(f, row)};
  if (x->opens) e.before = "{\n";
  e.line = arena_printf(a, "%s%s%s", copy_indent(f, x->offset, a),
                        f->text[x->offset] == '}' ? "    " : "", line);
  return e;
}

static edit place_after(const facts *f, const insertion *x, const char *line, arena *a) {
  unsigned row, column;
  facts_position(f, x->offset - 1, &row, &column);
  size_t next = x->closes ? 0 : find_next_line(f, x->offset);
  bool below_brace = f->text[x->offset - 1] == '{';
  const char *indent = below_brace ? "    " : copy_indent(f, x->offset - 1, a);
  edit e = {.offset = next ? next : x->offset,
            .before = next ? "" : "\n",
            .after = x->closes ? "}" : "",
            .resume = facts_presumed_line(f, next ? row + 1 : row)};
  e.line = arena_printf(a, "%s%s", indent, line);
  return e;
}

static edit place_insertion(const insertion *x, const plan *p, const model *m, const options *o,
                            const kernel_tables *kernels, arena *a) {
  if (x->place == PLACE_TOP) return make_top(p, m, o, kernels, a);
  const char *line = template_fill(x->template_name, x->slots.at, x->slots.n, a);
  if (x->place == PLACE_BEFORE) return place_before(m->facts, x, line, a);
  if (x->place == PLACE_AFTER) return place_after(m->facts, x, line, a);
  return (edit){.offset = x->offset, .line = line, .before = "", .after = ""};
}

void emit_edits(edits *e, const plan *p, const model *m, const options *o,
                const kernel_tables *kernels, arena *a) {
  *e = (edits){0};
  for (size_t i = 0; i < p->insertions.n; i++)
    *arena_push(a, e) = place_insertion(&p->insertions.at[i], p, m, o, kernels, a);
}
