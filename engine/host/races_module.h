// The part of the Python extension that finds the races of events given one by one, for its tests.
#pragma once

#include <nanobind/nanobind.h>

namespace norn {

void add_races(nanobind::module_& module);

}  // namespace norn
