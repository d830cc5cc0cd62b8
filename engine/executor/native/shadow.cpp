#include "executor/native/shadow.h"

#include <sys/mman.h>

#include "executor/native/faults.h"
#include "executor/native/globals.h"
#include "executor/native/mapping.h"
#include "executor/native/stacks.h"

extern "C" char _end[];  // set by the linker: where the image ends

namespace norn::native {

namespace {

// Cells of foreign memory (libraries, the OS stack), which has no shadow: a hash table by granule.
struct ForeignCell {
    std::uintptr_t granule;
    Cell cell;
};
constexpr std::size_t foreign_slots = std::size_t{1} << 16;
// Location ids that were merged point to the id that stands for both.
constexpr std::size_t max_locations = std::size_t{1} << 24;

struct Tables {
    std::uint32_t merged_into[max_locations];
    bool in_sections[max_locations];
    ForeignCell foreign[foreign_slots];
    std::size_t foreign_used;
};
Tables* tables = nullptr;

Cell* foreign_cell(std::uintptr_t address) {
    const std::uintptr_t granule = address >> 2;
    std::size_t slot = (granule * 0x9E37'79B9'7F4A'7C15U) >> 48;
    while (tables->foreign[slot].granule != 0 && tables->foreign[slot].granule != granule)
        slot = (slot + 1) % foreign_slots;
    ForeignCell& entry = tables->foreign[slot];
    if (entry.granule == 0) {
        if (++tables->foreign_used > foreign_slots / 2)
            unsupported("access to library memory",
                        "the program touches more memory of shared libraries than norn can track");
        entry.granule = granule;
    }
    return &entry.cell;
}

Cell* any_cell(std::uintptr_t address) {
    return address < foreign_start ? cell_of(address) : foreign_cell(address);
}

LocationId representative(LocationId id) {
    while (tables->merged_into[id] != 0) id = tables->merged_into[id] - 1;
    return id;
}

LocationId merge(LocationId a, LocationId b) {
    if (b < a) return merge(b, a);
    tables->merged_into[b] = a + 1;
    tables->in_sections[a] = tables->in_sections[a] || tables->in_sections[b];
    start_learning();
    return a;
}

LocationId new_location() {
    if (world().locations + 1 >= max_locations)
        unsupported("shared memory",
                    "the program shares more than 16 million words of memory between its threads");
    return world().locations++;
}

// Once states of stacks are looked at: see share_words_of_other_stacks.
bool is_on_other_stack(const Thread& thread, std::uintptr_t address) {
    return world().known_idle_sites != 0 && in_stacks(address) && !in_slot_of(thread.id, address);
}

// What `locate` does where more than one granule is touched, or its state is not simple.
__attribute__((noinline)) LocationId locate_range(const Thread& thread, std::uintptr_t address,
                                                  std::size_t size) {
    const Cell tag = thread.id + 1U;
    const std::uintptr_t end = address + size;
    const std::uintptr_t first = address & ~std::uintptr_t{3};
    bool becomes_event = false;
    for (std::uintptr_t granule = first; granule < end; granule += 4) {
        Cell& cell = *any_cell(granule);
        if (cell == tag) continue;
        const Cell owner = cell & ~heap_bits;
        if (owner != cell && address < image_limit) check_global(address, size);
        if (owner == tag) continue;
        if (owner == 0 && !is_on_other_stack(thread, granule))
            cell = tag | (cell & heap_bits);
        else
            becomes_event = true;
    }
    if (!becomes_event) return no_location;
    if (in_libc_heap(address))
        unsupported(
            "memory of libc",
            "threads share memory that a library function allocated; its address is not the same in every "
            "execution");

    // The whole range becomes one location, the one its first shared granule has.
    LocationId location = no_location;
    for (std::uintptr_t granule = first; granule < end; granule += 4) {
        const Cell owner = *any_cell(granule);
        if ((owner & shared_bit) == 0) continue;
        const LocationId found = representative(owner & payload);
        location = location == no_location || location == found ? found : merge(location, found);
    }
    if (location == no_location) location = new_location();
    for (std::uintptr_t granule = first; granule < end; granule += 4) {
        Cell& cell = *any_cell(granule);
        if ((cell & shared_bit) == 0) start_learning();
        cell = shared_bit | location | (cell & (heap_bits | unseen_bit));
    }
    return location;
}

}  // namespace

void map_shadow(bool shared) {
    tables = static_cast<Tables*>(map_anywhere(sizeof(Tables), shared));
    map_fixed(shadow_offset, image_limit, shared);
    map_fixed(world_base + shadow_offset, sizeof(World), shared);
}

void map_shadow_of_thread(std::size_t thread, bool shared) {
    map_fixed(arena_of(thread) + shadow_offset, slot_size, shared);
    map_fixed(slot_of(thread) + shadow_offset, slot_size, shared);
}

bool in_libc_heap(std::uintptr_t address) {
    return address >= reinterpret_cast<std::uintptr_t>(_end) && address < arena_base;
}

LocationId locate(const Thread& thread, std::uintptr_t address, std::size_t size) {
    if (size == 0) return no_location;
    // Nearly always: one granule, whose state is known.
    if ((address & 3) + size <= 4 && address < foreign_start) {
        const Cell cell = *cell_of(address);
        if (cell == thread.id + 1U) return no_location;
        if ((cell & (shared_bit | heap_bits)) == shared_bit && tables->merged_into[cell & payload] == 0)
            return cell & payload;
    }
    return locate_range(thread, address, size);
}

LocationId share(std::uintptr_t address, std::size_t size) {
    const LocationId location = new_location();
    for (std::uintptr_t granule = address & ~std::uintptr_t{3}; granule < address + size; granule += 4) {
        Cell& cell = *any_cell(granule);
        cell = shared_bit | location | (cell & heap_bits);
    }
    start_learning();
    return location;
}

void share_words_of_other_stacks() {
    constexpr std::size_t page = 4096;
    static unsigned char is_resident[(stack_size + tls_size) / page];
    for (std::size_t id = 0; id < world().known_threads; ++id) {
        const std::uintptr_t begin = slot_of(id) + guard_size;
        auto* const cells = reinterpret_cast<Cell*>(begin + shadow_offset);
        if (mincore(cells, sizeof is_resident * page, is_resident) != 0) continue;
        for (std::size_t i = 0; i < sizeof is_resident * page / sizeof(Cell); ++i) {
            if ((is_resident[i * sizeof(Cell) / page] & 1) == 0) {
                i += page / sizeof(Cell) - 1;  // nobody has touched it
                continue;
            }
            if (cells[i] != 0 && (cells[i] & shared_bit) == 0 && cells[i] != id + 1)
                cells[i] = shared_bit | new_location();
        }
    }
}

bool is_shared(std::uintptr_t address, std::size_t size) {
    for (std::uintptr_t granule = address & ~std::uintptr_t{3}; granule < address + size; granule += 4)
        if ((*any_cell(granule) & shared_bit) != 0) return true;
    return false;
}

bool known_in_sections(LocationId location) { return tables->in_sections[location]; }

bool note_in_sections(LocationId location) {
    if (tables->in_sections[location]) return false;
    tables->in_sections[location] = true;
    return true;
}

bool poisoned(std::uintptr_t address, std::size_t size) {
    if (!in_arenas(address) || size == 0) return false;
    for (std::uintptr_t granule = address & ~std::uintptr_t{3}; granule < address + size; granule += 4)
        if (const Cell cell = *cell_of(granule); (cell & poison_bit) != 0 || cell == 0) return true;
    return false;
}

void poison(std::uintptr_t address, std::size_t size) {
    for (std::uintptr_t granule = address & ~std::uintptr_t{3}; granule < address + size; granule += 4)
        *cell_of(granule) |= poison_bit;
}

void unpoison(std::uintptr_t address, std::size_t size) {
    const Cell tag = world().current->id + 1U;
    for (std::uintptr_t granule = address; granule < address + size; granule += 4) {
        Cell& cell = *cell_of(granule);
        if ((cell & ~heap_bits) == 0) cell = tag;
        cell &= ~heap_bits;
        if (address + size - granule < 4) cell |= partial_bit;
    }
}

}  // namespace norn::native
