/* dtype.c - tables from shared/dtypes.def, and the decoding of elements. */
#define _GNU_SOURCE
#include "tensor/dtype.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "tensor/shim.h"

#define X(name, cls, size, exponent, mantissa, special, ...)                                       \
  {#name, -1, size, cls, exponent, mantissa, special},
static ag_dtype dtypes[] = {
#include "shared/dtypes.def"
};
#undef X

#define X(name, cls, size, exponent, mantissa, special, number, dlpack, ...) {dlpack, __VA_ARGS__},
static const ag_spelling spellings[] = {
#include "shared/dtypes.def"
};
#undef X

#define X(name, cls, size, exponent, mantissa, special, number, ...) number,
static const int32_t numbers[] = {
#include "shared/dtypes.def"
};
#undef X

enum { NDTYPES = sizeof dtypes / sizeof *dtypes, NNUMBERS = 128 };
static const ag_dtype *by_number[NNUMBERS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add_number(ag_dtype *d, int32_t number) {
  if (number < 0 || number >= NNUMBERS || by_number[number]) return;
  d->number = number;
  by_number[number] = d;
}

static void ask_numbers(void) {
  ag_dtype *d = dtypes;
#define X(name, ...)                                                                               \
  if (AOTIGEN_SHIM(dtype_##name)) add_number(d, AOTIGEN_SHIM(dtype_##name)());                     \
  d++;
#include "shared/dtypes.def"
#undef X
  /* c10 may have a type that the shim has no function for. If the shim has dtype_element_size
   * (2.8), no other type of its c10 has that number. */
  for (d = dtypes; d < dtypes + NDTYPES; d++)
    if (d->number < 0 && AOTIGEN_SHIM(dtype_element_size)) add_number(d, numbers[d - dtypes]);
}

const ag_dtype *ag_dtype_of_number(int32_t number) {
  pthread_once(&once, ask_numbers);
  return number >= 0 && number < NNUMBERS ? by_number[number] : NULL;
}

const ag_dtype *ag_dtype_of_name(const char *name) {
  pthread_once(&once, ask_numbers);
  for (int i = 0; name && i < NDTYPES; i++)
    if (!strcmp(dtypes[i].name, name)) return &dtypes[i];
  return NULL;
}

const ag_dtype *ag_dtype_of_arithmetic(enum ag_class cls, int size) {
  pthread_once(&once, ask_numbers);
  if (cls == AG_FLOATING && size < 2) return NULL; /* C++ has no floating type of one byte */
  for (int i = 0; i < NDTYPES; i++)
    if (dtypes[i].cls == cls && dtypes[i].item_size == size) return &dtypes[i];
  return NULL;
}

const ag_spelling *ag_dtype_spelling(const ag_dtype *dtype) { return &spellings[dtype - dtypes]; }

/* Types that are not in shared/dtypes.def, by c10's number. */
static const char *const others[] = {
    [12] = "qint8",   [13] = "quint8",  [14] = "qint32",  [16] = "quint4x2", [17] = "quint2x4",
    [18] = "bits1x8", [19] = "bits2x4", [20] = "bits4x2", [21] = "bits8",    [22] = "bits16",
    [30] = "uint1",   [31] = "uint2",   [32] = "uint3",   [33] = "uint4",    [34] = "uint5",
    [35] = "uint6",   [36] = "uint7",   [37] = "int1",    [38] = "int2",     [39] = "int3",
    [40] = "int4",    [41] = "int5",    [42] = "int6",    [43] = "int7"};

const char *ag_dtype_name_of_number(int32_t number) {
  const ag_dtype *d = ag_dtype_of_number(number);
  if (d) return d->name;
  return number >= 0 && number < (int32_t)(sizeof others / sizeof *others) ? others[number] : NULL;
}

/* A float of e exponent and m mantissa bits. The bias is IEEE's; that of the fnuz types is one
 * more.
 */
static double decode_float(uint64_t bits, int e, int m, int special) {
  uint64_t mantissa = bits & ((1ull << m) - 1), exponent = bits >> m & ((1ull << e) - 1),
           ones = (1ull << e) - 1;
  bool minus = bits >> (e + m) & 1;
  int bias = (1 << (e - 1)) - 1 + (special == AG_FNUZ);
  double x;
  if (special == AG_E8M0) return bits == 0xff ? NAN : ldexp(1, (int)bits - 127);
  if (special == AG_FNUZ && bits == 0x80) return NAN;
  if (special == AG_FN && exponent == ones && mantissa == (1ull << m) - 1)
    return minus ? -NAN : NAN;
  if (special == AG_IEEE && exponent == ones)
    x = mantissa ? NAN : INFINITY;
  else if (!exponent)
    x = ldexp((double)mantissa, 1 - bias - m);
  else
    x = ldexp((double)(mantissa | 1ull << m), (int)exponent - bias - m);
  return minus ? -x : x;
}

static double decode_integer(const ag_dtype *d, const void *p) {
  uint64_t u = 0;
  memcpy(&u, p, d->item_size);
  if (d->cls == AG_BOOL) return u != 0;
  if (d->cls == AG_UNSIGNED) return (double)u;
  int unused = 64 - 8 * d->item_size;
  return (double)((int64_t)(u << unused) >> unused);
}

double ag_dtype_decode(const ag_dtype *d, const void *element) {
  if (!ag_dtype_is_floating(d)) return decode_integer(d, element);
  size_t part = d->cls == AG_COMPLEX ? d->item_size / 2u : d->item_size;
  if (part == 8) {
    double x;
    memcpy(&x, element, 8);
    return x;
  }
  if (part == 4) {
    float x;
    memcpy(&x, element, 4);
    return (double)x;
  }
  uint64_t bits = 0;
  memcpy(&bits, element, part);
  return decode_float(bits, d->exponent, d->mantissa, d->special);
}

/* By c10's number, or by the loaded torch's if the shim has a function for it. */
static const struct {
  int32_t type;
  const char *name;
  int32_t (*ask)(void);
} devices[] = {
    {0, "cpu", AOTIGEN_SHIM(device_type_cpu)},
    {1, "cuda", AOTIGEN_SHIM(device_type_cuda)},
    {6, "hip", NULL},
    {12, "xpu", AOTIGEN_SHIM(device_type_xpu)},
    {13, "mps", AOTIGEN_SHIM(device_type_mps)},
    {14, "meta", AOTIGEN_SHIM(device_type_meta)},
    {20, "privateuseone", AOTIGEN_SHIM(device_type_privateuse1)},
};
enum { NDEVICES = sizeof devices / sizeof *devices };

static int32_t ask_device_number(int i) {
  return devices[i].ask ? devices[i].ask() : devices[i].type;
}

const char *ag_device_type_name(int32_t type) {
  for (int i = 0; i < NDEVICES; i++)
    if (ask_device_number(i) == type) return devices[i].name;
  return "an unknown device";
}

int32_t ag_device_type_of_name(const char *name) {
  for (int i = 0; name && i < NDEVICES; i++)
    if (!strcmp(devices[i].name, name)) return ask_device_number(i);
  return -1;
}
