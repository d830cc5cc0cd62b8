// Atomic accesses. The hooks perform the operation themselves, as one event. norn checks sequential
// consistency: memory orders and fences change nothing of what happens, but they are noted in the event, for
// the data races (races/).
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

template <typename T>
std::uint64_t as_expected(const T& value) {
    if constexpr (sizeof(T) > largest_value) return expected_wide_value(&value, sizeof(T));
    return value_at(reinterpret_cast<std::uintptr_t>(&value), sizeof(T));
}
template <typename T>
std::uint64_t as_value(const T& value) {
    return value_at(reinterpret_cast<std::uintptr_t>(&value), sizeof(T));
}

// Of an operation, as the compiler passes them; `failure` is that of a compare-exchange.
struct Orders {
    int success;
    int failure;
};

// As compilers pass it: __ATOMIC_RELAXED and so on, perhaps with further bits.
Order order_of(int memory_order) {
    switch (memory_order & 0x7FFF) {
        case __ATOMIC_RELAXED: return Order::relaxed;
        case __ATOMIC_CONSUME:
        case __ATOMIC_ACQUIRE: return Order::acquire;
        case __ATOMIC_RELEASE: return Order::release;
        default: return Order::acquire_release;
    }
}

// Fences are no events: the next one of the thread says that there were some.
void pass_fence(Order order) {
    if (!world().running || order == Order::relaxed) return;
    std::uint8_t& passed = world().current->next.fences;
    if (order != Order::release) passed |= (passed & release_fence) != 0 ? late_acquire_fence : acquire_fence;
    if (order == Order::acquire) return;
    if ((passed & late_acquire_fence) != 0) passed = acquire_fence;
    passed |= release_fence;
}

// Performs `operation` on *p by `effect`, as one event if the location is shared. `effect` returns the new
// value, from the old one and the operand.
template <typename T, typename Effect>
inline T atomically(volatile T* p, Operation operation, Access access, Orders orders, std::uintptr_t site,
                    const T* expected, T operand, Effect effect) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (enter()) {
        Thread& me = *world().current;
        LocationId location = locate(me, address, sizeof(T));
        if (location == no_location) {
            const T found = *p;
            const bool only_looks = access == Access::read || (expected != nullptr && found != *expected) ||
                                    effect(found) == found;
            if (!only_looks)
                write_privately(me, address, sizeof(T));
            else if (spins(me, address, site))
                location = share(address, sizeof(T));
        }
        if (location != no_location || counting()) {
            if (access == Access::write) access = access_of_store(location);
            Event& next = announce(operation, access, address, sizeof(T), location, site);
            next.order = order_of(orders.success);
            next.after = as_value(operand);  // part of what the thread is about to do (idle_rounds.cpp)
            if (expected != nullptr) {
                next.condition = Condition::equals;
                next.expected = as_expected(*expected);
            }
            Event& event = perform();
            check_shared(address, sizeof(T), operation);
            const T old = *p;
            if (event.writes()) {
                *p = effect(old);
                const T written = *p;
                event.after = as_value(written);
            } else if (expected != nullptr) {
                event.order = order_of(orders.failure);
            }
            return old;
        }
        check_heap(address, sizeof(T), operation);
    }
    const T old = *p;
    if (access != Access::read && (expected == nullptr || std::memcmp(&old, expected, sizeof(T)) == 0))
        *p = effect(old);
    return old;
}

template <typename T>
inline T compare_exchange(volatile T* p, T expected, T desired, Orders orders, std::uintptr_t site) {
    return atomically<T>(p, Operation::compare_exchange, Access::rmw, orders, site, &expected, desired,
                         [&](T) { return desired; });
}

// gcc reports neither the read of *expected nor the write to it if the exchange fails.
template <typename T>
inline int compare_exchange_at(volatile T* p, T* expected, T desired, Orders orders, std::uintptr_t site) {
    range_access(expected, sizeof(T), Operation::load, site);
    const T wanted = *expected;
    const T old = compare_exchange<T>(p, wanted, desired, orders, site);
    if (old == wanted) return 1;
    range_access(expected, sizeof(T), Operation::store, site);
    *expected = old;
    return 0;
}

}  // namespace

__extension__ typedef unsigned __int128 u128;

#define RMW_HOOK(B, T, name, expression)                                                          \
    T __tsan_atomic##B##_##name(volatile T* p, T v, int order) {                                  \
        return atomically<T>(p, Operation::rmw, Access::rmw, {order, order}, SITE, nullptr, v,    \
                             [=]([[maybe_unused]] T old) { return static_cast<T>(expression); }); \
    }

#define ATOMIC_HOOKS(B, T)                                                                              \
    T __tsan_atomic##B##_load(const volatile T* p, int order) {                                         \
        return atomically<T>(const_cast<volatile T*>(p), Operation::load, Access::read, {order, order}, \
                             SITE, nullptr, T{}, [](T old) { return old; });                            \
    }                                                                                                   \
    void __tsan_atomic##B##_store(volatile T* p, T v, int order) {                                      \
        atomically<T>(p, Operation::store, Access::write, {order, order}, SITE, nullptr, v,             \
                      [=](T) { return v; });                                                            \
    }                                                                                                   \
    RMW_HOOK(B, T, exchange, v)                                                                         \
    RMW_HOOK(B, T, fetch_add, old + v)                                                                  \
    RMW_HOOK(B, T, fetch_sub, old - v)                                                                  \
    RMW_HOOK(B, T, fetch_and, old& v)                                                                   \
    RMW_HOOK(B, T, fetch_or, old | v)                                                                   \
    RMW_HOOK(B, T, fetch_xor, old ^ v)                                                                  \
    RMW_HOOK(B, T, fetch_nand, ~(old & v))                                                              \
    int __tsan_atomic##B##_compare_exchange_strong(volatile T* p, T* expected, T desired, int success,  \
                                                   int failure) {                                       \
        return compare_exchange_at<T>(p, expected, desired, {success, failure}, SITE);                  \
    }                                                                                                   \
    int __tsan_atomic##B##_compare_exchange_weak(volatile T* p, T* expected, T desired, int success,    \
                                                 int failure) {                                         \
        return compare_exchange_at<T>(p, expected, desired, {success, failure}, SITE);                  \
    }                                                                                                   \
    T __tsan_atomic##B##_compare_exchange_val(volatile T* p, T expected, T desired, int success,        \
                                              int failure) {                                            \
        return compare_exchange<T>(p, expected, desired, {success, failure}, SITE);                     \
    }

extern "C" {
ATOMIC_HOOKS(8, std::uint8_t)
ATOMIC_HOOKS(16, std::uint16_t)
ATOMIC_HOOKS(32, std::uint32_t)
ATOMIC_HOOKS(64, std::uint64_t)
ATOMIC_HOOKS(128, u128)

void __tsan_atomic_thread_fence(int order) { pass_fence(order_of(order)); }
void __tsan_atomic_signal_fence(int) {}
}

}  // namespace norn::native
