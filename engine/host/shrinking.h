// Shrinking: shrinks what a check has found (explore/shrink.h), after the exploration has ended, and tells
// Python of the executions that it ends up with.
//
// Findings and races are told at once as they were seen; here their schedules are kept, also in ticks, which
// mean the same whatever is learned later. What comes out is told once more, with its own schedule. If the
// process dies meanwhile, nothing is lost.
#pragma once

#include <cstdint>
#include <vector>

#include "executor/native/native_executor.h"
#include "host/options.h"

namespace norn {

// Two findings are the same if they are of one kind at the same code addresses.
[[nodiscard]] std::uint64_t identity_of(const native::Finding& finding);
[[nodiscard]] std::uint64_t identity_of(const native::LaterFailure& failure);

class Shrinking {
public:
    Shrinking(native::NativeExecutor& executor, const Options& options)
        : executor_(executor), options_(options) {}

    // Remember what has just been told of an execution; its schedule is in World::runs.
    // `wanted`: other threads have failed before (World::wanted_failure), or 0.
    void remember_finding(const native::Finding& finding, const Execution& execution, std::uint32_t wanted);
    void remember_race(const Event& first, const Event& second, const Execution& execution);

    // At the end of the exploration, which cannot go on after this.
    void shrink_all();

private:
    struct Found {
        bool is_race = false;
        std::uint32_t number = 0;  // among the findings, or among the races
        bool in_library = false;
        std::uint32_t wanted = 0;
        std::uint64_t identity = 0;
        char kind[sizeof native::Finding::kind] = {};
        char message[sizeof native::Finding::message] = {};
        std::uint32_t sites[2] = {};  // of a race
        std::vector<Event> events;
        std::vector<native::Run> runs;
        std::vector<std::uint16_t> choices;
    };
    class Host;

    Found& remember(const Execution& execution);

    native::NativeExecutor& executor_;
    const Options& options_;
    std::vector<Found> found_;
    std::uint32_t findings_ = 0;
    std::uint32_t races_ = 0;
};

}  // namespace norn
