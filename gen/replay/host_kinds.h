/* host_kinds.h - the two hosts: a program in C on torch's C ABI (host/main.c), and a script that a
 * Python with torch runs (host.py). Both are told the same, and give the same answer.
 */
#ifndef GEN_HOST_KINDS_H
#define GEN_HOST_KINDS_H

#include "replay/host.h"
#include <cjson/cJSON.h>

/* What makes them. */
typedef struct host_request {
  const capsule *c;
  const original *p;
  const options *o;
  arena *a;
  diags *d;
} host_request;

/* A command that runs the inputs: NULL-terminated, or NULL with an error. `written`: the command of
 * python_host_write(), where that was called. */
char **python_host_make(const host *h, const host_request *r, char *const *written);

/* The same of the C host. Where it cannot be the host, *why says so, and there is no error; where
 * it sees at run time that it cannot, it becomes `otherwise`, a command, or NULL for none. */
char **c_host_make(const host *h, const host_request *r, char *const *otherwise, const char **why);

/* The interpreter that python_host_make() would take, without asking it; NULL for none. */
const char *python_host_guess(const options *o, arena *a);

/* A Python that has torch, which `what` wants: "a capsule's inputs are run by". NULL with an error.
 */
const char *python_host_find(const char *what, const options *o, arena *a, diags *d);

/* Has this interpreter run a script, which is given the name of a file: NULL-terminated. */
char **python_host_command(const char *python, const char *script, const char *request, arena *a);

/* Writes hosting.py, which the scripts import, to this directory. False with an error. */
bool python_host_write_shared(const char *dir, arena *a, diags *d);

/* The names of --library, a list. */
cJSON *python_host_describe_libraries(const options *o);

/* Writes what host.py is told. The command that has this interpreter run it; NULL with an error. */
char **python_host_write(const host *h, const char *python, const host_request *r);

/* Writes a file of the private directory, which is not there yet. False with an error. */
bool host_write_file(const char *path, const char *text, size_t n, diags *d);

/* The same of an object, which is deleted. */
bool host_write_json(const char *path, cJSON *json, diags *d);

#endif
