// World: the whole state of the native executor, in one block at a fixed address.
//
// One block, because in the mode that forks a child per execution (isolate=fork) it is shared memory: what
// the child learns and records is there for the parent. A fixed address, because every hook reads it. It is
// plain data, zero at the start, and not part of the checked program's data (which is what gets reset).
//
// Life of an execution: `run` (native_executor.cpp) resets the program, makes thread 0 and switches to it.
// Threads run as coroutines; at every visible operation a thread fills `Thread::next` and calls `perform`
// (scheduler.h), which returns when the schedule has reached that event. When no thread can run, the last one
// switches back to the host.
#pragma once

#include <cstdint>

#include "executor/native/layout.h"
#include "graph/execution.h"
#include "graph/schedule.h"

namespace norn::native {

enum class State : std::uint8_t {
    unused,
    fresh,    // created, its code has not begun to run
    alive,    // running, or parked at `next`
    stopped,  // by a failed assume: for good
    failed,   // it has a finding: for good
    exited,   // called exit(): for good
    ended,
};

// A piece of work to do when a thread ends (thread_local destructors).
struct AtEnd {
    void (*function)(void*);
    void* argument;
    AtEnd* next;
};

struct Thread {
    void* stack_pointer;  // of the parked coroutine
    std::uintptr_t fs;    // its thread pointer
    std::uintptr_t
        fault_site;  // code address and frame of the fault that ended it, for the stack of a finding
    std::uintptr_t fault_frame;
    Event next;   // what it does when it runs next; valid while parked
    bool parked;  // waiting in `perform`
    State state;
    ThreadId id;
    ThreadId parent;
    std::uint16_t children;    // how many threads it has created in this execution
    std::uint32_t performed;   // events so far
    EventIndex spawned_by;     // its spawn, until its first event has it as its cause
    EventIndex woken_by;       // the signal that ended its wait: the cause of its wake_lock
    EventIndex open_store;     // a plain store whose value is not in memory yet, or no_event
    std::uint64_t waiting_on;  // the condition variable in whose queue it stands, or 0
    std::uint32_t ended;       // 1 once it has ended; the location that `end` writes and `join` reads
    bool detached;
    bool joined;
    void* (*start)(void*);
    void* argument;
    void* result;
    AtEnd* at_end;
    std::uint64_t random;        // state of rand() and friends
    std::uint64_t clock;         // nanoseconds of virtual time this thread has seen
    std::uintptr_t arena_top;    // first free byte of its heap
    std::uintptr_t arena_dirty;  // highest byte used by an earlier execution: to be cleared
    std::uintptr_t last_block;   // header of the newest heap block (blocks are linked backwards)
    // A struct copy announced by its write (copies.cpp): destination, and source bytes to put back
    // afterwards.
    std::uintptr_t copy_target;
    std::uint32_t copy_size;
    std::uintptr_t copy_site;
    std::uintptr_t restore_address;
    std::uint32_t restore_size;
    // Whether it spins on memory that nobody else has touched yet (access.cpp).
    std::uintptr_t spin_address;
    std::uint32_t spin_hits;
    std::uint32_t spin_misses;
};

// A key of thread-specific data (keys.cpp).
struct Key {
    bool used;
    void (*destructor)(void*);
};
inline constexpr std::size_t key_limit = 128;  // keys that a program may have at a time

inline constexpr std::size_t copy_limit = 4096;  // bytes of a struct copy that are kept exact
inline constexpr std::size_t stack_depth = 32;   // frames kept of each thread of a finding

struct FindingThread {
    ThreadId id;
    State state;
    bool waiting;
    Operation operation;   // what it waits for, if it waits
    std::uint64_t object;  // address of what it waits for
    bool has_next;
    std::uint32_t frames;
    std::uintptr_t stack[stack_depth];
};

// A failure of the checked program, or a reason why checking must end.
struct Finding {
    char kind[32];
    char message[512];
    char file[512];
    std::uint32_t line;
    bool fault;       // the top frame of the failing thread is the faulting instruction itself
    bool in_library;  // it happened inside libc or another library, whose state is now unknown
    std::uint64_t address;
    ThreadId thread;
    std::uint32_t threads;
    FindingThread involved[max_threads];
};

// An event whose stack is wanted when it is performed once more (mode record).
struct Watched {
    EventIndex event;
    std::uint32_t frames;
    std::uintptr_t stack[stack_depth];
};

// How the program's operations are counted and recorded.
enum class Mode : std::uint8_t {
    explore,  // only visible events, as fast as possible
    record,   // an event schedule is followed, every tick is counted: makes a replayable schedule
    replay,   // a tick schedule is followed, every tick is reported
};

// A stretch of ticks of one thread: the unit of replayable schedules.
struct Run {
    ThreadId thread;
    std::uint16_t checksum;
    std::uint32_t ticks;
};

struct World {
    // Read by every hook: the shadow tag of the running thread, or `no_tag` to send all accesses the slow
    // way.
    std::uint32_t current_tag;
    bool running;   // an execution is under way
    bool learning;  // a new shared location was met: run on freely, then start over
    bool exit_called;
    int exit_status;     // the last that was not 0, over all executions
    bool main_returned;  // by a return, not by pthread_exit: the process ends
    bool failed;
    bool keep_going;
    bool rotating;  // free part: switch at every event (for the benchmark)
    // Some event of this execution may be an access that is not atomic.
    bool has_plain;
    Mode mode;
    Thread* current;

    Event* events;
    std::uint32_t count;
    std::uint32_t max_events;
    const Step* steps;
    std::uint32_t scheduled;
    std::uint32_t repeated;     // so many of the first events must be what they were in the execution before
    std::uint32_t same_thread;  // events in a row of one thread in the free part
    bool reads_last;            // free part: see graph/schedule.h
    bool deferred[max_threads];
    const Forecast* forecast;
    std::uint64_t written[max_threads][Forecast::tracked / 64];  // locations: see Forecast::is_constant
    std::uint64_t switches;

    std::uint16_t threads;  // ids in use in this execution are below
    Thread thread[max_threads];

    void* host_stack_pointer;
    std::uintptr_t host_fs;
    Ending ending;
    volatile bool interrupt;   // the host wants the exploration to end
    std::uint64_t executions;  // begun so far, for the watchdog

    // Ticks (modes record and replay).
    Run* runs;
    std::uint32_t run_count;
    std::uint32_t run_limit;
    std::uint32_t run_position;  // replay: the run being followed
    std::uint32_t run_done;      // replay: ticks of it performed
    std::uint16_t run_checksum;
    std::uint64_t ticks;
    const std::uint16_t* choices;
    std::uint32_t choice_count;
    std::uint32_t choice_position;

    // What is learned over all executions; ids never change their meaning.
    ThreadId known_threads;
    ThreadId known_parent[max_threads];
    std::uint16_t known_number[max_threads];  // n-th child of its parent
    std::uint32_t locations;

    Key keys[key_limit];
    std::uint32_t keys_created;  // the location of these events
    std::uint32_t keys_deleted;  // likewise
    std::uint32_t early_keys;    // keys that were created before main
    bool has_keys;               // some execution has created one
    void* specific[max_threads][key_limit];

    std::uint32_t pending_count;  // filled at the end of an execution
    Event pending[max_threads];
    Watched watched[2];
    Finding finding;
    bool unsupported;  // `finding` is not the program's failure but a call norn does not model
    std::uint8_t copy_bytes[max_threads][copy_limit];
};

inline World& world() { return *reinterpret_cast<World*>(world_base); }

}  // namespace norn::native
