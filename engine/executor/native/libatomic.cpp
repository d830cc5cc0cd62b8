// Atomic accesses that the compilers leave to libatomic: objects of any size, and of 16 bytes.
//
// They have no hook of the instrumentation; the build renames their calls to these. Each is one event on the
// whole object, however large: libatomic holds a lock meanwhile, which nobody can see. Objects are compared
// by their bytes, as libatomic does (padding included). The operands, which are memory of the program too,
// are read before and written after.
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/heap.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/own_writes.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

__extension__ typedef unsigned __int128 u128;

struct Object {
    void* memory;
    std::size_t size;
};

// Announces and performs the event, if there is to be one. Returns it, or null.
Event* begin(const Object& object, Operation operation, Access access, const void* expected,
             std::uintptr_t site) {
    if (!enter()) return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(object.memory);
    Thread& me = *world().current;
    LocationId location = locate(me, address, object.size);
    if (location == no_location) {
        if (access != Access::read)
            note_own_write(me, address, object.size);
        else if (spins(me, address, site))
            location = share(address, object.size);
    }
    Event* event = nullptr;
    if (location != no_location || counting()) {
        if (access == Access::write) access = access_of_store(location);
        Event& next = announce(operation, access, address, object.size, location, site);
        next.order = Order::acquire_release;
        if (expected != nullptr) {
            next.condition = Condition::equals;
            next.expected = object.size > largest_value
                                ? expected_wide_value(expected, object.size)
                                : value_at(reinterpret_cast<std::uintptr_t>(expected), object.size);
        }
        event = &perform();
    }
    check_shared(address, object.size, operation);
    return event;
}

void leave_value(const Object& object, const void* value, Event* event) {
    std::memcpy(object.memory, value, object.size);
    if (event != nullptr)
        event->after = value_at(reinterpret_cast<std::uintptr_t>(object.memory), object.size);
}

// What the program hands over, as it is when it does.
class Operand {
public:
    Operand(const void* from, std::size_t size, std::uintptr_t site) : kept_(size) {
        range_access(from, size, Operation::load, site);
        std::memcpy(kept_.bytes(), from, size);
    }
    [[nodiscard]] const void* bytes() const { return kept_.bytes(); }

private:
    Scratch kept_;
};

void load(const Object& object, void* result, std::uintptr_t site) {
    begin(object, Operation::load, Access::read, nullptr, site);
    const Scratch found(object.size);
    std::memcpy(found.bytes(), object.memory, object.size);
    range_access(result, object.size, Operation::store, site);
    std::memcpy(result, found.bytes(), object.size);
}

void store(const Object& object, const void* value, std::uintptr_t site) {
    const Operand kept(value, object.size, site);
    Event* const event = begin(object, Operation::store, Access::write, nullptr, site);
    leave_value(object, kept.bytes(), event);
}

void exchange(const Object& object, const void* value, void* result, std::uintptr_t site) {
    const Operand kept(value, object.size, site);
    Event* const event = begin(object, Operation::rmw, Access::rmw, nullptr, site);
    const Scratch found(object.size);
    std::memcpy(found.bytes(), object.memory, object.size);
    leave_value(object, kept.bytes(), event);
    range_access(result, object.size, Operation::store, site);
    std::memcpy(result, found.bytes(), object.size);
}

bool compare_exchange(const Object& object, void* expected, const void* desired, std::uintptr_t site) {
    const Operand wanted(expected, object.size, site);
    const Operand kept(desired, object.size, site);
    Event* const event = begin(object, Operation::compare_exchange, Access::rmw, wanted.bytes(), site);
    if (std::memcmp(object.memory, wanted.bytes(), object.size) == 0) {
        leave_value(object, kept.bytes(), event);
        return true;
    }
    const Scratch found(object.size);
    std::memcpy(found.bytes(), object.memory, object.size);
    range_access(expected, object.size, Operation::store, site);
    std::memcpy(expected, found.bytes(), object.size);
    return false;
}

template <typename Effect>
u128 update(void* memory, std::uintptr_t site, Effect effect) {
    const Object object{memory, sizeof(u128)};
    Event* const event = begin(object, Operation::rmw, Access::rmw, nullptr, site);
    u128 old = 0;
    std::memcpy(&old, memory, sizeof old);
    const u128 value = effect(old);
    leave_value(object, &value, event);
    return old;
}

}  // namespace

extern "C" {

void norn_atomic_load(std::size_t size, void* object, void* result, int) {
    load({object, size}, result, SITE);
}
void norn_atomic_store(std::size_t size, void* object, void* value, int) {
    store({object, size}, value, SITE);
}
void norn_atomic_exchange(std::size_t size, void* object, void* value, void* result, int) {
    exchange({object, size}, value, result, SITE);
}
bool norn_atomic_compare_exchange(std::size_t size, void* object, void* expected, void* desired, int, int) {
    return compare_exchange({object, size}, expected, desired, SITE);
}
bool norn_atomic_is_lock_free(std::size_t size, const void* object) {
    const bool has_instruction = size == 1 || size == 2 || size == 4 || size == 8;
    return has_instruction && reinterpret_cast<std::uintptr_t>(object) % size == 0;
}

u128 norn_atomic_load_16(void* object, int) {
    begin({object, sizeof(u128)}, Operation::load, Access::read, nullptr, SITE);
    u128 value = 0;
    std::memcpy(&value, object, sizeof value);
    return value;
}
void norn_atomic_store_16(void* object, u128 value, int) {
    Event* const event = begin({object, sizeof value}, Operation::store, Access::write, nullptr, SITE);
    leave_value({object, sizeof value}, &value, event);
}
bool norn_atomic_compare_exchange_16(void* object, void* expected, u128 desired, int, int) {
    return compare_exchange({object, sizeof desired}, expected, &desired, SITE);
}

#define UPDATE(name, expression)                                                              \
    u128 norn_atomic_##name##_16(void* object, u128 value, int) {                             \
        return update(object, SITE, [=]([[maybe_unused]] u128 old) { return (expression); }); \
    }
UPDATE(exchange, value)
UPDATE(fetch_add, old + value)
UPDATE(fetch_sub, old - value)
UPDATE(fetch_and, old& value)
UPDATE(fetch_or, old | value)
UPDATE(fetch_xor, old ^ value)
UPDATE(fetch_nand, ~(old& value))
}

}  // namespace norn::native
