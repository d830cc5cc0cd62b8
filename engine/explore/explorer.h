// Explorer: decides which execution comes next. One file per equivalence implements it.
//
// An explorer runs executions through an Exploration, which is the executor seen through counters and limits.
// `Exploration::run` returns nothing when the search must end now: a limit was met, a finding stops the
// check, or a newly visible location makes everything start over (the driver `explore` then begins again with
// a fresh search).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "executor/executor.h"
#include "explore/coverage.h"

namespace norn {

struct Statistics {
    std::uint64_t executions = 0;   // complete ones, one per class where the explorer is optimal
    std::uint64_t blocked = 0;      // those in which an assume stopped a thread
    std::uint64_t redundant = 0;    // explored for nothing
    std::uint64_t cut = 0;          // those that met a bound on events
    std::uint64_t events = 0;       // of all of them together
    std::uint64_t restarts = 0;     // how often a location turned out to be shared after all
    std::uint32_t longest = 0;      // events of the longest execution
    std::uint16_t threads = 0;      // most threads seen in one execution
    std::uint64_t checks = 0;       // questions whether some choice of sources is consistent
    std::uint64_t decided = 0;      // those of them that only the complete search could answer
    std::uint64_t annotations = 0;  // choices of sources from which an execution was begun
    // Of a search that sees some executions only: how many classes they were of (explore/class_identity.h).
    std::uint64_t sources_seen = 0;  // of `reads-from`
    std::uint64_t orders_seen = 0;   // of `mazurkiewicz`
    std::uint32_t preemptions = 0;   // the bound of a bounded search that the last execution was run under
};

// Who communicates with whom, as far as an explorer has learned it (explore/topology.h).
struct Communication {
    struct Location {
        std::uint64_t begin;  // addresses
        std::uint64_t end;
        bool ordered;  // the order of its writes is part of the class
    };
    struct Edge {
        ThreadId a;
        ThreadId b;
        std::vector<std::uint32_t> locations;  // numbers in `locations`
        bool removed;
    };
    std::size_t threads = 0;
    std::vector<Location> locations;
    std::vector<Edge> edges;
};

// Told of every execution; decides whether to go on. Implemented by the hosts (main.cpp, module.cpp).
class Monitor {
public:
    virtual ~Monitor() = default;
    // Asked before every execution: false if it would be one too many.
    virtual bool wants_more(const Statistics&) { return true; }
    // Everything begins again: what was seen so far will be seen once more.
    virtual void began_again() {}
    // The explorer has given up: not every class will be seen. Either the program did not do what follows
    // from what it did before, or a question took too long to answer, or it was asked for no more than that.
    enum class Reason : std::uint8_t { unpredictable, too_hard, sample, preemptions };
    virtual void gave_up(Reason) {}
    // The execution seen last was of no class that was not explored before.
    virtual void was_redundant() {}
    // What the explorer has learned of the program, at its end.
    virtual void learned(const Communication&) {}
    // Returns false to end the exploration.
    virtual bool saw(const Execution& execution, const Statistics& statistics) = 0;
};

class Exploration {
public:
    Exploration(Executor& executor, Monitor& monitor) : executor_(executor), monitor_(monitor) {}

    // Runs, counts and reports one execution. Null: stop searching, at once and without a further run.
    const Execution* run(const Schedule& schedule);
    // Runs one execution to see what the program does; it neither counts nor is reported. Null likewise.
    const Execution* try_out(const Schedule& schedule);

    // The explorer has found out that the execution it was given last was explored for nothing.
    void last_was_redundant();
    // It has asked whether a choice of sources is consistent.
    void count_check(bool needed_decision);
    // It goes on from a choice of sources.
    void count_annotation() { ++statistics_.annotations; }
    // What a search that sees some executions only has seen so far.
    void count_classes(std::uint64_t sources, std::uint64_t orders) {
        statistics_.sources_seen = sources;
        statistics_.orders_seen = orders;
    }
    void set_preemptions(std::uint32_t bound) { statistics_.preemptions = bound; }
    void report(const Communication& communication) { monitor_.learned(communication); }
    // It cannot go on.
    void give_up(Monitor::Reason reason = Monitor::Reason::unpredictable);
    // It must forget all it did: what it took the program's memory to be made of was too coarse.
    void begin_again();

    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    // Told by explorers that search a tree; others leave it alone, and nothing is known of what is left.
    [[nodiscard]] Coverage& coverage() { return coverage_; }
    [[nodiscard]] bool stopped() const { return stopped_; }        // the monitor or the executor ended it
    [[nodiscard]] bool start_over() const { return start_over_; }  // visibility changed
    void begin();                                                  // forget the counts of an earlier attempt

private:
    const Execution* perform(const Schedule& schedule);

    Executor& executor_;
    Monitor& monitor_;
    Statistics statistics_;
    Coverage coverage_;
    std::uint64_t Statistics::* counted_as_ = &Statistics::executions;  // the last one
    bool stopped_ = false;
    bool start_over_ = false;
};

class Explorer {
public:
    virtual ~Explorer() = default;
    // Explores every class, or as many as the exploration allows. Called on a fresh object.
    virtual void explore(Exploration& exploration) = 0;
};

// What an explorer goes without, to see what that buys (docs/ablation.md).
struct Ablation {
    bool signals = false;
    bool closure = false;  // and guidance; `observation`: attempts along an earlier execution
    bool constants = false;
    std::size_t states = 0;  // beyond so many of a search for a witness; 0: as many as usual
};

// The explorer of that name or short name ("reads-from", "rf"), or null.
std::unique_ptr<Explorer> make_explorer(std::string_view equivalence, const Ablation& without = {});

// Explores to the end with explorers that `make` makes, starting over as long as new locations become
// visible. True: every class was explored.
template <typename Make>
bool explore_by(const Make& make, Exploration& exploration) {
    do {
        const std::unique_ptr<Explorer> explorer = make();
        if (explorer == nullptr) return false;
        exploration.begin();
        explorer->explore(exploration);
    } while (exploration.start_over());
    return !exploration.stopped();
}

// The same by name.
bool explore(std::string_view equivalence, Exploration& exploration, const Ablation& without = {});

}  // namespace norn
