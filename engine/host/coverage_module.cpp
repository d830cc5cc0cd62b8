#include "host/coverage_module.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "explore/coverage.h"

namespace norn {

namespace nb = nanobind;

namespace {

std::optional<std::tuple<double, double, double>> left_of(const Coverage& coverage) {
    const Coverage::Left left = coverage.left();
    if (!left.is_known) return std::nullopt;
    return std::tuple{left.low, left.likely, left.high};
}

}  // namespace

void add_coverage(nb::module_& module) {
    nb::class_<Coverage>(module, "Coverage")
        .def(nb::init<>())
        .def("next_child", &Coverage::next_child, nb::arg("node"))
        .def("reject", &Coverage::reject)
        .def("executed", &Coverage::executed, nb::arg("nodes"))
        .def("look", &Coverage::look, nb::arg("node"), nb::arg("left"), nb::arg("kind") = 0)
        .def("left", &left_of);
}

}  // namespace norn
