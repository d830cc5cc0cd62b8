// Random numbers that are the same in every execution: they follow from the thread and how many it has had.
#pragma once

#include <cstddef>
#include <cstdint>

namespace norn::native {

std::uint32_t next_random();
void fill_randomly(void* memory, std::size_t size);

// A descriptor to read such numbers from, for who opens the random device; -1 if the path is another one's.
int open_random_device(const char* path);

}  // namespace norn::native
