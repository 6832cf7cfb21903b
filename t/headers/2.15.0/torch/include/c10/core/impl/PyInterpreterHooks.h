#pragma once
#include <c10/core/impl/PyInterpreter.h>
#include <c10/util/Registry.h>
#include <memory>
