// Clocks and waiting of the C++ library, whose shared object would ask the system: they ask norn instead.
//
// std::future and std::promise wait by a class of libstdc++ that calls futex(2) from inside the library; its
// functions are defined here, as is the reading of the clocks; weakly, for programs that have that library
// linked in. (Waiting atomics, latches, barriers and semaphores of C++20 are compiled with the program and
// come by syscall().)
#include <chrono>
#include <ctime>

#include <bits/atomic_futex.h>

extern "C" {
unsigned long norn_now();  // executor/native/virtual_time.cpp
int norn_futex_wait(const void* word, unsigned expected, const std::timespec* deadline);
void norn_futex_wake_all(const void* word);
}

namespace std {

namespace chrono {
inline namespace _V2 {
[[gnu::weak]] system_clock::time_point system_clock::now() noexcept {
    return time_point(duration_cast<duration>(nanoseconds(norn_now())));
}
[[gnu::weak]] steady_clock::time_point steady_clock::now() noexcept {
    return time_point(nanoseconds(norn_now()));
}
}  // namespace _V2
}  // namespace chrono

namespace {

// False: the deadline has passed.
bool wait_until(const unsigned* word, unsigned expected, bool has_deadline, chrono::seconds seconds,
                chrono::nanoseconds rest) {
    const timespec deadline{static_cast<time_t>(seconds.count()), static_cast<long>(rest.count())};
    constexpr int timed_out = 110;  // ETIMEDOUT
    return norn_futex_wait(word, expected, has_deadline ? &deadline : nullptr) != timed_out;
}

}  // namespace

[[gnu::weak]] bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* word, unsigned expected,
                                                                     bool has_deadline,
                                                                     chrono::seconds seconds,
                                                                     chrono::nanoseconds rest) {
    return wait_until(word, expected, has_deadline, seconds, rest);
}
[[gnu::weak]] bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* word, unsigned expected,
                                                                            bool has_deadline,
                                                                            chrono::seconds seconds,
                                                                            chrono::nanoseconds rest) {
    return wait_until(word, expected, has_deadline, seconds, rest);
}
[[gnu::weak]] void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned* word) {
    norn_futex_wake_all(word);
}

}  // namespace std
