/* express.c - see express.h. */
#include "bounds/express.h"
#include <string.h>

static const postfix unknown = {0};

static postfix combine(express_state *e, char op, postfix x, postfix y) {
  return postfix_combine(op, x, y, e->a);
}

static char find_operator(const graph_node *node) {
  static const char letters[] = {
      [AG_RULE_ADD] = '+',          [AG_RULE_SUBTRACT] = '-',      [AG_RULE_MULTIPLY] = '*',
      [AG_RULE_FLOOR_DIVIDE] = '/', [AG_RULE_MODULO] = '%',        [AG_RULE_MIN] = 'm',
      [AG_RULE_MAX] = 'M',          [AG_RULE_LESS] = '<',          [AG_RULE_LESS_EQUAL] = 'l',
      [AG_RULE_GREATER] = '>',      [AG_RULE_GREATER_EQUAL] = 'g', [AG_RULE_EQUAL] = '=',
      [AG_RULE_NOT_EQUAL] = '!'};
  if (node->type == GRAPH_BOOL && node->op == AG_OP_AND) return '&';
  if (node->type == GRAPH_BOOL && node->op == AG_OP_OR) return '|';
  ag_rule rule = ag_op_get(node->op)->rule;
  return rule < sizeof letters ? letters[rule] : 0;
}

static bool is_zero(postfix x) { return x.kind == POSTFIX_NUMBER && !x.number; }

/* test * node + (1 - test) * y: both have a value. */
static postfix express_where(express_state *e, const graph_node *node) {
  postfix test = express_node(e, node->args[0]);
  if (test.kind == POSTFIX_NUMBER) return express_node(e, node->args[test.number ? 1 : 2]);
  postfix yes = express_node(e, node->args[1]), no = express_node(e, node->args[2]);
  postfix rest = combine(e, '*', no, combine(e, '=', test, postfix_number(0)));
  return combine(e, '+', combine(e, '*', yes, test), rest);
}

static postfix express_binary(express_state *e, const graph_node *node) {
  char op = find_operator(node);
  postfix a = op ? express_node(e, node->args[0]) : unknown,
          b = op ? express_node(e, node->args[1]) : unknown;
  if (op == '|' &&
      ((a.kind == POSTFIX_NUMBER && a.number) || (b.kind == POSTFIX_NUMBER && b.number)))
    return postfix_number(1);
  if (op == '|' && is_zero(a)) return b;
  if (op == '|' && is_zero(b)) return a;
  return combine(e, op, a, b);
}

static bool is_wide(const graph_node *node) {
  const graph_node *of = node->args[0];
  bool same = node->type == GRAPH_I32 &&
              (of->type == GRAPH_I32 || of->type == GRAPH_BOOL || of->type == GRAPH_WEAK);
  return same || (node->type == GRAPH_I64 && graph_is_integer(of->type) && of->type != GRAPH_U64);
}

static postfix express_op(express_state *e, const graph_node *node) {
  if (node->op == AG_OP_WHERE) return express_where(e, node);
  if (node->n == 2) return express_binary(e, node);
  if (node->n != 1) return unknown;
  postfix zero = postfix_number(0), a = unknown;
  if (node->op == AG_OP_ALL_MASKED) return express_node(e, node->args[0]); /* at this lane */
  if (node->op == AG_OP_CAST) return is_wide(node) ? express_node(e, node->args[0]) : unknown;
  if (node->op == AG_OP_NEGATE || node->op == AG_OP_NOT || node->op == AG_OP_ABS)
    a = express_node(e, node->args[0]);
  if (node->op == AG_OP_NOT) return combine(e, '=', a, zero);
  postfix minus = combine(e, '-', zero, a);
  return node->op == AG_OP_NEGATE ? minus : combine(e, 'M', a, minus);
}

postfix express_node(express_state *e, const graph_node *node) {
  postfix value = unknown;
  if (e->depth > EXPRESS_DEPTH_MAX || ++e->work > EXPRESS_WORK_MAX) return unknown;
  e->depth++;
  if (!e->know(e->data, node, &value)) {
    if (node->kind == NODE_INTEGER) value = postfix_number(node->value);
    if (node->kind == NODE_OP) value = express_op(e, node);
  }
  e->depth--;
  return value;
}

static bool is_required(const char *path, const char *condition) {
  size_t n = strlen(condition);
  for (const char *p = path; (p = strstr(p, condition)); p++)
    if ((p == path || (p > path + 1 && p[-2] == '?')) && strncmp(p + n, " ?", 2) == 0) return true;
  return false;
}

bool express_require(const char **path, postfix condition, arena *a) {
  if (condition.kind == POSTFIX_NUMBER && condition.number) return true;
  if (condition.kind != POSTFIX_TEXT) return false;
  if (is_required(*path, condition.text)) return true;
  if (strlen(*path) + strlen(condition.text) + 3 > POSTFIX_TEXT_MAX) return false;
  *path = arena_printf(a, "%s%s ? ", *path, condition.text);
  return true;
}
