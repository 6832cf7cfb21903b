#pragma once
#include <c10/util/Exception.h>
#include <iosfwd>
#include <memory>
#include <string_view>
