#pragma once
#include <string>
#include <c10/util/Registry.h>
