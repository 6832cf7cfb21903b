#pragma once
#include <cstdint>
#include <memory>
