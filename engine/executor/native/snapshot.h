// Snapshot: the program's global data as main finds it, restored before each execution.
#pragma once

#include <cstddef>
#include <span>

namespace norn::native {

// A stretch of the program's data, without the engine's.
struct Piece {
    char* start;
    std::size_t size;
    char* copy;
};
std::span<const Piece> program_data();

void take_snapshot();
void restore_snapshot();

}  // namespace norn::native
