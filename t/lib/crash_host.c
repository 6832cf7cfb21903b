/* crash_host.c - a program that loads and unloads the objects of crash_model.c as its arguments
 * say: "+a" loads model a.so, "-a" unloads it, "!a" crashes in a run of it, "!" outside of any,
 * "*a" crashes on another thread while a run of it is in flight, "h" installs a handler of the
 * host's own, which chains; "w" installs one for SIGTERM that waits for "j", "k" sends that signal
 * to a thread that "j" joins; "#130" loads the models 0.so to 129.so; "m" prints which models are
 * in memory, "d" whether SIGSEGV has its default action. */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void *models[128];
static volatile size_t nowhere = 16;

static void crash(void) { *(volatile int *)nowhere = 0; }

static void *crash_thread(void *nothing) {
  crash();
  return nothing;
}

static void crash_elsewhere(void) {
  pthread_t t;
  pthread_create(&t, NULL, crash_thread, NULL);
  pthread_join(t, NULL);
}

static void *find(void *model, const char *name) {
  void *f = dlsym(model, name);
  if (!f) exit(3);
  return f;
}

static void *load(const char *dir, const char *name) {
  char path[1024];
  int (*load_model)(void);
  snprintf(path, sizeof path, "%s/%s.so", dir, name);
  void *m = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!m) {
    fprintf(stderr, "%s\n", dlerror());
    exit(3);
  }
  *(void **)&load_model = find(m, "load_model");
  if (load_model()) exit(4);
  return m;
}

static void load_many(const char *dir, int n) {
  char name[16];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "%d", i);
    load(dir, name);
  }
}

static void unload(char which) {
  void (*delete_model)(void);
  *(void **)&delete_model = find(models[(int)which], "delete_model");
  delete_model();
  dlclose(models[(int)which]);
}

static void run(char which, void (*kernel)(void)) {
  void (*run_model)(void (*)(void));
  *(void **)&run_model = find(models[(int)which], "run_model");
  run_model(kernel);
}

static struct sigaction earlier;

static void chain(int signal, siginfo_t *info, void *context) {
  static const char text[] = "host\n";
  if (write(2, text, sizeof text - 1) < 0) _exit(9);
  if (earlier.sa_handler == SIG_DFL)
    sigaction(signal, &earlier, NULL);
  else
    earlier.sa_sigaction(signal, info, context);
}

static pthread_t signalled;
static sem_t entered, may_return;

static void wait_to_return(int signal) {
  (void)signal;
  sem_post(&entered);
  while (sem_wait(&may_return)) continue;
}

static void *signal_thread(void *nothing) {
  raise(SIGTERM);
  return nothing;
}

static void send_signal(void) {
  pthread_create(&signalled, NULL, signal_thread, NULL);
  while (sem_wait(&entered)) continue;
}

static void join_signalled(void) {
  sem_post(&may_return);
  pthread_join(signalled, NULL);
}

static void print_mapped(const char *dir) {
  char line[2000], name[1100];
  printf("mapped:");
  for (char c = 'a'; c <= 'z'; c++) {
    FILE *f = fopen("/proc/self/maps", "r");
    int found = 0;
    snprintf(name, sizeof name, "%s/%c.so", dir, c);
    while (fgets(line, sizeof line, f)) found = found || strstr(line, name);
    fclose(f);
    if (found) printf(" %c", c);
  }
  printf("\n");
}

int main(int argc, char **argv) {
  const struct rlimit none = {0, 0};
  struct sigaction now;
  const struct sigaction own = {.sa_sigaction = chain, .sa_flags = SA_SIGINFO};
  setrlimit(RLIMIT_CORE, &none);
  setvbuf(stdout, NULL, _IONBF, 0);
  alarm(30);
  for (int i = 2; i < argc; i++) {
    switch (argv[i][0]) {
      case '+': models[(int)argv[i][1]] = load(argv[1], argv[i] + 1); break;
      case '#': load_many(argv[1], atoi(argv[i] + 1)); break;
      case 'w': signal(SIGTERM, wait_to_return); break;
      case 'k': send_signal(); break;
      case 'j': join_signalled(); break;
      case '-': unload(argv[i][1]); break;
      case '!': argv[i][1] ? run(argv[i][1], crash) : crash(); break;
      case '*': run(argv[i][1], crash_elsewhere); break;
      case 'h': sigaction(SIGSEGV, &own, &earlier); break;
      case 'm': print_mapped(argv[1]); break;
      case 'd':
        sigaction(SIGSEGV, NULL, &now);
        printf("%s\n", now.sa_handler == SIG_DFL ? "default" : "handled");
        break;
      default: return 2;
    }
  }
  return 0;
}
