#include "executor/native/access.h"

#include <cstdio>
#include <cstring>

#include "executor/native/copies.h"
#include "executor/native/entries.h"
#include "executor/native/faults.h"
#include "executor/native/heap.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/own_writes.h"
#include "executor/native/scheduler.h"
#include "executor/native/stacks.h"
#include "executor/native/unseen_writes.h"

namespace norn::native {

namespace {

bool has_heap_bits(std::uintptr_t address, std::size_t size) {
    for (std::uintptr_t granule = address & ~std::uintptr_t{3}; granule < address + size; granule += 4)
        if (const Cell cell = *cell_of(granule); (cell & heap_bits) != 0 || cell == 0) return true;
    return false;
}

// A pointer that leads nowhere may lead to where only norn has mapped something.
[[noreturn]] void fail_in_memory_of_engine(std::uintptr_t address) {
    char text[64];
    std::snprintf(text, sizeof text, "access to invalid address %#lx", address);
    fail("segmentation-fault", text, address);
}

}  // namespace

void check_heap(std::uintptr_t address, std::size_t size, Operation operation) {
    if (in_arenas(address) && size != 0 && has_heap_bits(address, size))
        check_block(address, size, operation);
}

void check_alive(std::uintptr_t address, std::size_t size, Operation operation) {
    if (address < arena_base) return;
    if (in_stacks(address)) return check_stack(address, operation);
    check_heap(address, size, operation);
}

void check_shared(std::uintptr_t address, std::size_t size, Operation operation) {
    if (address < arena_base) return;
    check_alive(address, size, operation);
    if (in_stacks(address)) note_stack_access(address, size, operation == Operation::load);
}

namespace {

constexpr std::uint32_t patience = 10'000;  // operations on private memory, before others get a chance
constexpr std::uint32_t most_turns = 16;

// Lets others go on, if that may help.
bool lets_others_try(Thread& me) {
    if (me.spin_turns >= most_turns || !give_way()) return false;
    ++me.spin_turns;
    return true;
}

}  // namespace

void write_privately(Thread& me, std::uintptr_t address, std::size_t size) {
    note_own_write(me, address, size);
    if (++me.private_writes < patience) return;
    me.private_writes = 0;
    if (world().mode == Mode::explore) lets_others_try(me);
}

// A thread may spin on memory that nobody else has touched yet. Others get a chance to do so; if nobody can
// go on, or they do not do it either, and the thread does nothing but go round, its loop is made visible.
bool spins(Thread& me, std::uintptr_t address, std::uintptr_t site) {
    constexpr std::uint32_t loop = 64;  // loads between two rounds of what may still be a spin loop
    if (me.spin_address != address) {
        if (++me.spin_misses > loop) {
            me.spin_address = address;
            me.spin_hits = me.spin_misses = me.spin_turns = 0;
        }
        return false;
    }
    me.spin_misses = 0;
    if (++me.spin_hits < patience) return false;
    me.spin_hits = 0;
    if (world().mode != Mode::explore) return false;
    if (lets_others_try(me)) return false;
    me.next.site = site < image_limit ? static_cast<std::uint32_t>(site) : 0;
    return is_in_private_round(me);
}

void plain_access(std::uintptr_t address, std::size_t size, Operation operation, std::uintptr_t site,
                  Order order) {
    World& w = world();
    Thread& me = *w.current;
    LocationId location = locate(me, address, size);
    if (operation == Operation::store) {
        if (address == me.spin_address) me.spin_address = 0;  // it does not wait for others to write that
        if (location == no_location && !in_stack_of(me.id, address)) write_privately(me, address, size);
    } else if (location == no_location && spins(me, address, site)) {
        location = share(address, size);
    }
    if (location == no_location && !counting()) return check_heap(address, size, operation);
    announce(operation, operation == Operation::load ? Access::read : access_of_store(location), address,
             size, location, site)
        .order = order;
    w.has_plain = true;
    const Event& event = perform();
    check_shared(address, size, operation);  // after the event: a use after free races with the free
    if (operation == Operation::store && &event != &me.next)
        me.open_store = static_cast<EventIndex>(&event - w.events);
}

void range_access(const void* address, std::size_t size, Operation operation, std::uintptr_t site,
                  Order order) {
    if (size == 0 || !enter()) return;
    plain_access(reinterpret_cast<std::uintptr_t>(address), size, operation, site, order);
}

// The slow way of every plain hook.
extern "C" {
void norn_slow_access(std::uintptr_t address, std::size_t size, Operation operation, std::uintptr_t site);
void norn_slow_access_captured(std::uintptr_t address, std::size_t size, Operation operation,
                               std::uintptr_t site) {
    if (!world().running) return;
    Thread& me = *world().current;
    if (me.copy_target != 0 && operation == Operation::load) {
        settle();
        return perform_copy(me, address, size, site);
    }
    enter();
    if (in_memory_of_engine(address)) [[unlikely]]
        fail_in_memory_of_engine(address);
    plain_access(address, size, operation, site);
}
}
NORN_CAPTURING_ENTRY("norn_slow_access", "norn_slow_access_captured", "    movq %rcx, 56(%r11)\n");

namespace {

std::uintptr_t address_of(const volatile void* p) { return reinterpret_cast<std::uintptr_t>(p); }

// Whether all granules of a small access belong to the running thread alone. Wrong alignments go the slow
// way.
template <std::size_t size>
inline bool is_own(std::uintptr_t address) {
    const World& w = world();
    if (address >= foreign_start || (address & 3) + (size < 4 ? size : 4) > 4) return false;
    const Cell* const cell = cell_of(address);
    bool own = cell[0] == w.current_tag;
    for (std::size_t i = 1; i < size / 4; ++i) own = own && cell[i] == w.current_tag;
    return own;
}

// Volatile accesses never take the short way: a loop of them may be waiting for another thread.
inline void volatile_hook(const volatile void* p, std::size_t size, Operation operation, void* site) {
    norn_slow_access(address_of(p), size, operation, reinterpret_cast<std::uintptr_t>(site));
}

template <std::size_t size>
inline void hook(const volatile void* p, Operation operation, void* site) {
    const std::uintptr_t address = address_of(p);
    if (is_own<size>(address)) [[likely]]
        return;
    norn_slow_access(address, size, operation, reinterpret_cast<std::uintptr_t>(site));
}

}  // namespace

#define SITE __builtin_return_address(0)

#define PLAIN_HOOKS(N)                                                                              \
    void __tsan_read##N(void* p) { hook<N>(p, Operation::load, SITE); }                             \
    void __tsan_write##N(void* p) { hook<N>(p, Operation::store, SITE); }                           \
    void __tsan_unaligned_read##N(void* p) { hook<N>(p, Operation::load, SITE); }                   \
    void __tsan_unaligned_write##N(void* p) { hook<N>(p, Operation::store, SITE); }                 \
    void __tsan_volatile_read##N(void* p) { volatile_hook(p, N, Operation::load, SITE); }           \
    void __tsan_volatile_write##N(void* p) { volatile_hook(p, N, Operation::store, SITE); }         \
    void __tsan_unaligned_volatile_read##N(void* p) { volatile_hook(p, N, Operation::load, SITE); } \
    void __tsan_unaligned_volatile_write##N(void* p) { volatile_hook(p, N, Operation::store, SITE); }

extern "C" {
PLAIN_HOOKS(1)
PLAIN_HOOKS(2)
PLAIN_HOOKS(4)
PLAIN_HOOKS(8)
PLAIN_HOOKS(16)

void __tsan_read_range(void* p, unsigned long size) {
    if (size != 0)
        norn_slow_access(address_of(p), size, Operation::load, reinterpret_cast<std::uintptr_t>(SITE));
}
void __tsan_write_range(void* p, unsigned long size) {
    if (size != 0)
        norn_slow_access(address_of(p), size, Operation::store, reinterpret_cast<std::uintptr_t>(SITE));
}
void __tsan_vptr_update(void** slot, void*) { hook<8>(slot, Operation::store, SITE); }
void __tsan_vptr_read(void** slot) { hook<8>(slot, Operation::load, SITE); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
}

}  // namespace norn::native
