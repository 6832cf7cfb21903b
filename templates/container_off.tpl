#include "aotigen.h"
#line 1 "wrapper.cpp"
