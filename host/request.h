/* request.h - what the host is told, by gen/replay/c_host.c, which has checked it: a file of lines,
 * each a word and its values.
 *
 *   torch DIRECTORY          where torch's libraries are
 *   package PATH             a program would open it so, and gets the debug package
 *   directory NAME/          of the model's members in it
 *   library NAME             its '.so' there
 *   work PATH                a private directory, where the members go
 *   capsule PATH             whose members are tensors' storages
 *   result PATH
 *   device NAME INDEX        "cpu -1"
 *   single_threaded 0|1
 *   runs N
 *   tells 0|1                whether to say that another host takes over
 *   otherwise WORD           of the command of that host, which is to run the inputs where this one
 *                            cannot load the model
 *   input DTYPE N SIZE... STRIDE... OFFSET LAID-STRIDE... DEVICE INDEX MEMBER
 *   output DTYPE N SIZE... STRIDE... OFFSET MEMBER
 *   skipped WHY              in the place of an output that is not compared
 *
 * Strides and offsets count elements. The last value of a line may have spaces.
 */
#ifndef HOST_REQUEST_H
#define HOST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REQUEST_DIMENSIONS = 64, REQUEST_WORDS = 8 };

typedef struct request_device {
  char name[40];
  int index;
} request_device;

typedef struct request_tensor {
  const char *skipped; /* why there is none, or NULL */
  char dtype[40];
  int64_t ndim, sizes[REQUEST_DIMENSIONS], strides[REQUEST_DIMENSIONS], offset;
  int64_t laid[REQUEST_DIMENSIONS]; /* of an input: the strides that it is given */
  request_device device;            /* of an input */
  const char *member;               /* that has its storage */
} request_tensor;

typedef struct request {
  const char *torch, *package, *directory, *library, *work, *capsule, *result;
  request_device device;
  bool single_threaded, tells;
  long long runs;
  char *otherwise[REQUEST_WORDS + 1]; /* empty for none */
  size_t notherwise;
  request_tensor *inputs, *outputs;
  size_t ninputs, noutputs;
} request;

/* False where it cannot be read, or a line is not understood. */
bool request_read(request *r, const char *path);

#endif
