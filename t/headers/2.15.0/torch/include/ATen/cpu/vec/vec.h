#pragma once
#include <ATen/cpu/vec/vec512/vec512.h>
