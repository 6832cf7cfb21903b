/* dumps.c - aotigen whose --dump=edits prints, of one parse, what --dump=model, --dump=edits and
 * --dump=kernels print, each after a line with its name: to parse a wrapper takes ten times as long
 * as all of the rest. t/200-golden.t runs it. */
#include "check/check.h"
#include "emit/emit.h"
#include "stages/dump.h"

void __real_emit_edits(edits *e, const plan *p, const model *m, const options *o,
                       const kernel_tables *kernels, arena *a);
void __wrap_emit_edits(edits *e, const plan *p, const model *m, const options *o,
                       const kernel_tables *kernels, arena *a);
void __real_edit_dump(const edits *e, const facts *f, FILE *to);
void __wrap_edit_dump(const edits *e, const facts *f, FILE *to);

static const model *dumped;

void __wrap_emit_edits(edits *e, const plan *p, const model *m, const options *o,
                       const kernel_tables *kernels, arena *a) {
  dumped = m;
  __real_emit_edits(e, p, m, o, kernels, a);
}

void __wrap_edit_dump(const edits *e, const facts *f, FILE *to) {
  fputs("== model\n", to);
  dump_model(dumped, to);
  fputs("== edits\n", to);
  __real_edit_dump(e, f, to);
  fputs("== kernels\n", to);
  check_dump_kernels(dumped, to);
}
