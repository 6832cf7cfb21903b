/* streams.c - see streams.h. Reads the text: a guard is an object whose type ends with StreamGuard,
 * an event's call is known by its name. */
#include "model/streams.h"
#include "model/storage.h"
#include "parse/lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A guard that lives, or has lived. */
typedef struct guard {
  const char *holder; /* the unique_ptr that owns it, or NULL: its block does */
  int block;          /* the innermost block around it */
  int stream;         /* that it makes the current one */
  int before;         /* the one that its end makes current again */
  bool over;
} guard;

/* A block that is open. */
typedef struct open_block {
  bool certain; /* it is executed once, where what is around it is */
  int current;  /* the current stream where it began */
  size_t begin;
} open_block;

typedef struct stream_reader {
  model *m;
  arena *a;
  const char *text;
  size_t end; /* of the function */
  int function;
  int current;      /* torch's current stream */
  size_t next;      /* the next site */
  size_t statement; /* where it begins, braces and labels apart */
  arena_list(guard) guards;
  arena_list(open_block) blocks;
} stream_reader;

/* The text without spaces but between two words. */
static const char *copy(const stream_reader *k, size_t from, size_t to) {
  char *s = arena_strndup(k->a, k->text + from, to - from);
  size_t n = 0;
  for (size_t i = 0; s[i]; i++) {
    bool space = isspace((unsigned char)s[i]);
    bool between = space && n && lex_is_identifier(s[n - 1]) && lex_is_identifier(s[i + 1]);
    if (!space || between) s[n++] = space ? ' ' : s[i];
  }
  s[n] = '\0';
  return s;
}

/* Argument `number` of the list that is opened at `open`, without spaces; NULL if there are not so
 * many. */
static const char *read_argument(const stream_reader *k, size_t open, int number) {
  size_t close = lex_match(k->text, open, k->end), at = open + 1;
  for (; number > 0 && at < close; number--) at = lex_find(k->text, at, close, ',') + 1;
  return at < close ? copy(k, at, lex_find(k->text, at, close, ',')) : NULL;
}

/* ---- which stream an expression names ------------------------------------------------------- */

static bool is_stream_type(const char *type) { return type && strstr(type, "tream"); }

/* A parameter of the function that is a stream: its caller's. */
static bool is_callers(const stream_reader *k, const char *name) {
  const fact_function *f = &k->m->facts->functions.at[k->function];
  for (size_t i = 0; i < f->params.n; i++)
    if (strcmp(f->params.at[i].name, name) == 0)
      return is_stream_type(f->params.at[i].type) || is_stream_type(f->params.at[i].canonical);
  return false;
}

/* The variable that the name means at an offset, or NULL. */
static const fact_var *find_variable(const stream_reader *k, const char *name, size_t at) {
  int found = storage_find(k->m->storage, name, strlen(name), at);
  const fact_var *v = found < 0 ? NULL : &k->m->facts->vars.at[found];
  return v && v->function == k->function && is_stream_type(v->type) ? v : NULL;
}

/* The only number among the arguments, so that `cache.get(2, this->device_idx_, stream)` is side
 * stream 2; 0 if there is none. */
static unsigned read_number(const char *text) {
  unsigned found = 0;
  for (const char *at = text + strcspn(text, "("); *at; at++) {
    if (!isdigit((unsigned char)*at) || lex_is_identifier(at[-1])) continue;
    if (found) return 0;
    found = (unsigned)strtoul(at, NULL, 10);
  }
  return found;
}

static int add_stream(stream_reader *k, const char *text) {
  unsigned number = read_number(text), most = 0;
  for (size_t i = 0; i < k->m->streams.n; i++) {
    const model_stream *x = &k->m->streams.at[i];
    if (strcmp(x->text, text) == 0) return (int)i;
    if (x->number == number) number = 0;
    if (x->number > most) most = x->number;
  }
  *arena_push(k->a, &k->m->streams) = (model_stream){text, number ? number : most + 1};
  return (int)k->m->streams.n - 1;
}

/* True if the function assigns the variable behind its declaration. */
static bool is_assigned(const stream_reader *k, const char *name, size_t declared) {
  size_t at = lex_find(k->text, declared, k->end, ';');
  while ((at = lex_find_word(k->text, at, k->end, name)) < k->end) {
    at = lex_skip_space(k->text, at + strlen(name), k->end);
    if (at + 1 < k->end && k->text[at] == '=' && k->text[at + 1] != '=') return true;
  }
  return false;
}

/* The stream that an expression names at an offset. */
static int find_stream(stream_reader *k, const char *text, size_t at) {
  for (int steps = 0; text && steps < 8; steps++) {
    if (is_callers(k, text)) return 0;
    const fact_var *v = find_variable(k, text, at);
    if (!v) return add_stream(k, text);
    if (is_assigned(k, text, v->declared)) return STREAM_UNKNOWN;
    if (v->init.begin == v->init.end) /* a function of torch fills it: with the current one */
      return k->guards.n ? STREAM_UNKNOWN : 0;
    text = copy(k, v->init.begin, v->init.end);
    at = v->declared;
  }
  return STREAM_UNKNOWN;
}

/* ---- guards --------------------------------------------------------------------------------- */

static void end_guard(stream_reader *k, guard *g) {
  k->current = g->before;
  g->over = true;
}

static guard *find_held(stream_reader *k, const char *holder) {
  for (size_t i = k->guards.n; i-- > 0;)
    if (k->guards.at[i].holder && !k->guards.at[i].over &&
        strcmp(k->guards.at[i].holder, holder) == 0)
      return &k->guards.at[i];
  return NULL;
}

/* The new guard is made before the one that it replaces ends. */
static void begin_guard(stream_reader *k, size_t open, const char *holder) {
  int stream = find_stream(k, read_argument(k, open, 0), open);
  guard *replaced = holder ? find_held(k, holder) : NULL;
  guard made = {
      .holder = holder, .block = (int)k->blocks.n, .stream = stream, .before = k->current};
  k->current = stream;
  if (replaced) end_guard(k, replaced);
  *arena_push(k->a, &k->guards) = made;
}

/* The name that the text before `at` assigns to: "NAME = std::"; NULL if it does not. */
static const char *read_assigned(const stream_reader *k, size_t at) {
  size_t begin = k->m->facts->functions.at[k->function].body.begin;
  while (at > begin && !strchr(";{}=", k->text[at - 1])) at--;
  if (at == begin || k->text[at - 1] != '=') return NULL;
  size_t end = at - 1;
  while (end > begin && isspace((unsigned char)k->text[end - 1])) end--;
  size_t from = end;
  while (from > begin && lex_is_identifier(k->text[from - 1])) from--;
  return from < end ? arena_strndup(k->a, k->text + from, end - from) : NULL;
}

/* `past` is behind a word that ends with StreamGuard, which begins at `at`. */
static void read_guard(stream_reader *k, size_t at, size_t past) {
  size_t next = lex_skip_space(k->text, past, k->end);
  if (k->text[next] == '>') { /* unique_ptr<Guard> g; g = make_unique<Guard>(...) */
    size_t open = lex_skip_space(k->text, next + 1, k->end);
    const char *holder = k->text[open] == '(' ? read_assigned(k, at) : NULL;
    if (holder) begin_guard(k, open, holder);
    return;
  }
  size_t name = lex_measure_word(k->text + next, k->end - next);
  size_t open = lex_skip_space(k->text, next + name, k->end);
  const char *holder = name ? NULL : read_assigned(k, at); /* g.reset(new Guard(...)) has none */
  if ((name || holder) && (k->text[open] == '(' || k->text[open] == '{'))
    begin_guard(k, open, holder);
}

/* NAME.reset() */
static void read_reset(stream_reader *k, size_t at, size_t past) {
  const char *name = arena_strndup(k->a, k->text + at, past - at);
  guard *g = find_held(k, name);
  const char *next = g ? copy(k, past, past + 24 < k->end ? past + 24 : k->end) : "";
  if (!g || strncmp(next, "=std::make_unique", 17) == 0) return;
  if (strncmp(next, ".reset()", 8) != 0) g->before = STREAM_UNKNOWN; /* moved, or replaced */
  end_guard(k, g);
}

/* ---- events --------------------------------------------------------------------------------- */

static const struct event_call {
  const char *name; /* without "cuda", "cu", "hip" before it */
  enum stream_op_kind kind;
  int stream, event; /* the numbers of the arguments, -1 for none */
} event_calls[] = {{"EventRecord", STREAM_OP_RECORDS, 1, 0},
                   {"EventRecordWithFlags", STREAM_OP_RECORDS, 1, 0},
                   {"StreamWaitEvent", STREAM_OP_WAITS, 0, 1},
                   {"StreamSynchronize", STREAM_OP_HOST_WAITS, 0, -1},
                   {"EventSynchronize", STREAM_OP_HOST_WAITS, -1, 0},
                   {"DeviceSynchronize", STREAM_OP_HOST_WAITS, -1, -1},
                   {"CtxSynchronize", STREAM_OP_HOST_WAITS, -1, -1}};

/* The word without the prefix of its API, of n bytes; NULL for any other word. */
static const char *strip_api(const char *word, size_t *n) {
  static const char *const prefixes[] = {"cuda", "cu", "hip"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t skip = strlen(prefixes[i]);
    if (*n <= skip || strncmp(word, prefixes[i], skip) != 0) continue;
    *n -= skip;
    return word + skip;
  }
  return NULL;
}

static bool is_name(const char *word, size_t n, const char *name) {
  return word && strlen(name) == n && strncmp(word, name, n) == 0;
}

static const struct event_call *find_event_call(const char *word, size_t n) {
  const char *call = strip_api(word, &n);
  for (size_t i = 0; i < sizeof event_calls / sizeof *event_calls; i++)
    if (is_name(call, n, event_calls[i].name)) return &event_calls[i];
  return NULL;
}

/* The host may poll: what that orders is not followed. */
static bool is_query(const char *word, size_t n) {
  const char *call = strip_api(word, &n);
  return is_name(call, n, "EventQuery") || is_name(call, n, "StreamQuery");
}

/* Past the statement that is the call at `at`, alone or in a macro; 0 for any other, which may not
 * make the call, or have its result decide. */
static size_t find_end(const stream_reader *k, size_t at, size_t open) {
  size_t begin = k->statement, word = lex_measure_word(k->text + begin, k->end - begin),
         bracket = lex_skip_space(k->text, begin + word, k->end);
  bool macro = begin < at;
  if (macro &&
      (lex_is_word(k->text, begin, k->end, "if") || lex_is_word(k->text, begin, k->end, "while") ||
       lex_is_word(k->text, begin, k->end, "for") ||
       lex_is_word(k->text, begin, k->end, "switch") || k->text[bracket] != '(' ||
       lex_skip_space(k->text, bracket + 1, k->end) != at))
    return 0;
  size_t close = lex_match(k->text, open, k->end);
  size_t next = close < k->end ? lex_skip_space(k->text, close + 1, k->end) : k->end;
  if (macro && (next >= k->end || k->text[next] != ')')) return 0;
  if (macro) next = lex_skip_space(k->text, next + 1, k->end);
  return next < k->end && k->text[next] == ';' ? next + 1 : 0;
}

static void read_event_call(stream_reader *k, const struct event_call *call, size_t at,
                            size_t past) {
  size_t open = lex_skip_space(k->text, past, k->end);
  if (k->text[open] != '(') return;
  unsigned column;
  stream_op op = {.kind = call->kind, .offset = at, .function = k->function, .stream = STREAM_NONE};
  facts_position(k->m->facts, at, &op.line, &column);
  if (call->stream >= 0) op.passed = read_argument(k, open, call->stream);
  if (op.passed) op.stream = find_stream(k, op.passed, at);
  if (call->event >= 0) op.event = read_argument(k, open, call->event);
  op.end = find_end(k, at, open);
  *arena_push(k->a, &k->m->stream_ops) = op;
}

/* True if a function outside of runs orders streams, where no marker can follow it. */
static bool orders_streams(const model *m, const fact_function *f) {
  const char *text = m->facts->text;
  for (size_t at = f->body.begin, next; at < f->body.end; at = next) {
    next = lex_skip_token(text, at, f->body.end);
    if (lex_is_identifier(text[at]) &&
        (find_event_call(text + at, next - at) || is_query(text + at, next - at)))
      return true;
  }
  return false;
}

/* ---- the walk through a function ------------------------------------------------------------ */

/* The stream of a call is that which it is passed, else torch's current one. */
static void settle_site(stream_reader *k, site *s) {
  const fact_call *c = s->call;
  s->stream = s->guard_stream = k->current;
  if (s->form == AOTIGEN_CPU) s->stream = STREAM_NONE;
  for (size_t i = 0; i < c->params.n && c->open < c->close; i++) {
    if (!is_stream_type(c->params.at[i].type)) continue;
    s->passed_stream = read_argument(k, c->open, (int)i);
    s->stream = find_stream(k, s->passed_stream, c->offset);
  }
}

static void settle_sites(stream_reader *k, size_t at) {
  for (; k->next < k->m->sites.n && k->m->sites.at[k->next].call->offset < at; k->next++)
    if (k->m->sites.at[k->next].call->function == k->function)
      settle_site(k, &k->m->sites.at[k->next]);
}

/* What runs once does not change what a branch or another iteration finds. */
static void forget_sites(stream_reader *k, size_t begin) {
  for (size_t i = k->next; i-- > 0 && k->m->sites.at[i].call->offset > begin;) {
    site *s = &k->m->sites.at[i];
    s->guard_stream = STREAM_UNKNOWN;
    if (!s->passed_stream && s->stream != STREAM_NONE) s->stream = STREAM_UNKNOWN;
  }
}

static void close_block(stream_reader *k) {
  if (!k->blocks.n) return;
  for (size_t i = k->guards.n; i-- > 0;)
    if (!k->guards.at[i].holder && !k->guards.at[i].over &&
        k->guards.at[i].block == (int)k->blocks.n)
      end_guard(k, &k->guards.at[i]);
  const open_block b = k->blocks.at[--k->blocks.n];
  if (b.certain || k->current == b.current) return;
  forget_sites(k, b.begin);
  k->current = STREAM_UNKNOWN;
}

static void read_word(stream_reader *k, size_t at, size_t past) {
  static const char guard_end[] = "StreamGuard";
  size_t n = past - at, ending = sizeof guard_end - 1;
  const struct event_call *call = find_event_call(k->text + at, n);
  if (is_query(k->text + at, n) || is_name(k->text + at, n, "goto")) k->m->hides_order = true;
  if (call)
    read_event_call(k, call, at, past);
  else if (n > ending && strncmp(k->text + past - ending, guard_end, ending) == 0)
    read_guard(k, at, past);
  else
    read_reset(k, at, past);
}

static void read_function(stream_reader *k, int function) {
  const span body = k->m->facts->functions.at[function].body;
  char before = ';';
  k->function = function;
  k->current = 0;
  k->guards.n = k->blocks.n = k->next = 0;
  k->end = body.end - 1;
  for (size_t at = body.begin + 1, next; (at = lex_skip_space(k->text, at, k->end)) < k->end;
       at = next) {
    next = lex_skip_token(k->text, at, k->end);
    settle_sites(k, at);
    if (strchr(";{}", before)) k->statement = at;
    if (lex_is_identifier(k->text[at])) read_word(k, at, next);
    if (k->text[at] == '{')
      *arena_push(k->a, &k->blocks) = (open_block){strchr(";{}", before) != NULL, k->current, at};
    if (k->text[at] == '}') close_block(k);
    before = k->text[next - 1];
  }
  settle_sites(k, k->end);
}

void streams_read(model *m, arena *a) {
  stream_reader k = {.m = m, .a = a, .text = m->facts->text};
  *arena_push(a, &m->streams) = (model_stream){"stream", 0};
  for (size_t i = 0; i < m->sites.n; i++) m->sites.at[i].stream = STREAM_UNKNOWN;
  for (size_t i = 0; i < m->facts->functions.n; i++) {
    const fact_function *f = &m->facts->functions.at[i];
    if (f->kind == FUNCTION_RUN || f->kind == FUNCTION_FOLD)
      read_function(&k, (int)i);
    else if (f->kind == FUNCTION_OTHER && orders_streams(m, f))
      m->hides_order = true;
  }
}

/* ---- the list ------------------------------------------------------------------------------- */

const char *stream_name(const model *m, int stream, arena *a) {
  if (stream == STREAM_NONE) return "the host";
  if (stream == STREAM_UNKNOWN) return "a stream that only a run tells";
  if (!stream) return "the caller's stream";
  return arena_printf(a, "side stream %u", m->streams.at[stream].number);
}

void stream_print(FILE *to, const model *m, const site *s, arena *a) {
  if (!streams_are_several(m) || s->stream == STREAM_NONE) return;
  fprintf(to, "      stream   %s\n", stream_name(m, s->stream, a));
}

void stream_add_json(cJSON *to, const model *m, const site *s, arena *a) {
  if (!streams_are_several(m) || s->stream == STREAM_NONE) return;
  cJSON_AddStringToObject(to, "stream", stream_name(m, s->stream, a));
}
