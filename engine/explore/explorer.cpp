// What all explorers share: counting, limits, and starting over when a location turns out to be shared.
#include "explore/explorer.h"

#include <algorithm>

#include "explore/mazurkiewicz.h"
#include "explore/observation.h"
#include "explore/reads_from.h"
#include "explore/reads_value_from.h"

namespace norn {

// Null if that was no execution to go on from.
const Execution* Exploration::perform(const Schedule& schedule) {
    if (stopped_ || start_over_) return nullptr;
    const Execution& execution = executor_.run(schedule);
    switch (execution.ending) {
        case Ending::visibility:
            ++statistics_.restarts;
            monitor_.began_again();
            start_over_ = true;
            return nullptr;
        case Ending::diverged:
        case Ending::interrupted:
            // Not an execution to be counted, but the host must hear of it.
            monitor_.saw(execution, statistics_);
            stopped_ = true;
            return nullptr;
        default: return &execution;
    }
}

const Execution* Exploration::try_out(const Schedule& schedule) { return perform(schedule); }

const Execution* Exploration::run(const Schedule& schedule) {
    if (stopped_ || start_over_) return nullptr;
    if (!monitor_.wants_more(statistics_)) {
        stopped_ = true;
        return nullptr;
    }
    const Execution* const execution = perform(schedule);
    if (execution == nullptr) return nullptr;
    counted_as_ = execution->was_cut || execution->ending == Ending::too_long ? &Statistics::cut
                  : execution->ending == Ending::blocked                      ? &Statistics::blocked
                                                                              : &Statistics::executions;
    ++(statistics_.*counted_as_);
    const auto events = static_cast<std::uint32_t>(execution->events.size());
    statistics_.events += events;
    statistics_.longest = std::max(statistics_.longest, events);
    statistics_.threads = std::max(statistics_.threads, execution->threads);
    if (!monitor_.saw(*execution, statistics_)) {
        stopped_ = true;
        return nullptr;
    }
    return execution;
}

void Exploration::last_was_redundant() {
    --(statistics_.*counted_as_);
    ++statistics_.redundant;
    monitor_.was_redundant();
}

void Exploration::count_check(bool needed_decision) {
    ++statistics_.checks;
    if (needed_decision) ++statistics_.decided;
}

void Exploration::give_up(Monitor::Reason reason) {
    monitor_.gave_up(reason);
    stopped_ = true;
}

void Exploration::begin_again() {
    ++statistics_.restarts;
    monitor_.began_again();
    begin();
}

void Exploration::begin() {
    const std::uint64_t restarts = statistics_.restarts;
    statistics_ = Statistics{};
    coverage_.clear();
    statistics_.restarts = restarts;
    stopped_ = false;
    start_over_ = false;
}

std::unique_ptr<Explorer> make_explorer(std::string_view equivalence, const Ablation& without) {
    if (equivalence == "mazurkiewicz" || equivalence == "maz") return make_mazurkiewicz();
    if (equivalence == "reads-from" || equivalence == "rf") return make_reads_from();
    if (equivalence == "observation" || equivalence == "obs") return make_observation(without);
    if (equivalence == "reads-value-from" || equivalence == "rvf") return make_reads_value_from(without);
    return nullptr;
}

bool explore(std::string_view equivalence, Exploration& exploration, const Ablation& without) {
    return explore_by([&] { return make_explorer(equivalence, without); }, exploration);
}

}  // namespace norn
