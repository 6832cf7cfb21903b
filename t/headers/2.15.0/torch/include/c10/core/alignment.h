#pragma once
#include <cstddef>
#include <new>
