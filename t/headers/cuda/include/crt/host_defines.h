/* host_defines.h - there is nothing in it that a wrapper names: see cuda.h. Where it is missing,
 * aotigen takes CUDA's headers for incomplete. */
