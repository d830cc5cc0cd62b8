// RaceWatch: looks for data races in every execution of a check, or in the one of a replay, and tells Python
// of each pair of places in the code once.
//
// Both stacks are wanted: the execution is run once more for each new race, and each thread is looked at when
// it comes to its access. In a replay every step is told with its stack anyway.
#pragma once

#include <cstdint>
#include <span>

#include "executor/native/native_executor.h"
#include "host/benign.h"
#include "host/options.h"
#include "host/shrinking.h"
#include "races/races.h"
#include "races/site_pairs.h"

namespace norn {

// What is needed to see a race: of an execution that was cut, which may go on for ever, nothing after it.
inline std::span<const Event> up_to_race(const Execution& execution, EventIndex second) {
    const bool is_cut = (execution.ending == Ending::too_long || execution.was_cut) && !execution.failed;
    return is_cut ? execution.events.first(second + 1) : execution.events;
}

class RaceWatch {
public:
    // `shrinking` is told of races that are errors; none in a replay.
    RaceWatch(native::NativeExecutor& executor, const Options& options, Shrinking* shrinking = nullptr);

    // Returns whether it has found a new one.
    bool look_at(const Execution& execution, std::uint64_t executions);
    void look_at_replay(const Execution& execution);

    void began_again() { finder_.forget_locations(); }

    [[nodiscard]] std::size_t benign() const { return benign_.size(); }
    [[nodiscard]] bool met_limit() const { return !is_on_ && was_on_; }

private:
    [[nodiscard]] bool is_new(const Event& a, const Event& b);

    native::NativeExecutor& executor_;
    Shrinking* const shrinking_;
    bool is_on_;
    bool was_on_;
    bool has_limit_;
    BenignPlaces places_;
    RaceFinder finder_;
    SitePairs known_;
    SitePairs benign_;
};

}  // namespace norn
