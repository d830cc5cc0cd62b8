// LitmusExecutor: runs one execution of a litmus program under a schedule, by interpretation.
//
// It keeps every promise of executor.h, as the native executor does, so that an explorer cannot tell the two
// apart. The synchronization objects:
//
//   mutex: 0 if free, else its owner + 1. lock and wake_lock: rmw, guarded by "equals 0"; trylock: the same
//     without guard; unlock: rmw if it equals the thread + 1, else read: unlocking a mutex that the thread
//     does not own is a failure that changes nothing.
//   condition variable: the number of threads that wait and have not been signalled. wait: rmw, one more;
//     signal and broadcast: rmw if nonzero, else read. A wait is followed by the unlock of its mutex, and,
//     once the thread was signalled, by a wake_lock, whose cause is the signal. A thread that was not
//     signalled has no next event at all, so that it is not among the pending.
//   semaphore: its count. sem_wait: rmw, guarded by "nonzero", one less; sem_trywait: the same without guard;
//     sem_post: rmw, one more.
//   read-write lock: 0 if free, else the number of its readers, or `writer_bit` and its writer + 1. rdlock:
//     rmw, guarded by "below writer_bit", one more; wrlock: rmw, guarded by "equals 0"; tryrdlock and
//     trywrlock: the same without guard; rwunlock: rmw in any case, for who holds the lock is not known: one
//     reader less, or 0 if the thread is the writer. If nobody holds it or another thread writes, that is a
//     failure that leaves the value as it is.
//   thread: 1 once it has ended. end: write; join: read, guarded by "nonzero".
//
// Every location has 8 bytes of its own. Accesses to variables may touch only some of these; all other events
// touch all bytes of their location.
#pragma once

#include <cstdint>
#include <vector>

#include "executor/executor.h"
#include "litmus/program.h"

namespace norn::litmus {

inline constexpr std::uint64_t writer_bit = std::uint64_t{1} << 31;

// Bounds on the length of an execution; 0: none.
struct Limits {
    std::uint32_t events = 0;
    std::uint32_t thread_events = 0;  // of each thread: it stops there, the others go on
};

class LitmusExecutor final : public Executor {
public:
    explicit LitmusExecutor(const Program& program, Limits limits = {});

    const Execution& run(const Schedule& schedule) override;

    // The local state of every thread at the end of the last execution: program counter, then registers.
    [[nodiscard]] const std::vector<std::int64_t>& final_state() const { return final_state_; }

private:
    // What the instruction `wait` still has to do, see above.
    enum class Waiting : std::uint8_t { no, to_unlock, for_signal };

    struct ThreadState {
        std::uint32_t pc;
        std::uint32_t registers;  // where they begin in `registers_`
        bool started;
        bool stopped;  // by an assume
        bool ended;
        Waiting waiting;
        std::uint32_t performed;        // events so far
        std::vector<bool> has_written;  // by location: see Forecast::is_constant
        EventIndex spawned_by;          // cause of its first event, no_event from then on
        EventIndex woken_by;            // the signal that ended its waiting, no_event until then
    };

    void reset();
    void advance_locally(ThreadId thread);
    [[nodiscard]] bool is_cut(ThreadId thread) const;
    [[nodiscard]] bool has_next(ThreadId thread) const;
    [[nodiscard]] bool enabled(ThreadId thread) const;
    [[nodiscard]] Event next_event(ThreadId thread) const;
    void perform(ThreadId thread, std::uint16_t choice);
    void take_effect(ThreadId thread, const Event& event, EventIndex index);
    void run_freely(const Schedule& schedule);
    void run_freely_reads_last(const Schedule& schedule);
    void run_by_policy(const Policy& policy);
    [[nodiscard]] bool is_too_long();
    [[nodiscard]] bool goes_on_blindly(ThreadId thread) const;
    [[nodiscard]] std::size_t rank_of(ThreadId thread, const Forecast* forecast) const;
    void finish();

    void store(const Event& event);

    [[nodiscard]] bool owns(ThreadId thread, std::uint8_t mutex) const {
        return values_[mutexes_ + mutex] == static_cast<std::uint64_t>(thread) + 1;
    }

    const Program& program_;
    // Where each kind of location begins among the location ids; variables begin at 0.
    LocationId mutexes_, conditions_, semaphores_, rwlocks_, thread_ends_;
    std::vector<std::uint64_t> values_;  // by location
    std::vector<ThreadState> threads_;
    std::vector<std::int64_t> registers_;
    std::vector<std::vector<ThreadId>> waiters_;  // by condition variable, the longest waiting first
    std::vector<Event> events_;
    std::vector<Event> pending_;
    std::vector<ThreadId> able_;
    PolicyWalk policy_walk_;
    const Limits limits_;
    std::vector<std::int64_t> final_state_;
    Execution execution_;
};

}  // namespace norn::litmus
