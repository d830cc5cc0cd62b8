#include "executor/native/ticks.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "executor/native/faults.h"
#include "executor/native/shadow.h"
#include "executor/native/stack_walk.h"
#include "executor/native/whereabouts.h"
#include "host/messages.h"

namespace norn::native {

namespace {

// The step to be reported, and where it was taken.
bool step_open = false;
const Event* step = nullptr;
std::uintptr_t step_stack[stack_depth];
std::size_t step_frames = 0;
Whereabouts step_where;
bool step_in_vain = false;

// See hide_private_ticks.
std::uint32_t to_hide[max_threads] = {};
std::uint64_t hidden = 0;
std::vector<EventIndex> reported;  // the events that are steps, in order

bool hides(const Thread& thread, const Event& event) {
    if (event.location != no_location || event.access == Access::none || to_hide[thread.id] == 0)
        return false;
    --to_hide[thread.id];
    ++hidden;
    return true;
}

std::uint16_t mix(std::uint16_t checksum, const Event& event) {
    std::uint64_t hash = checksum;
    const bool moves = event.address >= foreign_start || in_libc_heap(event.address);
    const std::uint64_t address = moves ? 0 : event.address;
    for (const std::uint64_t part :
         {std::uint64_t{static_cast<std::uint8_t>(event.operation)}, address, std::uint64_t{event.site}})
        hash = (hash ^ part) * 0x9E37'79B9'7F4A'7C15U;
    return static_cast<std::uint16_t>(hash >> 48);
}

// Operations on private memory are no events, and the next event is counted from the same number.
void watch(const Event& event) {
    World& w = world();
    if (event.location == no_location && event.access != Access::none) return;
    for (Watched& each : w.watched)
        if (each.event == w.count) {
            each.frames = static_cast<std::uint32_t>(walk_own_stack(each.stack, stack_depth));
            each.where = whereabouts_of(event);
        }
}

bool checksum_differs() {
    const World& w = world();
    return w.run_checksum != w.runs[w.run_position].checksum;
}

}  // namespace

void count_tick(const Thread& thread, const Event& event) {
    World& w = world();
    if (thread.takes_hidden_step) return;
    ++w.ticks;
    if (w.mode == Mode::record || !w.is_quiet) note_live_frames();
    if (w.mode == Mode::record) {
        if (w.run_count == 0 || w.runs[w.run_count - 1].thread != thread.id) {
            if (w.run_count == w.run_limit)
                die("the schedule of the failing execution is too long to be kept");
            w.runs[w.run_count++] = {thread.id, 0, 0};
        }
        Run& run = w.runs[w.run_count - 1];
        ++run.ticks;
        run.checksum = mix(run.checksum, event);
        watch(event);
        return;
    }
    if (w.run_position < w.run_count) {
        w.run_checksum = mix(w.run_checksum, event);
        ++w.run_done;
    }
    if (w.is_quiet || hides(thread, event)) return;
    reported.push_back(w.count);
    step_open = true;
    step = w.events + w.count;  // where `perform` puts it
    step_in_vain = false;
    step_frames = walk_own_stack(step_stack, stack_depth);
    step_where = whereabouts_of(event);
}

void note_end_of_schedule() {
    World& w = world();
    if (w.run_count < w.run_limit) w.runs[w.run_count++] = {max_threads, 0, 0};
}

void hide_private_ticks(std::span<const std::uint32_t> of_threads) {
    std::copy(of_threads.begin(), of_threads.end(), to_hide);
}

std::uint64_t hidden_ticks() { return hidden; }

EventIndex step_of(EventIndex event) {
    const auto at = std::lower_bound(reported.begin(), reported.end(), event);
    return static_cast<EventIndex>(at - reported.begin());
}

void note_choice(std::uint16_t choice) {
    World& w = world();
    if (w.choices_made_count == w.run_limit) die("the failing execution makes too many choices to be kept");
    w.choices_made[w.choices_made_count++] = choice;
}

const Run* current_run() {
    World& w = world();
    while (w.run_position < w.run_count && w.run_done == w.runs[w.run_position].ticks) {
        if (checksum_differs()) {
            stop_diverged("the program took other steps than it did when the schedule was recorded");
            return nullptr;
        }
        ++w.run_position;
        w.run_done = 0;
        w.run_checksum = 0;
    }
    return w.run_position < w.run_count ? &w.runs[w.run_position] : nullptr;
}

void note_who_fails(ThreadId thread) {
    World& w = world();
    if (w.run_count > 0 && w.runs[w.run_count - 1].thread == thread) return;
    if (w.run_count == w.run_limit) die("the schedule of the failing execution is too long to be kept");
    w.runs[w.run_count++] = {thread, 0, 0};
}

Thread* last_of_schedule() {
    World& w = world();
    if (w.run_count == 0) return nullptr;
    const Run& last = w.runs[w.run_count - 1];
    return last.ticks == 0 && !is_end_of_schedule(last) ? &w.thread[last.thread] : nullptr;
}

bool is_led_to(ThreadId thread) {
    const World& w = world();
    std::uint32_t left = w.run_position;
    if (left < w.run_count && w.run_done == w.runs[left].ticks) ++left;
    // One that is to go on cannot be passed over: it fails earlier than it did. (A stack overflows earlier
    // where steps are reported from it.)
    for (std::uint32_t i = left; i < w.run_count; ++i)
        if (w.runs[i].thread == thread) return true;
    const Thread* const last = last_of_schedule();
    return left >= w.run_count && (last == nullptr || last->id == thread);
}

void report_last_step() {
    if (!step_open) return;
    step_open = false;
    Thread& me = *world().current;
    const std::uint32_t visits = me.visits;  // what libc is called for here is not the program's doing
    send_step(*step, {step_stack, step_frames}, step_where, step_in_vain);
    me.visits = visits;
}

void note_step_in_vain() { step_in_vain = true; }

void describe_divergence(ThreadId id) {
    const World& w = world();
    char text[200];
    const char* why = "it does not exist yet";
    if (id < w.threads) switch (w.thread[id].state) {
            case State::ended: why = "it has ended"; break;
            case State::stopped: why = "a failed assume stopped it"; break;
            case State::failed: why = "it failed"; break;
            case State::exited: why = "it called exit"; break;
            case State::alive: why = "it waits"; break;
            case State::looping: why = "it waits in a loop"; break;
            default: break;
        }
    std::snprintf(text, sizeof text, "the schedule wants thread T%u to run, but %s", unsigned{id}, why);
    note_divergence(text);
}

}  // namespace norn::native
