#pragma once

#include "compare/emulated/cuda/cooperative_groups.h"
