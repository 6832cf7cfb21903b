#pragma once
using PyObject = _object;
