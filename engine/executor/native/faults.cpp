#include "executor/native/faults.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "executor/native/atomic_section.h"
#include "executor/native/library_code.h"
#include "executor/native/scheduler.h"
#include "executor/native/signal_actions.h"
#include "executor/native/signal_words.h"
#include "executor/native/stack_walk.h"
#include "executor/native/stacks.h"
#include "executor/native/ticks.h"
#include "host/messages.h"

// A place for a debugger to stop at when a replay has reached the failure.
extern "C" __attribute__((noinline, used)) void norn_replay_failure() { asm volatile(""); }

namespace norn::native {

namespace {

constexpr std::size_t signal_stack_size = std::size_t{256} << 10;

void copy_text(char* target, std::size_t size, const char* text) { std::snprintf(target, size, "%s", text); }

void add_thread(const Thread& thread, bool is_current) {
    Finding& finding = world().finding;
    FindingThread& entry = finding.involved[finding.threads++];
    entry.id = thread.id;
    entry.state = thread.state;
    entry.detail = nullptr;
    entry.has_next = thread.parked;
    entry.waiting = thread.state == State::alive && thread.parked && !enabled(thread);
    const bool waits_on_condition =
        waits_in_queue(thread) && thread.next.operation != Operation::barrier_wake;
    entry.operation = waits_on_condition ? Operation::wait : thread.next.operation;
    entry.object = waits_in_queue(thread) ? thread.waiting_on : thread.next.address;
    if (thread.fault_site != 0)
        entry.frames = static_cast<std::uint32_t>(walk_fault_stack(thread, entry.stack, stack_depth));
    else if (is_current)
        entry.frames = static_cast<std::uint32_t>(walk_own_stack(entry.stack, stack_depth));
    else
        entry.frames = static_cast<std::uint32_t>(walk_parked_stack(thread, entry.stack, stack_depth));
}

void note(const char* kind, const char* message) {
    World& w = world();
    Finding& finding = w.finding;
    finding.threads = 0;
    finding.fault = false;
    finding.in_library = false;
    finding.address = 0;
    finding.line = 0;
    finding.file[0] = '\0';
    finding.thread = w.current->id;
    copy_text(finding.kind, sizeof finding.kind, kind);
    copy_text(finding.message, sizeof finding.message, message);
}

void add_others() {
    World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i) {
        const Thread& thread = w.thread[i];
        if (&thread == w.current || thread.state <= State::reserved || has_ended(thread)) continue;
        add_thread(thread, false);
    }
}

[[noreturn]] void end_failed_thread(bool in_library, bool is_finding) {
    World& w = world();
    w.current->parked = false;
    w.current->state = State::failed;
    if (is_finding && w.mode == Mode::replay) norn_replay_failure();
    const bool goes_on = w.mode == Mode::explore ? w.keep_going || !is_finding : !is_finding;
    if (goes_on && !in_library) leave();
    finish(Ending::complete);
}

// Ends that the language defines. What happens at any other failure (a crash, a use of freed memory, a misuse
// of a lock) is undefined: a process may be gone or go on, and norn does not know how. An execution is not
// followed beyond it, and a check in which it is no finding does not claim to have seen everything.
bool is_defined_end(const char* kind) {
    constexpr const char* ends[] = {"assertion", "abort",    "killed",   "reach-error",
                                    "exception", "deadlock", "livelock", "exit-status"};
    for (const char* const each : ends)
        if (std::strcmp(kind, each) == 0) return true;
    return false;
}

void note_undefined(const char* kind, const char* message) {
    Undefined& undefined = world().undefined;
    if (undefined.seen || world().learning) return;  // what is seen while learning does not count
    const Thread& me = *world().current;
    undefined.seen = true;
    undefined.thread = me.id;
    copy_text(undefined.kind, sizeof undefined.kind, kind);
    copy_text(undefined.message, sizeof undefined.message, message);
    undefined.frames =
        static_cast<std::uint32_t>(me.fault_site != 0 ? walk_fault_stack(me, undefined.stack, stack_depth)
                                                      : walk_own_stack(undefined.stack, stack_depth));
}

// The thread stops here, just before what it was about to do; all others go on. What they do then they can
// also do in an execution in which the thread is slower: a violation among it is a real one.
[[noreturn]] void end_uncounted(const char* kind, const char* message) {
    World& w = world();
    if (!is_defined_end(kind)) note_undefined(kind, message);
    w.current->open_store = no_event;
    w.current->parked = false;
    w.current->state = State::exited;
    w.process_is_gone = true;
    leave();
}

// A thread that waits for another one's end, or for its atomic section to be over, is only the last in a
// chain.
bool waits_for_others(const Thread& thread) {
    const std::uint32_t inside = world().section_owner;
    return thread.next.operation == Operation::join || (inside != 0 && inside != thread.id + 1U);
}

// Whether it is this failure of the running thread that the execution is run for.
bool is_wanted() {
    const World& w = world();
    const ThreadId me = w.current->id;
    if (w.mode == Mode::replay) return is_led_to(me);
    return w.wanted_failure == 0 || w.wanted_failure == me + 1U;
}

void note_later(const char* kind, bool in_library) {
    World& w = world();
    if (w.later_count == max_threads) return;
    LaterFailure& later = w.later[w.later_count++];
    const Thread& me = *w.current;
    copy_text(later.kind, sizeof later.kind, kind);
    later.site = 0;
    if (me.fault_site != 0)
        walk_fault_stack(me, &later.site, 1);
    else
        walk_own_stack(&later.site, 1);
    later.events = w.count;
    later.thread = me.id;
    later.in_library = in_library;
}

// Notes a finding of the running thread; only the first of an execution, but for those that follow in others.
bool begin_finding(const char* kind, const char* message, bool in_library = false) {
    World& w = world();
    w.current->open_store = no_event;
    if (!is_wanted()) {
        w.has_passed_failure = true;
        return false;
    }
    if (w.failed) {
        note_later(kind, in_library);
        return false;
    }
    if (w.mode == Mode::record && w.has_passed_failure) note_who_fails(w.current->id);
    w.failed = true;
    w.current->state = State::failed;
    note(kind, message);
    return true;
}

// A plain store is noted before it happens. Whether it did is known if it is what faulted, or if what it left
// is another value.
void settle_faulting_store(Thread& me, std::uintptr_t address) {
    if (me.open_store == no_event) return;
    Event& store = world().events[me.open_store];
    if (address >= store.address && address < store.address + store.size)
        note_step_in_vain();
    else
        store.after = value_at(store.address, store.size);
    me.open_store = no_event;
}

// A thread that blocks the signal of its fault is killed by it all the same.
bool is_handled_by_program(int number) {
    return has_handler(action_at_fault(number)) && (own_mask() & signal_bit(number)) == 0;
}

// What a handler does about a fault (it repairs, jumps away, ends the process its own way) is not followed.
[[noreturn]] void refuse_handled_fault(int number, const char* what) {
    char handler[64];
    char text[240];
    std::snprintf(handler, sizeof handler, "its handler of %s", name_of_signal(number));
    std::snprintf(text, sizeof text, "%s, and the program handles such faults itself", what);
    unsupported(handler, text);
}

// Where the program was when it called something at an address that is not code: the call.
std::uintptr_t call_on_top_of(std::uintptr_t stack) {
    const std::uintptr_t caller = *reinterpret_cast<std::uintptr_t*>(stack);
    return in_program(caller) ? caller - 1 : 0;
}

bool main_is_reached = false;

// Constructors of the program or of a library: no execution can be blamed for it.
[[noreturn]] void die_outside(int number, std::uintptr_t site) {
    char text[240];
    char where[120];
    describe_code(site, where, sizeof where);
    if (main_is_reached)
        std::snprintf(text, sizeof text,
                      "internal error: signal %d at code address %#lx outside the checked program", number,
                      site);
    else
        std::snprintf(text, sizeof text, "the program crashed before main, by signal %d, in %s at %#lx",
                      number, where[0] != '\0' ? where : "its code", site);
    die(text);
}

[[noreturn]] void refuse_undefined(Thread& me, std::uintptr_t site, std::uintptr_t stack,
                                   std::uintptr_t frame) {
    const bool is_call = site >= undefined_start && site < undefined_end;
    me.fault_site = is_call ? call_on_top_of(stack) : site;
    me.fault_frame = frame;
    me.open_store = no_event;
    unsupported("(undefined)", "the program uses a function or variable that nobody defines");
}

// The fault is in code of a library: its place is where the program has called it,
void find_call_of_library(Thread& me, std::uintptr_t stack, std::uintptr_t frame) {
    const LiveFrame call = call_of_library(me, stack, frame);
    if (call.code == 0) return;
    me.fault_site = call.code - 1;
    if (call.pointer != 0) me.fault_frame = call.pointer;
}
// ... and the finding says which library it is.
void name_library(std::uintptr_t site) {
    Finding& finding = world().finding;
    char where[120];
    describe_code(site, where, sizeof where);
    if (where[0] == '\0') return;
    const std::size_t length = std::strlen(finding.message);
    std::snprintf(finding.message + length, sizeof finding.message - length, ", inside of %s", where);
}

void on_fault(int number, siginfo_t* info, void* raw) {
    World& w = world();
    const auto* const context = static_cast<ucontext_t*>(raw);
    const auto site = static_cast<std::uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
    const auto frame = static_cast<std::uintptr_t>(context->uc_mcontext.gregs[REG_RBP]);
    const auto stack = static_cast<std::uintptr_t>(context->uc_mcontext.gregs[REG_RSP]);
    auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (!w.running) die_outside(number, site);
    Thread& me = *w.current;

    // A hook that looked for the shadow of a wild pointer: what the program was about to touch is what
    // counts.
    const bool shadow_fault =
        number == SIGSEGV && in_engine(site) && address >= shadow_offset && address < 2 * shadow_offset;
    if (shadow_fault) address -= shadow_offset;

    const bool known_address = info->si_code != SI_KERNEL;
    if (number == SIGSEGV && known_address && address >= undefined_start && address < undefined_end)
        refuse_undefined(me, site, stack, frame);
    const std::uintptr_t guard = slot_of(me.id);
    const char* kind = "segmentation-fault";
    char text[160];
    switch (number) {
        case SIGSEGV:
        case SIGBUS:
            if (number == SIGBUS) kind = "bus-error";
            if (known_address && address >= guard && address < guard + guard_size) {
                kind = "stack-overflow";
                copy_text(text, sizeof text, "the stack of the thread overflowed (8 MiB)");
            } else if (known_address && in_stacks(address)) {
                std::snprintf(text, sizeof text, "access to address %#lx, beyond the stack of T%zu", address,
                              (address - stack_base) / slot_size);
            } else if (!known_address) {
                copy_text(text, sizeof text, "access to an address that cannot exist");
            } else if (address < 4096) {
                std::snprintf(text, sizeof text, "access through a null pointer (address %#lx)", address);
            } else {
                std::snprintf(text, sizeof text, "access to invalid address %#lx", address);
            }
            break;
        case SIGFPE:
            kind = "arithmetic-fault";
            copy_text(text, sizeof text,
                      info->si_code == FPE_INTDIV ? "integer division by zero" : "arithmetic fault");
            break;
        case SIGILL:
            kind = "illegal-instruction";
            copy_text(text, sizeof text, "illegal instruction");
            break;
        case SIGTRAP:
            kind = "trap";
            copy_text(text, sizeof text, "trap instruction");
            break;
        default:
            kind = "abort";
            copy_text(text, sizeof text, "abort() was called");
            break;
    }
    // (A library is in an unknown state after a fault: then it is told, and ends the check.)
    if (!is_counted(kind) && number == SIGABRT) end_uncounted(kind, text);
    me.fault_site = site;
    me.fault_frame = frame;
    if (!is_counted(kind) && in_program(site)) end_uncounted(kind, text);
    settle_faulting_store(me, known_address ? address : 0);
    if (is_handled_by_program(number)) refuse_handled_fault(number, text);
    const bool in_library = !in_program(site) && number != SIGABRT;
    if (!in_program(site)) find_call_of_library(me, stack, frame);
    const bool is_finding = begin_finding(kind, text, in_library);
    if (is_finding) {
        Finding& finding = w.finding;
        finding.fault = !in_engine(site);
        finding.in_library = in_library;
        if (!in_program(site)) name_library(site);
        finding.address = known_address ? address : 0;
        add_thread(me, true);
        add_others();
    }
    end_failed_thread(in_library, is_finding);
}

void add_place(const Witnessed& place) {
    World& w = world();
    FindingThread& entry = w.finding.involved[w.finding.threads++];
    entry = {};
    entry.id = place.thread;
    entry.state = w.thread[place.thread].state;
    entry.detail = place.detail;
    entry.frames = static_cast<std::uint32_t>(place.stack.size());
    std::copy(place.stack.begin(), place.stack.end(), entry.stack);
}

[[noreturn]] void fail_with(const char* kind, const char* message, std::uint64_t address, const char* file,
                            unsigned line, std::span<const Witnessed> places = {}) {
    enter();
    if (!is_counted(kind)) end_uncounted(kind, message);
    const bool is_finding = begin_finding(kind, message);
    if (is_finding) {
        Finding& finding = world().finding;
        finding.address = address;
        finding.line = line;
        copy_text(finding.file, sizeof finding.file, file);
        add_thread(*world().current, true);
        add_others();
        for (const Witnessed& place : places)
            if (finding.threads < max_threads) add_place(place);
    }
    end_failed_thread(false, is_finding);
}

}  // namespace

bool is_counted(const char* kind) {
    const char* const counted = world().counted;
    if (counted == nullptr) return true;
    char wanted[40];
    std::snprintf(wanted, sizeof wanted, ",%s,", kind);
    return std::strstr(counted, wanted) != nullptr;
}

void fail(const char* kind, const char* message, std::uint64_t address) {
    fail_with(kind, message, address, "", 0);
}

void fail_about(const char* kind, const char* message, std::uint64_t address,
                std::span<const Witnessed> places) {
    fail_with(kind, message, address, "", 0, places);
}

void fail_at(const char* kind, const char* message, const char* file, unsigned line) {
    fail_with(kind, message, 0, file, line);
}

void unsupported(const char* function, const char* message) {
    World& w = world();
    if (!w.running) {
        char text[400];
        std::snprintf(text, sizeof text, "%s was called before main: %s", function, message);
        die(text);
    }
    note(function, message);
    add_thread(*w.current, true);
    w.unsupported = true;
    finish(Ending::interrupted);
}

void note_divergence(const char* message) {
    note("diverged", message);
    add_others();
}

void stop_diverged(const char* message) {
    note_divergence(message);
    world().ending = Ending::diverged;
}

void note_deadlock() {
    World& w = world();
    w.failed = true;
    // Tell of a thread that waits for something else than another one, if there is.
    const Thread* told = nullptr;
    unsigned count = 0;
    for (std::size_t i = 0; i < w.threads; ++i) {
        const Thread& thread = w.thread[i];
        if (thread.state != State::alive || has_ended(thread)) continue;
        ++count;
        if (told == nullptr || (waits_for_others(*told) && !waits_for_others(thread))) told = &thread;
    }
    char text[120];
    std::snprintf(text, sizeof text, count == 1 ? "%u thread waits for ever" : "%u threads wait for ever",
                  count);
    note("deadlock", text);
    w.finding.thread = told->id;
    for (std::size_t i = 0; i < w.threads; ++i)
        if (w.thread[i].state == State::alive && !has_ended(w.thread[i])) add_thread(w.thread[i], false);
    if (w.mode == Mode::replay) norn_replay_failure();
}

void note_livelock() {
    World& w = world();
    w.failed = true;
    const Thread* told = nullptr;
    unsigned count = 0;
    for (std::size_t i = 0; i < w.threads; ++i) {
        if (w.thread[i].state != State::looping) continue;
        ++count;
        if (told == nullptr) told = &w.thread[i];
    }
    char text[160];
    std::snprintf(text, sizeof text,
                  count == 1 ? "%u thread goes round in a loop that nobody will ever end"
                             : "%u threads go round in loops that nobody will ever end",
                  count);
    note("livelock", text);
    w.finding.thread = told->id;
    for (const State state : {State::looping, State::alive})
        for (std::size_t i = 0; i < w.threads; ++i)
            if (w.thread[i].state == state && !has_ended(w.thread[i])) add_thread(w.thread[i], false);
    if (w.mode == Mode::replay) norn_replay_failure();
}

void note_left_behind(const char* kind, const char* message, std::uint64_t address,
                      std::span<const Witnessed> places) {
    constexpr std::size_t most_places = 16;
    World& w = world();
    w.failed = true;
    note(kind, message);
    Finding& finding = w.finding;
    finding.thread = places.front().thread;
    finding.address = address;
    for (const Witnessed& place : places.first(std::min(places.size(), most_places))) add_place(place);
    if (w.mode == Mode::replay) norn_replay_failure();
}

void install_signal_handlers(bool before_main) {
    main_is_reached = !before_main;
    static bool installed = false;
    if (installed) return;
    installed = true;
    stack_t alternate{};
    alternate.ss_size = signal_stack_size;
    alternate.ss_sp =
        mmap(nullptr, signal_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&alternate, nullptr);
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
        sigaction(number, &action, nullptr);
}

}  // namespace norn::native
