#pragma once
#include <c10/core/SafePyObject.h>
#include <optional>
