// The engine's main: linked into the checked program, in place of its main (ld --wrap=main).
//
// Reads options, takes the program as it is now for the start of every execution, explores (or replays one
// schedule, or measures the bare executor), and sends messages to Python.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "executor/native/native_executor.h"
#include "executor/native/nondet.h"
#include "executor/native/ticks.h"
#include "explore/explorer.h"
#include "explore/preemption_bounded.h"
#include "explore/sample.h"
#include "host/channel.h"
#include "host/messages.h"
#include "host/options.h"
#include "host/race_watch.h"
#include "host/replay_schedule.h"
#include "host/shrinking.h"
#include "host/timer.h"

namespace norn {

namespace {

using native::NativeExecutor;
using native::World;
using native::world;

char output_buffer[1 << 16];

void prepare_output(const Options& options) {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, 0);
    if (options.show_output) {
        std::setvbuf(stdout, nullptr, _IONBF, 0);
        return;
    }
    dup2(nothing, 1);
    dup2(nothing, 2);
    std::setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
}

// Takes the memory that a search of ordinary size needs at once, and keeps it: page faults belong to the
// start.
void warm_heap() {
    constexpr std::size_t ordinary = std::size_t{4} << 20;
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(ordinary));
    void* const memory = std::malloc(ordinary - 4096);
    if (memory == nullptr) return;
    std::memset(memory, 1, ordinary - 4096);
    asm volatile("" : : "r"(memory) : "memory");  // the compiler must not see that nobody reads it
    std::free(memory);
}

// The limits that ended an exploration, as a JSON list.
class Bounds {
public:
    void add(const char* name) {
        for (std::size_t i = 0; i < count_; ++i)
            if (names_[i] == name) return;
        names_[count_++] = name;
    }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    const char* json() {
        std::size_t used = 0;
        text_[used++] = '[';
        for (std::size_t i = 0; i < count_; ++i)
            used += static_cast<std::size_t>(
                std::snprintf(text_ + used, sizeof text_ - used, "%s\"%s\"", i > 0 ? "," : "", names_[i]));
        std::snprintf(text_ + used, sizeof text_ - used, "]");
        return text_;
    }

private:
    const char* names_[12] = {};
    std::size_t count_ = 0;
    char text_[256] = {};
};

// Watches the exploration: reports findings, keeps the limits.
class Watcher final : public Monitor {
public:
    Watcher(NativeExecutor& executor, const Options& options)
        : executor_(executor),
          options_(options),
          shrinking_(executor, options),
          races_(executor, options, &shrinking_) {}

    bool saw(const Execution& execution, const Statistics& statistics) override {
        if (options_.progress_ms != 0) show_progress(statistics);
        switch (execution.ending) {
            case Ending::diverged:
                send_diverged(world().finding, execution.events.size());
                bounds_.add("diverged");
                return false;
            case Ending::too_long: {
                bounds_.add(world().met_thread_limit ? "threads" : "max-events");
                // Its events are those of an execution: two that race in it race in whatever it goes on to.
                const bool goes_on = look_for_races(execution, all_of(statistics));
                return goes_on && options_.cut_long;
            }
            case Ending::interrupted:
                if (world().unsupported) {
                    send_unsupported(world().finding);
                    bounds_.add("unsupported");
                } else {
                    bounds_.add(was_interrupted() ? "interrupted" : "time-limit");
                }
                return false;
            default: break;
        }
        if (execution.was_cut) bounds_.add("max-thread-events");
        const bool goes_on = !execution.failed || report_finding(execution, all_of(statistics));
        return look_for_races(execution, all_of(statistics)) && goes_on;
    }

    void gave_up(Reason reason) override {
        switch (reason) {
            case Reason::unpredictable: bounds_.add("unpredictable"); break;
            case Reason::too_hard: bounds_.add("too-hard"); break;
            case Reason::sample: bounds_.add("sample"); break;
            case Reason::preemptions: bounds_.add("preemptions"); break;
        }
    }

    bool wants_more(const Statistics& statistics) override {
        if (options_.max_executions == 0 || all_of(statistics) < options_.max_executions) return true;
        bounds_.add("max-executions");
        return false;
    }

    void learned(const Communication& communication) override {
        communication_ = communication;
        has_learned_ = true;
    }

    void tell_what_was_learned() const {
        if (has_learned_) send_topology(communication_);
    }

    // What was seen before everything begins again is seen once more.
    void began_again() override {
        failures_.clear();
        races_.began_again();
    }

    // Where the estimates of its progress messages come from.
    void follow(const Coverage& coverage) { coverage_ = &coverage; }

    Bounds& bounds() { return bounds_; }
    [[nodiscard]] const Failures& failures() const { return failures_; }
    [[nodiscard]] const RaceWatch& races() const { return races_; }
    Shrinking& shrinking() { return shrinking_; }

private:
    static std::uint64_t all_of(const Statistics& statistics) {
        return statistics.executions + statistics.blocked + statistics.redundant + statistics.cut;
    }

    void show_progress(const Statistics& statistics) {
        const double seconds = elapsed_seconds();
        if (seconds < next_progress_) return;
        next_progress_ = seconds + options_.progress_ms * 1e-3;
        send_progress(statistics, coverage_ != nullptr ? coverage_->left() : Coverage::Left{}, seconds);
    }

    // False: stop here.
    bool look_for_races(const Execution& execution, std::uint64_t total) {
        const bool found = races_.look_at(execution, total);
        if (!found || options_.races != Options::Races::error) return true;
        if (!options_.keep_going) bounds_.add("finding");
        return options_.keep_going;
    }

    // False: stop here.
    bool report_finding(const Execution& execution, std::uint64_t total) {
        World& w = world();
        bool in_library = w.finding.in_library;
        const std::vector<native::LaterFailure> later(w.later, w.later + w.later_count);
        failures_.count(w.finding.kind);
        if (is_new(identity_of(w.finding))) {
            static native::Finding seen;
            seen = w.finding;
            const bool is_of_thread = w.thread[seen.thread].state == native::State::failed;
            // What does not happen again is told as it was seen; its replay will show that it is not
            // deterministic.
            if (!executor_.record(execution.events, is_of_thread ? seen.thread + 1U : 0)) w.finding = seen;
            send_finding(w.finding, total);
            shrinking_.remember_finding(w.finding, execution, 0);
        }
        for (const native::LaterFailure& failure : later) {
            in_library = in_library || failure.in_library;
            if (is_new(identity_of(failure))) report_later(failure, execution, total);
        }
        if (!options_.keep_going || in_library) bounds_.add("finding");
        return options_.keep_going && !in_library;
    }

    // A failure after another one. (What does not happen again had nothing to do with the schedule.)
    void report_later(const native::LaterFailure& failure, const Execution& execution, std::uint64_t total) {
        const World& w = world();
        Execution beginning = execution;
        beginning.events = execution.events.first(failure.events);
        const std::uint32_t wanted = failure.thread + 1U;
        if (!executor_.record(beginning.events, wanted)) return;
        send_finding(w.finding, total);
        shrinking_.remember_finding(w.finding, beginning, wanted);
    }

    bool is_new(std::uint64_t hash) {
        for (const std::uint64_t known : reported_)
            if (known == hash) return false;
        reported_.push_back(hash);
        return true;
    }

    NativeExecutor& executor_;
    const Options& options_;
    Shrinking shrinking_;
    RaceWatch races_;
    const Coverage* coverage_ = nullptr;
    Bounds bounds_;
    Failures failures_;
    Communication communication_;
    bool has_learned_ = false;
    std::vector<std::uint64_t> reported_;
    double next_progress_ = 0;
};

bool explore_as_asked(Exploration& exploration, const Options& options, const Ablation& without) {
    if (options.sampling.executions > 0)
        return explore_by([&] { return make_sample(options.sampling); }, exploration);
    if (options.is_bounded)
        return explore_by([&] { return make_preemption_bounded(options.preemptions); }, exploration);
    return explore(options.equivalence, exploration, without);
}

// Explores the same again, to measure it without what only the first time costs: memory is touched, and
// shared words are learned.
bool repeat(Exploration& exploration, const Options& options, const Ablation& without) {
    start_timer(options.time_limit, options.watchdog);
    const double processor_seconds_before = processor_seconds();
    bool complete = true;
    for (unsigned i = 0; i < options.repeat; ++i)
        complete = explore_as_asked(exploration, options, without) && complete;
    send_again(options.repeat, elapsed_seconds(), processor_seconds() - processor_seconds_before);
    return complete;
}

void check(NativeExecutor& executor, const Options& options) {
    if (make_explorer(options.equivalence) == nullptr) die("there is no equivalence of that name");
    Watcher watcher(executor, options);
    Exploration exploration(executor, watcher);
    watcher.follow(exploration.coverage());
    start_timer(options.time_limit, options.watchdog);
    const Ablation without{options.without_signals, options.without_closure, options.without_constants,
                           options.most_states};
    bool complete = explore_as_asked(exploration, options, without);
    if (options.repeat > 0) complete = repeat(exploration, options, without) && complete;
    watcher.tell_what_was_learned();
    if (world().nondet_limited) watcher.bounds().add("nondet");
    if (world().undefined.seen) watcher.bounds().add("undefined");
    if (world().gaps != 0) watcher.bounds().add("unseen");
    if (world().left_to_signals) watcher.bounds().add("signal-wait");
    note_races(watcher.races().benign(), watcher.races().met_limit());
    const double seconds = elapsed_seconds();
    const double processor = processor_seconds();
    const Coverage::Left left = complete ? Coverage::Left{} : exploration.coverage().left();
    watcher.shrinking().shrink_all();
    expect_no_children();
    for (std::uint32_t i = 0; i < world().gaps; ++i) send_gap(world().gap_sites[i]);
    send_result(complete && watcher.bounds().empty(), watcher.bounds().json(), exploration.statistics(),
                watcher.failures(), left, seconds, processor);
}

// A thread may work on memory of its own for millions of operations before it fails; the last of them say
// most. Which memory that is shows only at the end of an execution: it is replayed twice before, to learn
// that and to count.
void hide_most_private(NativeExecutor& executor, const ReplaySchedule& schedule, std::uint32_t most) {
    executor.replay(schedule.runs, schedule.choices, true);
    const Execution& execution = executor.replay(schedule.runs, schedule.choices, true);
    std::vector<std::uint32_t> to_hide(native::max_threads, 0);
    for (const Event& event : execution.events)
        if (event.location == no_location && event.access != Access::none) ++to_hide[event.thread];
    for (std::uint32_t& count : to_hide) count -= std::min(count, most);
    native::hide_private_ticks(to_hide);
}

void replay(NativeExecutor& executor, const Options& options) {
    World& w = world();
    const ReplaySchedule schedule = read_replay_schedule(options.schedule_fd);
    if (schedule.parents.size() >= native::max_threads) die("the schedule to replay is damaged");
    std::vector<std::uint16_t> children(native::max_threads, 0);
    for (const ThreadId parent : schedule.parents) {
        if (parent >= w.known_threads) die("the schedule to replay is damaged");
        w.known_parent[w.known_threads] = parent;
        w.known_number[w.known_threads++] = children[parent]++;
    }

    start_timer(options.time_limit, options.watchdog);
    if (options.most_private > 0) hide_most_private(executor, schedule, options.most_private);
    const Execution& execution = executor.replay(schedule.runs, schedule.choices);
    Statistics statistics;
    statistics.executions = 1;
    statistics.events = execution.events.size();
    statistics.longest = static_cast<std::uint32_t>(execution.events.size());
    statistics.threads = execution.threads;
    Bounds bounds;
    if (execution.failed) {
        w.run_count = 0;
        send_finding(w.finding, 1);
    }
    if (execution.ending == Ending::diverged) {
        send_diverged(w.finding, w.ticks);
        bounds.add("diverged");
    } else if (execution.ending == Ending::interrupted) {
        if (w.unsupported) send_unsupported(w.finding);
        bounds.add(w.unsupported ? "unsupported" : was_interrupted() ? "interrupted" : "time-limit");
    } else {
        RaceWatch(executor, options).look_at_replay(execution);
    }
    send_result(false, bounds.json(), statistics, {}, {}, elapsed_seconds(), processor_seconds());
}

// Measures the executor alone: one schedule, again and again; first with as few switches as the program
// allows, then with a switch at every event.
void measure(NativeExecutor& executor, const Options& options) {
    const double seconds_each = options.time_limit > 0 ? options.time_limit : 1;
    World& w = world();
    for (const bool rotating : {false, true}) {
        w.rotating = rotating;
        Schedule schedule;
        const Execution* execution = &executor.run(schedule);
        while (execution->ending == Ending::visibility) execution = &executor.run(schedule);
        for (const Event& event : execution->events) schedule.steps.push_back({event.thread, event.choice});
        start_timer(0, options.watchdog);
        std::uint64_t executions = 0;
        std::uint64_t events = 0;
        const std::uint64_t switches = w.switches;
        double seconds = 0;
        do {
            for (int i = 0; i < 1000; ++i) events += executor.run(schedule).events.size();
            executions += 1000;
            seconds = elapsed_seconds();
        } while (seconds < seconds_each);
        send_bare(executions, events, w.switches - switches, seconds);
    }
}

}  // namespace

extern "C" int __wrap_main(int argc, char** argv, char** environment) {
    const Options options = read_options();
    prepare_output(options);
    warm_heap();
    const NativeExecutor::Settings settings{options.max_events, options.max_thread_events,
                                            options.keep_going, options.fork,
                                            options.leaks,      options.most_wide_bytes};
    native::set_nondet(options.nondet);
    native::set_on_status(options.on_status);
    NativeExecutor executor({argc, argv, environment}, settings);
    world().counted = options.counted;
    world().spurious = options.spurious;
    world().fill = options.fill;
    switch (options.mode) {
        case Options::Mode::check: check(executor, options); break;
        case Options::Mode::replay: replay(executor, options); break;
        case Options::Mode::bare: measure(executor, options); break;
    }
    std::_Exit(0);
}

}  // namespace norn
