// Cleanup handlers and pthread_exit: what runs between a thread's decision to end and its end.
//
// pthread_cleanup_push is a macro of libc's header, with two forms. In C it saves the registers in a buffer
// on the stack and registers that (`__pthread_register_cancel`); to run the handler is to jump there, and the
// handler is followed by a call of `__pthread_unwind_next`. In C++, and in C with -fexceptions, it is a local
// variable with a destructor. So a thread that ends (by pthread_exit, thrd_exit or cancellation) unwinds its
// stack frame by frame, which runs the destructors of each, and where a frame has a registered buffer, it
// jumps there; innermost first in either case. After the last frame come the destructors of its thread_local
// variables and of its thread-specific data, and its end. Programs in C alone have no unwinder, and no
// destructors either: there the buffers are all there is.
//
// Handlers are code of the thread like any other. It cannot be cancelled any more while they run, and for
// them to call pthread_exit again, which POSIX leaves undefined, is a finding. A function that catches the
// unwinding (`catch (...)` without `throw`) would make the process abort; that is a finding.
#include "executor/native/cleanup.h"

#include <pthread.h>
#include <setjmp.h>
#include <unwind.h>

#include "executor/native/faults.h"
#include "executor/native/scheduler.h"
#include "executor/native/threads.h"

#pragma weak _Unwind_ForcedUnwind
#pragma weak _Unwind_GetCFA

namespace norn::native {

namespace {

Thread& caller() { return world().running ? *world().current : world().thread[0]; }

// Our view of a registered buffer: behind the registers there are four words for whoever implements this.
struct Buffer {
    __jmp_buf_tag* registers() { return reinterpret_cast<__jmp_buf_tag*>(libc.__cancel_jmp_buf); }
    void*& older() { return libc.__pad[0]; }

    __pthread_unwind_buf_t libc;
};

Buffer* newest_buffer() { return static_cast<Buffer*>(world().current->cleanup); }

[[noreturn]] void run_handler(Buffer& buffer) {
    world().current->cleanup = buffer.older();
    longjmp(buffer.registers(), 1);
}

// Called by the unwinder for each frame, innermost first.
_Unwind_Reason_Code on_frame(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                             _Unwind_Context* context, void*) {
    const bool is_last = (actions & _UA_END_OF_STACK) != 0;
    Buffer* const buffer = newest_buffer();
    // The stack grows downwards: a buffer below the end of the frame is in it.
    if (buffer != nullptr && (is_last || reinterpret_cast<std::uintptr_t>(buffer) < _Unwind_GetCFA(context)))
        run_handler(*buffer);
    if (is_last) end_thread(world().current->result);
    return _URC_NO_REASON;
}

void was_caught(_Unwind_Reason_Code, _Unwind_Exception*) {
    fail("exception", "a handler catches the unwinding of a thread that ends, and does not throw it on");
}

[[noreturn]] void unwind() {
    Thread& me = *world().current;
    if (&_Unwind_ForcedUnwind != nullptr) {
        auto& memory = world().unwinding[me.id];
        static_assert(sizeof(_Unwind_Exception) <= sizeof memory);
        auto* const exception = reinterpret_cast<_Unwind_Exception*>(memory);
        *exception = {};
        exception->exception_cleanup = was_caught;
        _Unwind_ForcedUnwind(exception, on_frame, nullptr);
    }
    if (Buffer* const buffer = newest_buffer(); buffer != nullptr) run_handler(*buffer);
    end_thread(me.result);
}

}  // namespace

void exit_thread(void* result) {
    Thread& me = *world().current;
    if (me.is_exiting)
        unsupported("pthread_exit", "a thread that ends the process cannot end by itself any more");
    if (me.is_ending)
        fail("thread-misuse",
             "pthread_exit is called by a handler or destructor of a thread that ends already");
    me.result = result;
    me.is_ending = true;
    me.cancel_disabled = true;
    unwind();
}

extern "C" {

void __pthread_register_cancel(__pthread_unwind_buf_t* object) {
    auto& buffer = *reinterpret_cast<Buffer*>(object);
    buffer.older() = caller().cleanup;
    caller().cleanup = &buffer;
}
void __pthread_unregister_cancel(__pthread_unwind_buf_t* object) {
    caller().cleanup = reinterpret_cast<Buffer*>(object)->older();
}
// The forms that also make the cancellation type deferred for as long: it always is.
void __pthread_register_cancel_defer(__pthread_unwind_buf_t* object) { __pthread_register_cancel(object); }
void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t* object) {
    __pthread_unregister_cancel(object);
}
void __pthread_unwind_next(__pthread_unwind_buf_t*) {
    enter();
    unwind();
}

void pthread_exit(void* result) {
    enter();
    exit_thread(result);
}
void thrd_exit(int result) { pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result))); }
}

void call_or_undo_at_exit(void (*function)(), void (*undo)(void*), void* argument) {
    Buffer buffer{};
    if (setjmp(buffer.registers()) != 0) {
        undo(argument);
        __pthread_unwind_next(&buffer.libc);
    }
    __pthread_register_cancel(&buffer.libc);
    function();
    __pthread_unregister_cancel(&buffer.libc);
}

}  // namespace norn::native
