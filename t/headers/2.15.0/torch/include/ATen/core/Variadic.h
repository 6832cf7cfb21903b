#pragma once
#include <utility>
#include <c10/util/ArrayRef.h>
#include <ATen/core/List.h>
