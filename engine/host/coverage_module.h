// The part of the Python extension that estimates what is left of a search given step by step, for its tests.
#pragma once

#include <nanobind/nanobind.h>

namespace norn {

void add_coverage(nanobind::module_& module);

}  // namespace norn
