#pragma once
#include <cstddef>
#include <string>
#include <typeinfo>
#include <c10/macros/Macros.h>
