// Device memory for tests, and the order in which threads run.
#pragma once

#include "compare/tests/device_memory.hpp"
#include "compare/tests/emulator/schedule.hpp"
