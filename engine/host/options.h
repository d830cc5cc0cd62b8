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
    const char* benign = "";  // file with the places of harmless races (benign.h)
    const char* schedule = "";
    const char* choices = "";
    const char* parents = "";
    const char* nondet = "0";
    const char* counted = nullptr;
    int message_fd = -1;
};

// Reads and removes the variables. Ends the process with a message if they are missing or wrong.
Options read_options();

// Needed before main: whether memory must be shared with children.
bool early_option_isolate_fork();

}  // namespace norn
