#define AOTIGEN_ON
#include "aotigen.h"
extern aotigen_model *const aotigen_container_model_ __attribute__((visibility("hidden")));
#define aotigen_model_ (*aotigen_container_model_)
#line 1 "wrapper.cpp"
