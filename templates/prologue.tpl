// Instrumented by aotigen @{version}: @{summary}.
// What is added are macros of aotigen.h: within a line, or a line of their own, followed by the
// #line that restores the original's line numbers. A #define may stand for a function of torch's in
// one statement. With all @{count} levels at 0 they add nothing.
@{levels}
#if @{any}
#define AOTIGEN_ON
#endif
#define AOTIGEN_MADE_FOR @{abi}
#include "aotigen.h"
@{kept}#ifdef AOTIGEN_ON
namespace {
