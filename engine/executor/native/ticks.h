// Ticks: counting every operation, visible or not, so that a schedule can be replayed by anybody.
//
// Which operations are events depends on what the exploration has learned about sharing. A schedule for
// replay therefore counts *ticks*: all calls of the instrumentation and of modelled functions. In mode
// `record` an event schedule is run once more and its ticks are noted as runs (thread, ticks, checksum); in
// mode `replay` such runs are followed, and every tick is reported as a step.
#pragma once

#include "executor/native/world.h"

namespace norn::native {

// Notes that the running thread performs `event`, event or not.
void count_tick(const Thread& thread, const Event& event);

// Record: a choice was made, for replays.
void note_choice(std::uint16_t choice);

// Replay: the run that the next tick belongs to, or null when the schedule is used up.
const Run* current_run();

// Replay: sends the last step, now that its value is known.
void report_last_step();

// Replay: the last step, which would write, turns out not to be possible. What it would have written is not
// known.
void note_step_in_vain();

// Says in World::finding why `thread` cannot run although the schedule wants it to.
void describe_divergence(ThreadId thread);

}  // namespace norn::native
