/* parts.h - the parts of the model stage, in the order in which model_build() calls them: each
 * fills some of the model from what those before it have filled. Nothing outside of the folder
 * includes it. */
#ifndef GEN_MODEL_PARTS_H
#define GEN_MODEL_PARTS_H

#include "model/custom_ops.h"
#include "model/model.h"
#include "model/storage.h"

/* ---- what the constructor of the model's class says: inputs, outputs, weights, and the
 * inputs' Python names */

/* Fills the inputs, outputs and weights of `m` from its constructor. Reads only the text of
 * `m->facts` and the body of `f`, which both exist without a parsed wrapper. */
void constructor_read(model *m, const fact_function *f, arena *a);

/* ---- what a wrapper says of its inputs' dtypes, devices, sizes and strides: in the
 * checks that torch 2.7 and later emit (check_input_N, __check_inputs_outputs, assert_size_stride),
 * and where it reads a symbol off a size. */

/* Completes the inputs of `m`, whose names are known. */
void input_checks_read(model *m, arena *a);

/* ---- the kernels of a wrapper: Triton's metadata, the launches of each with their grids,
 * and what the texts of kernels say of the arguments of their sites */

/* "triton_poi_0" of the launcher template "call_triton_poi_0", and of a launcher of that name. */
const char *kernels_read_name(const char *launcher);

/* Fills m->kernels with the metadata of the Triton kernels whose source the wrapper holds. */
void kernels_read(model *m, arena *a);

/* Fills m->launches; the sites are complete. */
void kernels_read_launches(model *m, arena *a);

/* Marks the sites that make infinities on purpose, and fills `text` of their arguments. The `role`
 * of an output that may keep some of its old contents becomes AOTIGEN_INOUT. Sites, ATen ops and
 * m->sources are complete. */
void kernels_read_texts(model *m, arena *a);

/* Fills m->cubins: every path that loadKernel is given as a literal, each once. */
void kernels_read_cubins(model *m, arena *a);

/* ---- the launch sites of a wrapper: the calls that launch something, their form, and their
 * kernel or op */

/* Fills m->sites in source order, with their arguments. The inputs, weights and Triton kernels of
 * `m` are complete. */
void sites_read(model *m, storage *st, const custom_ops *ops, arena *a);

/* ---- a site's arguments: the variable, the role and the expression of each */

typedef struct argument_reader {
  const model *m; /* its inputs and weights are complete */
  storage *storage;
  const custom_ops *ops;
  arena *a;
} argument_reader;

/* Fills s->args, whose form and kernel are known, and notes in the storage what the launch may have
 * written. Sites come in source order. */
void arguments_read(const argument_reader *reader, site *s);

/* ---- the tensors that a call of the dispatcher or of Python makes. The wrapper takes
 * them out of the call's result in separate statements. */

/* Appends these tensors to s->args, and sets s->made if there are any. */
void dispatched_read(site *s, const facts *f, const storage *st, arena *a);

/* ---- which inputs may have other strides than the model was compiled for. Part of
 * the model stage. */

/* Sets `any_strides` of the inputs of `m`, whose sites are complete. */
void input_strides_read(model *m, storage *st, arena *a);

/* ---- which arguments may hold elements that were never written: memory that was
 * allocated for a launch, or by it, and that the launch reads or need not fill. Part of the model
 * stage. */

/* True if the launch writes all elements of the argument, whatever they held. A function of torch's
 * shim fills its outputs; a custom op that changes its argument need not. */
bool unwritten_is_filled(const site *s, const argument *arg);

/* Sets AOTIGEN_UNWRITTEN and AOTIGEN_MADE_BY_LIBRARY, once the roles and the kernels' texts are
 * known. */
void unwritten_read(model *m, storage *st);

/* ---- the loops and branches that launch sites are in, and the sites' numbers */

/* Sets `scope`, `graph`, `number` and `heads` of each site, and m->scopes. The sites are in source
 * order. */
void scopes_read(model *m, arena *a);

/* True if scope `inner` is `outer` or lies within it. A scope is an entry of m->scopes, -1 the
 * function's body. loop, if not NULL, is set to whether a loop lies between, so that one execution
 * of `outer` may execute `inner` several times. */
bool scopes_is_within(const model *m, int inner, int outer, bool *loop);

/* ---- the memory that the wrapper allocates for its buffers */

/* Fills m->buffers, in the order of the text, and sets AOTIGEN_ENDS_IN_RUN. Call it after the sites
 * were read, which fills the storage, and after AOTIGEN_MADE_BY_LIBRARY was set. */
void buffers_read(model *m, arena *a);

/* ---- which inputs and weights of the model the launches only read, so that a copy would serve as
 * well, and the memory from which a C++ kernel loads vectors without a count of elements: the last
 * vector may go past its end, where the process must have memory to load */

/* Sets only_read of inputs and weights, and `vectors` of these and of buffers, once the roles of
 * arguments, the kernels' texts and the buffers are known. An argument that an operator may write
 * to (AOTIGEN_MAYBE_WRITTEN) counts as read: the operator's schema decides. */
void given_uses_find(model *m, arena *a);

/* ---- the source nodes and ATen ops that a launch came from, which messages name next
 * to the kernel */

/* Assigns each `Source Nodes: [...], Original ATen: [...]` comment to the first launch after it. */
void source_nodes_read(model *m, arena *a);

/* A C++ kernel has no such comment: its names are guessed from the kernel's name. */
void source_nodes_guess(model *m, arena *a);

/* The first site whose call is in [begin, end) of the text, or NULL. The sites are in source order:
 * a comment belongs to the next one. */
site *source_nodes_next_site(const model *m, size_t begin, size_t end);

#endif
