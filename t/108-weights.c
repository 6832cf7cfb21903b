/* 108-weights.c - weights taken from shared objects, also from truncated and hostile ones. */
#include "toolchain/weights.h"
#include "toolchain/elf_file.h"
#include "machine.h"
#include <fcntl.h>

enum { BIG = 100000 };

static unsigned char weight_byte(size_t i) { return (unsigned char)(i * 7 + i / 251); }

/* An object file with n bytes of weights. */
static const char *make_object(machine *m, const char *name, size_t n) {
  unsigned char *at = malloc(n + 1);
  for (size_t i = 0; i < n; i++) at[i] = weight_byte(i);
  unit_write(machine_path(m, "raw"), at, n);
  free(at);
  elf_bytes b = {.fd = open(machine_path(m, "raw"), O_RDONLY),
                 .name = "_binary_constants_bin",
                 .offset = 0,
                 .size = n};
  assert_true(b.fd >= 0);
  assert_true(elf_object_write(machine_path(m, name), &b, m->d));
  close(b.fd);
  return machine_path(m, name);
}

/* The object linked to a shared object by the machine's own linker. */
static const char *link_shared(machine *m, const char *from, const char *name) {
  const char *so = machine_path(m, name);
  pid_t child = fork();
  if (child == 0) execlp("cc", "cc", "-shared", "-nostdlib", "-o", so, from, (char *)NULL);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  return so;
}

static void expect_taken(machine *m, const char *from, size_t n) {
  weights w;
  elf_file f;
  elf_bytes b;
  size_t size;
  if (!weights_extract(&w, from, machine_path(m, "made.o"), WEIGHTS_LINKED, from, m->a, m->d)) {
    unit_says(m->d, "(it was taken)");
    fail();
  }
  assert_int_equal(w.size, n);
  assert_true(weights_are_defined(w.object));
  assert_true(elf_symbols_open(&f, w.object));
  assert_true(elf_symbols_find_bytes(&f, "_binary_constants_bin", &b));
  elf_symbols_close(&f);
  assert_int_equal(b.size, n);
  assert_int_equal(b.offset % 64, 0); /* as torch aligns them */
  char *at = unit_read(w.object, &size);
  assert_true(b.offset + n <= size);
  for (size_t i = 0; i < n; i++) assert_int_equal((unsigned char)at[b.offset + i], weight_byte(i));
  free(at);
}

static void expect_refused(machine *m, const char *from, enum weights_place place,
                           const char *says) {
  weights w;
  if (weights_extract(&w, from, machine_path(m, "made.o"), place, from, m->a, m->d))
    fail_msg("taken, and not: %s", says);
  assert_int_equal(diags_status(m->d), STATUS_INPUT);
  unit_says(m->d, says);
}

TEST(weights_go_through_a_shared_object) {
  machine *m = *state;
  static const size_t sizes[] = {1, 63, 64, 4096, BIG};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const char *o = make_object(m, "w.o", sizes[i]), *so = link_shared(m, o, "old.so");
    expect_taken(m, o, sizes[i]);
    expect_taken(m, so, sizes[i]);
    const char *again = link_shared(m, machine_path(m, "made.o"), "again.so");
    expect_taken(m, again, sizes[i]);
  }
}

TEST(no_weights_are_weights_too) {
  machine *m = *state;
  weights w;
  assert_true(weights_make_empty(&w, machine_path(m, "none.o"), m->d));
  assert_true(weights_are_defined(w.object));
  assert_true(weights_extract(&w, link_shared(m, w.object, "none.so"), machine_path(m, "made.o"),
                              WEIGHTS_LINKED, "none.so", m->a, m->d));
  assert_int_equal(w.size, 1); /* a section of no bytes would be lost */
}

TEST(other_files_are_refused) {
  machine *m = *state;
  expect_refused(m, machine_path(m, "gone"), WEIGHTS_LINKED,
                 "gone: error: the weights cannot be taken from it: No such file");
  expect_refused(m, m->dir, WEIGHTS_LINKED, "not a regular file");
  expect_refused(m, machine_file(m, "text", "int x;\n"), WEIGHTS_LINKED, "not a 64-bit ELF file");
  expect_refused(m, machine_file(m, "empty", ""), WEIGHTS_LINKED, "not a 64-bit ELF file");
  expect_refused(m, "/proc/self/exe", WEIGHTS_LINKED, "'_binary_constants_bin_start'");
  assert_false(weights_are_defined(machine_path(m, "text")));
  assert_false(weights_are_defined("/proc/self/exe"));
}

/* Writes `so` with `n` bytes at `offset` changed. */
static const char *change_file(machine *m, const char *so, size_t offset, const void *bytes,
                               size_t n) {
  size_t size;
  char *at = unit_read(so, &size);
  assert_true(offset + n <= size);
  memcpy(at + offset, bytes, n);
  unit_write(machine_path(m, "changed.so"), at, size);
  free(at);
  return machine_path(m, "changed.so");
}

/* The offset of section header i of an ELF file. */
static size_t find_section(const char *so, unsigned i, Elf64_Shdr *h) {
  size_t size;
  char *at = unit_read(so, &size);
  Elf64_Ehdr e;
  memcpy(&e, at, sizeof e);
  size_t offset = e.e_shoff + i * sizeof *h;
  bool there = i < e.e_shnum && offset + sizeof *h <= size;
  if (there) memcpy(h, at + offset, sizeof *h);
  free(at);
  return there ? offset : 0;
}

TEST(lying_sizes_are_found_out) {
  machine *m = *state;
  const char *so = link_shared(m, make_object(m, "w.o", BIG), "old.so");
  Elf64_Shdr h;
  size_t offset;
  static const uint64_t lies[] = {UINT64_MAX, UINT64_MAX / 2, 1ull << 40, BIG * 100};
  for (unsigned i = 1; (offset = find_section(so, i, &h)); i++)
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
      weights w;
      Elf64_Shdr lie = h;
      lie.sh_size = lies[k];
      const char *bad = change_file(m, so, offset, &lie, sizeof lie);
      bool taken =
          weights_extract(&w, bad, machine_path(m, "made.o"), WEIGHTS_LINKED, bad, m->a, m->d);
      if (h.sh_size == BIG && taken)
        fail_msg("section %u with a size of %llu was believed", i, (unsigned long long)lies[k]);
      lie = h;
      lie.sh_offset = lies[k];
      bad = change_file(m, so, offset, &lie, sizeof lie);
      taken = weights_extract(&w, bad, machine_path(m, "made.o"), WEIGHTS_LINKED, bad, m->a, m->d);
      if (h.sh_size == BIG && taken)
        fail_msg("section %u at %llu was believed", i, (unsigned long long)lies[k]);
    }
}

TEST(a_cut_file_says_by_how_much) {
  machine *m = *state;
  const char *so = link_shared(m, make_object(m, "w.o", BIG), "old.so"), *cut;
  size_t size;
  char *at = unit_read(so, &size);
  cut = machine_path(m, "cut.so");
  static const size_t missing[] = {1, 64, 5000, BIG};
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
    unit_write(cut, at, size - missing[i]);
    expect_refused(m, cut, WEIGHTS_LINKED,
                   arena_printf(m->a,
                                "the weights cannot be taken from it: it is cut off: its ELF "
                                "header describes %zu bytes, the last %zu of which are missing",
                                size, missing[i]));
  }
  free(at);
}

TEST(a_cut_file_is_no_trap) {
  machine *m = *state;
  const char *so = link_shared(m, make_object(m, "w.o", 1000), "old.so");
  size_t size;
  char *at = unit_read(so, &size);
  for (size_t n = 0; n < size; n += n < 200 ? 1 : 97) {
    weights w;
    unit_write(machine_path(m, "cut.so"), at, n);
    if (weights_extract(&w, machine_path(m, "cut.so"), machine_path(m, "made.o"), WEIGHTS_LINKED,
                        machine_path(m, "cut.so"), m->a, m->d))
      fail_msg("%zu of %zu bytes were taken", n, size);
  }
  free(at);
}

/* A shared object with `tail` bytes appended, as torch appends large weights. */
static const char *make_appended(machine *m, size_t tail, uint64_t said, uint64_t magic,
                                 uint64_t magic_at_end) {
  uint64_t head[2] = {said, magic};
  unit_write(machine_path(m, "head"), head, sizeof head);
  elf_bytes b = {.fd = open(machine_path(m, "head"), O_RDONLY),
                 .name = "_binary_constants_bin",
                 .offset = 0,
                 .size = sizeof head};
  assert_true(elf_object_write(machine_path(m, "head.o"), &b, m->d));
  close(b.fd);
  const char *so = link_shared(m, machine_path(m, "head.o"), "head.so");
  size_t size, padded;
  char *at = unit_read(so, &size);
  padded = (size + 0x3fff) & ~(size_t)0x3fff;
  at = realloc(at, padded + tail);
  memset(at + size, ' ', padded - size);
  for (size_t i = 0; i < tail; i++) at[padded + i] = (char)weight_byte(i);
  memcpy(at + padded + tail - 8, &magic_at_end, 8);
  unit_write(so, at, padded + tail);
  free(at);
  return so;
}

TEST(appended_weights_go_with_it) {
  machine *m = *state;
  weights w;
  const char *so = make_appended(m, BIG, BIG, 42, 42);
  assert_true(weights_extract(&w, so, machine_path(m, "made.o"), WEIGHTS_APPENDED, so, m->a, m->d));
  assert_int_equal(w.tail, BIG);
  const char *result = link_shared(m, w.object, "new.so");
  assert_true(weights_append(&w, result, m->d));
  size_t size, old_size;
  char *at = unit_read(result, &size), *old = unit_read(so, &old_size);
  assert_int_equal((size - BIG) % 0x4000, 0);
  assert_memory_equal(at + size - BIG, old + old_size - BIG, BIG);
  free(at);
  free(old);
  expect_refused(m, make_appended(m, BIG, BIG, 42, 43), WEIGHTS_APPENDED, "are not whole");
  expect_refused(m, make_appended(m, BIG, BIG + 8, 42, 42), WEIGHTS_APPENDED,
                 " bytes, the last 8 of which are missing");
  expect_refused(m, make_appended(m, BIG, UINT64_MAX, 42, 42), WEIGHTS_APPENDED, "are not whole");
  expect_refused(m, make_appended(m, BIG, 0, 42, 42), WEIGHTS_APPENDED, "are not whole");
  expect_refused(m, link_shared(m, make_object(m, "one.o", 8), "one.so"), WEIGHTS_APPENDED,
                 "does not say how many");
}

static void expect_declared(machine *m, const char *text, uint64_t bytes, bool left_out,
                            bool has_constructor) {
  weights_declared w;
  weights_declared_by_text(&w, text, strlen(text), m->a);
  assert_int_equal(w.bytes, bytes);
  assert_int_equal(w.left_out, left_out);
  assert_int_equal(w.has_constructor, has_constructor);
}

TEST(the_constructor_says_what_there_is) {
  machine *m = *state;
#define HEAD                                                                                       \
  "AOTInductorModel::AOTInductorModel(std::shared_ptr<X> x)\n    : AOTInductorModelBase(1,\n  "    \
  "std::move(dir),\n  "
#define CONSTANT(i, size, folded)                                                                  \
  "    constants_info_[" i "].data_size = " size ";\n    constants_info_[" i                       \
  "].from_folded = " folded ";\n    constants_info_[" i "].type = 1;\n"
  expect_declared(m, "", 0, false, false);
  expect_declared(m, "int inductor_entry_impl;\n", 0, false, false);
  expect_declared(m, HEAD "true) {\n}\n", 0, false, true);
  expect_declared(m,
                  HEAD "true) {\n" CONSTANT("0", "65536", "false") CONSTANT("1", "4", "false")
                      CONSTANT("2", "1000", "true") "}\n",
                  65540, false, true);
  expect_declared(m, HEAD "false) {\n" CONSTANT("0", "65536", "false") "}\n", 65536, true, true);
  expect_declared(m, HEAD "false ) {\n}\n", 0, true, true);
  expect_declared(m,
                  HEAD "true) {\n" CONSTANT("0", "99999999999999999999999", "false")
                      CONSTANT("1", "1", "false"),
                  UINT64_MAX, false, true);
  expect_declared(m, HEAD "true) {\n" CONSTANT("0", "-1", "false") "}\n", UINT64_MAX, false, true);
  expect_declared(m,
                  "AOTInductorModelnet::AOTInductorModelother(AOTInductorModelnet::Base(\n"
                  "AOTInductorModelnet::AOTInductorModelnet(X x)\n    : "
                  "AOTInductorModelBase(false) {\n" CONSTANT("0", "7", "false") "}\n",
                  7, true, true);
  expect_declared(m, "AOTInductorModelnet::AOTInductorModelnet", 0, false, false);
}

/* A text that is cut off at any byte is read to its end and no further. */
TEST(a_cut_constructor_is_no_trap) {
  machine *m = *state;
  static const char whole[] = HEAD "false) {\n" CONSTANT("0", "7", "false") "}\n";
  for (size_t n = 0; n < sizeof whole; n++) {
    weights_declared w;
    char *text = malloc(n + 1); /* exactly that size, so that a sanitizer sees a read beyond it */
    memcpy(text, whole, n);
    text[n] = '\0';
    weights_declared_by_text(&w, text, n, m->a);
    assert_true(w.bytes == 0 || w.bytes == 7);
    free(text);
  }
}
