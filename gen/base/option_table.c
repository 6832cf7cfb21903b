/* option_table.c - see option_table.h. Checks values by their form; whether a file exists is
 * checked where it is read. */
#include "base/option_table.h"
#include "base/diff_option.h"
#include "base/option_value.h"
#include "base/replay_option.h"
#include <string.h>

/* ---- values */

/* Of one of these words, by its number. */
#define WORD_SETTER(name, field, type, ...)                                                        \
  static bool name(options *o, const char *v) {                                                    \
    static const char *const list[] = {__VA_ARGS__, NULL};                                         \
    const int n = *v ? strings_index(list, v) : -1;                                                \
    if (n >= 0) o->field = (type)n;                                                                \
    return n >= 0;                                                                                 \
  }
WORD_SETTER(set_dump, dump, enum dump, "", "command", "model", "kernels", "plan", "edits")
WORD_SETTER(set_confining, confining, enum confining, "auto", "require", "off")
WORD_SETTER(set_format, report.format, enum report_format, "html", "json", "text")
WORD_SETTER(set_host, replay.host, enum replay_host, "auto", "c", "python")
#undef WORD_SETTER

static bool set_limits(options *o, const char *v) { return limits_read(&o->limits, v); }

static bool set_path(const char **to, const char *v) {
  *to = v;
  return option_value_is_path(v);
}

static bool set_output(options *o, const char *v) { return set_path(&o->output.path, v); }
static bool set_torch(options *o, const char *v) { return set_path(&o->torch, v); }
static bool set_ops(options *o, const char *v) { return set_path(&o->files.ops, v); }
static bool set_weights(options *o, const char *v) { return set_path(&o->files.weights, v); }
static bool set_exported(options *o, const char *v) { return set_path(&o->files.exported, v); }
static bool set_inputs(options *o, const char *v) { return set_path(&o->compare.inputs, v); }
static bool set_provenance(options *o, const char *v) { return set_path(&o->files.provenance, v); }

static bool set_name(const char **to, const char *v) {
  *to = v;
  return *v && option_value_is_text(v);
}

/* One too many is counted, too: it is refused once the verb is known. */
static bool set_model(options *o, const char *v) {
  if (o->run.nmodels < AG_RUN_MODELS) o->run.models[o->run.nmodels] = v;
  if (o->run.nmodels <= AG_RUN_MODELS) o->run.nmodels++;
  return set_name(&o->model, v);
}

static bool set_keep(options *o, const char *v) { return set_path(&o->run.keep, v); }
static bool set_printer_to(options *o, const char *v) { return set_path(&o->run.printer_to, v); }
static bool set_kernel(options *o, const char *v) { return set_name(&o->kernel, v); }
static bool set_library_of(options *o, const char *v) { return set_name(&o->output.library_of, v); }

/* The environment, which names the cache, is read last: until then this stands for --no-cache. */
static const char no_cache[] = "";

/* Of a flag: `field` becomes `to`. */
#define SETTER(name, field, to)                                                                    \
  static bool name(options *o, const char *v) {                                                    \
    (void)v;                                                                                       \
    o->field = to;                                                                                 \
    return true;                                                                                   \
  }
SETTER(set_core_dump, run.core_dump, true)
SETTER(set_run_watch, run.watch, true)
SETTER(set_json, json, true)
SETTER(set_here, here, true)
SETTER(set_cached, output.cached, true)
SETTER(set_no_cache, env.cache, no_cache)
SETTER(set_quiet, verbosity, -1)
SETTER(set_verbose, verbosity, 1)
SETTER(set_help, verb, VERB_HELP)
#undef SETTER

static bool set_version(options *o, const char *v) {
  (void)v;
  if (o->verb != VERB_HELP) o->verb = VERB_VERSION;
  return true;
}

/* ---- the table */

/* The levels of which `aotigen list` shows what they would do. */
enum { LISTED_KERNELS = LIST, LISTED_EXPLAIN = 0 };

const option option_table[] = {
    {"output", 'o', "FILE", REWRITE | BUILD | WATCH | REPLAY | REPORT, set_output, NULL, "required",
     "where the result goes; - is standard output; of replay: the directory of --launch"},
    {"cached", 0, NULL, REWRITE, set_cached, NULL, "off",
     "in place of -o: find a package's debug package in the cache, or make it there, and print its "
     "path"},
    {"library-of", 0, "HASH", REWRITE, set_library_of, "printable", "none",
     "write a debug package's '.so', if the package's own has this hash: for a watch package"},
#define LEVEL_NUMBER(field, MACRO, option, letter, value, kind, words, fallback, variable, one,    \
                     arguments, meaning, help)                                                     \
  {option, letter, value, REWRITE | BUILD | RUN, NULL, NULL, NULL, help},
#define LEVEL_TEXT(field, MACRO, option, letter, value, kind, fallback, variable, meaning, help)   \
  {option, letter, value, REWRITE | BUILD | RUN | LISTED_##MACRO, NULL, NULL, NULL, help},
#include "shared/wrapper/aotigen_levels.def"
    {"json", 0, NULL, LIST | CHECK | RUN | COMPARE, set_json, NULL, "off",
     "print JSON Lines; of run, replay, compare and bisect the result, as one object on standard "
     "output"},
    {"here", 0, NULL, LIST, set_here, NULL, "off",
     "whether a package runs on this machine: what it needs, what is here, and the cure"},
    {"model", 0, "NAME", REWRITE | LIST | CHECK | RUN | COMPARE | WATCH, set_model,
     "printable: a model's name, or of 'run' a package", "all",
     "only this model of a package; of run: a package, an unpacked one's directory or '.so', and "
     "the program loads its debug package in its place; of replay: the package that the capsule is "
     "of, where it is not where it was"},
    {"keep", 0, "DIR", RUN, set_keep, "a directory", "none",
     "keep what the run left there: its log, and the core dump of a GPU"},
    {"printer-to", 0, "FILE", RUN, set_printer_to, "a file", "standard output",
     "where the printer of a debug package writes"},
    {"core-dump", 0, NULL, RUN, set_core_dump, NULL, "off",
     "where a kernel fails on a GPU, have the driver tell its block, thread and line"},
    {"watch", 0, NULL, RUN_ALONE, set_run_watch, NULL, "off",
     "the program loads a watch package in the place of each --model: its outputs are looked at, "
     "and a bad run is kept"},
    {"repeat", 0, "N", REPLAY, replay_option_set_repeat, "a number, 1 to 100000", "1",
     "run the capsule's inputs so many times, and tell whether each run ends alike"},
    {"launch", 0, "N", REPLAY, replay_option_set_launch, "a number from 1 on", "none",
     "write launch N of the run to the directory -o, as a program of its own with its arguments"},
    {"host", 0, "HOST", REPLAY, set_host, "auto, c or python", "auto",
     "what runs the inputs: a program in C that needs no Python, or a Python with torch"},
    {"library", 0, "FILE", REPLAY | COMPARE, replay_option_add_library,
     "the name of a '.so' or '.py', at most 8 times", "none",
     "a '.so' or '.py' that registers the model's own operators: it is loaded before the model"},
    {"run", 0, "N", DIFF | REPORT, diff_option_set_run, "a number from 1 on", "each that both have",
     "compare this run of both"},
    {"bound", 0, "X", DIFF | REPORT, diff_option_set_bound, "a number from 0 on",
     "0 for one build, else what rounding explains",
     "how far ranges and norms may lie apart, relative to the largest; 0: bit for bit"},
    {"inputs", 0, "FILE", COMPARE, set_inputs, "a file", "the program's samples",
     "the model's inputs: a list of tensors that torch.save() wrote, or a capsule"},
    {"format", 0, "FORMAT", REPORT, set_format, "html, json or text", "html",
     "what is written: a page for a browser, its data as a JSON object, or text"},
    {"kernel", 0, "NAME", LIST, set_kernel, "a kernel's name", "none",
     "print this kernel whole, and every launch of it"},
    {"torch", 0, "DIR", ANY, set_torch, "a directory",
     "the compile command's, else asked of python3",
     "where torch is: its package, site-packages or virtual environment"},
    {"ops", 0, "FILE", REWRITE | LIST | CHECK | BUILD, set_ops, "a file", "beside INPUT",
     "wrapper.json with the names of custom ops"},
    {"weights", 0, "FILE", BUILD, set_weights, "a file", "none",
     "the old .so, or an object file, with the weights"},
    {"exported", 0, "FILE", READ, set_exported, "a file", "none",
     "the exported program (torch.export.save): the model's own lines and module paths"},
    {"provenance", 0, "FILE", READ, set_provenance, "a file", "the package's",
     "a log of TORCH_TRACE, or kernel_information.json, of a compilation with "
     "INDUCTOR_PROVENANCE=1"},
    {"confine", 0, "WHEN", REWRITE | LIST | CHECK | RUN | COMPARE | WATCH, set_confining,
     "auto, require or off", "auto",
     "confine parser and compilers of a package: auto (where the kernel can), require, off"},
    {"limits", 0, "LIST", REWRITE | LIST | CHECK | RUN | COMPARE | WATCH, set_limits, LIMITS_WANTS,
     "see aotigen(1)",
     "comma list of limits: parser=S, parser-total=S, parser-memory=MIB, cpu=S, clock=S, "
     "memory=MIB, file=MIB, processes=N, disk=MIB, total=S"},
    {"no-cache", 0, NULL, REWRITE | LIST | CHECK | RUN | COMPARE, set_no_cache, NULL, "off",
     "neither use nor keep precompiled headers"},
    {"dump", 0, "STAGE", REWRITE, set_dump, "command, model, kernels, plan or edits", "none",
     "print what a stage made, and stop: command, model, kernels, plan, edits"},
    {"quiet", 'q', NULL, ANY, set_quiet, NULL, "off", "errors only"},
    {"verbose", 'v', NULL, ANY, set_verbose, NULL, "off", "show the compiler's commands"},
    {"help", 'h', NULL, ANY, set_help, NULL, NULL, "this text"},
    {"version", 0, NULL, ANY, set_version, NULL, NULL, "the version"},
};
const size_t option_table_n = sizeof option_table / sizeof *option_table;

const char *options_name(size_t i, char *letter, const char **value) {
  if (i >= option_table_n) return NULL;
  *letter = option_table[i].letter;
  *value = option_table[i].value;
  return option_table[i].name;
}
