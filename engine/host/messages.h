// Messages from the checked program to Python: one JSON object a line (docs/protocol.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "executor/native/world.h"
#include "explore/explorer.h"
#include "explore/shrink.h"

namespace norn {

// How many executions failed, by kind.
class Failures {
public:
    struct Kind {
        char name[sizeof native::Finding::kind];
        std::uint64_t executions;
    };

    void count(const char* kind);
    void clear() { kinds_.clear(); }
    [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }

private:
    std::vector<Kind> kinds_;
};

// An execution came to a place whose accesses norn does not see.
void send_gap(std::uintptr_t site);

void send_progress(const Statistics& statistics, const Coverage::Left& left, double seconds);
void send_finding(const native::Finding& finding,
                  std::uint64_t executions);  // with World::runs as its schedule
void send_thread(ThreadId id, ThreadId parent, std::uintptr_t start);
// `in_vain`: it could not be performed, so that what it would have written is not known.
void send_step(const Event& event, std::span<const std::uintptr_t> stack, const native::Whereabouts& where,
               bool in_vain);
void send_block(std::uintptr_t start, std::size_t size, std::span<const std::uintptr_t> stack);
// With World::runs as its schedule, too. `watched`: the stacks of both, in the same order.
void send_race(const Event& first, const Event& second, const native::Watched* watched,
               std::uint64_t executions);
// The stacks are those of the steps of these numbers.
void send_race_of_replay(const Event& first, const Event& second, EventIndex first_step,
                         EventIndex second_step);
// What became of a finding, or of a race, that was told before.
struct Shrunk {
    bool is_race;
    std::uint32_t number;  // among those that were told
    Effort from;
    Effort to;
    std::uint64_t executions;
    bool is_least;
    bool met_budget;
};
void send_shrunk(const Shrunk& shrunk);  // it is as it was
// With World::runs as its schedule.
void send_shrunk_finding(const Shrunk& shrunk, const native::Finding& finding);
void send_shrunk_race(const Shrunk& shrunk, const Event& first, const Event& second,
                      const native::Watched* watched);
void send_diverged(const native::Finding& finding, std::uint64_t tick);
void send_unsupported(const native::Finding& finding);
void send_bare(std::uint64_t executions, std::uint64_t events, std::uint64_t switches, double seconds);
// The time of further explorations of the same (for the benchmark).
void send_again(unsigned explorations, double seconds, double processor_seconds);
void send_topology(const Communication& communication);
void send_result(bool complete, const char* bounds, const Statistics& statistics, const Failures& failures,
                 const Coverage::Left& left, double seconds, double cpu_seconds);

// What `send_result` says of races besides those that were told.
void note_races(std::size_t benign, bool met_limit);

// Ends the process with an error message to Python.
[[noreturn]] void die(const char* message);

}  // namespace norn
