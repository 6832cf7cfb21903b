/* unload_host.c - a program that loads the object of unload_model.c, three times over.
 *
 * Prints how many threads the process has when the object is gone. The fake's streams are one each:
 * the model's, and for each loading one that the library has aside.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "../await.h"

static int threads(void) {
  int n = -2; /* . and .. */
  DIR *d = opendir("/proc/self/task");
  while (readdir(d)) n++;
  closedir(d);
  return n;
}

static int is_mapped(const char *name) {
  char line[1000];
  int found = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, f)) found = found || strstr(line, name);
  fclose(f);
  return found;
}

int main(int argc, char **argv) {
  static char stream;
  void (*run)(void *) = NULL;
  if (argc != 3 || !dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) return 2;
  for (int i = 0; i < 3; i++) {
    void *model = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!model) return fprintf(stderr, "%s\n", dlerror()) < 0 ? 2 : 3;
    *(void **)&run = dlsym(model, "run_model");
    run(&stream);
    dlclose(model);
    printf("threads: %d, of streams: %d, mapped: %d\n", threads(), i + 2, is_mapped(argv[2]));
    let_pass(50 * 1000); /* a thread left in unloaded code crashes now */
  }
  return 0;
}
