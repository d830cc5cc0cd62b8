// Ticks: counting every operation, visible or not, so that a schedule can be replayed by anybody.
//
// Which operations are events depends on what the exploration has learned about sharing. A schedule for
// replay therefore counts *ticks*: all calls of the instrumentation and of modelled functions. In mode
// `record` an event schedule is run once more and its ticks are noted as runs (thread, ticks, checksum); in
// mode `replay` such runs are followed, and every tick is reported as a step.
#pragma once

#include <cstdint>
#include <span>

#include "executor/native/world.h"

namespace norn::native {

// Notes that the running thread performs `event`, event or not.
void count_tick(const Thread& thread, const Event& event);

// A run without ticks of nobody, after all others, says that the execution was cut there: it is not to go on
// by itself.
inline bool is_end_of_schedule(const Run& run) { return run.ticks == 0 && run.thread == max_threads; }
void note_end_of_schedule();

// Record: a choice was made, for replays.
void note_choice(std::uint16_t choice);

// Replay: the run that the next tick belongs to, or null when the schedule is used up.
const Run* current_run();

// Record: the schedule ends with the failure of that thread, while others have failed before.
void note_who_fails(ThreadId thread);
// Replay: whether the schedule ends with a failure of that thread, which comes now.
bool is_led_to(ThreadId thread);
// Replay: who is to go on once the schedule is used up, if it says so; null if it does not.
Thread* last_of_schedule();
// Replay: of each thread so many of its first operations on memory that no other thread uses are not
// reported. Where that is known of memory, it is known from the beginning: an earlier replay has learned it.
void hide_private_ticks(std::span<const std::uint32_t> of_threads);
// So many were not.
std::uint64_t hidden_ticks();
// Which of the reported steps an event is.
EventIndex step_of(EventIndex event);

// Replay: sends the last step, now that its value is known.
void report_last_step();

// Replay: the last step, which would write, turns out not to be possible. What it would have written is not
// known.
void note_step_in_vain();

// Says in World::finding why `thread` cannot run although the schedule wants it to.
void describe_divergence(ThreadId thread);

}  // namespace norn::native
