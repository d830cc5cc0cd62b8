// Calls that the build puts before accesses that the compiler does not report. See unseen.cpp.
#pragma once

#include <cstdint>

extern "C" {
// `what`: bytes, and 1 << 24 if it writes, 2 << 24 if it reads and writes in one step. Both keep all
// registers.
void norn_unseen(std::uintptr_t address, std::uint32_t what);
void norn_unseen_gap();
}
