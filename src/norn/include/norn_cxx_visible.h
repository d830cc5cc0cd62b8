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
