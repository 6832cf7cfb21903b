/* replay.c - see replay.h. */
#include "replay/replay.h"
#include "here/gpu.h"
#include "replay/constants.h"
#include "replay/host.h"
#include "taken/take.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct replay {
  const options *o;
  capsule c;
  const char *gpu; /* that runs the inputs here, or NULL */
  original p;
  host h;
  take take; /* of --launch */
  diags *d;
} replay;

/* "cuda:0 (NVIDIA H200)". */
static const char *describe_device(const capsule *c, arena *a) {
  return c->gpu ? arena_printf(a, "%s (%s)", c->device, c->gpu) : c->device;
}

/* ---- before the run */

/* False with an error where an input is not there, or its device is not. */
static bool check_capsule(replay *r, arena *a) {
  const capsule *c = &r->c;
  for (size_t i = 0; i < c->inputs.n; i++) {
    const capsule_tensor *t = &c->inputs.at[i];
    if (t->kept != CAPSULE_NOT_KEPT) continue;
    diag_error(r->d, STATUS_INPUT, c->path,
               "cannot be replayed, for input %zu was not kept (%s): AOTIGEN_KEEP_BYTES of the "
               "watched program says how many bytes are",
               i, t->why ? t->why : "no reason is told");
    return false;
  }
  if (!text_begins(c->device, "cuda")) return true;
  gpus g;
  gpu_ask(&g, a);
  const char *colon = strchr(c->device, ':');
  const size_t at = colon ? (size_t)atoi(colon + 1) : 0;
  if (g.n) r->gpu = g.at[at < g.n ? at : 0].name;
  if (g.n || g.unknown) return true;
  diag_error(r->d, STATUS_INPUT, c->path,
             "is of a run on %s, and there is no GPU here (%s): replay it on a machine that has "
             "one",
             describe_device(c, a), g.why);
  return false;
}

/* The user's environment with the capsule's number of threads, on which a sum's last bits depend;
 * the user's counts more. AOTIGEN_EVERY is for programs of many runs: here each is looked at. */
static char *const *make_environment(const replay *r, char *const *given, arena *a) {
  static const char threads[] = "OMP_NUM_THREADS=", every[] = "AOTIGEN_EVERY=";
  bool has_threads = false;
  size_t n = 0;
  for (char *const *p = given; *p; p++) n++;
  char **all = arena_alloc(a, (n + 2) * sizeof *all);
  for (n = 0; *given; given++) {
    has_threads |= text_begins(*given, threads);
    if (!text_begins(*given, every)) all[n++] = *given;
  }
  if (!has_threads && r->c.omp_threads)
    all[n++] = arena_printf(a, "%s%s", threads, r->c.omp_threads);
  return all;
}

/* A watched run is looked at for Inf, too, which a debug package does only if it is asked to. Of a
 * run with a NaN only an Inf that it was made of is to be told: a sound run may have others. */
static void ask_for_infinity(const replay *r, options *of_run) {
  bool has_nan = false, has_infinity = false;
  for (size_t i = 0; i < r->c.findings.n; i++) {
    const capsule_finding *f = &r->c.findings.at[i];
    has_nan |= f->nan > 0;
    has_infinity |= f->pos_inf || f->neg_inf;
  }
  if (of_run->levels_set & LEVEL_NAN_ASSERTS || of_run->levels.nan_asserts & 2) return;
  if (has_nan)
    of_run->levels.nan_asserts = 4; /* NaN, and the Inf that one was made of */
  else if (has_infinity)
    of_run->levels.nan_asserts |= 1 | 2; /* NaN, Inf */
}

/* ---- after it */

__attribute__((format(printf, 4, 5))) static void note(diagnosis_notes *notes, arena *a,
                                                       const char *label, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = arena_vprintf(a, format, args);
  va_end(args);
  *arena_push(a, &notes->lines) = (diagnosis_note){label, text};
}

/* "run 7 of process 12 on HOST at 2026-11-29 22:10:05, on cuda:0 (NVIDIA H200)". */
static const char *describe_run(const capsule *c, arena *a) {
  const time_t when = (time_t)c->time;
  struct tm local;
  char time[32] = "";
  if (c->time > 0 && localtime_r(&when, &local))
    strftime(time, sizeof time, " at %Y-%m-%d %H:%M:%S", &local);
  const char *rank = c->rank >= 0 ? arena_printf(a, ", rank %lld", c->rank) : "";
  return arena_printf(a, "run %lld of process %lld%s%s%s%s, on %s", c->run, c->pid, rank,
                      c->host ? " on " : "", c->host ? c->host : "", time, describe_device(c, a));
}

/* Which weights and buffers the run has that the package does not, and which it lacks. */
static void tell_constants(const replay *r, diagnosis_notes *notes, arena *a) {
  const capsule *c = &r->c;
  const char *weights = constants_name(c, false, true, a),
             *others = constants_name(c, false, false, a),
             *buffers = constants_name(c, true, true, a), *lost = constants_name(c, true, false, a);
  if (weights)
    note(notes, a, "weights", "as the capsule has them, which had been updated: %s", weights);
  if (others)
    note(notes, a, "weights", "the package's, where the run had updated ones: %s (%s)", others,
         constants_explain(c, false));
  if (c->constants_more)
    note(notes, a, "weights", "%lld more had perhaps been updated, and are the package's here",
         c->constants_more);
  if (buffers) note(notes, a, "buffers", "%s are as they were before the run", buffers);
  if (lost)
    note(notes, a, "buffers", "%s may have been others: here they are as the package has them (%s)",
         lost, constants_explain(c, true));
}

/* What was bad there is said where it may not be so here. */
static void tell_capsule(const replay *r, bool is_same, diagnosis_notes *notes, arena *a) {
  static const char *const held[] = {
      "its values are those when the capsule was written",
      "it was not changed between the run's begin and the capsule",
      "an eighth of it was compared, and was not changed between the run's begin and the capsule",
      "it was changed after the run's begin, and the run had other values than the capsule"};
  const char *findings = is_same ? "" : capsule_describe_findings(&r->c, a);
  note(notes, a, "capsule", "%s%s%s", describe_run(&r->c, a), *findings ? ": " : "", findings);
  for (size_t i = 0; i < r->c.inputs.n; i++)
    if (r->c.inputs.at[i].kept == CAPSULE_HELD)
      note(notes, a, "inputs", "input %zu was held, and not copied: %s", i,
           held[r->c.inputs.at[i].values]);
  tell_constants(r, notes, a);
  if (r->c.updated && !r->c.constants_known)
    note(
        notes, a, "weights",
        "had been updated since the first run: the run used the package's own, which the capsule's "
        "run did not");
}

static bool has_held_input(const capsule *c, bool changed) {
  for (size_t i = 0; i < c->inputs.n; i++) {
    const capsule_tensor *t = &c->inputs.at[i];
    if (t->kept == CAPSULE_HELD &&
        (changed ? t->values == CAPSULE_CHANGED : t->values != CAPSULE_UNCHANGED))
      return true;
  }
  return false;
}

/* What a capsule cannot tell of. Runs that were alike rule out the first. */
static const char *explain_unknown(const replay *r, const host_result *found, arena *a) {
  const capsule *c = &r->c;
  const bool alike = found->runs > 1 && found->alike == found->runs,
             weights = r->p.has_outer_weights, updated = !c->constants_known && c->updated_first,
             left = !c->constants_known;
  return arena_printf(
      a, "perhaps %s%s%s%stwo inputs shared memory, or the machine is another one",
      alike ? "" : "it is not deterministic, ",
      weights ? "files of the package beside its '.so', such as weights, are others, " : "",
      updated ? "the weights were updated before the first run, maybe by the loader itself, " : "",
      left && !updated ? "it depends on what earlier runs left in its buffers, " : "");
}

/* What may be why an output is another one. */
static const char *explain_difference(const replay *r, const host_result *found, arena *a) {
  const capsule *c = &r->c;
  if (r->p.is_other_build) return "the package is of another build of the model";
  if (c->constants_known ? c->constants_more || constants_explain(c, false) : c->updated)
    return "the weights are others";
  if (constants_explain(c, true)) return "the buffers that the model writes to are perhaps others";
  if (has_held_input(c, true))
    return "this is not that run: an input was changed after the run's begin, and before the "
           "capsule was written; AOTIGEN_COPY_BYTES of the watched program has it copied before";
  if (has_held_input(c, false))
    return arena_printf(a,
                        "this is perhaps not that run: an input was held, and the model or the "
                        "program may have written to it since; or %s",
                        explain_unknown(r, found, a));
  return explain_unknown(r, found, a);
}

/* Of each output whether it is the capsule's, bit for bit; null where it is not compared. */
static void add_equal(const host_result *found, cJSON *to) {
  cJSON *list = cJSON_AddArrayToObject(to, "outputs_equal");
  for (size_t i = 0; list && i < found->outputs.n; i++) {
    const host_output *x = &found->outputs.at[i];
    cJSON_AddItemToArray(list, x->skipped ? cJSON_CreateNull() : cJSON_CreateBool(x->equal));
  }
}

/* Without what stands behind its three numbers. */
static bool is_other_torch(const char *kept, const char *here) {
  const size_t n = strspn(kept, "0123456789."), m = strspn(here, "0123456789.");
  return n != m || strncmp(kept, here, n) != 0;
}

/* That the machine is another one is known of these. */
static void tell_machine(const replay *r, const host_result *found, diagnosis_notes *notes,
                         arena *a) {
  const capsule *c = &r->c;
  if (c->gpu && r->gpu && strcmp(c->gpu, r->gpu) != 0)
    note(notes, a, "machine", "another one: the capsule's run was on '%s', and this one is on '%s'",
         c->gpu, r->gpu);
  if (c->torch && found->torch && is_other_torch(c->torch, found->torch))
    note(notes, a, "machine", "another torch: the capsule's run had %s, and this one has %s",
         c->torch, found->torch);
}

static void tell_outputs(const replay *r, const host_result *found, diagnosis_notes *notes,
                         arena *a) {
  size_t compared = 0;
  const char *skipped = NULL;
  add_equal(found, notes->facts);
  for (size_t i = 0; i < found->outputs.n; i++) {
    const host_output *x = &found->outputs.at[i];
    if (x->skipped) skipped = arena_printf(a, "output %zu: %s", i, x->skipped);
    compared += !x->skipped;
    if (x->equal || x->skipped) continue;
    note(notes, a, "outputs", "differ from the capsule's: output %zu, %s: %s", i, x->text,
         explain_difference(r, found, a));
    tell_machine(r, found, notes, a);
    return;
  }
  if (skipped && !compared)
    note(notes, a, "outputs", "not compared: %s", skipped);
  else
    note(notes, a, "outputs", "those of the capsule, bit for bit%s%s", skipped ? "; without " : "",
         skipped ? skipped : "");
}

/* Whether the replay has the capsule's finding again, which a debug package does not look for. */
enum again { NOT_KNOWN, AGAIN, NOT_AGAIN };

/* The script looks for it itself; of a host that does not the same output has it again. */
static enum again find_again(const host_result *found, const capsule *c, size_t finding,
                             const char **text) {
  const size_t output = (size_t)c->findings.at[finding].output;
  for (size_t i = 0; i < found->checks.n; i++) {
    const host_check *x = &found->checks.at[i];
    if (x->finding != (long long)finding) continue;
    *text = x->text;
    return x->found ? AGAIN : NOT_AGAIN;
  }
  if (output >= found->outputs.n) return NOT_KNOWN;
  const host_output *x = &found->outputs.at[output];
  return x->equal && !x->skipped ? AGAIN : NOT_KNOWN;
}

static void tell_checks(const replay *r, const host_result *found, diagnosis_notes *notes,
                        arena *a) {
  static const char *const beyond[] = {"was beyond it, and was not looked at here",
                                       "is beyond it again", "was beyond it, and is not now"};
  static const char *const dead[] = {"and was not looked at here", "and has again",
                                     "and has others now"};
  for (size_t i = 0; i < r->c.findings.n; i++) {
    const capsule_finding *f = &r->c.findings.at[i];
    const char *text = NULL;
    const enum again again = f->kind == CAPSULE_BAD ? NOT_KNOWN
                                                    : find_again(found, &r->c, i, &text);
    if (f->kind == CAPSULE_LIMIT)
      note(notes, a, "limit", "%s: output %lld %s%s%s", f->limit, f->output, beyond[again],
           again == AGAIN && text ? ": " : "", again == AGAIN && text ? text : "");
    else if (f->kind == CAPSULE_DEAD)
      note(notes, a, "dead", "output %lld had only one value, %s", f->output, dead[again]);
  }
}

/* The capsule's run had a finding, and these runs, which had none, had all that it had. Buffers
 * that earlier runs left are not known. A debug package looks for NaN and Inf alone. */
static bool is_transient(const replay *r) {
  bool is_bad = r->c.findings.n != 0;
  for (size_t i = 0; i < r->c.findings.n; i++) is_bad &= r->c.findings.at[i].kind == CAPSULE_BAD;
  return is_bad && !r->c.updated && !r->c.updated_first && !has_held_input(&r->c, true) &&
         !has_held_input(&r->c, false);
}

/* What the runs of --repeat had in common. */
static void tell_repeated(const replay *r, const host_result *found, const evidence *e,
                          diagnosis_notes *notes, arena *a) {
  const verdict v = diagnosis_decide(e);
  const long long n = found->runs;
  if (r->o->replay.repeat < 2) return;
  const char *alike = found->alike == n
                          ? "the same outputs, bit for bit"
                          : arena_printf(a,
                                         "not deterministic: the outputs of %lld were others than "
                                         "those of the first, and %lld had the capsule's",
                                         n - found->alike, found->as_kept);
  const long long had = v.event ? e->log->runs[v.cause] : 0;
  cJSON_AddNumberToObject(notes->facts, "runs", (double)n);
  cJSON_AddNumberToObject(notes->facts, "runs_alike", (double)found->alike);
  cJSON_AddNumberToObject(notes->facts, "runs_with_finding", (double)had);
  note(notes, a, "repeated", "%lld runs: %s%s", n, alike,
       v.event ? arena_printf(a, "; %lld of %lld had the finding: %s", had, n,
                              had == n ? "it is persistent" : "it comes and goes")
       : is_transient(r)
           ? "; none had what the capsule's run had: it is transient, or comes of what "
             "earlier runs left in buffers"
           : "");
}

static bool tell(void *data, const evidence *e, diagnosis_notes *notes, arena *a) {
  const replay *r = data;
  host_result found;
  const bool ended = host_read(&found, &r->h, a);
  if (ended && found.refused) {
    diag_error(r->d, STATUS_INPUT, r->c.path, "cannot be replayed: %s", found.refused);
    diags_print(r->d, stderr, false);
    return false;
  }
  tell_capsule(r, ended && found.as_kept == found.runs && found.runs, notes, a);
  if (!ended || !found.runs)
    note(notes, a, "outputs", "not compared: the run did not come to its end%s%s",
         ended && found.failed ? ": " : "", ended && found.failed ? found.failed : "");
  else if (r->c.fault)
    note(notes, a, "outputs", "not compared: the run came to its end, which the capsule's did not");
  else
    tell_outputs(r, &found, notes, a);
  if (ended && found.failed && found.is_unloaded)
    note(notes, a, "loading",
         "%s: where it calls operators of the program's own, name what registers them with "
         "--library=FILE",
         r->o->replay.nlibraries ? "the model was not loaded with what --library names"
                                 : "the model was not loaded");
  if (ended && found.runs) tell_checks(r, &found, notes, a);
  if (ended && found.runs) tell_repeated(r, &found, e, notes, a);
  return true;
}

/* Of --launch: what the run itself says is left to a replay without it. */
static bool tell_launch(void *data, const evidence *e, diagnosis_notes *notes, arena *a) {
  const replay *r = data;
  host_result found;
  (void)notes;
  bool ok = !host_read(&found, &r->h, a) || !found.refused;
  if (!ok)
    diag_error(r->d, STATUS_INPUT, r->c.path, "cannot be replayed: %s", found.refused);
  else
    ok = take_write(&r->take, e->signal, a, r->d);
  diags_print(r->d, stderr, r->o->verbosity < 0);
  return ok;
}

/* ---- the verb */

run *replay_prepare(const options *o, char *const *given, arena *a, diags *d) {
  replay *r = arena_alloc(a, sizeof *r);
  *r = (replay){.o = o, .d = d};
  if (!capsule_read(&r->c, o->replay.capsule, o, a, d) || !check_capsule(r, a) ||
      !original_find(&r->p, &r->c, o, a, d) || !host_make(&r->h, &r->c, &r->p, o, a, d))
    return NULL;
  options *of_run = arena_alloc(a, sizeof *of_run);
  *of_run = *o;
  of_run->run.models[0] = r->p.package;
  of_run->run.nmodels = 1;
  of_run->run.command = r->h.command;
  of_run->replay.unwatched = r->p.unwatched;
  of_run->replay.only = r->p.only;
  ask_for_infinity(r, of_run);
  char *const *environment = make_environment(r, given, a);
  if (o->replay.launch) {
    r->take = (take){
        .o = o, .package = r->p.unwatched ? r->p.unwatched : r->p.package, .model = r->c.model};
    environment = take_make_environment(&r->take, environment, a, d);
    if (!environment) return NULL;
  }
  run *made = run_prepare(of_run, environment, a, d);
  if (made && o->replay.launch)
    run_add_sequel(made, &(run_sequel){.tell = tell_launch, .data = r, .alone = true});
  else if (made)
    run_add_sequel(made, &(run_sequel){.tell = tell, .data = r});
  return made;
}
