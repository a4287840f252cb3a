// A part of cuda_runtime.h under nvcc. Here all of it.
#pragma once

#include "cuda_runtime.h"
