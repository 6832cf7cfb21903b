/* 120-elf.c - readers of ELF files: embedded kernels, sections of an object, and files that are cut
 * off or changed. */
#include "toolchain/elf_file.h"
#include "toolchain/include_audit.h"
#include "machine.h"
#include <fcntl.h>
#include <sys/resource.h>

static void run_cc(const char *const *words) {
  pid_t child = fork();
  if (child == 0) execvp("cc", (char *const *)words);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

#define CC(...) run_cc((const char *const[]){"cc", __VA_ARGS__, NULL})

/* An object file with `text` between NAME_start and NAME_end. */
static const char *make_object(machine *m, const char *name, const char *text) {
  const char *path = machine_path(m, arena_printf(m->a, "%s.o", name));
  elf_bytes b = {
      .fd = open(machine_file(m, "raw", text), O_RDONLY), .name = name, .size = strlen(text)};
  assert_true(b.fd >= 0);
  assert_true(elf_object_write(path, &b, m->d));
  close(b.fd);
  return path;
}

/* The object file of a C source. */
static const char *compile(machine *m, const char *name, const char *source, const char *flag) {
  const char *file = machine_file(m, arena_printf(m->a, "%s.c", name), source);
  const char *object = machine_path(m, arena_printf(m->a, "%s.o", name));
  CC(flag, "-fPIC", "-c", "-o", object, file);
  return object;
}

static const char users_source[] =
    "extern const char one_start[], one_end[], weak_start[] __attribute__((weak));\n"
    "const void *use(int i) { return i ? i > 1 ? weak_start : one_start : one_end; }\n";

/* A '.so' with the kernels "one" and "two" and the function other(). */
static const char *make_old_so(machine *m) {
  const char *so = machine_path(m, "old.so");
  CC("-shared", "-nostdlib", "-o", so, make_object(m, "one", "first kernel"),
     make_object(m, "two", "second"),
     compile(m, "other", "int other(void) { return 0; }\n", "-O1"));
  return so;
}

static void expect_bytes(machine *m, const char *path, const char *name, const char *text) {
  char found[64] = "";
  elf_file f;
  elf_bytes b;
  (void)m;
  assert_true(elf_symbols_open(&f, path));
  assert_true(elf_symbols_find_bytes(&f, name, &b));
  assert_int_equal(b.size, strlen(text));
  assert_int_equal(pread(b.fd, found, b.size, (off_t)b.offset), b.size);
  assert_string_equal(found, text);
  elf_symbols_close(&f);
}

TEST(the_kernels_that_are_used_are_copied) {
  machine *m = *state;
  const char *so = make_old_so(m), *names[] = {compile(m, "user", users_source, "-O1")};
  const strings objects = {names, 1, 1};
  strings made = {0};
  expect_bytes(m, so, "one", "first kernel");
  expect_bytes(m, so, "two", "second");
  assert_true(embedded_kernels_extract(so, "p/old.so", &objects, m->dir, &made, m->a, m->d));
  assert_int_equal(made.n, 1);
  expect_bytes(m, made.at[0], "one", "first kernel");
}

TEST(a_kernel_without_its_end_is_refused) {
  machine *m = *state;
  const char *so = machine_path(m, "old.so");
  const char *names[] = {compile(m, "user", users_source, "-O1")};
  const strings objects = {names, 1, 1};
  strings made = {0};
  CC("-shared", "-nostdlib", "-o", so, compile(m, "half", "char one_start[4];\n", "-O1"));
  assert_false(embedded_kernels_extract(so, "p/old.so", &objects, m->dir, &made, m->a, m->d));
  unit_says(m->d, "p/old.so: error: the bytes of kernel 'one' cannot be taken from it: one of");
}

/* Their bytes would be copied again and again. */
TEST(kernels_that_overlap_are_refused) {
  static const char kernels[] =
      "__asm__(\".section .rodata\\n.globl a_start, b_start, c_start, a_end, b_end, c_end\\n\"\n"
      "        \"a_start: b_start: c_start: .zero 100000\\na_end: b_end: c_end:\\n.text\");\n";
  static const char user[] = "extern const char a_start[], b_start[], c_start[];\n"
                             "const void *all[] = {a_start, b_start, c_start};\n";
  machine *m = *state;
  const char *so = machine_path(m, "old.so"), *names[] = {compile(m, "user", user, "-O1")};
  const strings objects = {names, 1, 1};
  strings made = {0};
  CC("-shared", "-nostdlib", "-o", so, compile(m, "kernels", kernels, "-O1"));
  assert_false(embedded_kernels_extract(so, "p/old.so", &objects, m->dir, &made, m->a, m->d));
  assert_int_equal(made.n, 1);
  unit_says(m->d, "p/old.so: error: the bytes of kernel 'b' cannot be taken from it: the kernels "
                  "are larger than the file");
}

#ifndef __SANITIZE_ADDRESS__ /* a sanitizer needs memory of its own */
TEST(missed_symbols_take_no_memory) {
  enum { MANY = 24, MAX_KB = 300 << 10 };
  static const char user[] = "__asm__(\".macro R\\n.quad u\\\\@_start\\n.endm\\n.data\\n\"\n"
                             "        \".rept 300000\\nR\\n.endr\\n.text\");\n";
  machine *m = *state;
  const char *so = make_old_so(m), *names[MANY] = {compile(m, "user", user, "-O1")};
  for (int i = 1; i < MANY; i++) names[i] = names[0];
  const strings objects = {names, MANY, MANY};
  struct rusage used;
  int status;
  pid_t child = fork();
  if (child == 0) {
    strings made = {0};
    bool ok = embedded_kernels_extract(so, "p/old.so", &objects, m->dir, &made, m->a, m->d);
    _exit(ok && made.n == 0 && embedded_kernels_check(names[0], so, "p/old.so", m->d) ? 0 : 1);
  }
  assert_true(child > 0);
  assert_int_equal(wait4(child, &status, 0, &used), child);
  assert_int_equal(status, 0);
  assert_true(used.ru_maxrss < MAX_KB);
}
#endif

TEST(what_was_linked_in_is_missed) {
  machine *m = *state;
  const char *old_so = make_old_so(m), *new_so = machine_path(m, "new.so");
  CC("-shared", "-nostdlib", "-o", new_so, compile(m, "none", "int x;\n", "-O1"));
  assert_true(embedded_kernels_check(new_so, old_so, "p/old.so", m->d));
  CC("-shared", "-nostdlib", "-o", new_so,
     compile(m, "calls", "int other(void); int f(void) { return other(); }\n", "-O1"));
  assert_false(embedded_kernels_check(new_so, old_so, "p/old.so", m->d));
  unit_says(m->d, "p/old.so: error: needs 'other', which was linked into its '.so'");
}

TEST(sections_for_the_link_time_compiler_are_refused) {
  machine *m = *state;
  const char *plain = compile(m, "plain", "int x = 1;\n", "-g");
  assert_true(object_audit_check(plain, "p/x.cpp", m->d));
  const char *lto =
      compile(m, "lto", "__asm__(\".section .gnu.lto_.opts,\\\"e\\\"\\n.text\");", "-O1");
  assert_false(object_audit_check(lto, "p/x.cpp", m->d));
  unit_says(m->d, "p/x.cpp: error: compiles to an object that has more for the linker");
  assert_false(object_audit_check(machine_path(m, "gone"), "p/x.cpp", m->d));
}

static void visit(const char *name, const GElf_Sym *symbol, void *data) {
  size_t *sum = data;
  *sum += strlen(name) + symbol->st_shndx;
}

/* Reads a file in every way. What is found does not matter: nothing outside of the file is read. */
static void read_all(const char *path, uint64_t size, diags *d) {
  elf_file f;
  elf_bytes b;
  size_t sum = 0;
  if (elf_symbols_open(&f, path)) {
    elf_symbols_visit(&f, visit, &sum);
    if (elf_symbols_find_bytes(&f, "one", &b))
      assert_true(b.offset <= size && b.size <= size - b.offset);
  }
  elf_symbols_close(&f);
  object_audit_check(path, "x", d);
}

static void count(const char *name, const GElf_Sym *symbol, void *data) {
  *(size_t *)data += *name == 's' && symbol->st_name > 0;
}

static size_t count_symbols(const char *path) {
  elf_file f;
  size_t n = 0;
  if (elf_symbols_open(&f, path)) elf_symbols_visit(&f, count, &n);
  elf_symbols_close(&f);
  return n;
}

/* What libelf takes is the child's, and limited as the parser's is. */
TEST(tables_that_need_more_memory_than_the_parser_may_take) {
  enum { SYMBOLS = 100000 };
  machine *m = *state;
  options o = {.limits = limits_default};
  strbuf t = {0};
  for (int i = 0; i < SYMBOLS; i++) strbuf_printf(&t, "s%d:\n.globl s%d\n", i, i);
  const char *file = machine_file(m, "many.s", t.at), *object = machine_path(m, "many.o");
  CC("-c", "-o", object, file);
  assert_int_equal(count_symbols(object), SYMBOLS);
  o.limits.parser_mib = 1;
  elf_reader_limit(&o);
  assert_int_equal(count_symbols(object), 0);
  o.limits.parser_mib = limits_default.parser_mib;
  elf_reader_limit(&o);
  assert_int_equal(count_symbols(object), SYMBOLS);
  strbuf_free(&t);
}

static void find_other(const char *name, const GElf_Sym *symbol, void *data) {
  if (!strcmp(name, "other") && symbol->st_shndx != SHN_UNDEF) *(bool *)data = true;
}

/* As a member of an archive does. */
TEST(a_file_may_lie_in_another) {
  enum { BEFORE = 4096 + 192 };
  machine *m = *state;
  size_t n;
  char *at = unit_read(make_old_so(m), &n), *all = calloc(1, BEFORE + n + 1);
  const char *path = machine_path(m, "outer");
  memcpy(all + BEFORE, at, n);
  unit_write(path, all, BEFORE + n + 1);
  int fd = open(path, O_RDONLY);
  elf_file f;
  bool found = false;
  assert_true(elf_symbols_open_inside(&f, fd, BEFORE, n, ELF_DYNAMIC));
  elf_symbols_visit_dynamic(&f, find_other, &found);
  assert_true(found);
  elf_symbols_close(&f);
  assert_false(elf_symbols_open_inside(&f, fd, BEFORE, n / 2, ELF_DYNAMIC));
  assert_non_null(strstr(f.why, "it is cut off"));
  elf_symbols_close(&f);
  assert_false(elf_symbols_open_inside(&f, fd, 64, n, ELF_DYNAMIC));
  assert_non_null(strstr(f.why, "it is not a 64-bit ELF file"));
  elf_symbols_close(&f);
  close(fd);
  free(at);
  free(all);
}

TEST(a_cut_or_changed_file_does_no_harm) {
  machine *m = *state;
  const char *from[] = {make_old_so(m), machine_path(m, "one.o"), machine_path(m, "other.o")};
  const char *path = machine_path(m, "changed");
  for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
    size_t n;
    char *at = unit_read(from[k], &n);
    for (size_t i = 0; i < n; i += i < 200 ? 1 : 61) {
      unit_write(path, at, i);
      read_all(path, i, m->d);
    }
    for (size_t i = 0; i < n; i += at[i] ? 3 : 23) { /* each takes a process */
      char old = at[i];
      at[i] = (char)~old;
      unit_write(path, at, n);
      read_all(path, n, m->d);
      at[i] = old;
    }
    free(at);
  }
}
