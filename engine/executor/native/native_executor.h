// NativeExecutor: runs executions of the program it is linked into. Its state is in World; this is the
// handle.
#pragma once

#include <span>

#include "executor/executor.h"
#include "executor/native/world.h"

namespace norn::native {

struct Program {
    int argc;
    char** argv;
    char** environment;
};

class NativeExecutor final : public Executor {
public:
    struct Settings {
        std::uint32_t max_events;
        std::uint32_t max_thread_events;  // 0: no bound
        bool keep_going;
        bool fork;                        // every execution in a child process of its own
        std::uint8_t leaks = 0;           // what to look for at the end of each (leaks.h)
        std::size_t most_wide_bytes = 0;  // wide_values.h; 0: as many as usual
    };

    // Called at the program's main, once: what memory holds now is where every execution begins.
    NativeExecutor(const Program& program, const Settings& settings);

    const Execution& run(const Schedule& schedule) override;

    // Runs the last execution once more and counts its ticks: a schedule that anybody can replay. One that
    // met a limit on events ends where it ended, here and in replays (World::ends_with_schedule). The result
    // is in World::runs; false if it did not fail again. `wanted`: see World::wanted_failure.
    bool record(std::span<const Event> events, std::uint32_t wanted = 0);

    // Follows a schedule in ticks, reporting every step unless it is to be quiet.
    const Execution& replay(std::span<const Run> runs, std::span<const std::uint16_t> choices,
                            bool is_quiet = false);

private:
    void begin(Mode mode);
    void execute();
    void classify();
    void run_in_child();

    Settings settings_;
    Execution execution_;
};

// Maps what hooks need; they may be called by constructors long before main.
void initialise_memory();

}  // namespace norn::native
