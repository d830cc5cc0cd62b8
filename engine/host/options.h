// Options of a checked program, passed by the Python side in the environment (docs/protocol.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/native/exit_status.h"
#include "explore/sample.h"

namespace norn {

struct Options {
    enum class Mode { check, replay, bare } mode = Mode::check;
    char equivalence[64] = "reads-from";
    std::uint64_t max_executions = 0;
    std::uint32_t max_events = 100'000;
    std::uint32_t max_thread_events = 0;
    bool cut_long = false;  // an execution that meets max_events does not end the exploration
    Sampling sampling;      // of no executions: not asked for
    bool is_bounded = false;
    std::uint32_t preemptions = 0;  // if it is
    double time_limit = 0;
    double watchdog = 10;
    bool keep_going = false;
    bool spurious = false;
    std::uint8_t fill = 0;  // what fresh heap blocks are filled with
    bool fork = false;
    std::uint8_t leaks = 0;  // of executor/native/leaks.h
    bool show_output = false;
    unsigned repeat = 0;
    std::uint64_t shrink = 0;  // executions to find a simpler one for each finding; 0: it stays as it is
    bool without_signals = false;
    bool without_closure = false;
    bool without_constants = false;
    std::size_t most_states = 0;
    unsigned progress_ms = 0;
    enum class Races : std::uint8_t { off, warn, error } races = Races::warn;
    native::OnStatus on_status = native::OnStatus::warn;
    bool strong_atomics = false;  // races are judged as if every atomic operation were seq_cst
    const char* benign = "";      // file with the places of harmless races (benign.h)
    int schedule_fd = -1;         // what to replay (replay_schedule.h)
    // Replay: so many operations of each thread on memory of its own are reported at most, the last ones; 0:
    // all.
    std::uint32_t most_private = 0;
    std::size_t most_wide_bytes = 0;
    const char* nondet = "0";
    const char* counted = nullptr;
};

// Reads and removes the variables. Ends the process with a message if they are missing or wrong.
Options read_options();

// Needed before main, and before libc knows the environment: where messages go, and whether memory must be
// shared with children. Takes an entry of the environment.
void note_early_option(const char* entry);
bool early_option_isolate_fork();

}  // namespace norn
