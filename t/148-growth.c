/* 148-growth.c - every reader of the generator's takes time linear in its input, and at most 200
 * MiB. */
#include "toolchain/elf_file.h"
#include "growth.h"
#include <elf.h>

/* A kernel with many accesses begins so, and ends so. */
#define MANY                                                                                       \
  "def K(in_ptr0, out_ptr0, xnumel):\n    x = tl.program_id(0) * 64 + tl.arange(0, 64)\n    a = "  \
  "x\n"                                                                                            \
  "    t = a\n"
#define STORED "    tl.store(out_ptr0 + x, t)\n"

static const growth_shape texts[] = {
    /* the recorded command */
    {"command", "g++ ", "-DA%z ", "", ""},
    {"command", "g++ ", "-Dx%z=1 ", "", ""},
    {"command", "g++ ", "-I/%z ", "", ""},
    {"command", "g++ ", "-Wl,-rpath,/%z ", "", ""},
    {"command", "g++ ", "-unknown%z ", "", ""},
    {"command", "g++ -Wl,", "--as-needed,", "", ""},
    {"command", "g++ -D", "a", "", ""},
    {"command", "g++ -DA=", "a.", "", ""},
    {"command", "g++ ", "\"a\"", "", ""},
    {"command", "g++ ", "\\a ", "", ""},
    {"command", "g++ -I", "/torch/include", "", ""},
    {"command", "", "// Compile cmd\n// g++ -c\n", "", ""},
    {"command", "g++ a.cpp\n", "// Link cmd\n// g++ -L/a\n", "", ""},
    {"command", "g++ a.cpp\n", "#include <a%z.h>\n", "", ""},
    {"command", "g++ a.cpp\n", "#include \"/tmp/c%z.h\"\n", "", ""},
    {"command", "g++ -c a.cpp\n",
     "#include \"/c%zabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz.h\"\n", "", ""},
    /* the check of a text, and its directives */
    {"text", "/*", " #include \"", "", ""},
    {"text", "/*\n", "#include \"a\n", "", "*/"},
    {"text", "/*", "/**/#include <a", "", "*/"},
    {"text", "", "/**/#include <a.h>", "", ""},
    {"text", "", "#include \\\n", "", ""},
    {"text", "", "#pragma \\\n", "", ""},
    {"text", "", "#line %z\n", "", ""},
    {"text", "", "#line 1 \"x.cpp\"\n", "", ""},
    {"text", "", "/**/#pragma once ", "", ""},
    {"text", "#pragma a ", "/**/#pragma b ", "", ""},
    {"text", "#define X ", "\\\n", "", ""},
    {"text", "", "#\\\n", "", ""},
    {"text", "", "# \\ \n", "", ""},
    {"text", "", "/*", "", ""},
    {"text", "", "R\"(", "", ""},
    {"text", "", "R\"x(\n", "", ""},
    {"text", "R\"x(", ")x", "", ""},
    {"text", "", "\"\\\n", "", ""},
    {"text", "", "'", "", ""},
    {"text", "", "1'", "", ""},
    {"text", "", "as_", "", ""},
    {"text", "", "\r\n", "", ""},
    {"text", "AOTInductorModel::AOTInductorModel(int) {", "a_[%z].data_size = 1; ", "", "}"},
    {"text", "AOTInductorModel::AOTInductorModel(int) {", "constants_info_[%z].data_size = 1; ", "",
     "}"},
    {"text", "AOTInductorModel::AOTInductorModel(int) {", "constants_info_[0].shape = {1, ", "",
     "};}"},
    {"text", "AOTInductorModel::AOTInductorModel(int) {", "a = (", "", "}"},
    {"text", "AOTInductorModel::AOTInductorModel(int) {", "a[", "", "}"},
    {"text", "AOTInductorModel::AOTInductorModel(int) {", "a[(1)", ";", "}"},
    {"text", "AOTInductorModel::AOTInductorModel(int) {", "inputs_info_[0].name = \"a\"; ", "",
     "}"},
    {"text", "AOTInductorModel::AOTInductorModel(int) {", "in_spec_ = R\"([])\"; ", "", "}"},
    {"text", "AOTInductorModel::AOTInductorModel(int) { in_spec_ = R\"(", "[", "]", ")\"; }"},
    {"text", "AOTInductorModel::AOTInductorModel(int) { in_spec_ = R\"([1,", "{\"a\":1},", "",
     "1])\"; }"},
    {"text", "AOTInductorModel::AOTInductorModel(", "AOTInductorModelBase(", "", "){}"},
    {"text", "AOTInductorModel::AOTInductorModel() : AOTInductorModelBase(", "1,", "", "false) {}"},
    {"capsule", "{\"aotigen_capsule\":1,\"inputs\":[", "{},", "", "{}]}"},
    {"capsule", "{\"aotigen_capsule\":1,\"inputs\":", "[", "]", "}"},
    {"capsule", "{\"aotigen_capsule\":1,\"constants\":[", "{},", "", "{}]}"},
    {"constants", "", "constants_info_[0].original_fqn = \"a%z\";\n", "", ""},
    {"constants", "constants_info_[0].shape = {", "8, ", "", "};\n"},
    {"capsule", "{", "\"a%z\":0,", "", "\"aotigen_capsule\":1}"},
    {"pickle", "\x80\x02", "N", "", ""},
    {"pickle", "\x80\x02}", "](", "e", ""},
    {"pickle", "\x80\x02", "(", "t", "."},
    {"pickle", "\x80\x02}(X\1", "ca\nb\n)Rh", "", "u."},
    {"pickle", "\x80\x02](", "NN\x86", "", "e."},
    {"pickle", "\x80\x02", "ca\n", "", ""},
    {"taken", "{\"is_cpu\":true,\"args\":[],\"memories\":[", "{},", "", "{}]}"},
    {"taken", "{\"is_cpu\":true,\"args\":", "[", "]", "}"},
    {"kernel-text", "extern \"C\" void k(", "const float* a,", "", "int b) {}"},
    {"kernel-text", "extern \"C\" void k(", "::", "", "* b) {}"},
    {"kernel-text", "extern \"C\" void k() {", "a%z ", "", "}"},
    {"kernel-text", "extern \"C\" void k() {}", "extern \"C\" void a%z() {}\n", "", ""},
    {"kernel-text", "extern \"C\" void k() {}", "\n#include <a>", "", ""},
    {"kernel-text", "", "// a\n", "", "extern \"C\" void k() {}"},
    /* an exported program, and what torch records of kernels */
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[", "{},", "", "{}]}}}"},
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[",
     "{\"name\":\"a%z\",\"inputs\":[{\"arg\":{\"as_tensor\":{\"name\":\"a1\"}}}]},", "", "{}]}}}"},
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[{\"outputs\":[", "{\"name\":\"a\"},", "",
     "0]}]}}}"},
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[{\"name\":\"a\"},{\"inputs\":[",
     "{\"arg\":{\"name\":\"a\"}},", "", "0]}]}}}"},
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[",
     "{\"inputs\":[{\"arg\":{\"as_graph\":{\"graph\":{\"nodes\":[", "", ""},
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[",
     "{\"inputs\":[{\"arg\":{\"as_graph\":{\"graph\":{\"nodes\":[", "]}}}}]}", "]}}}"},
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[{\"metadata\":{\"stack_trace\":\"",
     "File \\\"/m\\\", line 1, in f\\n a\\n", "", "\"}}]}}}"},
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[{\"metadata\":{\"nn_module_stack\":\"",
     "a,b.c,d;", "", "\"}}]}}}"},
    {"exported", "{\"graph_module\":", "[", "]", "}"},
    {"exported", "{", "\"a%z\":0,", "", "\"graph_module\":{}}"},
    {"exported", "{\"graph_module\":{\"graph\":{\"nodes\":[{}],\"tensor_values\":{", "\"a%z\":{},",
     "", "\"a\":{}}}}}"},
    {"origins", "{", "\"k:%z\":{\"stack_traces\":[\"File \\\"/m\\\", line 1, in f\"]},", "",
     "\"k_0:1\":[]}"},
    {"origins", "{\"k_0:1\":[", "\"File \\\"/m\\\", line %z, in f\",", "", "0]}"},
    {"origins", "{\"k_0:1\":{\"pre_grad_nodes\":[", "\"a%z\",", "", "0]}}"},
    {"origins", "{\"cppCodeToPost\":{\"k_0:1\":[\"p\"]},\"postToPre\":{", "\"p%z\":[\"a\"],", "",
     "\"p\":[]}}"},
    {"origins", "", "V1 \"inductor_provenance_tracking_node_mappings\"\n\t{\"k_0:1\":[]}\n", "",
     ""},
    {"origins", "V1 \"inductor_provenance_tracking_node_mappings\"\n", "\t\n", "", ""},
    {"origins", "", "\n", "", ""},
    /* functions of a text */
    {"functions", "", "f(", "", ""},
    {"functions", "", "f(", ")", ""},
    {"functions", "", "f(", ")", "{}"},
    {"functions", "", "f(){", "", ""},
    {"functions", "", "f(){", "}", ""},
    {"functions", "", "f%z(){}", "", ""},
    {"functions", "", "f()/**/", "", ""},
    {"functions", "", "f /*", "", ""},
    {"functions", "", "f ()\n", "", ""},
    {"functions", "f(", "f[{", "", ""},
    {"functions", "", "f\n\n", "", ""},
    {"functions", "", "a ", "", ""},
    {"functions", "", "void K(int a) { b(c); }\n", "", ""},
    /* the metadata of Triton kernels */
    {"triton", "async_compile.triton(", "tl.full(", "", ""},
    {"triton", "async_compile.triton(", "tl.full(", ")", ""},
    {"triton", "async_compile.triton(", "tl.full([1], float(\"-inf\"))\n", "", ""},
    {"triton", "async_compile.triton(", "tl.atomic_", "", ""},
    {"triton", "async_compile.triton(", "tl.load(", "", ""},
    {"triton", "async_compile.triton('signature': {", "'a%z': 'b', ", "", "}"},
    {"triton", "async_compile.triton('configs': [", "(1", "", "]"},
    {"triton", "async_compile.triton('signature': {'a': 'b'}, 'configs': ", "{(0", "}", ""},
    {"triton", "async_compile.triton('signature': {'a': 'b'}, 'configs': {", "(0, ", "", "}"},
    {"triton", "async_compile.triton('signature': {'a': 'b'}, 'configs': {", "(0,): [", "]", "}"},
    {"triton", "async_compile.triton('signature': {'a': 'b'}, 'mutated_arg_names': [", "'c%z',", "",
     "]"},
    {"triton", "async_compile.triton('signature': {'a': 'b'}, 'mutated_arg_names': [", "'", "",
     "]"},
    {"triton", "    async_compile.triton(\n", "    x\n", "", ""},
    {"triton", "", "async_compile.triton", "", "("},
    /* the text of kernels */
    {"kernel-cpp", "void K(float* a) {", "a[0] = 1;", "", "}"},
    {"kernel-cpp", "void K(float* a, const float* b) {", "auto tmp%z = b[0]; a[0] = tmp%z;", "",
     "}"},
    {"kernel-cpp",
     "void K(float* a) { for(int64_t x0=0; x0<16; x0+=0) { for(int64_t x1=0; x1<0; x1+=1) {",
     "a[x0 + x1] = 1;", "", "}}}"},
    {"kernel-cpp", "void K(float* a) { for(int64_t x0=0; x0<16; x0+=1) {",
     "a[x0 - (0 - 9223372036854775807 - 1)] = 1;", "", "}}"},
    {"kernel-cpp", "void K(float* a, const int64_t* b, int64_t n) { for(int64_t x=0; x<n; x+=1) {",
     "auto i%z = b[x + %zL]; AOTI_TORCH_CHECK((0 <= i%z) & (i%z < 8L), \"i\"); a[x] = a[i%z];", "",
     "}}"},
    {"kernel-cpp", "void K(float* a) {", "{", "}", "}"},
    {"kernel-cpp", "void K(float* a) {", "if (a[0]) ", "", ";}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "(", ")", ";}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "f(", "1)", ";}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "1+", "", "1;}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "a[", "0]", ";}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "-", "", "1;}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "a.b", "", ";}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "std::", "", "x;}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "f<", ">", ";}"},
    {"kernel-cpp", "void K(float* a) { a[0] = ", "a<1?", "1:", "1;}"},
    {"kernel-cpp", "void K(float* a) {", "for(int x=0; x<4; x++) {", "}", "}"},
    {"kernel-cpp", "void K(float* a) {", "for(int x=0; x<4; x++) { a[x] = 1; }", "", "}"},
    {"kernel-cpp", "void K(float* a) {", "a[0] = [&](float x) { return ", "x; }(a[0]);", "}"},
    {"kernel-cpp", "void K(float* a) {", "float* b%z = a;", "", "b1[0] = 1;}"},
    {"kernel-cpp", "void K(float* a) {", "float a = 1;", "", "}"},
    {"kernel-cpp", "void K(", "float* a%z,", "", "float* b) {}"},
    {"kernel-cpp", "void K(float* a) { f(", "a,", "", "a);}"},
    {"kernel-cpp", "", "K(", "", ""},
    {"kernel-cpp", "void K(float* a) {", "\"", "", "}"},
    {"kernel-cpp", "void K(float* a) {", "/*", "", "}"},
    {"kernel-cpp", "void K(float* a) {",
     "a[0] = at::vec::vec_reduce_all<float, 1>([](float& x, float& y) { return x + y; }, ",
     "a[0]);", "}"},
    {"kernel-triton", "def K(in_ptr0, out_ptr0, xnumel):\n",
     "    tmp%z = tl.load(in_ptr0 + %z, xmask)\n", "", "    tl.store(out_ptr0, tmp0, xmask)\n"},
    {"kernel-triton", "def K(in_ptr0, out_ptr0, xnumel):\n", "    xindex = xoffset + 1\n", "", ""},
    {"kernel-triton", "def K(in_ptr0, out_ptr0, xnumel):\n", "    x%zindex = tl.arange(0, 4)\n", "",
     ""},
    /* many accesses: each adds to the index before, or to a term that nothing bounds */
    {"kernel-triton", MANY, "    a = a + 1\n    t = tl.load(in_ptr0 + a)\n", "", STORED},
    {"kernel-triton", MANY, "    a = tl.where(x < %z, a + %z, a)\n    t = tl.load(in_ptr0 + a)\n",
     "", STORED},
    {"kernel-triton", MANY, "    t = tl.load(in_ptr0 + (x * xnumel * xnumel + %z))\n", "", STORED},
    {"kernel-triton", MANY, "    t = tl.load(in_ptr0 + (a * a * a + %z), x < xnumel - %z)\n", "",
     STORED},
    {"kernel-triton", MANY, "    a = tl.load(in_ptr0 + (a + 1))\n", "", STORED},
    {"kernel-triton", MANY,
     "    i = tl.load(in_ptr0 + (x + %z))\n    tl.device_assert((0 <= i) & (i < 64), 'i')\n"
     "    t = tl.load(in_ptr0 + i)\n",
     "", STORED},
    {"kernel-triton", MANY,
     "    tl.device_assert((0 <= t) & (t < 64), 'i')\n    t = tl.load(in_ptr0 + t)\n", "", STORED},
    {"kernel-triton", MANY,
     "    t = tl.load(out_ptr0 + (x + xnumel * %z))\n"
     "    tl.store(out_ptr0 + (x + xnumel * %z), t)\n",
     "", STORED},
    {"kernel-triton", "def K(a):\n    tl.store(a, ", "tl.maximum(", "1)", ", xmask)\n"},
    {"kernel-triton", "def K(a):\n    tl.store(a, ", "tl.full(", "1)", ", xmask)\n"},
    {"kernel-triton", "def K(a):\n    ", "b%z = ", "", "1\n"},
    {"kernel-triton", "def K(a):\n    ", "b%z, ", "", "c = a\n"},
    {"kernel-triton", "def K(a):\n", "    if a:\n        b = 1\n", "", ""},
    {"kernel-triton", "def K(a):\n    if a: pass\n", "    elif a: pass\n", "", ""},
    {"kernel-triton", "def K(a):\n    x = a", "[0]", "", "\n"},
    {"kernel-triton", "def K(a):\n    x = a", " + 1", "", "\n"},
    {"kernel-triton", "def K(a):\n    x = a", " if a else a", "", "\n"},
    {"kernel-triton", "def K(a):\n    x = a", "**a", "", "\n"},
    {"kernel-triton", "def K(a):\n", "\n", "", ""},
    {"kernel-triton", "def K(a):\n", " \n", "", ""},
    {"kernel-triton", "def K(a):\n    ", "a;", "", "\n"},
    {"kernel-triton", "def K(a):\n    x = (", "'a' ", "", ")\n"},
    {"kernel-triton", "def K(a):\n    x = ", "(", "", "\n"},
    {"kernel-triton", "def K(a):\n    x = ", "{", "", "1\n"},
    {"kernel-triton", "def K(a):\n    x = ", "f'{", "", "\n"},
    {"kernel-triton", "def K(a):\n    x = ", "lambda: ", "", "1\n"},
    {"kernel-triton", "def K(a):\n    x = ", "-", "", "1\n"},
    {"kernel-triton", "def K(a):\n    x = ", "[a:", "", "\n"},
    {"kernel-triton", "def K(a):\n    ", "x = ", "", "1\n"},
    {"kernel-triton", "def K(a):\n    x = (\n", "a,\n", "", "    )\n"},
    {"kernel-triton", "def K(a):\n    x = ", "\\'\\'\\'", "", "\n"},
    {"kernel-triton", "def K(a):\n    ", "if a: ", "", "b\n"},
    {"kernel-triton", "def K(a):\n    ", "print ", "", "\n"},
    {"kernel-triton", "def K(a):\n", "    def f(): pass\n", "", ""},
    {"kernel-triton", "def K(", "a%z: t = 1, ", "", "b): pass\n"},
    {"kernel-triton", "", "def K(a)\n", "", ""},
    {"kernel-triton", "", "def L(a):\n", "", ""},
    /* wrapper.json */
    {"ops", "{\"nodes\": [", "{},", "", "{}]}"},
    {"ops", "{\"nodes\": [", "{\"node\": {\"target\": \"a.b\", \"inputs\": [], \"outputs\": []}},",
     "", "{}]}"},
    {"ops", "{\"nodes\": ", "[", "]", "}"},
    {"ops", "{\"nodes\": ", "{\"a\":", "}", "}"},
    {"ops", "{\"nodes\": [{\"node\": {", "\"a\": NaN,", "", "\"target\": \"x\"}}]}"},
    {"ops", "{\"nodes\": [{\"node\": {\"inputs\": [", "{\"arg\": {\"as_tensors\": [1]}},", "",
     "1]}}]}"},
    {"ops", "{\"nodes\": \"", "\\u00e4", "", "\"}"},
    {"ops", "{\"nodes\": \"", "\\\"", "", "\"}"},
    {"ops", "", "-Infinity,", "", ""},
    /* the list of a compiler's files */
    {"depend", "a.o:", " /usr/a%z.h", "", "\n"},
    {"depend", "a.o:", " \\\n", "", "\n"},
    {"depend", "a.o: ", "\\ ", "", "\n"},
    /* what a program leaves for `aotigen run` */
    {"event-log", "", "\n", "", ""},
    {"event-log", "", "{\"event\":\"guard\"}\n", "", ""},
    {"event-log", "", "{\"event\":\"in_flight\",\"at\":\"a%z\"}\n", "", ""},
    {"event-log", "{\"event\":\"guard\",", "\"a%z\":0,", "", "\"arg\":\"a\"}\n"},
    {"event-log", "",
     "{\"event\":\"kernels\",\"source\":\"a%z\",\"sites\":[{\"site\":1,\"kernel\":\"k\"}]}\n", "",
     ""},
    {"event-log", "{\"event\":\"kernels\",\"source\":\"a\",\"sites\":[",
     "{\"site\":%z,\"kernel\":\"k\"},", "", "{}]}\n"},
    {"event-log", "",
     "{\"event\":\"kernels\",\"source\":\"a\",\"sites\":[{\"site\":%z,\"kernel\":\"k\"}]}\n", "",
     ""},
    {"event-log", "{\"event\":\"guard\",\"arg\":\"", "\\u00e4", "", "\"}\n"},
    {"event-log", "{\"event\":\"born\",\"first_index\":[", "1,", "", "1]}\n"},
    {"event-log", "{\"event\":\"born\",\"model_lines\":[", "{\"file\":\"a\",\"line\":1},", "",
     "{}]}\n"},
    {"event-log", "{\"event\":\"born\",\"model_lines\":", "[", "]", "}\n"},
    {"core-dump", "CUDA Exception: ", "a ", "", "\n"},
    {"core-dump",
     "CUDA Exception: a\n[Current focus set to CUDA kernel 0, block (1,0,0), thread (1,", "0", "",
     ",0)\n"},
    {"core-dump", "", "CUDA Exception: a\n#0 in k<<<(1,1,1),(1,1,1)>>> at a:1\n1 a\n", "", ""},
    {"core-dump",
     "CUDA Exception: a\n[Current focus set to CUDA kernel 0, block (1,0,0), thread (1,0,0)\n",
     "The exception was triggered at PC 0x(", "", "\n"},
    /* what `list --here` reads of a wrapper and beside it */
    {"here-text", "g++", " -mavx%z", "", "\n{}\n"},
    {"here-text", "g++ -DUSE_CUDA\n{\"AOTI_DEVICE_KEY\":\"cuda\"", ",\"a%z\":0", "", "}\n"},
    {"here-text", "\n\n", "x.data_size = 7;", "", ""},
    {"here-text", "\n\n", "AOTICudaGuard(", "", ""},
    {"here-text", "g++ -DUSE_CUDA\n\n", "AOTICudaGuard g(%z);", "", ""},
    {"here-text", "\n\n", "aoti_torch_call_dispatcher(\"a%z::b\");", "", ""},
    {"here-text", "\n\n", "aoti_torch_call_dispatcher(\"", "", ""},
    {"ops", "{\"nodes\":[", "{\"node\":{\"target\":\"a%z::b\"}},", "", "{}]}"},
    /* archives and objects that are none */
    {"archive", "", "PK\5\6", "", ""},
    {"archive", "PK\3\4", "PK\1\2", "", ""},
    {"archive", "", "PK\6\7", "", ""},
    {"elf", "\177ELF\2\1\1", "a", "", ""},
};

TEST(texts_are_linear) { growth_all_are_linear(texts, sizeof texts / sizeof *texts); }

/* The same kernels, as launches are checked. */
TEST(checks_are_linear) {
  enum { N = sizeof texts / sizeof *texts };
  growth_shape kernels[N];
  size_t n = 0;
  for (size_t i = 0; i < N; i++) {
    const char *of = texts[i].reader;
    if (strncmp(of, "kernel-", 7)) continue;
    kernels[n] = texts[i];
    kernels[n++].reader = strcmp(of, "kernel-cpp") ? "check-triton" : "check-cpp";
  }
  growth_all_are_linear(kernels, n);
}

/* ---- ELF files ------------------------------------------------------------------------------ */

typedef struct elf_shape {
  const char *what;
  size_t sections;    /* tables of symbols over the same bytes; 0: as many as fit */
  bool ends_names;    /* with a NUL */
  bool names_overlap; /* each begins one byte behind the one before */
} elf_shape;

/* A header, symbols, their names, sections: one of names, then those of symbols. */
static void make_elf(const void *shape, size_t size) {
  const elf_shape *s = shape;
  size_t sections = s->sections ? s->sections : size / sizeof(Elf64_Shdr),
         symbols = s->sections ? size / 2 / sizeof(Elf64_Sym) : 4,
         names = s->sections ? size / 2 : 64,
         names_at = sizeof(Elf64_Ehdr) + symbols * sizeof(Elf64_Sym);
  Elf64_Ehdr h = {.e_type = ET_DYN,
                  .e_machine = ELF_OBJECT_MACHINE,
                  .e_version = EV_CURRENT,
                  .e_shoff = (names_at + names + 7) / 8 * 8,
                  .e_ehsize = sizeof h,
                  .e_shentsize = sizeof(Elf64_Shdr),
                  .e_shnum = sections + 2 < SHN_LORESERVE ? (Elf64_Half)(sections + 2) : 0};
  memcpy(h.e_ident, ELFMAG "\2\1\1", SELFMAG + 3);
  growth_n = 0;
  growth_add_bytes(&h, sizeof h);
  for (size_t i = 0; i < symbols; i++)
    growth_add_bytes(&(Elf64_Sym){.st_name = (Elf64_Word)(s->names_overlap ? i : 0),
                                  .st_shndx = i % 2 ? 1 : SHN_UNDEF},
                     sizeof(Elf64_Sym));
  growth_add_bytes(NULL, names);
  if (s->ends_names) growth_at[growth_n - 1] = '\0';
  growth_add_bytes(NULL, h.e_shoff - growth_n);
  growth_add_bytes(&(Elf64_Shdr){.sh_size = h.e_shnum ? 0 : sections + 2}, sizeof(Elf64_Shdr));
  growth_add_bytes(&(Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = names},
                   sizeof(Elf64_Shdr));
  for (size_t i = 0; i < sections; i++)
    growth_add_bytes(&(Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                   .sh_offset = sizeof h,
                                   .sh_size = symbols * sizeof(Elf64_Sym),
                                   .sh_link = 1,
                                   .sh_entsize = sizeof(Elf64_Sym)},
                     sizeof(Elf64_Shdr));
}

TEST(elf_files_are_linear) {
  static const elf_shape shapes[] = {{"symbols", 1, true, false},
                                     {"symbols with long names", 1, true, true},
                                     {"names that do not end", 1, false, true},
                                     {"a thousand tables", 1000, true, true},
                                     {"sections", 0, true, false}};
  static const char *const of[] = {"elf", "here-so"};
  for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++)
    if (!growth_check(of[i % 2], shapes[i / 2].what, make_elf, &shapes[i / 2]))
      fail_msg("%s are not read in linear time", shapes[i / 2].what);
}

/* A '.so' that asks for libraries, or for directories: each name begins where it likes in one text
 * of names, which `tag` says. */
static void make_links(const void *shape, size_t size) {
  const size_t n = size / 2 / sizeof(Elf64_Dyn), names = size / 2,
               names_at = sizeof(Elf64_Ehdr) + n * sizeof(Elf64_Dyn);
  const Elf64_Sxword tag = *(const Elf64_Sxword *)shape;
  const char *part = tag == DT_NEEDED ? "100" : "/proc/self/fd:/tmp:/proc/../";
  Elf64_Ehdr h = {.e_type = ET_DYN,
                  .e_machine = ELF_OBJECT_MACHINE,
                  .e_version = EV_CURRENT,
                  .e_shoff = (names_at + names + 7) / 8 * 8,
                  .e_ehsize = sizeof h,
                  .e_shentsize = sizeof(Elf64_Shdr),
                  .e_shnum = 3};
  memcpy(h.e_ident, ELFMAG "\2\1\1", SELFMAG + 3);
  growth_n = 0;
  growth_add_bytes(&h, sizeof h);
  for (size_t i = 0; i < n; i++) {
    Elf64_Dyn entry = {.d_tag = i % 2 ? tag : DT_NEEDED};
    entry.d_un.d_val = i * 4 % (names - 400);
    growth_add_bytes(&entry, sizeof entry);
  }
  for (size_t i = 0; growth_n < h.e_shoff; i++)
    growth_add_bytes(i % 400 == 399 ? "" : &part[i % strlen(part)], 1);
  growth_add_bytes(&(Elf64_Shdr){.sh_type = SHT_NULL}, sizeof(Elf64_Shdr));
  growth_add_bytes(&(Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = names},
                   sizeof(Elf64_Shdr));
  growth_add_bytes(&(Elf64_Shdr){.sh_type = SHT_DYNAMIC,
                                 .sh_offset = sizeof h,
                                 .sh_size = n * sizeof(Elf64_Dyn),
                                 .sh_link = 1,
                                 .sh_entsize = sizeof(Elf64_Dyn)},
                   sizeof(Elf64_Shdr));
}

TEST(links_are_linear) {
  static const Elf64_Sxword tags[] = {DT_NEEDED, DT_RUNPATH};
  for (size_t i = 0; i < 2; i++)
    if (!growth_check("here-so", i ? "directories" : "libraries", make_links, &tags[i]))
      fail_msg("links are not read in linear time");
}

/* ---- archives ------------------------------------------------------------------------------- */

typedef struct zip_shape {
  const char *what, *dir; /* those of each member */
  size_t name;            /* its length at least */
} zip_shape;

static void add_numbers(const char *sizes, const size_t *numbers) {
  for (; *sizes; sizes++, numbers++) growth_add_bytes(numbers, (size_t)(*sizes - '0'));
}

static void make_zip(const void *shape, size_t size) {
  const zip_shape *s = shape;
  size_t count = size / (76 + 2 * s->name), local = 0;
  char name[2000];
  growth_n = 0;
  for (size_t i = 0; i < count; i++) {
    size_t n = (size_t)snprintf(name, sizeof name, "%s%0*zu", s->dir, (int)s->name, i);
    growth_add_bytes("PK\3\4", 4);
    add_numbers("222224442"
                "2",
                (size_t[]){20, 0, 0, 0, 0, 0, 0, 0, n, 0});
    growth_add_bytes(name, n);
  }
  size_t directory = growth_n;
  for (size_t i = 0; i < count; i++) {
    size_t n = (size_t)snprintf(name, sizeof name, "%s%0*zu", s->dir, (int)s->name, i);
    growth_add_bytes("PK\1\2", 4);
    add_numbers("2222224442"
                "222244",
                (size_t[]){20, 20, 0, 0, 0, 0, 0, 0, 0, n, 0, 0, 0, 0, 0, local});
    growth_add_bytes(name, n);
    local += 30 + n;
  }
  size_t n = growth_n - directory, few = count < 0xffff ? count : 0xffff;
  if (count >= 0xffff) {
    size_t end64 = growth_n;
    growth_add_bytes("PK\6\6", 4);
    add_numbers("8224488"
                "88",
                (size_t[]){44, 45, 45, 0, 0, count, count, n, directory});
    growth_add_bytes("PK\6\7", 4);
    add_numbers("484", (size_t[]){0, end64, 1});
  }
  growth_add_bytes("PK\5\6", 4);
  add_numbers("2222442", (size_t[]){0, 0, few, few, n, directory, 0});
}

TEST(archives_are_linear) {
  static const zip_shape shapes[] = {{"members", "m/", 8},
                                     {"members of long names", "m/", 900},
                                     {"models", "data/aotinductor/m/a.cpp", 8},
                                     {"kernels", "data/aotinductor/m/a.wrapper.cpp", 8}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (!growth_check("archive", shapes[i].what, make_zip, &shapes[i]))
      fail_msg("%s are not read in linear time", shapes[i].what);
}

/* ---- what the parser's child sends ---------------------------------------------------------- */

static void make_messages(const void *shape, size_t size) {
  const uint64_t *message = shape, head[] = {0, 0, 0, size / 48};
  growth_n = 0;
  growth_add_bytes(head, sizeof head);
  for (size_t i = 0; i < size / 48; i++) growth_add_bytes(message, 48);
}

TEST(messages_are_linear) {
  for (uint64_t kind = 0; kind < 3; kind++) {
    const uint64_t message[] = {kind, 1, 1, 0, 9, 0x6161616161616161};
    if (!growth_check("rewritten", "messages", make_messages, message))
      fail_msg("messages are not read in linear time");
  }
}
