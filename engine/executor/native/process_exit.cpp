// The end of the process: exit, return from main, the last pthread_exit, quick_exit, _exit, and the handlers
// and destructors that run before it.
//
// What runs. `exit`, whoever calls it, and `return` from main run in the calling thread: the destructors of
// its thread_local variables; handlers (atexit, on_exit) and destructors of static objects, newest first,
// those that are registered meanwhile included; destructor functions (.fini_array). If main ends by
// pthread_exit, the same runs after the last thread has ended, in main's thread. (libc takes the thread that
// happens to be the last; only one that asks who it is can tell.) `quick_exit` runs its own handlers only,
// `_exit` and `_Exit` nothing. Other threads go on meanwhile: handlers are code like any other, which waits,
// starts threads and is interrupted. A handler that calls exit again goes on with what is left, as libc does.
// A second thread that calls exit waits for ever, as POSIX demands since 2024 (C leaves it undefined).
// Destructors of shared libraries that norn has not compiled never run, since neither is their memory put
// back for the next execution.
//
// When the process is gone. After the last handler the thread sets `World::process_is_gone`. That is no
// event, and other threads run on to their end. Nothing they do is wrong for that: the end of a process
// writes nothing that they could read, so whatever they do after it in an execution they can also do before
// it, while the thread that ends the process is stopped just before its last step. What the handlers wrote
// they may see, because handlers come before the end. Only to wait for ever is something that no thread does
// in a process that is gone: a thread that waits or spins then is neither a deadlock nor a livelock. A
// handler that waits for ever is one, since then the process never ends. Who joins main waits for ever if
// main has returned.
//
// Events. The list of handlers is one word for explorers, which registering and taking a handler read and
// write: threads that register handlers, or do so while others exit, are explored in every order. As long as
// only one thread does, there is no event. Who is the first to exit is a lock, which is looked at only in
// programs that have something to run then; otherwise nobody can tell. To wait for the last thread is to join
// all of them, in the order of their creation: children of main first, then theirs. How many a thread has
// started is part of what its end writes, so that main's next step follows from what it has read.
#include "executor/native/process_exit.h"

#include <alloca.h>

#include <cstdio>

#include "executor/native/access.h"
#include "executor/native/exit_status.h"
#include "executor/native/faults.h"
#include "executor/native/heap.h"
#include "executor/native/native_executor.h"
#include "executor/native/scheduler.h"
#include "executor/native/sync_word.h"
#include "executor/native/threads.h"
#include "executor/native/tls.h"
#include "host/messages.h"

// Calls a function with an argument. It has no unwind information, so that an exception that leaves the
// function finds no handler, whoever has called exit(): the program is terminated where it is thrown.
extern "C" void norn_call_fenced(void (*function)(void*), void* argument);
asm(R"(
    .text
    .globl norn_call_fenced
    .type norn_call_fenced, @function
norn_call_fenced:
    pushq %rbp
    movq %rsp, %rbp
    movq %rdi, %rax
    movq %rsi, %rdi
    callq *%rax
    popq %rbp
    retq
    .size norn_call_fenced, .-norn_call_fenced
)");

// Set by the linker: destructor functions of the image, in the order opposite to that of their calls.
extern "C" void (*__fini_array_start[])();
extern "C" void (*__fini_array_end[])();

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// Between what main had on its stack and what handlers have there: its variables are dead from the moment it
// returns (stacks.h), and must not be taken for those of handlers.
constexpr std::size_t gap = std::size_t{64} << 10;

using Handlers = World::ExitHandlers;
using Handler = World::ExitHandler;

Handlers early_handlers;
Handlers early_quick_handlers;
AtEnd* early_thread_work = nullptr;

void note_exit_work() {
    World& w = world();
    if (w.has_exit_work) return;
    w.has_exit_work = true;
    const bool is_too_late = w.process_is_gone || w.thread[0].ended != 0;
    if (w.running && is_too_late) start_learning();
}

int add_handler(Handlers& handlers, const Handler& handler, std::uintptr_t site) {
    initialise_memory();
    note_exit_work();
    auto* const place = static_cast<Handler*>(allocate(sizeof(Handler)));
    if (place == nullptr) return -1;
    *place = handler;
    if (!enter()) {
        place->next = handlers.newest;
        handlers.newest = place;
        ++handlers.count;
        return 0;
    }
    WordEvent event(handlers.count, {Operation::exit_handler}, site);
    place->next = handlers.newest;
    handlers.newest = place;
    event.leave(handlers.count + 1);
    return 0;
}

bool take_handler(Handlers& handlers, Handler& taken) {
    enter();
    WordEvent event(handlers.count, {Operation::exit_handler}, 0);
    if (handlers.newest == nullptr) return false;
    taken = *handlers.newest;
    handlers.newest = taken.next;
    event.leave(handlers.count - 1);
    return true;
}

void call_without_argument(void* function) { reinterpret_cast<void (*)()>(function)(); }

Handler without_argument(void (*function)()) {
    return {call_without_argument, nullptr, reinterpret_cast<void*>(function), nullptr};
}

// A handler that is told the status (on_exit).
struct WithStatus {
    Handler handler;
    int status;

    static void call(void* object) {
        const auto& self = *static_cast<const WithStatus*>(object);
        self.handler.with_status(self.status, self.handler.argument);
    }
};

void run_handlers(Handlers& handlers, int status) {
    Handler handler{};
    while (take_handler(handlers, handler)) {
        if (handler.with_status == nullptr) {
            norn_call_fenced(handler.function, handler.argument);
        } else {
            WithStatus told{handler, status};
            norn_call_fenced(WithStatus::call, &told);
        }
    }
}

// The compiler's own files contribute one that does nothing here: if it is the only one, there is none.
std::uint32_t destructor_functions() {
    const auto count = static_cast<std::uint32_t>(__fini_array_end - __fini_array_start);
    return count > 1 ? count : 0;
}

void run_destructor_functions() {
    // One that calls exit leaves the rest to that call.
    std::uint32_t& left = world().destructor_functions_left;
    while (left > 0) {
        void (*const function)() = __fini_array_start[--left];
        norn_call_fenced(call_without_argument, reinterpret_cast<void*>(function));
    }
}

// Only one thread ends the process.
void begin_exit() {
    World& w = world();
    enter();
    Thread& me = *w.current;
    const SyncWord mine = me.id + 1U;
    if (w.has_exit_work && w.exiting_thread != mine) {
        WordEvent event(w.exiting_thread, {Operation::exit_begin, Condition::equals, 0, true}, 0);
        event.leave(mine);
    }
    me.is_exiting = true;
    me.cancel_disabled = true;
}

[[noreturn]] void leave_process(State state) {
    World& w = world();
    enter();
    w.process_is_gone = true;
    w.current->state = state;
    leave();
}

void run_all(int status) {
    if (!world().has_exit_work) return;
    run_thread_destructors();
    run_handlers(world().exit_handlers, status);
    run_destructor_functions();
}

// `how` is named in what is said about a status that is not 0; null: main has returned.
[[noreturn]] void end_process(int status, const char* how) {
    end_with_status(status, how);
    leave_process(how == nullptr ? State::ended : State::exited);
}

void require_running(const char* how) {
    if (world().running) return;
    char text[80];
    std::snprintf(text, sizeof text, "%s was called before main: there is nothing to check", how);
    die(text);
}

// Waits until the threads that one has started have ended, and those that they have started, and so on.
void wait_for_descendants(std::uint16_t children) {
    World& w = world();
    static ThreadId order[max_threads];  // (only main's thread waits here)
    std::size_t count = 0;
    const auto add_children = [&](ThreadId parent, std::uint16_t number) {
        for (std::uint16_t i = 0; i < number; ++i) order[count++] = known_child(parent, i);
    };
    add_children(w.current->id, children);
    for (std::size_t i = 0; i < count; ++i) {
        enter();
        add_children(order[i], static_cast<std::uint16_t>(wait_for_end(w.thread[order[i]]) - 1));
    }
}

}  // namespace

void exit_process(int status, const char* how) {
    require_running(how);
    begin_exit();
    run_all(status);
    end_process(status, how);
}

void return_from_main(int status) {
    World& w = world();
    auto* const below_main = static_cast<char*>(alloca(gap));
    asm volatile("" : : "r"(below_main) : "memory");  // the compiler must not leave it out
    w.main_stack_end = reinterpret_cast<std::uintptr_t>(below_main);
    w.main_returned = true;
    begin_exit();
    run_all(status);
    end_process(status, nullptr);
}

void exit_after_others() {
    World& w = world();
    Thread& me = *w.current;
    if (!w.has_exit_work) return;
    me.waits_to_exit = true;
    wait_for_descendants(me.children);
    me.waits_to_exit = false;
    begin_exit();
    run_all(0);
    leave_process(State::ended);
}

void run_thread_destructors() {
    Thread& me = *world().current;
    while (me.at_end != nullptr) {
        const AtEnd work = *me.at_end;
        me.at_end = work.next;
        work.function(work.argument);
    }
}

void keep_early_handlers() {
    World& w = world();
    early_handlers = w.exit_handlers;
    early_quick_handlers = w.quick_exit_handlers;
    early_thread_work = w.thread[0].at_end;
    for (AtEnd* work = early_thread_work; work != nullptr; work = work->next)
        work->argument = moved_to_first_thread(work->argument);
    if (destructor_functions() != 0) w.has_exit_work = true;
}

void begin_exit_work() {
    World& w = world();
    w.exit_handlers = early_handlers;
    w.quick_exit_handlers = early_quick_handlers;
    w.destructor_functions_left = destructor_functions();
    w.exiting_thread = 0;
    w.process_is_gone = false;
    w.main_returned = false;
    w.main_stack_end = 0;
}

void restore_thread_work() { world().thread[0].at_end = early_thread_work; }

extern "C" {

void norn_exit(int status) { exit_process(status, "exit"); }

void norn__exit(int status) {
    require_running("_exit");
    end_process(status, "_exit");
}
void norn__Exit(int status) {
    require_running("_Exit");
    end_process(status, "_Exit");
}

void norn_quick_exit(int status) {
    require_running("quick_exit");
    begin_exit();
    run_handlers(world().quick_exit_handlers, status);
    end_process(status, "quick_exit");
}

// What iostreams have to do at the end: their state is that of the library, and their output goes nowhere.
void norn_leave_streams(void*) {}

int norn_cxa_atexit(void (*function)(void*), void* argument, void*) {
    if (function == norn_leave_streams) return 0;
    return add_handler(world().exit_handlers, {function, nullptr, argument, nullptr}, SITE);
}
int norn_atexit(void (*function)()) {
    return add_handler(world().exit_handlers, without_argument(function), SITE);
}
int norn_on_exit(void (*function)(int, void*), void* argument) {
    return add_handler(world().exit_handlers, {nullptr, function, argument, nullptr}, SITE);
}
int norn_cxa_at_quick_exit(void (*function)(void*), void*) {
    return add_handler(world().quick_exit_handlers, {function, nullptr, nullptr, nullptr}, SITE);
}
int norn_at_quick_exit(void (*function)()) {
    return add_handler(world().quick_exit_handlers, without_argument(function), SITE);
}

int __cxa_thread_atexit(void (*function)(void*), void* argument, void*) noexcept {
    initialise_memory();
    note_exit_work();
    Thread& me = world().running ? *world().current : world().thread[0];
    auto* const work = static_cast<AtEnd*>(allocate(sizeof(AtEnd)));
    if (work == nullptr) return -1;
    *work = {function, argument, me.at_end};
    me.at_end = work;
    return 0;
}
}

}  // namespace norn::native
