#pragma once
#include <vector>
#include <c10/util/ArrayRef.h>
