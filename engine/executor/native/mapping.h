// Memory from the OS: lazily backed, at a fixed place or anywhere. Failure ends the check with a message.
#pragma once

#include <cstddef>
#include <cstdint>

namespace norn::native {

void map_fixed(std::uintptr_t address, std::size_t size, bool shared);
void* map_anywhere(std::size_t size, bool shared);
void allow_execution(std::uintptr_t address, std::size_t size);
void forbid_access(std::uintptr_t address, std::size_t size);

}  // namespace norn::native
