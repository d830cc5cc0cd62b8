// The entries that calls of waiting functions are renamed to: see entries.def.
#include "executor/native/entries.h"

#include <cstddef>

#include "executor/native/world.h"

static_assert(norn::native::world_base == 0x3000'0000'0000 && offsetof(norn::native::World, registers) == 0 &&
                  offsetof(norn::native::Registers, site) == 56,
              "entries write to where World::registers is");

#define ENTRY(function) \
    NORN_CAPTURING_ENTRY("norn_entry_" #function, #function, "    pushq (%rsp)\n    popq 56(%r11)\n");
#include "executor/native/entries.def"
#undef ENTRY
