/* gen_readers.c - the readers of gen/. */
#define _GNU_SOURCE
#include "toolchain/elf_file.h"
#include "here/here_rows.h"
#include "here/gpu_code.h"
#include "toolchain/include_audit.h"
#include "toolchain/weights.h"
#include "check/check.h"
#include "bounds/endpoints.h"
#include "model/weights_declared.h"
#include "command/command.h"
#include "emit/tables.h"
#include "stages/rewritten.h"
#include "fuzz/gen_reading.h"
#include "model/cpp_functions.h"
#include "model/custom_ops.h"
#include "kernel_facts.h"
#include "model/exported.h"
#include "model/kernel_origins.h"
#include "model/triton.h"
#include "package/archive.h"
#include "package/archive_reader.h"
#include "package/package.h"
#include "parse/lex.h"
#include "replay/capsule.h"
#include "replay/constants.h"
#include "replay/stored.h"
#include "taken/kernel_text.h"
#include "taken/taken.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A torch without anything in it, made once. */
static const char *find_torch(void) {
  static char dir[300];
  const char *tmp = getenv("TMPDIR");
  if (*dir) return dir;
  snprintf(dir, sizeof dir, "%s/fuzz-torch", tmp ? tmp : "/tmp");
  mkdir(dir, 0700);
  return dir;
}

static void read_command(const char *at, size_t n) {
  static const char head[] = "#include <a.h>\n// Compile cmd\n// ";
  for (int untrusted = 0; untrusted < 2; untrusted++) {
    reading r = begin_reading();
    const options o = {.python = "/nonexistent"};
    const char *text = arena_printf(r.a, "%s%s", head, at);
    command c;
    const command_input in = {"x.cpp", text, strlen(text), &o, find_torch(), untrusted};
    if (command_read(&c, &in, r.a, r.d)) command_dump(&c, r.null);
    end_reading(&r);
  }
  (void)n;
}

static void check_text(const char *at, size_t n) {
  reading r = begin_reading();
  weights_declared declared;
  include_audit_check_text("x.cpp", at, n, r.a, r.d);
  include_audit_check_instrumented("x.cpp", at, n, r.a, r.d);
  weights_declared_by_text(&declared, at, n, r.a);
  end_reading(&r);
}

static void read_functions(const char *at, size_t n) {
  reading r = begin_reading();
  cpp_functions f;
  cpp_functions_read(&f, at, n, r.a);
  cpp_functions_find(&f, "K");
  lex_find(at, 0, n, ';');
  lex_find_word(at, 0, n, "K");
  end_reading(&r);
}

/* A launch of the graph: each integer is a size of its own, each memory has 64 times the first of
 * them in elements. */
static void check_graph(const graph *g, arena *a) {
  symbols s = {.a = a};
  check c;
  const poly **params = arena_alloc(a, (g->nparams + 1) * sizeof *params),
             **elements = arena_alloc(a, (g->nparams + 1) * sizeof *elements);
  int *args = arena_alloc(a, (g->nparams + 1) * sizeof *args);
  const poly *size = NULL;
  for (size_t i = 0; i < g->nparams; i++) {
    args[i] = (int)i;
    if (g->params[i].pointer || i >= 64) continue;
    params[i] = poly_symbol(&s, symbols_add(&s, (symbol){.name = g->params[i].name, .high = 4096}));
    if (!size) size = params[i];
  }
  if (!size) size = poly_number(&s, 1);
  for (size_t i = 0; i < g->nparams; i++)
    if (g->params[i].pointer) elements[i] = poly_multiply(&s, poly_number(&s, 64), size);
  const range_launch l = {.g = g, .params = params, .grid = {size, size, size}};
  check_launch(&c, &s, &l, elements, a);
  for (int first_lane = 0; first_lane < 2; first_lane++) {
    uint64_t left = 100000;
    const endpoints_launch in = {&s, &l, args, first_lane, &left};
    endpoint to[ENDPOINTS_MAX];
    for (size_t i = 0; i < g->accesses.n && left; i++)
      endpoints_of_term(&in, &g->accesses.at[i], g->accesses.at[i].index, to, a);
  }
}

/* A kernel's tree and graph; checked: and whether a launch of it stays within its memory. */
static void read_graph(const char *at, size_t n, bool python, bool checked) {
  reading r = begin_reading();
  kernel_tree t;
  graph g;
  (python ? kernel_tree_read_triton : kernel_tree_read_cpp)(&t, at, n, "K", r.a);
  graph_build(&g, &t, "K", NULL, NULL, r.a);
  if (!checked) graph_print(&g, r.null);
  if (!g.why && !checked) {
    const int64_t **constants = arena_alloc(r.a, (g.nparams + 1) * sizeof *constants);
    graph_text_write(&g, constants, NULL, r.a);
  } else if (!g.why) {
    check_graph(&g, r.a);
  }
  end_reading(&r);
}

static void read_graph_cpp(const char *at, size_t n) { read_graph(at, n, false, false); }
static void read_graph_triton(const char *at, size_t n) { read_graph(at, n, true, false); }
static void check_cpp(const char *at, size_t n) { read_graph(at, n, false, true); }
static void check_triton(const char *at, size_t n) { read_graph(at, n, true, true); }

static void read_kernel_cpp(const char *at, size_t n) {
  reading r = begin_reading();
  kernel_facts f;
  read_cpp_facts(&f, at, n, "K", r.a);
  end_reading(&r);
}

static void read_kernel_triton(const char *at, size_t n) {
  reading r = begin_reading();
  kernel_facts f;
  read_triton_facts(&f, at, n, "K", r.a);
  end_reading(&r);
}

static void read_triton(const char *at, size_t n) {
  reading r = begin_reading();
  triton k;
  if (triton_read(&k, "K", at, n, r.a)) triton_find_param(&k, "in_ptr0");
  end_reading(&r);
}

static void read_ops(const char *at, size_t n) {
  reading r = begin_reading();
  custom_ops ops;
  const companion_texts companions = {.ops = at, .ops_path = "wrapper.json", .ops_packaged = true};
  if (!memchr(at, '\0', n)) {
    custom_ops_read(&ops, &companions, r.a, r.d);
    list_custom_ops(&ops, &r);
  }
  end_reading(&r);
}

/* What libzip does in a process of its own: the list, and four members. */
static void serve_archive(int fd, size_t n, const reading *r) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  for (uint64_t i = 0; i < 4; i++)
    if (write(ends[1], &i, sizeof i) != sizeof i) abort();
  close(ends[1]);
  archive_reader_serve(dup(fd), n, ends[0], r->null);
  close(ends[0]);
}

static void read_archive(const char *at, size_t n) {
  reading r = begin_reading();
  archive z;
  package_models models = {0};
  char path[40];
  int fd = make_file(at, n, path, sizeof path);
  serve_archive(fd, n, &r);
  if (archive_open(&z, path, &(options){.confining = CONFINING_OFF}, r.a, r.d)) {
    package_find_models(&models, &z, NULL, r.a, r.d);
    package_find_compiled(&models, &z, NULL, r.a, r.d);
    for (size_t i = 0, size; i < z.members.n && i < 4; i++)
      archive_read_text(&z, i, &size, r.a, r.d);
  }
  archive_close(&z);
  close(fd);
  end_reading(&r);
}

static void visit_symbol(const char *name, const GElf_Sym *entry, void *data) {
  *(size_t *)data += *name + entry->st_size;
}

/* As it lies in an archive. */
static void read_elf_inside(const char *at, size_t n, reading *r) {
  enum { BEFORE = 4096 + 64 };
  char path[40], *all = calloc(1, BEFORE + n);
  elf_file f;
  size_t sum = 0;
  if (n) memcpy(all + BEFORE, at, n);
  int fd = make_file(all, BEFORE + n, path, sizeof path);
  elf_reader_answer(fd, BEFORE, n, ELF_DYNAMIC | ELF_LINKS, r->null);
  elf_symbols_open_inside(&f, fd, BEFORE, n, ELF_DYNAMIC | ELF_LINKS);
  elf_symbols_visit_dynamic(&f, visit_symbol, &sum);
  elf_symbols_close(&f);
  close(fd);
  free(all);
}

static void read_elf(const char *at, size_t n) {
  reading r = begin_reading();
  read_elf_inside(at, n, &r);
  elf_file f;
  elf_bytes b;
  char path[40];
  size_t sum = 0;
  weights w = {0};
  int fd = make_file(at, n, path, sizeof path);
  elf_links links;
  gpu_kernels kernels = {0};
  elf_reader_answer(fd, 0, n, ELF_SYMBOLS | ELF_LINKS, r.null);
  if (elf_symbols_open(&f, path)) {
    elf_links_read(&links, &f, r.a);
    elf_symbols_visit(&f, visit_symbol, &sum);
    elf_symbols_has_bytes(&f, "_binary_constants_bin");
    elf_symbols_find_bytes(&f, "_binary_constants_bin", &b);
  }
  elf_symbols_close(&f);
  weights_are_defined(path);
  weights_extract(&w, path, "/dev/null", WEIGHTS_EXTERNAL, "x.so", r.a, r.d);
  embedded_kernels_check(path, path, "x.so", r.d);
  embedded_codes_read(&kernels, path, r.a);
  close(fd);
  end_reading(&r);
}

/* A kernel for the GPU. */
static void read_gpu_code(const char *at, size_t n) {
  reading r = begin_reading();
  gpu_codes codes = {0};
  gpu_code_read(&codes, at, n, r.a);
  for (size_t i = 0; i < codes.n; i++) gpu_code_name(&codes.at[i], r.a);
  end_reading(&r);
}

static void read_depend(const char *at, size_t n) {
  reading r = begin_reading();
  strings files = {0};
  char path[40];
  int fd = make_file(at, n, path, sizeof path);
  include_audit_read_list(&files, path, r.a);
  close(fd);
  end_reading(&r);
}

/* The answer of the child that parses a wrapper. */
static void read_rewritten(const char *at, size_t n) {
  reading r = begin_reading();
  rewritten w;
  rewritten_reader from = {.printed = fopen("/dev/null", "w")};
  size_t half = n / 2;
  if (from.printed && rewritten_read(&from, at, half) &&
      rewritten_read(&from, at + half, n - half) && rewritten_take(&w, &from, r.a, r.d))
    include_audit_check_instrumented("x.cpp", w.text, w.n, r.a, r.d);
  rewritten_reader_free(&from);
  end_reading(&r);
}

/* An exported program. */
static void read_exported(const char *at, size_t n) {
  reading r = begin_reading();
  exported x;
  if (exported_read(&x, at, n, "model.json", r.a, r.d))
    for (size_t i = 0; i < x.nodes.n; i++)
      exported_find(&x, x.nodes.at[i].name, i % 2, i % 3 ? NULL : "true_graph_0");
  end_reading(&r);
}

/* Torch's record of kernels' origins. */
static void read_origins(const char *at, size_t n) {
  static const char *const names[] = {"k_0:1", "k_1:2"};
  reading r = begin_reading();
  kernel_origins k;
  strings handles = {.at = (const char **)(uintptr_t)names, .n = 2, .cap = 2};
  kernel_origins_read(&k, at, n, &handles, r.a);
  for (size_t i = 0; i < 2; i++) kernel_origins_find(&k, names[i]);
  end_reading(&r);
}

/* What a capsule says of its run. */
static void read_capsule(const char *at, size_t n) {
  reading r = begin_reading();
  capsule c;
  if (capsule_read_text(&c, "capsule.json", at, n, r.a, r.d))
    for (size_t i = 0; i < c.inputs.n; i++)
      for (size_t k = 0; k < c.inputs.at[i].ndim; k++)
        fprintf(r.null, "%lld %lld ", c.inputs.at[i].sizes[k], c.inputs.at[i].strides[k]);
  for (int i = 0; i < 4; i++) {
    const char *names = constants_name(&c, i & 1, i & 2, r.a);
    if (names) fprintf(r.null, "%s ", names);
  }
  end_reading(&r);
}

/* What a wrapper declares of its weights, beside which those of a capsule are held. */
static void read_constants(const char *at, size_t n) {
  static const long long sizes[] = {8, 8}, strides[] = {8, 1};
  reading r = begin_reading();
  capsule c = {.path = "capsule"};
  const capsule_tensor tensor = {
      .dtype = "float32", .device = "cpu", .sizes = sizes, .strides = strides, .ndim = 2};
  *arena_push(r.a, &c.constants) = (capsule_constant){.name = "fc.weight", .tensor = tensor};
  constants_check_text(&c, at, n, r.a, r.d);
  end_reading(&r);
}

/* The tensors of a capsule, as torch.save() writes them. */
static void read_pickle(const char *at, size_t n) {
  reading r = begin_reading();
  stored s = {0};
  if (!stored_read_pickle(&s, at, n, r.a))
    for (size_t i = 0; i < s.inputs.n; i++)
      for (size_t k = 0; s.inputs.at[i].dtype && k < s.inputs.at[i].ndim; k++)
        fprintf(r.null, "%s %lld ", s.inputs.at[i].member, s.inputs.at[i].strides[k]);
  end_reading(&r);
}

/* What a run tells of a launch that was taken. */
static void read_taken(const char *at, size_t n) {
  reading r = begin_reading();
  taken t;
  const char *why;
  if (taken_read_text(&t, arena_strndup(r.a, at, n), &why, r.a))
    for (size_t i = 0; i < t.arguments.n; i++)
      fprintf(r.null, "%s %lld ", t.arguments.at[i].name, t.arguments.at[i].memory);
  end_reading(&r);
}

/* The source of kernels, of which one is cut out. */
static void cut_kernel(const char *at, size_t n) {
  reading r = begin_reading();
  kernel_text k = {0};
  if (!kernel_text_cut(&k, at, n, "k", r.a))
    fprintf(r.null, "%zu %zu", strlen(k.source) - k.n, k.parameters.n);
  end_reading(&r);
}

const reader readers[] = {{"command", read_command},
                          {"text", check_text},
                          {"functions", read_functions},
                          {"kernel-cpp", read_kernel_cpp},
                          {"kernel-triton", read_kernel_triton},
                          {"graph-cpp", read_graph_cpp},
                          {"graph-triton", read_graph_triton},
                          {"check-cpp", check_cpp},
                          {"check-triton", check_triton},
                          {"triton", read_triton},
                          {"ops", read_ops},
                          {"exported", read_exported},
                          {"origins", read_origins},
                          {"archive", read_archive},
                          {"elf", read_elf},
                          {"gpu-code", read_gpu_code},
                          {"depend", read_depend},
                          {"rewritten", read_rewritten},
                          {"event-log", read_event_log},
                          {"ledger", read_ledger},
                          {"core-dump", read_core_dump},
                          {"here-so", read_here_so},
                          {"here-text", read_here_text},
                          {"capsule", read_capsule},
                          {"pickle", read_pickle},
                          {"constants", read_constants},
                          {"taken", read_taken},
                          {"kernel-text", cut_kernel},
                          {NULL, NULL}};
