/* 152-kernel-tree.c - what the readers of a kernel's text make of it: the lines of statements and
 * of accesses; the tree of each form of Python's, or why there is none. */
#include "kernel/tree.h"
#include "unit.h"
#include "in_arena.h"

static kernel_tree read_cpp(const char *text) {
  kernel_tree t;
  kernel_tree_read_cpp(&t, text, strlen(text), "K", a);
  assert_null(t.why);
  return t;
}

static kernel_tree read_triton(const char *text) {
  kernel_tree t;
  kernel_tree_read_triton(&t, text, strlen(text), "K", a);
  assert_null(t.why);
  return t;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void note_lines_of(strbuf *to, const tree_block *b);

static void note_expression(strbuf *to, const tree_expr *e) {
  if (e->line) strbuf_printf(to, " %s@%u", e->kind == TREE_CALL ? "call" : "index", e->line);
  for (const tree_expr *x = e->first; x; x = x->next) note_expression(to, x);
  if (e->body) note_lines_of(to, e->body);
}

static void note_lines_of(strbuf *to, const tree_block *b) {
  for (const tree_statement *s = b->first; s; s = s->next) {
    strbuf_printf(to, "%s%u", to->n ? "; " : "", s->line);
    if (s->target) note_expression(to, s->target);
    if (s->value) note_expression(to, s->value);
    if (s->body) note_lines_of(to, s->body);
    if (s->otherwise) note_lines_of(to, s->otherwise);
  }
}

/* "2 call@3; 4": the line of each statement, and of the calls and the indices in it. */
static const char *lines(const kernel_tree *t) {
  strbuf to = {0};
  note_lines_of(&to, t->body);
  const char *text = arena_strdup(a, to.at ? to.at : "");
  strbuf_free(&to);
  return text;
}

TEST(statements_of_cpp_have_lines) {
  kernel_tree t = read_cpp("// of a\n/* kernel\n */\nvoid K(const float* in_ptr0,\n"
                           "       float* out_ptr0)\n{\n"
                           "  for (int64_t x0 = 0; x0 < 4; x0 += 1)\n  {\n"
                           "    auto tmp0 = in_ptr0[x0];\n"
                           "    if (tmp0 > 0)\n"
                           "      out_ptr0[x0] =\n        f(in_ptr0[1],\n          g\n(2));\n"
                           "    else { return; }\n"
                           "  }\n}\n");
  assert_string_equal(lines(&t), "7; 9 index@9; 10; 11 index@11 call@12 index@12 call@14; 15");
}

TEST(statements_in_lambdas_have_lines) {
  kernel_tree t = read_cpp("void K(float* a) {\n  auto tmp0 =\n    [&]\n    {\n"
                           "      auto tmp1 = a[0];\n      return tmp1;\n    }\n    ();\n"
                           "  a[1] = tmp0; a[2] = tmp0;\n}\n");
  assert_string_equal(lines(&t), "2 call@8; 5 index@5; 6; 9 index@9; 9 index@9");
}

TEST(statements_of_triton_have_lines) {
  kernel_tree t = read_triton("async_compile.triton('K', '''\n\n@triton.jit\ndef K(in_ptr0,\n"
                              "      out_ptr0):\n"
                              "    'doc'\n\n"
                              "    # comment\n\n"
                              "    x = in_ptr0 + \\\n      tl.arange(0, 4)[\n        None]; y = x\n"
                              "    for i in range(0, 4):\n"
                              "        if i == 0:\n"
                              "            pass\n"
                              "        elif i == 1:\n"
                              "            y = 1\n"
                              "        else:\n"
                              "            y = 2\n"
                              "    tl.store(\n      out_ptr0,\n      tl.load(x))\n");
  assert_string_equal(lines(&t),
                      "6; 10 index@11 call@11; 12; 13 call@13; 14; 16; 17; 19; 20 call@20 call@22");
}

/* ---- Python --------------------------------------------------------------------------------- */

static void note_block(strbuf *to, const tree_block *b);

/* In Lisp's manner: (+ x 1), (call f x). */
static void note_tree(strbuf *to, const tree_expr *e) {
  static const char *const heads[] = {
      [TREE_CALL] = "call", [TREE_KEYWORD] = "=", [TREE_INDEX] = "[]",
      [TREE_MEMBER] = ".",  [TREE_CHOICE] = "?",  [TREE_LIST] = "list"};
  if (e->kind == TREE_INTEGER) strbuf_printf(to, "%lld", (long long)e->value);
  if (e->kind == TREE_CONSTANT) strbuf_printf(to, "'%s'", e->text);
  if (e->kind == TREE_NAME) strbuf_printf(to, "%s%s", e->text, e->variable < 0 ? "?" : "");
  if (e->kind == TREE_INTEGER || e->kind == TREE_CONSTANT || e->kind == TREE_NAME) return;
  bool signs = e->kind == TREE_UNARY || e->kind == TREE_BINARY;
  strbuf_printf(to, "(%s", signs ? e->text : heads[e->kind]);
  if (!signs && *e->text) strbuf_printf(to, " %s", e->text);
  for (const tree_expr *x = e->first; x; x = x->next) {
    strbuf_puts(to, " ");
    note_tree(to, x);
  }
  strbuf_puts(to, ")");
}

static void note_part(strbuf *to, const char *name, const tree_expr *e) {
  if (!e) return;
  strbuf_printf(to, "%s", name);
  note_tree(to, e);
}

static void note_statement(strbuf *to, const tree_statement *s) {
  static const char *const names[] = {"", "", "block", "for", "if", "while", "return", "jump"};
  strbuf_puts(to, names[s->kind]);
  if (s->kind == STATEMENT_ASSIGN || s->kind == STATEMENT_FOR)
    note_part(to, s->kind == STATEMENT_FOR ? " " : "", s->target);
  if (s->kind == STATEMENT_ASSIGN) strbuf_printf(to, " %s", s->op);
  if (s->kind != STATEMENT_FOR) note_part(to, s->kind == STATEMENT_EXPR ? "" : " ", s->value);
  note_part(to, " ", s->low);
  note_part(to, " to ", s->high);
  note_part(to, " by ", s->step);
  if (s->body) note_block(to, s->body);
  if (s->otherwise) strbuf_puts(to, " else");
  if (s->otherwise) note_block(to, s->otherwise);
}

static void note_block(strbuf *to, const tree_block *b) {
  strbuf_puts(to, " {");
  for (const tree_statement *s = b->first; s; s = s->next) {
    strbuf_puts(to, s == b->first ? "" : "; ");
    note_statement(to, s);
  }
  strbuf_puts(to, "}");
}

static kernel_tree read_body(const char *body) {
  kernel_tree t;
  const char *text = arena_printf(a, "@triton.jit\ndef K(a, b, c):\n%s", body);
  kernel_tree_read_triton(&t, text, strlen(text), "K", a);
  return t;
}

static const char *translate(const char *body) {
  kernel_tree t = read_body(body);
  strbuf to = {0};
  if (t.why) return arena_printf(a, "%u: %s", t.why_line, t.why);
  note_block(&to, t.body);
  const char *text = arena_strdup(a, to.at + 1);
  strbuf_free(&to);
  return text;
}

TEST(each_form_has_a_tree) {
  static const char *const forms[][2] = {
      {"x = a if b else c", "{x = (? b a c)}"},
      {"x = a and b or not c", "{x = (|| (&& a b) (! c))}"},
      {"x = a + b * -c ** 2 // 3", "{x = (+ a (// (* b (- (** c 2))) 3))}"},
      {"x = a is not None", "{x = (!= a 'None')}"},
      {"x = a not in (b, c)", "{x = (! (in a (list ) b c)))}"},
      {"x = a[:, None]", "{x = ([] a (list :) 'None')}"},
      {"x = a[b:, :c, ::2, 1:2:3]",
       "{x = ([] a (list : b 'None') (list : 'None' c) (list : 'None' 'None' 2) (list : 1 2 3))}"},
      {"x = a[b, (c,)][0]", "{x = ([] ([] a b (list ) c)) 0)}"},
      {"x = tl.load(a + 1, mask=b, other=0.0)",
       "{x = (call (. load tl?) (+ a 1) (= mask b) (= other '0.0'))}"},
      {"x = 1_000 + 0xff + 0o17 + 0b11 + 1e3 + 99999999999999999999",
       "{x = (+ (+ (+ (+ (+ 1000 255) 15) 3) '1e3') '99999999999999999999')}"},
      {"x = 'a' 'b'; y = f'{a}'; z = \"nan\"", "{x = ''a''; y = 'f'{a}''; z = '\"nan\"'}"},
      {"x = True, False, None, ...", "{x = (list True? False? 'None' '...')}"},
      {"x: tl.constexpr = 1", "{x = 1}"},
      {"x: tl.constexpr", "{}"},
      {"x = y = a", "{y = a; x = y}"},
      {"x, (y, z) = a", "{(list x (list ) y z)) = a}"},
      {"(x) = [y] = a", "{(list ] y) = a; x = (list ] y)}"},
      {"a += b, c", "{a += (list b c)}"},
      {"a @= b", "{a @= b}"},
      {"a; b, c", "{a; (list b c)}"},
      {"assert a, 'b'", "{(list a ''b'')}"},
      {"return", "{return}"},
      {"return a, b", "{return (list a b)}"},
      {"pass", "{}"},
      {"x = (a +  # c\n      b) \\\n + c", "{x = (+ (+ a b) c)}"},
      {"if a: b; c\n    elif b:\n        a\n    else: c", "{if a {b; c} else {if b {a} else {c}}}"},
      {"while a:\n        break\n    continue", "{while a {jump}; jump}"},
      {"for i in range(a): i", "{for i 0 to a {i}}"},
      {"for i in tl.range(a, b, num_stages=2): i", "{for i a to b {i}}"},
      {"for i in tl.static_range(a, b, step=2): i", "{for i a to b by 2 {i}}"},
      {"for i in range(a, b, -1): i", "{for i {i}}"},
      {"for i in tl.arange(a, b): i", "{for i {i}}"},
      {"for i in (a, b): i", "{for i {i}}"},
      {"print(a)", "{(call print? a)}"},
      {"\"\"\"of several\nlines\n  \"\"\"\n    a", "{'\"\"\"of several\nlines\n  \"\"\"'; a}"},
      {"\\'\\'\\'as Inductor\nwrites it\\'\\'\\'\n    a", "{''''as Inductor\nwrites it''''; a}"},
      {"x = {a: b, c: 1}", "{x = (list } a b c 1)}"}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    assert_string_equal(translate(arena_printf(a, "    %s\n", forms[i][0])), forms[i][1]);
}

TEST(what_has_no_tree_says_why) {
  static const char *const forms[][2] = {
      {"x = a\n    y = lambda: x", "4: a lambda"},
      {"x = [y for y in a]", "3: a comprehension"},
      {"f(y for y in a)", "3: a comprehension"},
      {"f((x := a))", "3: an assignment within an expression"},
      {"f(*a)", "3: values that are unpacked (*)"},
      {"x, *y = a", "3: values that are unpacked (*)"},
      {"f(**a)", "3: values that are unpacked (*)"},
      {"x = a < b < c", "3: a chain of comparisons"},
      {"with a as b:\n        b", "3: a 'with' statement"},
      {"try:\n        b\n    except a: c", "3: a 'try' statement"},
      {"raise a", "3: a 'raise' statement"},
      {"import os", "3: an import within the kernel"},
      {"global a", "3: a 'global' statement"},
      {"a\n\n    def f(): pass", "5: a function within the kernel"},
      {"@triton.jit\n    def f(): pass", "3: a function within the kernel"},
      {"class X: pass", "3: a class within the kernel"},
      {"for i, j in a: pass", "3: a loop over several variables"},
      {"for i in a: pass\n    else: a", "3: a loop with 'else'"},
      {"while a: pass\n    else: a", "3: a loop with 'else'"},
      {"match a:\n        case b: c", "3: a 'match' statement"},
      {"print 'a'", "3: syntax that Triton does not have"},
      {"x = await a", "3: a coroutine"},
      {"x = 010", "3: a number that begins with 0"},
      {"if a:\n    b = 1", "3: syntax that does not parse as Python"},
      {"a\n      b", "4: a line that is indented as no other"},
      {"if a:\n        b\n      c", "5: a line that is indented as no other"}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    assert_string_equal(translate(arena_printf(a, "    %s\n", forms[i][0])), forms[i][1]);
  assert_string_equal(translate("\ta\n        b\n"), "4: a line that is indented as no other");
  assert_string_equal(translate(" \ta\n"), "2: a line that is indented too far");
}

/* The line is that of the error, or of what stands before it. */
TEST(what_is_not_python_is_refused) {
  static const char *const texts[] = {
      "x = (",          "x = y z",   "x = 'a",  "x = 1 +", "x = a]",   "if a", "x = )",
      "f(a b)",         "x = f'{a'", "else: a", "x = \\",  "x = '''a", "$",    "x = a if b",
      "for x in: pass", "x = else",  "a.if",    "f(is=1)", "\xff"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    kernel_tree t = read_body(arena_printf(a, "    a\n    %s\n", texts[i]));
    if (!t.why) fail_msg("understood: %s", texts[i]);
    assert_string_equal(t.why, "syntax that does not parse as Python");
    assert_in_range(t.why_line, 2, 7);
  }
  kernel_tree t;
  kernel_tree_read_triton(&t, "def K(a):\n    a\0b\n", 18, "K", a);
  assert_string_equal(t.why, "a byte 0");
}

TEST(parameters_have_names_and_types) {
  kernel_tree t = read_triton("def K(a, # pointer\n      n: 'i32', /, s=1.0, *,\n"
                              "      X: tl.constexpr, Y : tl.constexpr = 4, ) -> None:\n  pass\n");
  static const char *const want[][2] = {
      {"a", NULL}, {"n", "'i32'"}, {"s", NULL}, {"X", "tl.constexpr"}, {"Y", "tl.constexpr"}};
  assert_int_equal(t.nparams, 5);
  for (size_t i = 0; i < 5; i++) {
    assert_string_equal(t.variables.at[i].name, want[i][0]);
    assert_int_equal(t.variables.at[i].param, i);
    if (want[i][1])
      assert_string_equal(t.variables.at[i].type, want[i][1]);
    else
      assert_null(t.variables.at[i].type);
  }
  kernel_tree_read_triton(&t, "def K(a, *b): pass\n", 19, "K", a);
  assert_string_equal(t.why, "a parameter without a name");
}

TEST(a_text_may_have_several_functions) {
  static const char text[] =
      "@triton.jit\ndef K(a):\n    tl.store(a, f(1))\n\n"
      "N = tl.constexpr(4)\n\n"
      "@triton.jit\ndef f(x):\n    y = x\n    return y\n''', device_str='cuda')";
  kernel_tree t;
  kernel_tree_read_triton(&t, text, strlen(text), "f", a);
  assert_null(t.why);
  assert_int_equal(t.nparams, 1);
  assert_string_equal(lines(&t), "9; 10");
  kernel_tree_read_triton(&t, text, strlen(text), "K", a);
  assert_string_equal(lines(&t), "3 call@3 call@3");
  kernel_tree_read_triton(&t, text, strlen(text), "g", a);
  assert_ptr_equal(t.why, kernel_tree_no_definition);
}
