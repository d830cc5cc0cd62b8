/* Included before every C++ source that norn compiles.
 *
 * libstdc++ has the members of std::string compiled in its library, where norn cannot see what they read and
 * write. Its own configuration has a switch that makes the compiler instantiate them in the program instead,
 * instrumented. */
#pragma once

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#ifdef _GLIBCXX_EXTERN_TEMPLATE
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1 /* no extern templates of strings; streams stay in the library */
#endif
#endif

/* Waiting atomics of C++20 look many times before they wait. One look is as good: a thread may be slow
 * between two of them, and each would be explored with all that it could find. This is a better match for the
 * calls than the library's own template. */
#if __cplusplus > 201703L && __has_include(<bits/atomic_wait.h>)
#include <bits/atomic_wait.h>
#ifdef __cpp_lib_atomic_wait
namespace std {
namespace __detail {
template <typename Done>
bool __atomic_spin(Done& is_done, __default_spin_policy) noexcept {
    return is_done();
}
}  // namespace __detail
}  // namespace std
#endif
#endif
