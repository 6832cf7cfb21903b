/* extent.c - see extent.h. What is not known to be executed touches nothing, and what
 * it assigns is unknown. */
#include "kernel/extent.h"
#include <stdio.h>
#include <string.h>

enum { TEXTS_MAX = 4 };

typedef struct reader {
  const kernel_tree *t;
  kernel_facts *f;
  arena *a;
  postfix *values;    /* by variable */
  string_map *numels; /* to the last variable of a name */
  bool last;          /* the last iteration of each loop, else the first */
  bool stopped;       /* the kernel may have been left */
  bool lost;          /* a condition of the place under way is too long to be kept */
  postfix vector;     /* the step of the innermost loop that steps by more than 1 */
  const char *path;   /* conditions of the place under way: "@3 0 > ? " */
} reader;

static const postfix unknown = {0};

static void walk_block(reader *r, const tree_block *b);
static postfix compute_expr(reader *r, const tree_expr *e);

static postfix combine(reader *r, char op, postfix x, postfix y) {
  return postfix_combine(op, x, y, r->a);
}

static postfix compute_binary(reader *r, const tree_expr *e) {
  static const char *const operators[][2] = {
      {"+", "+"},  {"-", "-"},  {"*", "*"},  {"//", "/"}, {"%", "%"}, {"<", "<"},  {">", ">"},
      {"<=", "l"}, {">=", "g"}, {"==", "="}, {"!=", "!"}, {"&", "&"}, {"&&", "&"}, {"|", "|"}};
  postfix x = compute_expr(r, e->first), y = compute_expr(r, e->first->next);
  if (!r->t->python && strcmp(e->text, "/") == 0) return combine(r, '/', x, y);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strcmp(operators[i][0], e->text) == 0) return combine(r, *operators[i][1], x, y);
  return unknown;
}

static bool is_integer_type(const char *type) {
  static const char *const types[] = {"int64_t", "int32_t", "long", "int",  "long long", "size_t",
                                      "int64",   "int32",   "int1", "bool", NULL};
  for (const char *const *t = types; type && *t; t++)
    if (strcmp(*t, type) == 0) return true;
  return false;
}

/* tl.full(shape, value, dtype), value.to(dtype) */
static postfix compute_typed(reader *r, const tree_expr *e, const char *name) {
  bool full = strcmp(name, "full") == 0;
  const tree_expr *type = kernel_tree_argument(e, full ? 2 : 0),
                  *value = full ? kernel_tree_argument(e, 1) : e->first->first;
  if (!type || !value || !is_integer_type(kernel_tree_name(type))) return unknown;
  return compute_expr(r, value);
}

static postfix compute_call(reader *r, const tree_expr *e) {
  static const struct {
    const char *name;
    char op;
  } functions[] = {{"div_floor_integer", '/'}, {"min", 'm'},     {"max", 'M'},
                   {"minimum", 'm'},           {"maximum", 'M'}, {"remainder_integer", '%'}};
  const char *name = kernel_tree_name(e->first);
  const tree_expr *x = kernel_tree_argument(e, 0), *y = kernel_tree_argument(e, 1);
  if (strcmp(name, "full") == 0 || strcmp(name, "to") == 0) return compute_typed(r, e, name);
  if (!x) return unknown;
  if (strcmp(name, "static_cast") == 0 || strcmp(name, "convert") == 0)
    return is_integer_type(e->type) && !y ? compute_expr(r, x) : unknown;
  if (strcmp(name, "C10_LIKELY") == 0 || strcmp(name, "C10_UNLIKELY") == 0 ||
      strcmp(name, "broadcast_to") == 0)
    return compute_expr(r, x);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (y && strcmp(functions[i].name, name) == 0)
      return combine(r, functions[i].op, compute_expr(r, x), compute_expr(r, y));
  return unknown;
}

static postfix compute_name(const reader *r, const tree_expr *e) {
  if (e->variable >= 0) return r->values[e->variable];
  if (strcmp(e->text, "True") == 0 || strcmp(e->text, "true") == 0) return postfix_number(1);
  return strcmp(e->text, "False") == 0 || strcmp(e->text, "false") == 0 ? postfix_number(0)
                                                                        : unknown;
}

static postfix compute_expr(reader *r, const tree_expr *e) {
  switch (e->is) {
    case TREE_INTEGER: return postfix_number(e->value);
    case TREE_NAME: return compute_name(r, e);
    case TREE_CALL: return compute_call(r, e);
    case TREE_BINARY: return compute_binary(r, e);
    case TREE_INDEX: return r->t->python ? compute_expr(r, e->first) : unknown; /* x[:, None] */
    case TREE_UNARY:
      if (*e->text == '-' && !e->text[1])
        return combine(r, '-', postfix_number(0), compute_expr(r, e->first));
      return strcmp(e->text, "+") == 0 ? compute_expr(r, e->first) : unknown;
    default: return unknown;
  }
}

/* ---- accesses ------------------------------------------------------------------------------- */

bool kernel_extent_has(const char *list, const char *text) {
  size_t n = strlen(text);
  for (const char *s = list; s; s = strchr(s, ';')) {
    if (*s == ';') s++;
    if (strncmp(s, text, n) == 0 && (!s[n] || s[n] == ';')) return true;
  }
  return false;
}

static void add_text(reader *r, kernel_param *p, const char *text) {
  size_t texts = 1;
  if (strlen(text) > POSTFIX_TEXT_MAX || kernel_extent_has(p->least_of, text)) return;
  for (const char *s = p->least_of; s && *s; s++) texts += *s == ';';
  if (!p->least_of)
    p->least_of = text;
  else if (texts < TEXTS_MAX)
    p->least_of = arena_printf(r->a, "%s;%s", p->least_of, text);
}

/* Is it one of the conditions of the place under way. */
static bool is_required(const reader *r, const char *condition) {
  size_t n = strlen(condition);
  for (const char *p = r->path; (p = strstr(p, condition)); p++)
    if ((p == r->path || (p > r->path + 1 && p[-2] == '?')) && strncmp(p + n, " ?", 2) == 0)
      return true;
  return false;
}

/* `count` elements of `base` from `index` are touched where `mask` holds. */
static void touch_elements(reader *r, const tree_expr *base, postfix index, postfix count,
                           postfix mask) {
  if (r->stopped || r->lost || base->is != TREE_NAME || base->variable < 0 ||
      r->t->variables.at[base->variable].param < 0)
    return;
  postfix pointer = r->values[base->variable];
  if (pointer.is != POSTFIX_TEXT || strchr(pointer.text, ' ')) return; /* moved */
  kernel_param *p = &r->f->params[r->t->variables.at[base->variable].param];
  postfix end = combine(r, '+', index, count);
  if (end.is == POSTFIX_UNKNOWN || mask.is == POSTFIX_UNKNOWN ||
      (mask.is == POSTFIX_NUMBER && !mask.number))
    return;
  if (end.is == POSTFIX_NUMBER && mask.is == POSTFIX_NUMBER && !*r->path) {
    if (end.number > p->least) p->least = end.number;
    return;
  }
  if (!r->last && p->least_of) return; /* the last iteration goes further */
  const char *test = mask.is == POSTFIX_TEXT && !is_required(r, mask.text)
                         ? arena_printf(r->a, "%s ? ", mask.text)
                         : "";
  add_text(r, p, arena_printf(r->a, "%s%s%s", r->path, test, postfix_format(end, r->a)));
}

/* What `pointer + index` points to. */
static void touch_pointer(reader *r, const tree_expr *e, postfix count, postfix mask) {
  if (e->is == TREE_NAME)
    touch_elements(r, e, postfix_number(0), count, mask);
  else if (e->is == TREE_BINARY && strcmp(e->text, "+") == 0)
    touch_elements(r, e->first, compute_expr(r, e->first->next), count, mask);
}

/* tl.load(pointer, mask), tl.store(pointer, value, mask) */
static void touch_triton(reader *r, const tree_expr *call, bool store) {
  const tree_expr *to = kernel_tree_argument(call, 0), *mask = kernel_tree_keyword(call, "mask");
  if (!mask) mask = kernel_tree_argument(call, store ? 2 : 1);
  bool all = !mask || (mask->is == TREE_CONSTANT && strcmp(mask->text, "None") == 0);
  if (to) touch_pointer(r, to, postfix_number(1), all ? postfix_number(1) : compute_expr(r, mask));
}

/* Elements of a vector that is loaded or stored whole: the loop steps by them where they have 4
 * bytes. */
static postfix vector_width(const reader *r, const tree_expr *pointer) {
  const tree_expr *base = pointer;
  while (base->is == TREE_BINARY) base = base->first;
  const char *type =
      base->is == TREE_NAME && base->variable >= 0 ? r->t->variables.at[base->variable].type : NULL;
  bool four = type && (strstr(type, "float*") || strstr(type, "int32_t*")) &&
              !strstr(type, "bfloat");
  bool known = r->vector.is == POSTFIX_NUMBER && (r->vector.number == 8 || r->vector.number == 16);
  return four && known ? r->vector : postfix_number(1);
}

/* at::vec::Vectorized<T>::loadu(pointer, count), value.store(pointer, count) */
static void touch_vector(reader *r, const tree_expr *call) {
  const tree_expr *to = kernel_tree_argument(call, 0), *count = kernel_tree_argument(call, 1);
  if (to)
    touch_pointer(r, to, count ? compute_expr(r, count) : vector_width(r, to), postfix_number(1));
}

static void touch_call(reader *r, const tree_expr *e) {
  const char *name = kernel_tree_name(e->first);
  bool load = strcmp(name, "load") == 0, store = strcmp(name, "store") == 0;
  bool member = e->first->is == TREE_MEMBER;
  if (r->t->python) {
    const tree_expr *tl = member ? e->first->first : NULL;
    if (tl && tl->is == TREE_NAME && strcmp(tl->text, "tl") == 0 && (load || store))
      touch_triton(r, e, store);
  } else if ((member && store) ||
             (e->first->is == TREE_NAME && strstr(e->first->text, "Vectorized") &&
              strcmp(name, "loadu") == 0)) {
    touch_vector(r, e);
  }
}

static void visit_expr(void *data, const tree_expr *e) {
  reader *r = data;
  if (e->is == TREE_CALL) touch_call(r, e);
  if (e->is == TREE_INDEX && !r->t->python && e->first->next && !e->first->next->next)
    touch_elements(r, e->first, compute_expr(r, e->first->next), postfix_number(1),
                   postfix_number(1));
}

/* Every access that an expression is certain to make. */
static void walk_expr(reader *r, const tree_expr *e) { kernel_tree_each_certain(e, visit_expr, r); }

/* ---- statements ----------------------------------------------------------------------------- */

static void forget_variable(void *data, int variable) {
  ((reader *)data)->values[variable] = unknown;
}

static void forget_target(reader *r, const tree_expr *e) {
  kernel_tree_each_target(e, forget_variable, r);
}

/* What a block assigns is not known. True where the block may leave the kernel or a loop. */
static bool forget_assigned(reader *r, const tree_block *b) {
  return kernel_tree_each_assigned(b, forget_variable, r);
}

static void skip_block(reader *r, const tree_block *b) {
  if (forget_assigned(r, b)) r->stopped = true;
}

/* From here on to the end of the block under way the condition holds. */
static void require_condition(reader *r, postfix condition) {
  if (condition.is == POSTFIX_NUMBER && condition.number) return;
  if (condition.is == POSTFIX_TEXT && is_required(r, condition.text)) return;
  size_t n = condition.is == POSTFIX_TEXT ? strlen(condition.text) : 0;
  if (condition.is == POSTFIX_TEXT && strlen(r->path) + n + 3 <= POSTFIX_TEXT_MAX)
    r->path = arena_printf(r->a, "%s%s ? ", r->path, condition.text);
  else
    r->lost = true;
}

static void walk_where(reader *r, postfix condition, const tree_block *b) {
  const char *path = r->path;
  bool lost = r->lost;
  require_condition(r, condition);
  walk_block(r, b);
  r->path = path;
  r->lost = lost;
}

static void walk_if(reader *r, const tree_statement *s) {
  postfix x = compute_expr(r, s->value);
  walk_expr(r, s->value);
  if (x.is == POSTFIX_NUMBER) {
    const tree_block *b = x.number ? s->body : s->otherwise;
    if (b) walk_block(r, b);
    return;
  }
  if (x.is == POSTFIX_TEXT) walk_where(r, x, s->body);
  skip_block(r, s->body);
  skip_block(r, s->otherwise);
}

static postfix find_iteration(reader *r, postfix low, postfix high, postfix step) {
  if (!r->last) return low;
  postfix span = combine(r, '-', combine(r, '-', high, postfix_number(1)), low);
  postfix steps = combine(r, '/', span, step);
  return combine(r, '+', low, combine(r, '*', steps, step));
}

static void walk_for(reader *r, const tree_statement *s) {
  if (s->value) walk_expr(r, s->value);
  if (forget_assigned(r, s->body)) r->stopped = true;
  if (!s->low) return;
  postfix low = compute_expr(r, s->low), high = compute_expr(r, s->high),
          step = s->step ? compute_expr(r, s->step) : postfix_number(1), vector = r->vector;
  postfix any = combine(r, '<', low, high);
  if (any.is == POSTFIX_UNKNOWN || (any.is == POSTFIX_NUMBER && !any.number)) return;
  r->values[s->target->variable] = find_iteration(r, low, high, step);
  if (step.is == POSTFIX_NUMBER && step.number > 1) r->vector = step;
  walk_where(r, any, s->body);
  r->vector = vector;
  forget_assigned(r, s->body);
  r->values[s->target->variable] = unknown;
}

/* ---- Triton's indices ----------------------------------------------------------------------- */

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), m = strlen(end);
  return n >= m && strcmp(s + n - m, end) == 0;
}

static bool mentions_name(const tree_expr *e, const char *end) {
  if ((e->is == TREE_NAME || e->is == TREE_MEMBER) && ends_with(e->text, end)) return true;
  for (const tree_expr *c = e->first; c; c = c->next)
    if (mentions_name(c, end)) return true;
  return false;
}

const char *kernel_extent_numel(const kernel_tree *t, const tree_statement *s, arena *a) {
  if (!t->python || t->by_hand || s->target->is != TREE_NAME ||
      !ends_with(s->target->text, "index") || !strchr("xyzr", *s->target->text) ||
      !(mentions_name(s->value, "arange") || mentions_name(s->value, "offset")))
    return NULL;
  return arena_printf(a, "%.*snumel", (int)(strlen(s->target->text) - strlen("index")),
                      s->target->text);
}

/* False where it is not of this form. */
static bool set_iteration(reader *r, const tree_statement *s) {
  const char *numel = kernel_extent_numel(r->t, s, r->a);
  postfix x = unknown;
  if (!numel) return false;
  size_t v = string_map_index(r->numels, numel);
  if (v != STRING_MAP_NONE) x = r->values[v];
  postfix any = combine(r, '<', postfix_number(0), x);
  if (any.is == POSTFIX_UNKNOWN || (any.is == POSTFIX_NUMBER && !any.number)) {
    x = unknown;
  } else {
    require_condition(r, any);
    x = r->last ? combine(r, '-', x, postfix_number(1)) : postfix_number(0);
  }
  r->values[s->target->variable] = x;
  return true;
}

static void walk_assign(reader *r, const tree_statement *s) {
  if (s->value) walk_expr(r, s->value);
  if (s->target->is != TREE_NAME) {
    walk_expr(r, s->target);
    forget_target(r, s->target);
    return;
  }
  if (s->target->variable < 0 || (s->value && set_iteration(r, s))) return;
  bool plain = s->value && strcmp(s->op, "=") == 0;
  r->values[s->target->variable] = plain ? compute_expr(r, s->value) : unknown;
}

static void walk_statement(reader *r, const tree_statement *s) {
  switch (s->is) {
    case STATEMENT_EXPR:
      walk_expr(r, s->value);
      if (s->value->is == TREE_UNARY) forget_target(r, s->value->first);
      return;
    case STATEMENT_ASSIGN: walk_assign(r, s); return;
    case STATEMENT_BLOCK: walk_block(r, s->body); return;
    case STATEMENT_FOR: walk_for(r, s); return;
    case STATEMENT_IF: walk_if(r, s); return;
    case STATEMENT_WHILE: skip_block(r, s->body); return;
    case STATEMENT_RETURN:
    case STATEMENT_JUMP: r->stopped = true; return;
  }
}

static void walk_block(reader *r, const tree_block *b) {
  for (const tree_statement *s = b->first; s && !r->stopped; s = s->next) walk_statement(r, s);
}

string_map *kernel_extent_index(const kernel_tree *t, arena *a) {
  string_map *names = string_map_create(a);
  for (size_t i = t->variables.n; i-- > 0;) string_map_put_index(names, t->variables.at[i].name, i);
  return names;
}

void kernel_extent_read(kernel_facts *f, const kernel_tree *t, arena *a) {
  if (t->by_hand) return;
  string_map *numels = kernel_extent_index(t, a);
  for (int last = 1; last >= 0; last--) {
    reader r = {.t = t, .f = f, .a = a, .last = last, .path = "", .numels = numels};
    r.values = arena_alloc(a, (t->variables.n + 1) * sizeof *r.values);
    for (size_t i = 0; i < t->nparams; i++)
      r.values[i] = (postfix){.is = POSTFIX_TEXT, .text = arena_printf(a, "@%zu", i)};
    walk_block(&r, t->body);
  }
}
