#include "executor/native/native_executor.h"

#include <signal.h>
#include <stdio_ext.h>
#include <sys/single_threaded.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "executor/native/atomic_section.h"
#include "executor/native/cancellation.h"
#include "executor/native/coroutine.h"
#include "executor/native/descriptors.h"
#include "executor/native/faults.h"
#include "executor/native/foreign_calls.h"
#include "executor/native/futex.h"
#include "executor/native/globals.h"
#include "executor/native/heap.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/keys.h"
#include "executor/native/leaks.h"
#include "executor/native/mapping.h"
#include "executor/native/pointer_locks.h"
#include "executor/native/process_exit.h"
#include "executor/native/process_state.h"
#include "executor/native/read_extent.h"
#include "executor/native/scheduler.h"
#include "executor/native/shadow.h"
#include "executor/native/signal_actions.h"
#include "executor/native/signal_waits.h"
#include "executor/native/snapshot.h"
#include "executor/native/state_digest.h"
#include "executor/native/threads.h"
#include "executor/native/ticks.h"
#include "executor/native/tls.h"
#include "executor/native/unseen_writes.h"
#include "executor/native/wide_values.h"
#include "host/channel.h"
#include "host/messages.h"
#include "host/options.h"
#include "host/timer.h"

extern "C" int __real_main(int, char**, char**);

namespace norn::native {

namespace {

constexpr std::size_t event_capacity = std::size_t{1}
                                       << 26;         // reserved, not used, unless executions are that long
constexpr std::size_t run_capacity = event_capacity;  // threads take turns at events

bool memory_ready = false;
bool shared_memory = false;
Program program;
Event* explored_events = nullptr;  // of the execution the explorer looks at
Event* recorded_events = nullptr;  // of a second run of it

void* call_main(void*) { return_from_main(__real_main(program.argc, program.argv, program.environment)); }

// Program arguments lie on the OS stack, whose address changes from run to run: move them to the heap.
char** copy_strings(char** strings) {
    std::size_t count = 0;
    while (strings[count] != nullptr) ++count;
    auto** const copies = static_cast<char**>(allocate((count + 1) * sizeof(char*)));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t size = std::strlen(strings[i]) + 1;
        copies[i] = static_cast<char*>(allocate(size));
        std::memcpy(copies[i], strings[i], size);
    }
    copies[count] = nullptr;
    return copies;
}

void note_pending() {
    World& w = world();
    w.pending_count = 0;
    for (std::size_t i = 0; i < w.threads; ++i) {
        const Thread& thread = w.thread[i];
        if (thread.state != State::alive || !thread.parked || waits_in_queue(thread) || enabled(thread))
            continue;
        if (thread.next.location == no_location) continue;
        Event& pending = w.pending[w.pending_count++];
        pending = thread.next;
        pending.cause = cause_of(thread);
        pending.before = value_at(pending.address, pending.size);
    }
}

// How many steps the schedule has in common with the last execution. Their events are still where they were
// recorded.
std::uint32_t common_prefix(std::span<const Step> steps, const Execution& last) {
    if (last.ending == Ending::visibility || last.ending == Ending::diverged) return 0;
    std::uint32_t same = 0;
    while (same < steps.size() && same < last.events.size() &&
           last.events[same].thread == steps[same].thread && last.events[same].choice == steps[same].choice)
        ++same;
    return same;
}

bool any_thread(bool (*test)(const Thread&)) {
    for (std::size_t i = 0; i < world().threads; ++i)
        if (test(world().thread[i])) return true;
    return false;
}

bool is_unfinished(const Thread& thread) {
    if (has_ended(thread)) return false;
    return thread.state == State::fresh || thread.state == State::alive || thread.state == State::looping;
}
bool is_stopped(const Thread& thread) { return thread.state == State::stopped; }
bool is_looping(const Thread& thread) { return thread.state == State::looping; }

}  // namespace

void initialise_memory() {
    if (memory_ready) return;
    memory_ready = true;
    shared_memory = early_option_isolate_fork();
    set_sharing(shared_memory);
    choose_thread_pointer_method();
    map_fixed(world_base, sizeof(World), shared_memory);
    map_shadow(shared_memory);
    map_extents(shared_memory);
    map_slot(0);
    World& w = world();
    w.threads = 1;
    w.known_threads = 1;
    w.thread[0].arena_top = arena_of(0);
    w.current = &w.thread[0];
}

NativeExecutor::NativeExecutor(const Program& of, const Settings& settings) : settings_(settings) {
    initialise_memory();
    program = of;
    program.argv = copy_strings(of.argv);
    World& w = world();
    explored_events = static_cast<Event*>(map_anywhere(event_capacity * sizeof(Event), shared_memory));
    recorded_events = static_cast<Event*>(map_anywhere(event_capacity * sizeof(Event), shared_memory));
    w.runs = static_cast<Run*>(map_anywhere(run_capacity * sizeof(Run), shared_memory));
    w.run_limit = run_capacity;
    w.choices_made =
        static_cast<std::uint16_t*>(map_anywhere(run_capacity * sizeof(std::uint16_t), shared_memory));
    w.able = static_cast<ThreadId*>(map_anywhere(able_capacity * sizeof(ThreadId), shared_memory));
    w.unseen =
        static_cast<std::uintptr_t*>(map_anywhere(unseen_capacity * sizeof(std::uintptr_t), shared_memory));
    draw_digest_keys();
    map_wide_values(shared_memory, settings.most_wide_bytes);
    w.max_events = settings.max_events < event_capacity - max_threads
                       ? settings.max_events
                       : static_cast<std::uint32_t>(event_capacity - max_threads);
    w.free_run_limit = std::clamp<std::uint32_t>(w.max_events / 8, 1, 1000);  // others need their turn, too
    w.keep_going = settings.keep_going;
    w.leaks = settings.leaks;
    std::free(std::malloc(1));   // libc's per-thread cache must exist before its pointer is copied
    __libc_single_threaded = 0;  // else libstdc++ counts references without atomics
    capture_tls();
    install_signal_handlers(false);
    mark_globals();
    keep_early_handlers();
    keep_heap();
    w.recognises_loops = watch_foreign_calls(shared_memory);
    take_snapshot();
    keep_process_state();
}

void NativeExecutor::begin(Mode mode) {
    World& w = world();
    w.mode = mode;
    w.events = mode == Mode::explore ? explored_events : recorded_events;
    w.count = 0;
    w.threads = 0;
    w.choices_made_count = 0;
    forget_keys();
    forget_futex_waiters();
    forget_descriptors();
    forget_signals();
    w.concurrency = 0;
    forget_pointer_locks();
    forget_origins();
    forget_unseen_writes();
    w.section_owner = 0;
    w.same_thread = 0;
    w.scheduled = 0;
    w.repeated = 0;
    w.reads_last = false;
    w.policy = nullptr;
    w.able_count = 0;
    w.max_thread_events = mode == Mode::replay ? 0 : settings_.max_thread_events;  // ticks are no events
    w.counts_events = w.max_thread_events != 0;
    w.was_cut = false;
    w.steps = nullptr;
    w.ends_with_schedule = false;
    w.learning = false;
    w.schedule_is_used_up = false;
    w.watched_from = w.has_sections || w.known_idle_sites != 0 ? 0 : patience_short;
    begin_exit_work();
    w.met_thread_limit = false;
    w.has_plain = false;
    w.has_differing = false;
    w.failed = false;
    w.later_count = 0;
    w.has_passed_failure = false;
    w.unsupported = false;
    w.ticks = 0;
    w.ending = Ending::complete;
    ++w.executions;
}

void NativeExecutor::execute() {
    World& w = world();
    // What a child maps by itself is lost with it, and with it what it learns there: the next one inherits
    // it.
    if (shared_memory)
        for (ThreadId id = 0; id < w.known_threads; ++id) map_slot(id);
    if (settings_.fork && (w.mode != Mode::replay || w.is_quiet)) {  // nobody comes after a replay
        run_in_child();
    } else {
        restore_snapshot();
        reset_heap();
        const std::uintptr_t heap_top = w.thread[0].arena_top;
        const std::uintptr_t last_block = w.thread[0].last_block;
        Thread& first = reserve_thread(0, 0, call_main, nullptr);
        create_thread(first);
        first.arena_top = heap_top;
        first.last_block = last_block;
        restore_thread_work();
        run_coroutines();
        classify();
        __fpurge(stdout);
        restore_process_state();
    }
    execution_.events = {w.events, w.count};
    execution_.pending = {w.pending, w.pending_count};
    execution_.threads = w.threads;
    execution_.ending = w.ending;
    execution_.failed = w.failed;
    execution_.was_cut = w.was_cut;
    execution_.able = {w.able, w.able_count};
    execution_.has_plain = w.has_plain;
}

// How an execution ended that simply found no thread to run.
void NativeExecutor::classify() {
    World& w = world();
    note_pending();
    const bool is_over = w.ending == Ending::complete || w.ending == Ending::too_long;
    if (w.learning && w.mode == Mode::explore && is_over) {
        w.ending = Ending::visibility;
        w.failed = false;
        return;
    }
    if (w.failed || w.ending != Ending::complete) return;
    if (!any_thread(is_unfinished)) {
        if (any_thread(is_stopped)) w.ending = Ending::blocked;
    } else if (any_thread(guessed_wrong) || any_thread(awaits_wrong_channel) || any_thread(is_stopped)) {
        w.ending = Ending::blocked;
    } else if (any_thread(is_looping) && !loops_find_nothing_new()) {
        w.ending = Ending::blocked;
    } else if (w.process_is_gone) {
        // Whoever still waits has ended with it.
    } else if (const Outlook outlook = outlook_with_signals(is_unfinished); outlook != Outlook::hopeless) {
        if (outlook == Outlook::unknown) w.left_to_signals = true;
    } else {
        w.ending = Ending::deadlock;
        if (any_thread(is_looping)) {
            if (is_counted("livelock")) note_livelock();
        } else if (is_counted("deadlock")) {
            note_deadlock();
        }
    }
    if (w.leaks != 0 && w.ending == Ending::complete) look_for_leaks();
}

void NativeExecutor::run_in_child() {
    World& w = world();
    w.child_is_done = false;
    const pid_t child = fork();
    if (child < 0) die("cannot fork a child for the execution (out of processes or memory)");
    if (child == 0) {
        settings_.fork = false;
        be_child();
        adopt_channel();
        execute();
        expect_no_children();
        w.child_is_done = true;
        _exit(0);
    }
    set_child(child);
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
    }
    w.running = false;  // a child that was ended could not say so
    set_child(0);
    // The status alone proves nothing: a program can leave with it in the middle of an execution.
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && w.child_is_done) return;
    if (w.interrupt) {
        w.ending = Ending::interrupted;
        return;
    }
    if (child_was_stuck())
        die("an execution ran for long without a visible operation: an endless loop, or a call that blocks "
            "(run without "
            "--isolate=fork to see where)");
    char text[160];
    std::snprintf(text, sizeof text, "the child process of an execution ended unexpectedly (%s %d)",
                  WIFSIGNALED(status) ? "signal" : "exit code",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    die(text);
}

const Execution& NativeExecutor::run(const Schedule& schedule) {
    World& w = world();
    begin(Mode::explore);
    w.steps = schedule.steps.data();
    w.scheduled = static_cast<std::uint32_t>(schedule.steps.size());
    w.repeated = common_prefix(schedule.steps, execution_);
    w.reads_last = schedule.reads_last;
    w.forecast = schedule.forecast;
    w.policy = schedule.policy;
    if (w.reads_last) w.counts_events = true;
    if (w.reads_last) std::memset(w.deferred, 0, w.known_threads * sizeof w.deferred[0]);
    for (const ThreadId thread : schedule.deferred) w.deferred[thread] = true;
    execute();
    return execution_;
}

bool NativeExecutor::record(std::span<const Event> events, std::uint32_t wanted) {
    World& w = world();
    const Execution seen = execution_;
    static std::vector<Step> steps;
    static std::vector<Event> pending;
    steps.clear();
    for (const Event& event : events) steps.push_back({event.thread, event.choice});
    pending.assign(seen.pending.begin(), seen.pending.end());
    begin(Mode::record);
    w.ends_with_schedule = (seen.ending == Ending::too_long || seen.was_cut) && !seen.failed;
    w.run_count = 0;
    for (Watched& each : w.watched) each.frames = 0;
    w.steps = steps.data();
    w.scheduled = static_cast<std::uint32_t>(steps.size());
    const std::uint32_t wanted_before = std::exchange(w.wanted_failure, wanted);
    execute();
    w.wanted_failure = wanted_before;
    if (w.ends_with_schedule) note_end_of_schedule();
    const bool failed = w.failed;
    std::copy(pending.begin(), pending.end(), w.pending);
    execution_ = seen;
    return failed;
}

const Execution& NativeExecutor::replay(std::span<const Run> runs, std::span<const std::uint16_t> choices,
                                        bool is_quiet) {
    World& w = world();
    begin(Mode::replay);
    w.is_quiet = is_quiet;
    if (runs.size() > run_capacity) die("the schedule is too long");
    std::copy(runs.begin(), runs.end(), w.runs);
    w.run_count = static_cast<std::uint32_t>(runs.size());
    w.ends_with_schedule = !runs.empty() && is_end_of_schedule(runs.back());
    w.run_position = 0;
    w.run_done = 0;
    w.run_checksum = 0;
    w.choices = choices.data();
    w.choice_count = static_cast<std::uint32_t>(choices.size());
    w.choice_position = 0;
    execute();
    return execution_;
}

extern "C" void __tsan_init() { initialise_memory(); }

}  // namespace norn::native
