// Instrumented by aotigen @{version}: @{summary}.
// What is added are macros of aotigen.h: within a line, or a line of their own, followed by the
// #line that restores the original's line numbers. A #define may stand for a function of torch's in
// one statement. With all five levels at 0 they add nothing.
#ifndef AOTIGEN_PRINTER
#define AOTIGEN_PRINTER @{printer} // 0 off, 1 save, 2 print values, 3 print kernel names
#endif
#ifndef AOTIGEN_CHECK_INPUTS
#define AOTIGEN_CHECK_INPUTS @{check_inputs} // 0 off, 1 model inputs, 2 launch arguments, 3 both
#endif
#ifndef AOTIGEN_NAN_ASSERTS
#define AOTIGEN_NAN_ASSERTS @{nan_asserts} // 0 off, 1 NaN, 2 Inf, 3 both
#endif
#ifndef AOTIGEN_SYNC
#define AOTIGEN_SYNC @{sync} // 1: wait after each launch and check the device's error
#endif
#ifndef AOTIGEN_GUARD
#define AOTIGEN_GUARD @{guard} // what is guarded: the sum of enum aotigen_guard
#endif
#ifndef AOTIGEN_GUARD_BUFFERS
#define AOTIGEN_GUARD_BUFFERS "@{guard_buffers}" // which have pages of their own; "" for all
#endif
#ifndef AOTIGEN_KERNELS
#define AOTIGEN_KERNELS "@{kernels}" // the filter: kernels, ATen ops, source nodes
#endif
#ifndef AOTIGEN_EXPLAIN
#define AOTIGEN_EXPLAIN "@{explain}" // elements whose computation is shown: LAUNCH:NAME[INDEX]
#endif
#if AOTIGEN_PRINTER || AOTIGEN_CHECK_INPUTS || AOTIGEN_NAN_ASSERTS || AOTIGEN_SYNC || AOTIGEN_GUARD
#define AOTIGEN_ON
#endif
#include "aotigen.h"
#ifdef AOTIGEN_ON
namespace {
