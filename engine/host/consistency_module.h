// The part of the Python extension that shows the checks of consistency one by one, for their tests.
#pragma once

#include <nanobind/nanobind.h>

namespace norn {

void add_consistency(nanobind::module_& module);

}  // namespace norn
