/* static_report.c - see diagnosis_parts.h. */
#include "run/diagnosis_parts.h"
#include <string.h>

/* The bytes of a part of the refutation; a kernel's expression has no limit. */
enum { PART_MOST = 160 };

static const char *cut(const char *text, arena *a) {
  size_t n = strlen(text);
  if (n <= PART_MOST) return text;
  n = PART_MOST;
  while (n && ((unsigned char)text[n] & 0xc0) == 0x80) n--; /* within a character */
  return arena_printf(a, "%.*s...", (int)n, text);
}

/* ---- refutations */

static const struct {
  const char *type, *text;
} broken[] = {{"access", "leaves its memory"},
              {"term", "leaves 32 bits"},
              {"effect", "is not what the kernel's source says that it does"},
              {"grid", "elements that no program of its grid covers"},
              {"lifetime", "a tensor that was given up before"},
              {"overlap", "touches an element that another iteration needs"},
              {"twice", "is made to one element twice"},
              {"unwritten", "reads an element that nothing wrote"},
              {"alignment", "is no multiple of 16, as its kernel takes it to be"},
              {"view", "leaves its memory"}};

static const char *name_broken(const char *type) {
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
    if (!strcmp(type, broken[i].type)) return broken[i].text;
  return "breaks what it declares";
}

/* "store out_ptr0[x + 8] leaves its memory: buf0[4103] of 4096, with x = 4095". */
static const char *format_refutation(const static_refutation *r, arena *a) {
  const char *of = r->access ? r->access : r->argument;
  const char *t =
      arena_printf(a, "%s%s%s", of ? cut(of, a) : "", of ? " " : "", name_broken(r->type));
  return r->example ? arena_printf(a, "%s: %s", t, cut(r->example, a)) : t;
}

static size_t count_refuted(const evidence *e) {
  size_t n = 0;
  for (size_t i = 0; i < e->nmodels; i++) n += e->checks[i].refuted;
  return n;
}

bool static_report_is_refuted(const evidence *e) { return count_refuted(e) > 0; }

/* The refuted site to tell: that of the event, or its only suspect, before others. */
static const static_site *find_told(const evidence *e, const event *x, size_t *model, arena *a) {
  static_suspects suspects = {0};
  const static_site *told = NULL;
  if (x) static_report_narrow(&suspects, e, x, a);
  for (size_t i = 0; i < e->nmodels; i++)
    for (size_t k = 0; k < e->checks[i].sites.n; k++) {
      const static_site *s = &e->checks[i].sites.at[k];
      if (!s->refuted) continue;
      const bool same = x && x->place.source && s->number == x->place.site &&
                        !strcmp(s->source, x->place.source);
      if (told && !same && s != suspects.only) continue;
      told = s;
      *model = i;
      if (same || s == suspects.only) return told;
    }
  return told;
}

void static_report_say_refuted(screen *s, const evidence *e, const verdict *v) {
  size_t model = 0;
  const static_site *told = find_told(e, v->event, &model, s->a);
  if (!told) return;
  const size_t others = count_refuted(e) - 1;
  const char *of = e->nmodels > 1 ? arena_printf(s->a, " of %s", e->models[model].model) : "",
             *more = others ? arena_printf(s->a, "; and %zu more", others) : "";
  screen_whole(s, "what", "refuted without a run: launch %lld%s, %s: %s%s", told->number,
               cut(of, s->a), kernel_or_unknown(told->kernel, s->a),
               format_refutation(&told->first, s->a), more);
}

/* ---- suspects */

static const static_site *find_site(const evidence *e, const char *source, long long number) {
  for (size_t i = 0; i < e->nmodels; i++) {
    const static_site *s = static_check_find(&e->checks[i], source, number);
    if (s) return s;
  }
  return NULL;
}

/* A proof holds for the sizes that the model admits. */
static bool has_admitted_sizes(const evidence *e) {
  const long long *counts = e->log->counts;
  return (e->o->levels.check_inputs & 1) && !counts[CAUSE_GUARD] && !counts[CAUSE_INPUT] &&
         !counts[CAUSE_WARNING] && !counts[CAUSE_WEIGHT] && !counts[CAUSE_LOAD];
}

static const char *add_launch(const char *list, long long launch, arena *a) {
  return list ? arena_printf(a, "%s, %lld", list, launch) : arena_printf(a, "%lld", launch);
}

bool static_report_narrow(static_suspects *found, const evidence *e, const event *x, arena *a) {
  const event_memory *m = &x->memory;
  *found = (static_suspects){0};
  if (x->cause != CAUSE_MEMORY || m->seen_after < 0 || !has_admitted_sizes(e) ||
      m->nsuspects != (size_t)(m->seen_after - m->since))
    return false;
  for (size_t i = 0; i < m->nsuspects; i++) {
    const event_suspect *u = &m->suspects[i];
    const static_site *s = find_site(e, x->place.source, u->site);
    if (s && static_site_is_proved(s)) {
      found->proved = add_launch(found->proved, u->launch, a);
      continue;
    }
    found->left = add_launch(found->left, u->launch, a);
    found->n++;
    found->launch = u->launch;
    found->only = s;
  }
  if (found->n != 1) found->only = NULL;
  return found->proved && found->n;
}

const char *static_report_name_writers(const evidence *e, const event *x, arena *a) {
  static_suspects found;
  if (!static_report_narrow(&found, e, x, a))
    return arena_printf(a, ", by one of launches %lld to %lld", x->memory.since + 1,
                        x->memory.seen_after);
  if (found.n != 1) return arena_printf(a, ", by one of the launches %s", found.left);
  const char *kernel = found.only ? found.only->kernel : NULL;
  return arena_printf(a, ", by launch %lld%s%s", found.launch, kernel ? ": " : "",
                      kernel ? shown_name(kernel, a) : "");
}

const char *static_report_explain(const evidence *e, const event *x, arena *a) {
  static_suspects found;
  if (!static_report_narrow(&found, e, x, a)) return "";
  const bool several = strchr(found.proved, ',') != NULL;
  return arena_printf(
      a, "; 'aotigen check' proves that launch%s %s store%s only to %s own memory%s",
      several ? "es" : "", found.proved, several ? "" : "s", several ? "their" : "its",
      found.only && found.only->refuted ? ", and refutes this one" : "");
}

/* ---- what a run does not find */

typedef struct unsought {
  const evidence *e;
  screen *s;
  strings list;
} unsought;

static void add(unsought *u, bool applies, const char *what) {
  if (applies) *arena_push(u->s->a, &u->list) = what;
}

static void add_levels(unsought *u) {
  const levels *l = &u->e->o->levels;
  add(u, !(l->nan_asserts & (1 | 4)), "NaN");
  add(u, !(l->nan_asserts & (2 | 4)), "Inf (--nan-asserts=all)");
  add(u, l->nan_asserts & 4, "Inf that no NaN was made of (--nan-asserts=all)");
  add(u, !(l->check_inputs & 1), "the model's inputs (--check-inputs)");
  add(u, !(l->check_inputs & 2), "arguments of launches (--check-inputs)");
  add(u, !(l->guard & (AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE)),
      "writes beside buffers (--guard=canary)");
  add(u, !(l->guard & AOTIGEN_GUARD_POISON), "reads of unwritten memory (--guard=poison)");
}

/* The launches that filters leave out; how many they are is known of programs that ended. */
static void add_filters(unsought *u) {
  arena *a = u->s->a;
  const event_log *log = u->e->log;
  const char *kernels = u->e->nmodels ? u->e->o->levels.kernels : NULL;
  strings by = {0};
  if (kernels && *kernels) *arena_push(a, &by) = "--kernels";
  if (u->e->narrowed) *arena_push(a, &by) = u->e->narrowed;
  if (log->left_out) {
    add(u, true,
        arena_printf(a, "%lld of %lld launches, left out by %s", log->left_out, log->launches,
                     by.n ? strings_join(a, &by, ", ") : "a filter"));
    return;
  }
  add(u, kernels && *kernels, "launches that --kernels leaves out");
  if (u->e->narrowed) add(u, true, arena_printf(a, "what %s leaves out", u->e->narrowed));
}

static void add_static(unsought *u) {
  size_t undecided = 0, left_alone = 0;
  const char *why_not = NULL;
  for (size_t i = 0; i < u->e->nmodels; i++) {
    const static_check *c = &u->e->checks[i];
    undecided += c->undecided;
    left_alone += c->left_alone;
    if (!c->done) why_not = c->why_not;
  }
  if (left_alone)
    add(u, true,
        arena_printf(u->s->a, "%zu launch%s that aotigen leaves alone ('aotigen list')", left_alone,
                     left_alone == 1 ? "" : "es"));
  if (undecided)
    add(u, true,
        arena_printf(u->s->a, "%zu accesses that 'aotigen check' does not decide", undecided));
  if (why_not)
    add(u, true, arena_printf(u->s->a, "what 'aotigen check' proves (%s)", cut(why_not, u->s->a)));
}

void static_report_say_unsought(screen *s, const evidence *e) {
  unsought u = {.e = e, .s = s};
  add(&u, true, "values that are wrong, and finite");
  if (e->nmodels) {
    add_levels(&u);
    add_static(&u);
  }
  add_filters(&u);
  screen_say(s, "not looked at", "%s", strings_join(s->a, &u.list, "; "));
}
