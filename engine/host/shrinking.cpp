#include "host/shrinking.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "explore/shrink.h"
#include "host/messages.h"
#include "host/race_watch.h"
#include "host/timer.h"
#include "races/races.h"

namespace norn {

namespace {

using native::Finding;
using native::World;
using native::world;

// Nobody reads more stories than these.
constexpr std::size_t most_found = 20;
// For all findings together. The budget of events is met long before, unless the machine is very slow.
constexpr double most_seconds = 2;
// Of all executions for one finding; of one that takes long to look at anyway.
constexpr std::uint64_t most_events = 10'000'000;
constexpr std::uint64_t most_events_if_long = 3'000'000;
constexpr std::size_t long_execution = 10'000;
// Shrunk executions may be longer than the first one if they have fewer switches, but not without end.
constexpr std::uint32_t more_events = 1000;

// Of these only the text tells one from the other: the failing call is in the library.
bool goes_by_message(std::string_view kind) {
    return kind == "assertion" || kind == "abort" || kind == "exception" || kind == "reach-error";
}

// Of these any other is as good: who waits where need not be the same.
bool goes_by_kind(std::string_view kind) {
    return kind == "deadlock" || kind == "livelock" || kind.ends_with("-leak");
}

}  // namespace

namespace {

void mix(std::uint64_t& hash, std::uint64_t part) { hash = (hash ^ part) * 0x9E37'79B9'7F4A'7C15U; }

std::uint64_t hash_of_kind(const char* kind) {
    std::uint64_t hash = 0;
    for (const char* c = kind; *c != '\0'; ++c) mix(hash, static_cast<unsigned char>(*c));
    return hash;
}

}  // namespace

std::uint64_t identity_of(const native::LaterFailure& failure) {
    std::uint64_t hash = hash_of_kind(failure.kind);
    mix(hash, failure.site);
    return hash;
}

std::uint64_t identity_of(const Finding& finding) {
    std::uint64_t hash = hash_of_kind(finding.kind);
    const std::string_view kind = finding.kind;
    if (kind.ends_with("-leak"))  // what differs may lie behind the library's own functions
        for (std::uint32_t i = 0; i < finding.involved[0].frames; ++i)
            mix(hash, finding.involved[0].stack[i]);
    const bool all_matter = kind == "deadlock";  // it is of all who wait
    for (std::uint32_t i = 0; i < (all_matter ? finding.threads : 1U); ++i)
        mix(hash, finding.involved[i].frames > 0 ? finding.involved[i].stack[0] : 0);
    return hash;
}

// One finding: knows it when it sees it, and keeps the best schedule in ticks.
class Shrinking::Host final : public ShrinkHost {
public:
    Host(native::NativeExecutor& executor, const Options& options, const Found& found)
        : executor_(executor),
          options_(options),
          found_(found),
          runs_(found.runs),
          choices_(found.choices),
          most_events_(world().max_events) {
        world().wanted_failure = found.wanted;
    }
    ~Host() override {
        world().max_events = most_events_;
        world().wanted_failure = 0;
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    EventIndex failure_in(const Execution& execution) override {
        if (execution.failed && world().finding.in_library && !options_.fork) is_spoilt_ = true;
        if (found_.is_race) return race_in(execution);
        if (!execution.failed) return no_event;
        return is_same(world().finding) ? static_cast<EventIndex>(execution.events.size()) : no_event;
    }

    bool keep(const Execution& execution) override {
        World& w = world();
        if (found_.is_race)
            for (std::size_t i = 0; i < 2; ++i) w.watched[i].event = race_[i];
        const bool failed = executor_.record(
            found_.is_race ? up_to_race(execution, race_[1]) : execution.events, found_.wanted);
        if (found_.is_race ? w.ending == Ending::diverged : !failed || !is_same(w.finding)) return false;
        runs_.assign(w.runs, w.runs + w.run_count);
        choices_.assign(w.choices_made, w.choices_made + w.choices_made_count);
        if (found_.is_race) {
            for (std::size_t i = 0; i < 2; ++i) {
                accesses_[i] = execution.events[race_[i]];
                watched_[i] = w.watched[i];
            }
        } else {
            *best_ = w.finding;
        }
        has_kept_ = true;
        return true;
    }

    bool restore(std::vector<Event>& events) override {
        if (!has_begun_) {
            has_begun_ = true;
            events = found_.events;
        } else if (!replay_ticks(events)) {
            return false;
        }
        const std::uint64_t enough = 2 * std::uint64_t{events.size()} + more_events;
        world().max_events = static_cast<std::uint32_t>(std::min<std::uint64_t>(most_events_, enough));
        return true;
    }

    bool may_go_on() override { return !is_spoilt_ && !world().interrupt; }

    [[nodiscard]] bool is_spoilt() const { return is_spoilt_; }

    void tell(const Shrinker& shrinker) {
        World& w = world();
        const Shrunk shrunk{found_.is_race,        found_.number,       shrinker.original(),  shrinker.best(),
                            shrinker.executions(), shrinker.is_least(), shrinker.met_budget()};
        if (!has_kept_) return send_shrunk(shrunk);
        std::copy(runs_.begin(), runs_.end(), w.runs);
        w.run_count = static_cast<std::uint32_t>(runs_.size());
        std::copy(choices_.begin(), choices_.end(), w.choices_made);
        w.choices_made_count = static_cast<std::uint32_t>(choices_.size());
        if (found_.is_race)
            send_shrunk_race(shrunk, accesses_[0], accesses_[1], watched_);
        else
            send_shrunk_finding(shrunk, *best_);
    }

private:
    // Among the ticks are operations on memory that is still private, which are no events.
    bool replay_ticks(std::vector<Event>& events) {
        const Execution& execution = executor_.replay(runs_, choices_, true);
        if (execution.ending == Ending::diverged || execution.ending == Ending::interrupted) return false;
        events.clear();
        for (std::size_t i = 0; i < execution.events.size(); ++i) {
            const Event& event = execution.events[i];
            const bool is_visible = event.operation == Operation::cancel_choice
                                        ? is_decision(execution.events.subspan(i))
                                        : event.location != no_location || event.access == Access::none;
            if (is_visible) events.push_back(event);
        }
        return true;
    }

    // Whether a thread might be cancelled at all: what it does next is to look.
    static bool is_decision(std::span<const Event> events) {
        for (const Event& event : events.subspan(1))
            if (event.thread == events.front().thread) return event.location != no_location;
        return world().has_cancels;
    }

    [[nodiscard]] bool is_same(const Finding& finding) const {
        if (std::strcmp(finding.kind, found_.kind) != 0) return false;
        if (!options_.keep_going && goes_by_kind(finding.kind)) return true;
        if (goes_by_message(finding.kind) && std::strcmp(finding.message, found_.message) != 0) return false;
        return identity_of(finding) == found_.identity;
    }

    EventIndex race_in(const Execution& execution) {
        for (const Race& race : finder_.find(execution.events, execution.threads)) {
            const std::uint32_t first = execution.events[race.first].site;
            const std::uint32_t second = execution.events[race.second].site;
            const bool is_it = (first == found_.sites[0] && second == found_.sites[1]) ||
                               (first == found_.sites[1] && second == found_.sites[0]);
            if (!is_it) continue;
            race_[0] = race.first;
            race_[1] = race.second;
            return race.second + 1;
        }
        return no_event;
    }

    native::NativeExecutor& executor_;
    const Options& options_;
    const Found& found_;
    std::vector<native::Run> runs_;
    std::vector<std::uint16_t> choices_;
    std::unique_ptr<Finding> best_ = std::make_unique<Finding>();
    RaceFinder finder_;
    EventIndex race_[2] = {};  // of the execution looked at last
    Event accesses_[2] = {};
    native::Watched watched_[2] = {};
    const std::uint32_t most_events_;
    bool has_begun_ = false;
    bool has_kept_ = false;
    bool is_spoilt_ = false;  // a library is in an unknown state: nothing can be run any more
};

Shrinking::Found& Shrinking::remember(const Execution& execution) {
    const World& w = world();
    Found& found = found_.emplace_back();
    found.events.assign(execution.events.begin(), execution.events.end());
    found.runs.assign(w.runs, w.runs + w.run_count);
    found.choices.assign(w.choices_made, w.choices_made + w.choices_made_count);
    return found;
}

void Shrinking::remember_finding(const Finding& finding, const Execution& execution, std::uint32_t wanted) {
    const std::uint32_t number = findings_++;
    if (options_.shrink == 0 || found_.size() == most_found) return;
    Found& found = remember(execution);
    found.number = number;
    found.in_library = finding.in_library;
    found.wanted = wanted;
    found.identity = identity_of(finding);
    std::memcpy(found.kind, finding.kind, sizeof found.kind);
    std::memcpy(found.message, finding.message, sizeof found.message);
}

void Shrinking::remember_race(const Event& first, const Event& second, const Execution& execution) {
    const std::uint32_t number = races_++;
    if (options_.shrink == 0 || found_.size() == most_found) return;
    Found& found = remember(execution);
    found.is_race = true;
    found.number = number;
    found.sites[0] = first.site;
    found.sites[1] = second.site;
}

void Shrinking::shrink_all() {
    if (found_.empty() || was_interrupted()) return;
    const double left = options_.time_limit > 0 ? options_.time_limit - elapsed_seconds() : most_seconds;
    if (left <= 0) return;
    for (const Found& found : found_)
        if (found.in_library && !options_.fork) return;  // its state is unknown
    World& w = world();
    const unsigned exit_status = w.exit_status;
    w.keep_going = false;
    w.interrupt = false;
    start_timer(std::min(most_seconds, left), 0);
    for (const Found& found : found_) {
        Host host(executor_, options_, found);
        const bool is_long = found.events.size() > long_execution;
        Shrinker shrinker(executor_, host, {options_.shrink, is_long ? most_events_if_long : most_events});
        if (shrinker.shrink()) host.tell(shrinker);
        if (host.is_spoilt() || !host.may_go_on()) break;
    }
    w.exit_status = exit_status;
}

}  // namespace norn
