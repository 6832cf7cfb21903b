/* loads.c - a program that loads packages and models, without torch. With -DLOADER it is the
 * library "libtorch_loads.so", by whose functions the program opens packages, as by torch's.
 *
 * loads ACTION PATH...
 *   load    prints what the library reads
 *   each    prints the name of each function by which the library opens files, and what it reads
 *   reads   prints what is read by the record reader's function
 *   dlopen  prints value() of each, and where a library "libbeside.so" is looked for by it
 *   dlmopen the same, in a namespace of its own
 *   memory  the same of a copy of the file that has no name
 *   few     as load, and fewload as dlopen, with one free descriptor
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

typedef int opener(const char *path);

#ifdef LOADER

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

static int of_stream(FILE *f) { return f ? fileno(f) : -1; }

/* It is a name of torch's C++. */
int FileAdapter(const char *path) { return of_stream(fopen(path, "rb")); }

#define OPENER(name, call)                                                                         \
  int by_##name(const char *path) { return call; }
OPENER(fopen, of_stream(fopen(path, "rbe")))
OPENER(fopen64, of_stream(fopen64(path, "rb,ccs=latin1")))
OPENER(open, open(path, O_RDONLY))
OPENER(open64, open64(path, O_RDONLY))
OPENER(__open_2, __open_2(path, O_RDONLY))
OPENER(__open64_2, __open64_2(path, O_RDONLY))
OPENER(openat, openat(AT_FDCWD, path, O_RDONLY))
OPENER(openat64, openat64(AT_FDCWD, path, O_RDONLY))
OPENER(__openat_2, __openat_2(AT_FDCWD, path, O_RDONLY))
OPENER(__openat64_2, __openat64_2(AT_FDCWD, path, O_RDONLY))

#else

static opener *find(const char *name) {
  static void *library;
  if (!library) library = dlopen("libtorch_loads.so", RTLD_NOW);
  return (opener *)dlsym(library, name);
}

static void print_by(const char *name, const char *path) {
  char text[4096];
  errno = 77;
  int fd = find(name)(path);
  if (fd < 0) printf("%s: %s\n", name, strerror(errno));
  if (fd < 0) return;
  if (errno != 77) printf("%s: errno %d\n", name, errno);
  for (ssize_t n; (n = read(fd, text, sizeof text)) > 0;) fwrite(text, 1, (size_t)n, stdout);
  close(fd);
}

static void print_each(const char *path) {
  static const char *const names[] = {"fopen",      "fopen64",     "open",     "open64",
                                      "__open_2",   "openat",      "openat64", "__open64_2",
                                      "__openat_2", "__openat64_2"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[32];
    snprintf(name, sizeof name, "by_%s", names[i]);
    printf("%s ", names[i]);
    print_by(name, path);
  }
}

static void print_model(void *model) {
  int (*value)(void) = model ? (int (*)(void))dlsym(model, "value") : NULL;
  const char *(*beside)(void) = model ? (const char *(*)(void))dlsym(model, "beside") : NULL;
  if (value)
    printf("%d%s\n", value(), beside ? beside() : "");
  else
    printf("%s\n", dlerror());
}

static void *load_memory(const char *path) {
  char text[65536], name[64];
  int from = open(path, O_RDONLY), to = memfd_create("model", 0);
  for (ssize_t n; (n = read(from, text, sizeof text)) > 0;)
    if (write(to, text, (size_t)n) != n) return NULL;
  close(from);
  snprintf(name, sizeof name, "/proc/self/fd/%d", to);
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void leave_one_descriptor(void) {
  int last = -1;
  find("by_open");
  for (int fd; (fd = open("/dev/null", O_RDONLY)) >= 0 && fd < 100;) last = fd;
  struct rlimit most = {(rlim_t)last + 1, (rlim_t)last + 1};
  setrlimit(RLIMIT_NOFILE, &most);
  close(last);
}

int main(int argc, char **argv) {
  const char *action = argc > 1 ? argv[1] : "";
  if (!strncmp(action, "few", 3)) leave_one_descriptor();
  for (int i = 2; i < argc; i++) {
    if (!strcmp(action, "load") || !strcmp(action, "few"))
      print_by("by_fopen", argv[i]);
    else if (!strcmp(action, "each"))
      print_each(argv[i]);
    else if (!strcmp(action, "reads"))
      print_by("FileAdapter", argv[i]);
    else if (!strcmp(action, "memory"))
      print_model(load_memory(argv[i]));
    else if (!strcmp(action, "dlmopen"))
      print_model(dlmopen(LM_ID_NEWLM, argv[i], RTLD_NOW | RTLD_LOCAL));
    else
      print_model(dlopen(argv[i], RTLD_NOW | RTLD_LOCAL));
    fflush(stdout);
  }
  return 0;
}

#endif
