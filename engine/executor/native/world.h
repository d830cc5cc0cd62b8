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
    reserved,  // about to be created: others may know its handle already
    fresh,     // created, its code has not begun to run
    alive,     // running, or parked at `next`
    stopped,   // by a failed assume: for good
    failed,    // it has a finding: for good
    exited,    // has ended the process by a call: for good
    ended,     // main also by its return, which ends the process
    looping,   // waits in a loop (idle_rounds.h): for good
};

// A piece of work to do when a thread ends (thread_local destructors).
struct AtEnd {
    void (*function)(void*);
    void* argument;
    AtEnd* next;
};

struct Thread {
    // What it has done so far in this execution: all zeros when it is created, up to `stack_pointer`. (What
    // every event looks at stands together, from `waiting_on` to `next`.)
    std::uintptr_t spin_address;  // whether it spins on memory that nobody else has touched yet (access.cpp)
    std::uint32_t spin_hits;
    std::uint32_t spin_misses;
    std::uint32_t spin_turns;      // times it gave way to others meanwhile
    std::uint32_t private_writes;  // without a chance for others
    std::uint32_t section_depth;   // atomic sections that it has begun and not ended
    std::uintptr_t section_frame;  // of the outermost function that is a section, or 0
    std::uint32_t nondet_calls;    // so many undetermined values it has been given (nondet.cpp)
    std::uint32_t looks;           // at its clock, since time last passed (virtual_time.h)
    std::uint32_t delays;          // times that more time passed than was asked for
    std::uint32_t suspect_site;    // where it is watched for idle rounds (idle_rounds.h), or 0
    std::uint64_t clock;           // nanoseconds of virtual time this thread has seen
    std::uint64_t random;          // state of rand() and friends
    // Code address and frame of the fault that ended it, for the stack of a finding.
    std::uintptr_t fault_site;
    std::uintptr_t fault_frame;
    AtEnd* at_end;
    void* cleanup;              // the newest of its cleanup handlers that C code has pushed (cleanup.cpp)
    void* robust_held;          // the newest of the robust mutexes that it holds (robust_mutex.cpp)
    std::uintptr_t last_block;  // header of the newest heap block (blocks are linked backwards)
    std::uint32_t ended;        // 1 once it has ended; the location that `end` writes and `join` reads
    std::uint32_t cancel_requested;  // 1 once it was asked to end (cancellation.cpp)
    std::uint64_t waiting_on;        // the condition variable in whose queue it stands, or 0
    std::uintptr_t copy_target;      // of a struct copy announced by its write (copies.cpp), or 0
    std::uint32_t restore_size;      // bytes of its source to be put back afterwards
    std::uint32_t visits;            // 1: it is watched (idle_rounds.h), by World::rounds
    std::uint32_t quiet;             // reads since its last write
    std::uint32_t performed;         // events so far
    std::uint16_t children;          // how many threads it has created
    bool parked;                     // waiting in `perform`
    bool detached;
    bool joined;
    bool joining;            // another thread waits for its end
    bool accesses_alone;     // it has taken the word of atomic sections for one access (atomic_section.cpp)
    bool cancel_disabled;    // by itself, or because it ends
    bool is_ending;          // its handlers and destructors run
    bool is_exiting;         // it ends the process, whose handlers run (process_exit.cpp)
    bool waits_to_exit;      // it has ended; once all others have, it runs what is left to do
    bool waits_uncancelled;  // it has decided that its wait does not end by cancellation
    bool takes_hidden_step;  // what it does is no step of the program
    bool changed_mask;       // of its signals
    std::uint8_t handlers;   // of signals that it is in (signal_delivery.cpp)

    void* stack_pointer;  // of the parked coroutine
    std::uintptr_t fs;    // its thread pointer
    State state;
    ThreadId id;
    ThreadId parent;
    EventIndex spawned_by;  // its spawn, until its first event has it as its cause
    EventIndex woken_by;    // the signal that ended its wait: the cause of its wake_lock
    EventIndex open_store;  // a plain store whose value is not in memory yet, or no_event
    EventIndex last_event;  // of its own, while it is watched
    Event next;             // what it does when it runs next; valid while parked
    void* (*start)(void*);
    void* argument;
    void* result;
    std::uintptr_t arena_top;    // first free byte of its heap
    std::uintptr_t arena_dirty;  // highest byte used by an earlier execution: to be cleared
    std::uint64_t signals;       // blocked and pending ones (signal_words.cpp)
    std::uint64_t realtime_mask;
    std::uintptr_t copy_site;  // of the struct copy
    std::uintptr_t restore_address;
    std::uint32_t copy_size;
    std::uint32_t round_begin;  // once it is `looping`: the events of its last round
    std::uint32_t round_end;
};

// Whether nothing of the thread's own is left to do. (Only main's thread waits for others after that.)
inline bool has_ended(const Thread& thread) { return thread.state == State::ended || thread.waits_to_exit; }

// The registers that functions preserve, as the program had them when it entered the engine (entries.def).
struct Registers {
    std::uintptr_t stack_pointer;
    std::uintptr_t preserved[6];
    std::uintptr_t site;  // where the program calls; 0 once the call has performed an event
};

// Stands for a state of a thread (state_digest.h). All zeros: it is not known.
struct Digest {
    std::uint64_t first;
    std::uint64_t second;
    bool operator==(const Digest&) const = default;
    [[nodiscard]] bool is_known() const { return first != 0; }
};

// What a watched thread may come back to, and what it has changed for the time being (idle_rounds.cpp).
struct Rounds {
    static constexpr std::size_t most_objects = 8;
    // What the thread has done to an object since it is watched.
    struct Balance {
        std::uint64_t sum;   // of what it has added
        std::int32_t taken;  // how often it has taken it and not given it back
    };
    struct Object {
        std::uint64_t address;
        LocationId location;
        std::uint32_t first_event;  // of the thread's on it, since it is watched,
        std::uint32_t last_event;   // ... and the last one
        Balance balance;
    };
    struct Visit {
        std::uint32_t site;
        std::uint32_t first_event;
        Digest state;
        Digest state_in_time;  // or not known
        Digest own_memory;     // what it has changed of its own memory since it is watched (own_writes.h)
        Digest unhooked;       // of memory that code without hooks may write, or not known
        std::uint32_t looks;   // at the clock, since more time passed than a little
        bool is_over;          // it has since given back what it had taken before
        Balance balance[most_objects];
    };
    // Visits of a kind: the last ones, and one from further back, by which cycles of any length are found.
    struct Track {
        static constexpr std::size_t most_visits = 32;
        std::uint32_t visits;
        Visit latest[most_visits];
        Visit anchor;
    } known, suspected;  // at sites of idle rounds, and where the thread is suspected
    Visit alone;         // while it does nothing visible
    std::uint32_t objects;
    Object object[most_objects];
    // Its own memory: the writes that are over, and the last one, with what was there before.
    Digest own_memory;
    std::uintptr_t open_write;
    std::size_t open_size;
    Digest before_open_write;
    std::uint32_t own_writes;  // since its last visit
    // An event of the thread that will come again if it goes round; of the execution with that number.
    std::uint64_t execution;
    std::uint32_t mark_site;
    std::uint32_t mark_hits;
    std::uint32_t mark_age;  // events since
    std::uint32_t mark_limit;
    std::uint64_t mark_address;
    std::uint64_t mark_value;
};

// Who waits on a word of the program by futex(2) (futex.cpp).
struct FutexQueue {
    std::uintptr_t address;
    std::uint32_t waiters;
};

// A key of thread-specific data (keys.cpp).
struct Key {
    bool used;
    void (*destructor)(void*);
    const void* kept_in;  // the variable of a shared library that holds it, if one has created it
};
inline constexpr std::size_t key_limit = 128;  // keys that a program may have at a time

// What a thread was told about itself, to be asked for again (attributes.cpp). All zeros: nothing.
struct ThreadAttributes {
    char name[16];
    std::uint32_t has_processors;
    unsigned char processors[128];
    std::int32_t policy;
    std::int32_t priority;
};

inline constexpr std::size_t signal_limit = 65;  // signal numbers are below

// What is to be done about a signal (signal_actions.cpp). All zeros: its default.
struct SignalAction {
    std::uintptr_t handler;  // or SIG_IGN
    std::uint64_t mask;
    int flags;
};

// What a thread has said about a stack for its handlers (signal_masks.cpp). All zeros: nothing.
struct SignalStack {
    std::uintptr_t address;
    std::size_t size;
};

// The descriptors that a thread waits for at once (poll.cpp).
struct AwaitedChannels {
    static constexpr std::size_t most = 64;
    std::uint32_t count;
    const std::uint32_t* settings[most];  // of the descriptions
    std::uint64_t* channel[most];
    std::uint64_t wanted[most];
};

inline constexpr std::size_t pointer_lock_count = 128;  // pointer_locks.cpp

// Of Execution::able: reserved, not used, unless executions are that long.
inline constexpr std::size_t able_capacity = std::size_t{1} << 27;

inline constexpr std::size_t unseen_capacity = std::size_t{1} << 20;

inline constexpr std::size_t copy_limit = 4096;  // bytes of a struct copy that are kept exact
inline constexpr std::size_t stack_depth = 32;   // frames kept of each thread of a finding

struct FindingThread {
    ThreadId id;
    State state;
    const char* detail;  // what the stack has to do with the finding, if it is not where the thread is now
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

// Behaviour that the language leaves undefined and that is no finding of what is checked: what the program
// would do from there on is not known.
struct Undefined {
    bool seen;
    char kind[32];
    char message[512];
    ThreadId thread;
    std::uint32_t frames;
    std::uintptr_t stack[stack_depth];
};

// A failure of a further thread in an execution that had failed before (faults.h).
struct LaterFailure {
    char kind[sizeof Finding::kind];
    std::uintptr_t site;   // the top of its stack
    std::uint32_t events;  // so many came before it
    ThreadId thread;
    bool in_library;
};

// A function that is being executed: where it goes on, and its frame pointer. Zeros: none that is known.
struct LiveFrame {
    std::uintptr_t code;
    std::uintptr_t pointer;
};

// What the memory of an event is part of (whereabouts.h).
struct Whereabouts {
    static constexpr std::size_t most = 24;
    LiveFrame frame;         // of stack memory: the function whose variable it is
    std::uintptr_t block;    // of heap memory: where its block begins,
    std::size_t block_size;  // ... and its bytes
    std::uintptr_t futex;    // of the queue of a futex: the word that threads wait on
    std::uint32_t pointers;  // into the block
    struct Pointer {
        std::uintptr_t address;
        std::uintptr_t value;
        LiveFrame frame;  // if it lies on a stack
    } pointer[most];
};

// An event whose stack is wanted when it is performed once more (mode record).
struct Watched {
    Whereabouts where;
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
    Registers registers;  // at world_base: entries know no other address

    // What every event looks at stands together.
    // Read by every hook: the shadow tag of the running thread, or `no_tag` to send all accesses the slow
    // way.
    std::uint32_t current_tag;
    Mode mode;
    bool running;             // an execution is under way
    bool learning;            // see start_learning
    volatile bool interrupt;  // the host wants the exploration to end
    Thread* current;
    Event* events;
    const Step* steps;
    std::uint32_t count;
    std::uint32_t scheduled;
    std::uint32_t repeated;  // so many of the first events must be what they were in the execution before
    std::uint32_t
        watched_from;  // events of this execution (idle_rounds.cpp); 0: with care from the beginning
    std::uint32_t max_events;
    std::uint32_t max_thread_events;  // 0: as many as it likes
    std::uint32_t same_thread;        // events in a row of one thread in the free part
    // In the free part a thread that spins would keep the others from ever changing what it waits for: it
    // gives way after so many events.
    std::uint32_t free_run_limit;
    std::uint32_t section_owner;  // who is inside an atomic section: its id + 1; 0: nobody
    std::uint32_t known_idle_sites;
    std::uint16_t threads;     // ids in use in this execution are below
    bool counts_events;        // Thread::performed is kept
    bool has_plain;            // some event of this execution may be an access that is not atomic
    bool schedule_is_used_up;  // replay: from here on threads may be stopped
    bool recognises_loops;
    bool awaits;      // some of `awaited`, or others that are not tracked
    bool rotating;    // free part: switch at every event (for the benchmark)
    bool reads_last;  // free part: see graph/schedule.h
    bool failed;
    Ending ending;
    std::uint64_t switches;
    void* host_stack_pointer;
    std::uintptr_t host_fs;
    const Forecast* forecast;
    const Policy* policy;  // free part: see graph/policy.h, or null
    ThreadId* able;        // Execution::able
    std::uint32_t able_count;

    // Once some execution has done so, this is looked after in all of them.
    bool has_sections;       // begun an atomic section
    bool has_cancels;        // asked a thread to end
    bool has_clock_looks;    // looked at a clock
    bool has_keys;           // created a key
    bool has_futexes;        // used a futex
    bool has_pointer_locks;  // taken one
    bool has_attributes;     // set one
    bool has_signals;        // set what is to be done about one, or sent one
    bool has_signal_stacks;  // set one
    bool has_descriptors;    // made one that norn models
    bool has_exit_work;  // registered something to run at the end of the process, or had it from the start

    bool process_is_gone;           // who waits now, waits no longer
    bool main_returned;             // by a return, not by pthread_exit
    std::uintptr_t main_stack_end;  // then: below which handlers have main's stack for themselves
    bool was_cut;                   // a thread met the limit of its events
    bool met_thread_limit;          // the execution ends because there are no more ids for threads
    bool keep_going;
    bool spurious;             // waits on condition variables may end without a signal
    std::uint8_t fill;         // each byte of a block that malloc gives out
    std::uint8_t leaks;        // what to look for at the end of executions (leaks.h)
    unsigned exit_status;      // the last that was not 0, over all executions
    std::uint64_t executions;  // begun so far, for the watchdog

    Thread thread[max_threads];
    bool deferred[max_threads];
    std::uint64_t written[max_threads][Forecast::tracked / 64];  // locations: see Forecast::is_constant

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
    std::uint16_t* choices_made;  // record: those of this execution, in the order of its ticks
    std::uint32_t choices_made_count;
    bool is_quiet;  // replay: nobody is told of the steps
    bool
        ends_with_schedule;  // record, replay: the execution was cut there, and would go on, perhaps for ever

    // What is learned over all executions; ids never change their meaning.
    ThreadId known_threads;
    ThreadId known_parent[max_threads];
    std::uint16_t known_number[max_threads];  // n-th child of its parent
    std::uint32_t locations;
    std::uint32_t lessons;  // executions in which a thread gave way only to learn from that

    // Loops that wait (idle_rounds.cpp). The first ones are learned over all executions.
    static constexpr std::size_t site_slots = 1024;
    std::uint32_t idle_sites[site_slots];            // hash table of code sites
    std::uint16_t in_vain[site_slots];               // how often a site was watched for nothing
    std::uint64_t observed[Forecast::tracked / 64];  // locations that somebody has tried to take
    std::uint64_t trusted[Forecast::tracked / 64];   // locations that idle rounds take and give back
    std::uint64_t awaited[Forecast::tracked / 64];   // locations that idle rounds look at, or freed too early
    bool awaits_others;                              // ... and some that are not tracked
    Rounds rounds[max_threads];
    std::uint64_t digest_keys[4];  // state_digest.h
    std::uintptr_t* unseen;        // marked words of stacks (unseen_writes.h)
    std::uint32_t unseen_count;

    static constexpr std::size_t futex_limit = 1024;
    FutexQueue futex[futex_limit];

    bool nondet_limited;  // some undetermined value was given that could have been another one
    const char* counted;  // kinds that are findings, each between commas; null: all are
    Undefined undefined;  // where the first execution ended that ended so

    Key keys[key_limit];
    std::uint32_t keys_created;  // the location of these events
    std::uint32_t keys_deleted;  // likewise
    std::uint32_t early_keys;    // keys that were created before main
    std::uint32_t library_keys;  // keys that shared libraries have created: the last ones of the table
    void* specific[max_threads][key_limit];

    alignas(16) unsigned char unwinding[max_threads][64];  // the unwinder's own of a thread (cleanup.cpp)

    std::uint32_t pointer_locks[pointer_lock_count];

    // What runs before the process is gone (process_exit.cpp).
    struct ExitHandler {
        void (*function)(void*);
        void (*with_status)(int, void*);  // instead, if it is not null
        void* argument;
        ExitHandler* next;
    };
    struct ExitHandlers {
        ExitHandler* newest;
        std::uint32_t count;  // the word that stands for the whole list in events
    };
    ExitHandlers exit_handlers;
    ExitHandlers quick_exit_handlers;
    std::uint32_t destructor_functions_left;
    std::uint32_t exiting_thread;  // which ends the process: its id + 1, or 0

    ThreadAttributes attributes[max_threads];
    std::uint32_t concurrency;

    static constexpr std::size_t signal_action_limit = 256;
    SignalAction signal_actions[signal_action_limit];  // learned over all executions; the first is all zeros
    std::uint32_t signal_actions_known;                // beside the first
    std::uint32_t signal_action[signal_limit];         // by signal: the number of its action
    std::uint32_t early_signal_action[signal_limit];   // ... when main begins
    std::uint64_t early_mask;                          // of main
    std::uint64_t process_signals;                     // pending ones (signal_words.cpp)
    std::uint64_t expected_signals;                    // those with handlers or waits, over all executions
    bool left_to_signals;  // an execution ended where only a signal from outside could tell what comes next
    SignalStack signal_stacks[max_threads];

    // Descriptors that norn models (descriptors.cpp, channel.cpp).
    static constexpr std::size_t descriptor_limit = 1024;
    static constexpr std::size_t descriptions_per_thread = 64;
    std::uint32_t descriptor[descriptor_limit];  // by number: what it stands for; 0: nothing that is modelled
    std::uint64_t used_descriptors[descriptor_limit / 64];
    std::uint64_t descriptor_numbers;  // the word that stands for this set in events
    std::uint32_t description_settings[max_threads * descriptions_per_thread];
    std::uint64_t channel[max_threads * descriptions_per_thread];
    std::uint32_t descriptions_made[max_threads];
    std::uint32_t description_in_use[max_threads];  // what the thread is just using, from 1; 0: nothing
    AwaitedChannels awaited_channels[max_threads];

    std::uint32_t pending_count;  // filled at the end of an execution
    Event pending[max_threads];
    Watched watched[2];
    bool has_differing;  // an execution that diverged did so here: the event as it was, and as it is now
    Event differing[2];
    Finding finding;
    std::uint32_t later_count;
    LaterFailure later[max_threads];
    std::uint32_t wanted_failure;  // of which thread, its id + 1: those of others are passed over; 0: any
    bool has_passed_failure;       // in this execution
    bool unsupported;              // `finding` is not the program's failure but a call norn does not model
    bool child_is_done;            // isolate=fork: the process of this execution came to the end of it
    // Places that were reached, and whose accesses nobody sees (unseen.cpp).
    static constexpr std::size_t most_gaps = 16;
    std::uint32_t gaps;
    std::uintptr_t gap_sites[most_gaps];
    std::uint8_t copy_bytes[max_threads][copy_limit];
};

inline World& world() {
    // Else the compiler takes each member for an address of its own, and loads it whenever one is used.
    std::uintptr_t base = world_base;
    asm("" : "+r"(base));
    return *reinterpret_cast<World*>(base);
}

// Something was found that earlier events should have taken into account: the execution runs on freely, to
// find more, and then everything starts over.
inline void start_learning() {
    World& w = world();
    w.learning = true;
    w.scheduled = w.repeated = 0;
}

}  // namespace norn::native
