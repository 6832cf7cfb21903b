"""A custom operator whose C text crashes, hangs, or overwrites the host's stack or heap, before a
kernel that Inductor compiles.

The tests set `fault`, the name of a function of the C text; those that read x are given its first
element and how many there are. Without it the operator returns a copy. A kernel that crashes needs
no operator: the tests give the model a `w` of fewer rows than it was compiled for, which ends where
the memory does (`at_the_edge`).
"""
import ctypes
import mmap
import os
import subprocess
import tempfile

import torch

fault = None

C_TEXT = """
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile float seen;

void read_past(const float *x, size_t n) { seen = ((const volatile float *)x)[n + 8]; }
void write_before(float *x, size_t n) { ((volatile float *)x)[-(ptrdiff_t)n - 1] = 1; }
void read_released(float *x, size_t n) {
  munmap((void *)((size_t)x & ~(size_t)4095), n * sizeof *x);
  seen = ((volatile float *)x)[17];
}
void read_null(void) { seen = *(volatile float *)16; }

static int recurse(int n) {
  volatile char some[4096];
  some[0] = (char)n;
  return n ? recurse(n + 1) + some[0] : 0;
}
void overflow_stack(void) { recurse(1); }

/* Writes its frame from the end on, which is far above the stack pointer. */
static int recurse_far(int n) {
  volatile char some[200 << 10];
  for (size_t i = sizeof some; i-- > 0;) some[i] = (char)n;
  return n ? recurse_far(n + 1) + some[0] : 0;
}
void overflow_stack_far(void) { recurse_far(1); }

void spin_for_ever(void) { for (volatile int i = 0;; i++) continue; }
void wait_for_ever(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
}
void take_a_while(void) { usleep(250 * 1000); }

/* The stack protector meets the first as the function returns. */
static volatile size_t too_many = 64;
void smash_stack(void) {
  char some[16], *to = some;
  __asm__ volatile("" : "+r"(to));
  memset(to, 1, too_many);
  __asm__ volatile("" ::"r"(to) : "memory");
}
void write_up_the_stack(void) {
  char some[16];
  for (volatile char *to = some;; to++) *to = 1;
}
/* What malloc() keeps before a piece of memory is overwritten: free() meets it. */
void damage_heap(void) {
  char *some = malloc(2000);
  for (int i = 1; i <= 16; i++) ((volatile char *)some)[-i] = 1;
  free(some);
}
"""


def compiled():
    with tempfile.TemporaryDirectory() as directory:
        source, library = (os.path.join(directory, x) for x in ("faults.c", "faults.so"))
        with open(source, "w") as file:
            file.write(C_TEXT)
        subprocess.run([os.environ.get("CC", "cc"), "-O1", "-w", "-fstack-protector-all", "-shared",
            "-fPIC", "-U_FORTIFY_SOURCE", source, "-o", library, "-lpthread"], check=True)
        return ctypes.CDLL(library)


functions = compiled()


def at_the_edge(rows, columns=64):
    """A tensor of zeros that starts and ends where memory does: what lies around it traps."""
    size, around = rows * columns * 4, 1 << 20
    assert size % mmap.PAGESIZE == 0
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    first = libc.mmap(None, size + 2 * around, 0, flags, -1, 0) + around
    libc.mprotect(first, size, mmap.PROT_READ | mmap.PROT_WRITE)
    memory = (ctypes.c_float * (rows * columns)).from_address(first)
    return torch.frombuffer(memory, dtype=torch.float32).view(rows, columns)


@torch.library.custom_op("faults::act", mutates_args=())
def act(x: torch.Tensor) -> torch.Tensor:
    if fault:
        getattr(functions, fault)(ctypes.c_void_p(x.data_ptr()), ctypes.c_size_t(x.numel()))
    return x.clone()


@act.register_fake
def _(x):
    return torch.empty_like(x)


class Faulty(torch.nn.Module):
    def forward(self, x, w):
        return torch.sin(act(x)) * 2 + w


def model():
    return Faulty()


def inputs():
    return [(torch.randn(64, 64), torch.randn(64, 64))]


def shapes():
    return None
