/* convolution.h - explains an element of a convolution of torch's own. Inside the library only. */
#ifndef AOTIGEN_CONVOLUTION_H
#define AOTIGEN_CONVOLUTION_H

#include "explain/call.h"

/* Adds the first product of an element of the input and a weight with which the call's element is
 * bad, also of a transposed one. The stride, the padding and the dilation are not recorded: those
 * are taken that give the finite elements of the output beside it. If none do, or several, it says
 * that it is not known what the convolution read. */
void ag_convolution_explain(ag_text *t, ag_call *c);

#endif
