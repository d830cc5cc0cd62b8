#include "host/races_module.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "races/races.h"

namespace nb = nanobind;

namespace norn {
namespace {

// thread, operation, access, location, address, size, order, fences, cause (or -1), before, after: enums by
// their numbers.
using GivenEvent = std::tuple<ThreadId, unsigned, unsigned, LocationId, std::uint64_t, std::uint32_t,
                              unsigned, unsigned, std::int64_t, std::uint64_t, std::uint64_t>;

std::vector<Event> events_of(const std::vector<GivenEvent>& given, std::size_t threads) {
    std::vector<Event> events;
    for (const auto& [thread, operation, access, location, address, size, order, fences, cause, before,
                      after] : given) {
        if (thread >= threads) throw nb::value_error("there is no such thread");
        if (access > static_cast<unsigned>(Access::rmw) || order > static_cast<unsigned>(Order::nothing) ||
            fences > 7)
            throw nb::value_error("no such access, order or fence");
        Event event{};
        event.thread = thread;
        event.operation = static_cast<Operation>(operation);
        event.access = static_cast<Access>(access);
        event.location = event.access == Access::none ? no_location : location;
        event.address = address;
        event.size = size;
        event.order = static_cast<Order>(order);
        event.fences = static_cast<std::uint8_t>(fences);
        event.cause = cause < 0 ? no_event : static_cast<EventIndex>(cause);
        event.before = before;
        event.after = after;
        events.push_back(event);
    }
    return events;
}

std::vector<std::pair<EventIndex, EventIndex>> find(RaceFinder& finder, const std::vector<GivenEvent>& given,
                                                    std::size_t threads) {
    const std::vector<Event> events = events_of(given, threads);
    std::vector<std::pair<EventIndex, EventIndex>> pairs;
    for (const Race& race : finder.find(events, threads)) pairs.emplace_back(race.first, race.second);
    return pairs;
}

}  // namespace

void add_races(nb::module_& module) {
    nb::class_<RaceFinder>(module, "RaceFinder")
        .def(nb::init<>())
        .def("find", &find, nb::arg("events"), nb::arg("threads"))
        .def("forget_locations", &RaceFinder::forget_locations);
}

}  // namespace norn
