/* extent.c - see extent.h. What is not known to be executed touches nothing, and what
 * it assigns is unknown. */
#include "kernel/extent.h"
#include <stdio.h>
#include <string.h>

enum { TEXTS_MAX = 4 };

/* A value at one iteration. */
typedef struct symbol {
  enum { UNKNOWN, NUMBER, TEXT } is;
  int64_t number;
  const char *text; /* postfix */
} symbol;

typedef struct reader {
  const kernel_tree *t;
  kernel_facts *f;
  arena *a;
  symbol *values;     /* by variable */
  string_map *numels; /* to the last variable of a name */
  bool last;          /* the last iteration of each loop, else the first */
  bool stopped;       /* the kernel may have been left */
  bool lost;          /* a condition of the place under way is too long to be kept */
  symbol vector;      /* the step of the innermost loop that steps by more than 1 */
  const char *path;   /* conditions of the place under way: "@3 0 > ? " */
} reader;

static const symbol unknown = {0};

static void walk_block(reader *r, const tree_block *b);
static symbol compute_expr(reader *r, const tree_expr *e);

static symbol make_number(int64_t n) { return (symbol){.is = NUMBER, .number = n}; }

/* ---- arithmetic ----------------------------------------------------------------------------- */

static const char *format_symbol(reader *r, symbol x) {
  return x.is == TEXT ? x.text : arena_printf(r->a, "%lld", (long long)x.number);
}

static symbol compute_numbers(char op, int64_t x, int64_t y) {
  int64_t z = 0;
  bool natural = x >= 0 && y > 0;
  switch (op) {
    case '+': return __builtin_add_overflow(x, y, &z) ? unknown : make_number(z);
    case '-': return __builtin_sub_overflow(x, y, &z) ? unknown : make_number(z);
    case '*': return __builtin_mul_overflow(x, y, &z) ? unknown : make_number(z);
    case '/': return natural ? make_number(x / y) : unknown;
    case '%': return natural ? make_number(x % y) : unknown;
    case '<': return make_number(x < y);
    case '>': return make_number(x > y);
    case 'l': return make_number(x <= y);
    case 'g': return make_number(x >= y);
    case '=': return make_number(x == y);
    case '!': return make_number(x != y);
    case '&': return make_number(x & y);
    case '|': return make_number(x | y);
    case 'm': return make_number(x < y ? x : y);
    case 'M': return make_number(x > y ? x : y);
    default: return unknown;
  }
}

static symbol combine_symbols(reader *r, char op, symbol x, symbol y) {
  bool none = (x.is == NUMBER && !x.number) || (y.is == NUMBER && !y.number);
  if (op == '&' && none) return make_number(0);
  if (x.is == UNKNOWN || y.is == UNKNOWN) return unknown;
  if (x.is == NUMBER && y.is == NUMBER) return compute_numbers(op, x.number, y.number);
  bool zero = y.is == NUMBER && !y.number, one = y.is == NUMBER && y.number == 1;
  if ((zero && (op == '+' || op == '-')) || (one && strchr("*/&", op))) return x;
  if (x.is == NUMBER && ((x.number == 0 && op == '+') || (x.number == 1 && strchr("*&", op))))
    return y;
  if (op == '*' && (zero || none)) return make_number(0);
  const char *a = format_symbol(r, x), *b = format_symbol(r, y);
  if (strlen(a) + strlen(b) + 3 > KERNEL_EXTENT_TEXT) return unknown;
  return (symbol){.is = TEXT, .text = arena_printf(r->a, "%s %s %c", a, b, op)};
}

static symbol compute_binary(reader *r, const tree_expr *e) {
  static const char *const operators[][2] = {
      {"+", "+"},  {"-", "-"},  {"*", "*"},  {"//", "/"}, {"%", "%"}, {"<", "<"},  {">", ">"},
      {"<=", "l"}, {">=", "g"}, {"==", "="}, {"!=", "!"}, {"&", "&"}, {"&&", "&"}, {"|", "|"}};
  symbol x = compute_expr(r, e->first), y = compute_expr(r, e->first->next);
  if (!r->t->python && strcmp(e->text, "/") == 0) return combine_symbols(r, '/', x, y);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strcmp(operators[i][0], e->text) == 0) return combine_symbols(r, *operators[i][1], x, y);
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
static symbol compute_typed(reader *r, const tree_expr *e, const char *name) {
  bool full = strcmp(name, "full") == 0;
  const tree_expr *type = kernel_tree_argument(e, full ? 2 : 0),
                  *value = full ? kernel_tree_argument(e, 1) : e->first->first;
  if (!type || !value || !is_integer_type(kernel_tree_name(type))) return unknown;
  return compute_expr(r, value);
}

static symbol compute_call(reader *r, const tree_expr *e) {
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
      return combine_symbols(r, functions[i].op, compute_expr(r, x), compute_expr(r, y));
  return unknown;
}

static symbol compute_name(const reader *r, const tree_expr *e) {
  if (e->variable >= 0) return r->values[e->variable];
  if (strcmp(e->text, "True") == 0 || strcmp(e->text, "true") == 0) return make_number(1);
  return strcmp(e->text, "False") == 0 || strcmp(e->text, "false") == 0 ? make_number(0) : unknown;
}

static symbol compute_expr(reader *r, const tree_expr *e) {
  switch (e->is) {
    case TREE_INTEGER: return make_number(e->value);
    case TREE_NAME: return compute_name(r, e);
    case TREE_CALL: return compute_call(r, e);
    case TREE_BINARY: return compute_binary(r, e);
    case TREE_INDEX: return r->t->python ? compute_expr(r, e->first) : unknown; /* x[:, None] */
    case TREE_UNARY:
      if (*e->text == '-' && !e->text[1])
        return combine_symbols(r, '-', make_number(0), compute_expr(r, e->first));
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
  if (strlen(text) > KERNEL_EXTENT_TEXT || kernel_extent_has(p->least_of, text)) return;
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
static void touch_elements(reader *r, const tree_expr *base, symbol index, symbol count,
                           symbol mask) {
  if (r->stopped || r->lost || base->is != TREE_NAME || base->variable < 0 ||
      r->t->variables.at[base->variable].param < 0)
    return;
  symbol pointer = r->values[base->variable];
  if (pointer.is != TEXT || strchr(pointer.text, ' ')) return; /* moved */
  kernel_param *p = &r->f->params[r->t->variables.at[base->variable].param];
  symbol end = combine_symbols(r, '+', index, count);
  if (end.is == UNKNOWN || mask.is == UNKNOWN || (mask.is == NUMBER && !mask.number)) return;
  if (end.is == NUMBER && mask.is == NUMBER && !*r->path) {
    if (end.number > p->least) p->least = end.number;
    return;
  }
  if (!r->last && p->least_of) return; /* the last iteration goes further */
  const char *test =
      mask.is == TEXT && !is_required(r, mask.text) ? arena_printf(r->a, "%s ? ", mask.text) : "";
  add_text(r, p, arena_printf(r->a, "%s%s%s", r->path, test, format_symbol(r, end)));
}

/* What `pointer + index` points to. */
static void touch_pointer(reader *r, const tree_expr *e, symbol count, symbol mask) {
  if (e->is == TREE_NAME)
    touch_elements(r, e, make_number(0), count, mask);
  else if (e->is == TREE_BINARY && strcmp(e->text, "+") == 0)
    touch_elements(r, e->first, compute_expr(r, e->first->next), count, mask);
}

/* tl.load(pointer, mask), tl.store(pointer, value, mask) */
static void touch_triton(reader *r, const tree_expr *call, bool store) {
  const tree_expr *to = kernel_tree_argument(call, 0), *mask = kernel_tree_keyword(call, "mask");
  if (!mask) mask = kernel_tree_argument(call, store ? 2 : 1);
  bool all = !mask || (mask->is == TREE_CONSTANT && strcmp(mask->text, "None") == 0);
  if (to) touch_pointer(r, to, make_number(1), all ? make_number(1) : compute_expr(r, mask));
}

/* Elements of a vector that is loaded or stored whole: the loop steps by them where they have 4
 * bytes. */
static symbol vector_width(const reader *r, const tree_expr *pointer) {
  const tree_expr *base = pointer;
  while (base->is == TREE_BINARY) base = base->first;
  const char *type =
      base->is == TREE_NAME && base->variable >= 0 ? r->t->variables.at[base->variable].type : NULL;
  bool four = type && (strstr(type, "float*") || strstr(type, "int32_t*")) &&
              !strstr(type, "bfloat");
  bool known = r->vector.is == NUMBER && (r->vector.number == 8 || r->vector.number == 16);
  return four && known ? r->vector : make_number(1);
}

/* at::vec::Vectorized<T>::loadu(pointer, count), value.store(pointer, count) */
static void touch_vector(reader *r, const tree_expr *call) {
  const tree_expr *to = kernel_tree_argument(call, 0), *count = kernel_tree_argument(call, 1);
  if (to)
    touch_pointer(r, to, count ? compute_expr(r, count) : vector_width(r, to), make_number(1));
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
    touch_elements(r, e->first, compute_expr(r, e->first->next), make_number(1), make_number(1));
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
static void require_condition(reader *r, symbol condition) {
  if (condition.is == NUMBER && condition.number) return;
  if (condition.is == TEXT && is_required(r, condition.text)) return;
  size_t n = condition.is == TEXT ? strlen(condition.text) : 0;
  if (condition.is == TEXT && strlen(r->path) + n + 3 <= KERNEL_EXTENT_TEXT)
    r->path = arena_printf(r->a, "%s%s ? ", r->path, condition.text);
  else
    r->lost = true;
}

static void walk_where(reader *r, symbol condition, const tree_block *b) {
  const char *path = r->path;
  bool lost = r->lost;
  require_condition(r, condition);
  walk_block(r, b);
  r->path = path;
  r->lost = lost;
}

static void walk_if(reader *r, const tree_statement *s) {
  symbol x = compute_expr(r, s->value);
  walk_expr(r, s->value);
  if (x.is == NUMBER) {
    const tree_block *b = x.number ? s->body : s->otherwise;
    if (b) walk_block(r, b);
    return;
  }
  if (x.is == TEXT) walk_where(r, x, s->body);
  skip_block(r, s->body);
  skip_block(r, s->otherwise);
}

static symbol find_iteration(reader *r, symbol low, symbol high, symbol step) {
  if (!r->last) return low;
  symbol span = combine_symbols(r, '-', combine_symbols(r, '-', high, make_number(1)), low);
  symbol steps = combine_symbols(r, '/', span, step);
  return combine_symbols(r, '+', low, combine_symbols(r, '*', steps, step));
}

static void walk_for(reader *r, const tree_statement *s) {
  if (s->value) walk_expr(r, s->value);
  if (forget_assigned(r, s->body)) r->stopped = true;
  if (!s->low) return;
  symbol low = compute_expr(r, s->low), high = compute_expr(r, s->high),
         step = s->step ? compute_expr(r, s->step) : make_number(1), vector = r->vector;
  symbol any = combine_symbols(r, '<', low, high);
  if (any.is == UNKNOWN || (any.is == NUMBER && !any.number)) return;
  r->values[s->target->variable] = find_iteration(r, low, high, step);
  if (step.is == NUMBER && step.number > 1) r->vector = step;
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
  symbol x = unknown;
  if (!numel) return false;
  size_t v = string_map_index(r->numels, numel);
  if (v != STRING_MAP_NONE) x = r->values[v];
  symbol any = combine_symbols(r, '<', make_number(0), x);
  if (any.is == UNKNOWN || (any.is == NUMBER && !any.number)) {
    x = unknown;
  } else {
    require_condition(r, any);
    x = r->last ? combine_symbols(r, '-', x, make_number(1)) : make_number(0);
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
      r.values[i] = (symbol){.is = TEXT, .text = arena_printf(a, "@%zu", i)};
    walk_block(&r, t->body);
  }
}
