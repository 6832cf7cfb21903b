/* 104-flags.c - one row a flag: what becomes of it when compiling and when linking. */
#include "command/flags.h"
#include "unit.h"

typedef struct row {
  const char *word, *next;
  enum flag_action compile, link;
  const char *text; /* the word that is kept or dropped; NULL: the word itself */
} row;

#define K FLAG_KEEP
#define S FLAG_SKIP
#define D FLAG_DROP
#define U FLAG_UNKNOWN
#define R FLAG_REFUSE
#define I FLAG_INCLUDE
#define L FLAG_LIBRARY
#define P FLAG_RPATH
#define PCH                                                                                        \
  "/tmp/torchinductor_user/precompiled_headers/"                                                   \
  "cji2cryz3wd7bgzi6odowi6754e2qgsfxw4jhlnre7koubex4qgj.h"

static const row rows[] = {
    /* what PyTorch records */
    {"-D", "TORCH_INDUCTOR_CPP_WRAPPER", K, S, "-DTORCH_INDUCTOR_CPP_WRAPPER"},
    {"-DNDEBUG", NULL, K, S, NULL},
    {"-D_GLIBCXX_USE_CXX11_ABI=0", NULL, K, S, NULL},
    {"-DX=-1.5e-3", NULL, K, S, NULL},
    {"-DX=\"a b/c.h\"", NULL, K, S, NULL},
    {"-UX", NULL, K, S, NULL},
    {"-O1", NULL, K, K, NULL},
    {"-Ofast", NULL, K, K, NULL},
    {"-O", NULL, K, K, NULL},
    {"-fno-trapping-math", NULL, K, K, NULL},
    {"-ffp-contract=off", NULL, K, K, NULL},
    {"-fexcess-precision=fast", NULL, K, K, NULL},
    {"-fno-tree-loop-vectorize", NULL, K, K, NULL},
    {"-fopenmp", NULL, K, K, NULL},
    {"-fPIC", NULL, K, K, NULL},
    {"-fvisibility=hidden", NULL, K, K, NULL},
    {"-fsanitize=address,undefined", NULL, K, K, NULL},
    {"-march=native", NULL, K, K, NULL},
    {"-mavx512vl", NULL, K, K, NULL},
    {"-mamx-bf16", NULL, K, K, NULL},
    {"-Wall", NULL, K, S, NULL},
    {"-Wno-unused-variable", NULL, K, S, NULL},
    {"-Werror=ignored-optimization-argument", NULL, D, S, NULL},
    {"-pedantic", NULL, K, S, NULL},
    {"-std=c++20", NULL, K, S, NULL},
    {"-std=gnu++17", NULL, K, S, NULL},
    {"-g1", NULL, K, S, NULL},
    {"-ggdb3", NULL, K, S, NULL},
    {"-gline-tables-only", NULL, D, D, NULL},
    {"-shared", NULL, S, K, NULL},
    {"-pthread", NULL, K, K, NULL},
    {"-c", NULL, S, S, NULL},
    {"-o", "/tmp/x.o", S, S, NULL},
    {"-I/usr/include/python3.12", NULL, I, S, "/usr/include/python3.12"},
    {"-isystem", "/usr/include/x", I, S, "/usr/include/x"},
    {"-I", "relative", I, S, "relative"},
    {"-L/usr/lib", NULL, S, L, "/usr/lib"},
    {"-ltorch_cpu", NULL, S, K, NULL},
    {"-l:libfoo.so.1", NULL, S, K, NULL},
    {"-include", PCH, D, D, "-include " PCH},
    {"-fuse-ld=lld", NULL, D, D, NULL},
    {"-flto=thin", NULL, D, D, NULL},
    {"-x", "c++", S, S, NULL},
    {"/tmp/a/b.wrapper.cpp", NULL, S, S, NULL},
    {"x.weights.o", NULL, S, S, NULL},
    {"-Wl,-rpath,/opt/lib", NULL, D, P, "/opt/lib"},
    {"-Wl,-rpath=/opt/lib", NULL, D, P, "/opt/lib"},
    {"-Wl,--no-as-needed", NULL, D, K, NULL},
    {"-Wl,-Bstatic", NULL, D, K, NULL},
    {"-Wl,-z,relro,-z,now,--gc-sections", NULL, D, K, NULL},
    {"-Wl,-u,clock_gettime", NULL, D, K, NULL},
    /* unknown and harmless: left out, and said */
    {"-fsomething-new", NULL, U, U, NULL},
    {"-fno-something=12", NULL, U, U, NULL},
    {"-nostdinc", NULL, U, U, NULL},
    {"--param=max-inline=3", NULL, U, U, NULL},
    /* what asks for more */
    {"-fplugin=/tmp/x.so", NULL, R, R, NULL},
    {"-fplugin-arg-x-y=z", NULL, R, R, NULL},
    {"-fplugin=x", NULL, R, R, NULL},
    {"-fpass-plugin=x.so", NULL, R, R, NULL},
    {"-Xclang", "-load", R, R, NULL},
    {"-mllvm", "-load=x", R, R, NULL},
    {"-load", "x.so", R, R, NULL},
    {"-wrapper", "sh,-c", R, R, NULL},
    {"-specs=x", NULL, R, R, NULL},
    {"--specs", "x", R, R, NULL},
    {"-B/tmp", NULL, R, R, NULL},
    {"-B", "/tmp", R, R, NULL},
    {"@/tmp/x", NULL, R, R, NULL},
    {"@x", NULL, R, R, NULL},
    {"--config=x", NULL, R, R, NULL},
    {"-x", "c", R, R, NULL},
    {"-xassembler", NULL, R, R, NULL},
    {"-include", "/etc/passwd", R, R, NULL},
    {"-include", "/tmp/../etc/cji2cryz3wd7bgzi6odowi6754e2qgsfxw4jhlnre7koubex4qgj.h", R, R, NULL},
    {"-include", "cji2cryz3wd7bgzi6odowi6754e2qgsfxw4jhlnre7koubex4qgj.h", R, R, NULL},
    {"-include/etc/passwd", NULL, R, R, NULL},
    {"-include-pch", "x", R, R, NULL},
    {"-imacros", "x", R, R, NULL},
    {"--sysroot=/x", NULL, R, R, NULL},
    {"-fuse-ld=/tmp/ld", NULL, R, R, NULL},
    {"--ld-path=/tmp/ld", NULL, R, R, NULL},
    {"-T", "x.ld", R, R, NULL},
    {"-Tx.ld", NULL, R, R, NULL},
    {"x.ld", NULL, R, R, NULL},
    {"script", NULL, R, R, NULL},
    {"-", NULL, R, R, NULL},
    {"-Wl,-plugin,x.so", NULL, R, R, NULL},
    {"-Wl,--wrap=malloc", NULL, R, R, NULL},
    {"-Wl,-T,x", NULL, R, R, NULL},
    {"-Wl,@x", NULL, R, R, NULL},
    {"-Wl,--as-needed,-Map=x", NULL, R, R, NULL},
    {"-Wl,-rpath,/a,-T,x", NULL, R, R, NULL},
    {"-Wa,-a=x", NULL, R, R, NULL},
    {"-Wp,-MD,x", NULL, R, R, NULL},
    {"-Xlinker", "x", R, R, NULL},
    {"-MD", NULL, R, R, NULL},
    {"-MF", "x", R, R, NULL},
    {"-save-temps=obj", NULL, R, R, NULL},
    {"-fprofile-use=/x", NULL, R, R, NULL},
    {"-fprofile-generate", NULL, R, R, NULL},
    {"-fdump-tree-all=x", NULL, R, R, NULL},
    {"-fmodules-cache-path=x", NULL, R, R, NULL},
    {"-fmodule-mapper=|sh", NULL, R, R, NULL},
    {"-ftime-trace=x", NULL, R, R, NULL},
    {"-fsanitize-ignorelist=/x", NULL, R, R, NULL},
    {"-fnew=/x", NULL, R, R, NULL},
    {"--new=/x", NULL, R, R, NULL},
    {"-march=/x", NULL, R, R, NULL},
    {"-l/x.so", NULL, R, R, NULL},
    {"-l../x", NULL, R, R, NULL},
    {"-std=c99", NULL, R, R, NULL},
    {"-std=c++98", NULL, R, R, NULL},
    {"-std=gnu++03", NULL, R, R, NULL},
    {"-std=gnu++0x", NULL, R, R, NULL},
    {"-D", "X(a)=__asm__", R, R, NULL},
    {"-D", "1X", R, R, NULL},
    {"-D", "-fplugin=x", R, R, NULL},
    {"-DX=\"a\\", NULL, R, R, NULL},
    {"-D", NULL, R, R, NULL},
    {"-o", NULL, R, R, NULL},
};

TEST(each_flag_has_its_fate) {
  arena *a = arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int phase = 0; phase < 2; phase++) {
      const row *r = &rows[i];
      flag f = flags_read(r->word, r->next, phase ? FLAG_LINK : FLAG_COMPILE, a);
      enum flag_action expected = phase ? r->link : r->compile;
      if (f.action != expected)
        fail_msg("%s, phase %d: %d and not %d", r->word, phase, (int)f.action, (int)expected);
      if (f.action == FLAG_REFUSE) {
        if (!f.text || !*f.text) fail_msg("%s: refused without a reason", r->word);
        continue;
      }
      assert_int_equal(f.words, r->next ? 2 : 1);
      bool told = f.action == FLAG_KEEP || f.action == FLAG_DROP || f.action == FLAG_UNKNOWN ||
                  f.action == (phase ? FLAG_LIBRARY : FLAG_INCLUDE) || f.action == FLAG_RPATH;
      if (told && !(phase == 0 && r->link == FLAG_RPATH) &&
          strcmp(f.text, r->text ? r->text : r->word) != 0)
        fail_msg("%s: '%s'", r->word, f.text);
    }
  arena_free(a);
}

TEST(compilers_are_known_by_name) {
  static const char *const gcc[] = {"g++",
                                    "/usr/bin/g++",
                                    "g++-12",
                                    "g++-13.2",
                                    "x86_64-linux-gnu-g++-12",
                                    "gcc",
                                    "c++",
                                    "/opt/x y/aarch64-none-g++"};
  static const char *const clang[] = {"clang++", "/usr/bin/clang", "clang++-19",
                                      "x86_64-pc-linux-gnu-clang++"};
  static const char *const other[] = {"sh",   "/bin/sh", "g++x",   "xg++",       "ccache",
                                      "icpx", "",        "-g++",   "g++/",       "python",
                                      "g++-", "$x-g++",  "a;-g++", "clang-tidy", "12"};
  bool is_clang = true;
  for (size_t i = 0; i < sizeof gcc / sizeof *gcc; i++) {
    if (!flags_is_compiler(gcc[i], &is_clang) || is_clang) fail_msg("%s is a g++", gcc[i]);
  }
  for (size_t i = 0; i < sizeof clang / sizeof *clang; i++) {
    if (!flags_is_compiler(clang[i], &is_clang) || !is_clang) fail_msg("%s is a clang++", clang[i]);
  }
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    if (flags_is_compiler(other[i], &is_clang)) fail_msg("'%s' is not a compiler", other[i]);
  }
}

TEST(cache_files_are_known_by_name) {
  assert_true(flags_is_cache_file(
      "/tmp/torchinductor/2r/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h", ".h"));
  assert_false(flags_is_cache_file(
      "/tmp/torchinductor/2r/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.cpp", ".h"));
  assert_false(flags_is_cache_file("/usr/include/stdio.h", ".h"));
  assert_false(flags_is_cache_file("/usr/include/complex.h", ".h"));
  assert_false(flags_is_cache_file("c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h", ".h"));
  assert_false(flags_is_cache_file("", ".h"));
}
