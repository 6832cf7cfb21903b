/* completion.c - the memory of a collective between its call and the wait that completes it: see
 * checker.h. */
#include "check/checker.h"

static bool is_tensor(const argument *arg) { return arg->root >= 0 && arg->kind != AOTIGEN_SCALAR; }

/* The argument of `s` that has the memory of `arg`, or NULL; preferably one that is written. */
static const argument *find_use(const site *s, const argument *arg) {
  const argument *found = NULL;
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    if (!is_tensor(x) || x->root != arg->root) continue;
    if (!found || (found->role == AOTIGEN_IN && x->role != AOTIGEN_IN)) found = x;
  }
  return found;
}

static bool exclude(const checker *k, const site *x, const site *y) {
  return x->call->function != y->call->function ||
         blocks_exclude(k->blocks, blocks_find(k->blocks, x->call->offset),
                        blocks_find(k->blocks, y->call->offset));
}

/* True if each run that makes the collective comes to the wait. */
static bool is_awaited(const checker *k, const site *s, const site *wait) {
  return blocks_is_within(k->blocks, blocks_find_branching(k->blocks, s->call->offset),
                          blocks_find_branching(k->blocks, wait->call->offset));
}

static const char *name_use(const argument *use) {
  return use->role == AOTIGEN_IN    ? "reads"
         : use->role == AOTIGEN_OUT ? "overwrites"
                                    : "reads and may overwrite";
}

/* Launch number `user` uses memory that the collective may still be using. A view may be of another
 * part. Another collective may run behind it, as on one stream of NCCL's. */
static void add_use(checker *k, const site *s, const argument *arg, const site *user,
                    const argument *use, bool certain) {
  bool parts = arg->kind == AOTIGEN_VIEW || use->kind == AOTIGEN_VIEW || arg->view || use->view;
  bool collective = user->completion.kind == COMPLETE_AT_WAIT;
  bool sure = certain && !parts && !collective &&
              blocks_is_certain(k->blocks, s->call->offset, user->call->offset);
  finding *f = checker_add(k, NULL, FINDING_PENDING, sure ? VERDICT_REFUTED : VERDICT_UNDECIDED);
  f->argument = arg->name;
  f->why = arena_printf(
      k->a,
      "launch %u, %s, %s %s, which the collective may still be %s: no wait_tensor for %s "
      "stands between them",
      user->number, user->kernel, name_use(use), use->name,
      arg->role == AOTIGEN_IN ? "reading" : "writing", arg->name);
  if (!sure)
    f->would = collective ? "whether the two run in the order of their calls"
               : parts    ? "which elements the two views have in common"
                          : "which branches of the wrapper are taken";
}

/* Looks for the first use of the argument's memory before site `done`, which completes it for
 * certain. What the collective only reads may be read by others; each of its waits may complete
 * that. False if there is one. */
static bool check_argument(checker *k, const site *s, const argument *arg, size_t done) {
  bool only_read = arg->role == AOTIGEN_IN, certain = true;
  for (size_t i = k->site + 1; i < done; i++) {
    const site *user = &k->m->sites.at[i];
    const argument *use = find_use(user, arg);
    if (exclude(k, s, user)) continue;
    if (user->completion.kind == COMPLETE_WAITS) {
      certain = certain && !use && !only_read;
      continue;
    }
    if (!use || (only_read && use->role == AOTIGEN_IN)) continue;
    add_use(k, s, arg, user, use, certain);
    return false;
  }
  return true;
}

/* The index of the site behind which the collective is complete for certain: its last wait. The
 * number of all sites if there is none. */
static size_t find_done(const checker *k, const site *s) {
  size_t done = 0;
  for (size_t i = 0; i < s->completion.sites.n; i++) {
    size_t wait = (size_t)s->completion.sites.at[i];
    if (!is_awaited(k, s, &k->m->sites.at[wait])) return k->m->sites.n;
    if (wait > done) done = wait;
  }
  return done ? done : k->m->sites.n;
}

/* The same for one of its outputs. */
static size_t find_own_done(const checker *k, const site *s, const argument *arg, size_t done) {
  for (size_t i = 0; i < s->completion.sites.n; i++) {
    size_t wait = (size_t)s->completion.sites.at[i];
    if (find_use(&k->m->sites.at[wait], arg) && is_awaited(k, s, &k->m->sites.at[wait]) &&
        wait < done)
      done = wait;
  }
  return done;
}

/* True if an argument before this one has its memory: a result is the tensor that was changed. */
static bool is_repeated(const site *s, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (is_tensor(&s->args.at[j]) && s->args.at[j].root == s->args.at[i].root) return true;
  return false;
}

void completion_check(checker *k, const site *s) {
  if (s->completion.kind != COMPLETE_AT_WAIT || s->skipped) return;
  size_t done = find_done(k, s);
  bool sure = true;
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *arg = &s->args.at[i];
    if (!is_tensor(arg) || is_repeated(s, i)) continue;
    size_t own = arg->role == AOTIGEN_IN ? done : find_own_done(k, s, arg, done);
    sure = check_argument(k, s, arg, own) && sure;
  }
  if (!sure) return;
  bool awaited = done < k->m->sites.n;
  finding *f = checker_add(k, NULL, FINDING_PENDING, awaited ? VERDICT_PROVED : VERDICT_UNDECIDED);
  if (awaited) return;
  f->why = "no wait_tensor that completes it is sure to follow";
  f->would = "whether who gets its result waits";
}
