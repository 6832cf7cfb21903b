/* 108-weights.c - weights out of shared objects, also of such as lie. */
#include "build/weights.h"
#include "build/elf_object.h"
#include "machine.h"
#include <elf.h>
#include <fcntl.h>

enum { BIG = 100000 };

static unsigned char byte(size_t i) { return (unsigned char)(i * 7 + i / 251); }

static char *slurp(const char *path, size_t *n) {
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  *n = (size_t)ftell(f);
  rewind(f);
  char *at = malloc(*n + 1);
  assert_int_equal(fread(at, 1, *n, f), *n);
  fclose(f);
  return at;
}

static void spew(const char *path, const void *at, size_t n) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_int_equal(fwrite(at, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

/* An object file with n bytes of weights. */
static const char *object(machine *m, const char *name, size_t n) {
  unsigned char *at = malloc(n + 1);
  for (size_t i = 0; i < n; i++) at[i] = byte(i);
  spew(machine_path(m, "raw"), at, n);
  free(at);
  blob b = {.fd = open(machine_path(m, "raw"), O_RDONLY),
            .name = "_binary_constants_bin",
            .offset = 0,
            .size = n};
  assert_true(b.fd >= 0);
  assert_true(blob_write(machine_path(m, name), &b, m->d));
  close(b.fd);
  return machine_path(m, name);
}

/* The object linked to a shared object by the machine's own linker. */
static const char *linked(machine *m, const char *from, const char *name) {
  const char *so = machine_path(m, name);
  pid_t child = fork();
  if (child == 0) execlp("cc", "cc", "-shared", "-nostdlib", "-o", so, from, (char *)NULL);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  return so;
}

static void takes(machine *m, const char *from, size_t n) {
  weights w;
  size_t size;
  if (!weights_take(&w, from, machine_path(m, "made.o"), WEIGHTS_LINKED, from, m->a, m->d)) {
    unit_says(m->d, "(it was taken)");
    fail();
  }
  assert_int_equal(w.size, n);
  assert_true(weights_defines(w.object));
  char *at = slurp(w.object, &size);
  for (size_t i = 0; i < n; i++) assert_int_equal((unsigned char)at[64 + i], byte(i));
  free(at);
}

static void refuses(machine *m, const char *from, enum weights_place place, const char *says) {
  weights w;
  if (weights_take(&w, from, machine_path(m, "made.o"), place, from, m->a, m->d))
    fail_msg("taken, and not: %s", says);
  assert_int_equal(diags_status(m->d), STATUS_INPUT);
  unit_says(m->d, says);
}

static void weights_go_through_a_shared_object(void **state) {
  machine *m = *state;
  static const size_t sizes[] = {1, 63, 64, 4096, BIG};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const char *o = object(m, "w.o", sizes[i]), *so = linked(m, o, "old.so");
    takes(m, o, sizes[i]);
    takes(m, so, sizes[i]);
    const char *again = linked(m, machine_path(m, "made.o"), "again.so");
    takes(m, again, sizes[i]);
  }
}

static void no_weights_are_weights_too(void **state) {
  machine *m = *state;
  weights w;
  assert_true(weights_none(&w, machine_path(m, "none.o"), m->d));
  assert_true(weights_defines(w.object));
  assert_true(weights_take(&w, linked(m, w.object, "none.so"), machine_path(m, "made.o"),
                           WEIGHTS_LINKED, "none.so", m->a, m->d));
  assert_int_equal(w.size, 1); /* a section of no bytes would be lost */
}

static void other_files_are_refused(void **state) {
  machine *m = *state;
  refuses(m, machine_path(m, "gone"), false,
          "gone: error: the weights cannot be taken from it: No such file");
  refuses(m, m->dir, false, "not a regular file");
  refuses(m, machine_file(m, "text", "int x;\n"), false, "no 64-bit ELF file");
  refuses(m, machine_file(m, "empty", ""), false, "no 64-bit ELF file");
  refuses(m, "/proc/self/exe", false, "'_binary_constants_bin_start'");
  assert_false(weights_defines(machine_path(m, "text")));
  assert_false(weights_defines("/proc/self/exe"));
}

/* Writes `so` with `n` bytes at `offset` changed. */
static const char *changed(machine *m, const char *so, size_t offset, const void *bytes, size_t n) {
  size_t size;
  char *at = slurp(so, &size);
  assert_true(offset + n <= size);
  memcpy(at + offset, bytes, n);
  spew(machine_path(m, "changed.so"), at, size);
  free(at);
  return machine_path(m, "changed.so");
}

/* The offset of section header i of an ELF file. */
static size_t section(const char *so, unsigned i, Elf64_Shdr *h) {
  size_t size;
  char *at = slurp(so, &size);
  Elf64_Ehdr e;
  memcpy(&e, at, sizeof e);
  size_t offset = e.e_shoff + i * sizeof *h;
  bool there = i < e.e_shnum && offset + sizeof *h <= size;
  if (there) memcpy(h, at + offset, sizeof *h);
  free(at);
  return there ? offset : 0;
}

static void lying_sizes_are_found_out(void **state) {
  machine *m = *state;
  const char *so = linked(m, object(m, "w.o", BIG), "old.so");
  Elf64_Shdr h;
  size_t offset;
  static const uint64_t lies[] = {UINT64_MAX, UINT64_MAX / 2, 1ull << 40, BIG * 100};
  for (unsigned i = 1; (offset = section(so, i, &h)); i++)
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
      weights w;
      Elf64_Shdr lie = h;
      lie.sh_size = lies[k];
      const char *bad = changed(m, so, offset, &lie, sizeof lie);
      bool taken =
          weights_take(&w, bad, machine_path(m, "made.o"), WEIGHTS_LINKED, bad, m->a, m->d);
      if (h.sh_size == BIG && taken)
        fail_msg("section %u with a size of %llu was believed", i, (unsigned long long)lies[k]);
      lie = h;
      lie.sh_offset = lies[k];
      bad = changed(m, so, offset, &lie, sizeof lie);
      taken = weights_take(&w, bad, machine_path(m, "made.o"), WEIGHTS_LINKED, bad, m->a, m->d);
      if (h.sh_size == BIG && taken)
        fail_msg("section %u at %llu was believed", i, (unsigned long long)lies[k]);
    }
}

static void a_cut_file_is_no_trap(void **state) {
  machine *m = *state;
  const char *so = linked(m, object(m, "w.o", 1000), "old.so");
  size_t size;
  char *at = slurp(so, &size);
  for (size_t n = 0; n < size; n += n < 200 ? 1 : 97) {
    weights w;
    spew(machine_path(m, "cut.so"), at, n);
    if (weights_take(&w, machine_path(m, "cut.so"), machine_path(m, "made.o"), WEIGHTS_LINKED,
                     machine_path(m, "cut.so"), m->a, m->d))
      fail_msg("%zu of %zu bytes were taken", n, size);
  }
  free(at);
}

/* A shared object with `tail` bytes appended as torch does for large weights. */
static const char *with_tail(machine *m, size_t tail, uint64_t said, uint64_t magic,
                             uint64_t magic_at_end) {
  uint64_t head[2] = {said, magic};
  spew(machine_path(m, "head"), head, sizeof head);
  blob b = {.fd = open(machine_path(m, "head"), O_RDONLY),
            .name = "_binary_constants_bin",
            .offset = 0,
            .size = sizeof head};
  assert_true(blob_write(machine_path(m, "head.o"), &b, m->d));
  close(b.fd);
  const char *so = linked(m, machine_path(m, "head.o"), "head.so");
  size_t size, padded;
  char *at = slurp(so, &size);
  padded = (size + 0x3fff) & ~(size_t)0x3fff;
  at = realloc(at, padded + tail);
  memset(at + size, ' ', padded - size);
  for (size_t i = 0; i < tail; i++) at[padded + i] = (char)byte(i);
  memcpy(at + padded + tail - 8, &magic_at_end, 8);
  spew(so, at, padded + tail);
  free(at);
  return so;
}

static void appended_weights_go_with_it(void **state) {
  machine *m = *state;
  weights w;
  const char *so = with_tail(m, BIG, BIG, 42, 42);
  assert_true(weights_take(&w, so, machine_path(m, "made.o"), WEIGHTS_APPENDED, so, m->a, m->d));
  assert_int_equal(w.tail, BIG);
  const char *result = linked(m, w.object, "new.so");
  assert_true(weights_append(&w, result, m->d));
  size_t size, old_size;
  char *at = slurp(result, &size), *old = slurp(so, &old_size);
  assert_int_equal((size - BIG) % 0x4000, 0);
  assert_memory_equal(at + size - BIG, old + old_size - BIG, BIG);
  free(at);
  free(old);
  refuses(m, with_tail(m, BIG, BIG, 42, 43), true, "are not whole");
  refuses(m, with_tail(m, BIG, BIG + 8, 42, 42), true, "are not whole");
  refuses(m, with_tail(m, BIG, UINT64_MAX, 42, 42), true, "are not whole");
  refuses(m, with_tail(m, BIG, 0, 42, 42), true, "are not whole");
  refuses(m, linked(m, object(m, "one.o", 8), "one.so"), true, "does not say how many");
}

static void declares(const char *at, uint64_t bytes, bool left_out, bool model) {
  weights_declared w;
  weights_declare(&w, at, strlen(at));
  assert_int_equal(w.bytes, bytes);
  assert_int_equal(w.left_out, left_out);
  assert_int_equal(w.model, model);
}

static void the_constructor_says_what_there_is(void **state) {
  (void)state;
#define HEAD                                                                                       \
  "AOTInductorModel::AOTInductorModel(std::shared_ptr<X> x)\n    : AOTInductorModelBase(1,\n  "    \
  "std::move(dir),\n  "
#define CONSTANT(size, folded)                                                                     \
  "    constants_info_[0].data_size = " size ";\n    constants_info_[0].from_folded = " folded     \
  ";\n    constants_info_[0].type = 1;\n"
  declares("", 0, false, false);
  declares("int inductor_entry_impl;\n", 0, false, false);
  declares(HEAD "true) {\n}\n", 0, false, true);
  declares(HEAD "true) {\n" CONSTANT("65536", "false") CONSTANT("4", "false")
               CONSTANT("1000", "true") "}\n",
           65540, false, true);
  declares(HEAD "false) {\n" CONSTANT("65536", "false") "}\n", 65536, true, true);
  declares(HEAD "true) {\n" CONSTANT("99999999999999999999999", "false") CONSTANT("1", "false"),
           UINT64_MAX, false, true);
  declares(HEAD "true) {\n    constants_info_[0].data_size = 7", 7, false, true);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, machine_begin, machine_end)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(weights_go_through_a_shared_object),
                                     TEST(no_weights_are_weights_too),
                                     TEST(other_files_are_refused),
                                     TEST(lying_sizes_are_found_out),
                                     TEST(a_cut_file_is_no_trap),
                                     TEST(appended_weights_go_with_it),
                                     TEST(the_constructor_says_what_there_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
