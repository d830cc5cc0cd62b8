// Atomic sections: __VERIFIER_atomic_begin/end, and functions whose names begin with __VERIFIER_atomic_.
//
// Nothing that another thread does happens inside a section. Explorers know nothing of that: their events are
// about one location each, and may come in any order. So sections are made of what they do know: a section
// takes a word of norn's own, as one takes a mutex, and gives it back at its end. That keeps sections apart
// from each other. An access from outside to memory that some section touches must not come in the middle of
// one either, so it takes the word before and gives it back afterwards: a section of one access. Memory that
// only sections touch, or that only others touch, costs nothing more, and neither does any other program.
//
//     T1                          T2
//     begin   lock    word        x = 3    lock  word
//     x = 1   store   x                    store x
//     x = 2   store   x                    unlock word
//     end     unlock  word        z = 1    store z        (no section ever touches z)
//
// Which memory sections touch is learned like which memory is shared (shadow.h): the first time that a
// section touches a shared location the exploration starts over with it known. So in every execution that
// counts no access comes between two of a section that it conflicts with; and what conflicts with nothing in
// a section can as well be thought of as before or after it.
//
// An access is over when its thread goes on, which is at its next operation: a plain store takes effect after
// its hook. Only then is the word given back.
//
// A thread that has to wait inside of a section keeps all others from what its sections touch. If they would
// have to do something that ends its wait, that is a deadlock: sections are never interrupted. A failed
// assume inside of a section stops the execution there, like any failed assume.
//
// To the happens-before relation (engine/races) a section is a lock of one mutex, and what a plain access
// does inside of one is atomic: sections do not race with each other or with atomic operations. Accesses from
// outside are not synchronised by being kept out: one that is not atomic races with a section that nothing
// else orders. So the steps that keep it out order nothing (Order::nothing).
//
// In a replay only the sections themselves are steps: the schedule has everybody where it was, and once it is
// used up only the thread inside a section goes on. (What sections touch is not known then.)
#include "executor/native/atomic_section.h"

#include "executor/native/faults.h"
#include "executor/native/mutex.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

bool in_section(const Thread& me) { return me.section_depth != 0 || me.section_frame != 0; }

// A plain access in a section cannot be torn or seen by halves: whoever races, it is not with another section
// or with an atomic operation. (free() is left as it is: whoever uses the block at the same time is wrong.)
void make_atomic(Event& event) {
    const bool is_plain = event.operation == Operation::load || event.operation == Operation::store;
    if (is_plain && event.order == Order::natural) event.order = Order::acquire_release;
}

void take(std::uintptr_t site) { take_word(&world().section_owner, Operation::lock, site); }
void give(std::uintptr_t site) { give_word(&world().section_owner, site); }

// Looks at what an event is about, or waits until its guard holds; neither is a step of the program.
void look(const Event& event, bool waits) {
    Event& next =
        announce(event.operation, Access::read, event.address, event.size, event.location, event.site);
    next.guarded = waits;
    next.condition = waits ? event.condition : Condition::always;
    next.expected = event.expected;
    perform();
}

// Takes the word for an access from outside. One that waits must not have the word while it does: it looks
// whether it can go on, and if not gives the word back and waits before it tries again.
void begin_lone_access(Thread& me, const Event& event) {
    constexpr const char* not_outside =
        "it waits outside of atomic sections for what is also used inside of one";
    if (event.operation == Operation::wake_lock) unsupported("pthread_cond_wait", not_outside);
    if (event.operation == Operation::barrier_wake) unsupported("pthread_barrier_wait", not_outside);
    const Registers registers = world().registers;  // others may come in between
    me.takes_hidden_step = true;
    take(event.site);
    while (event.guarded && !event.condition_holds_on(value_at(event.address, event.size))) {
        look(event, false);
        give(event.site);
        look(event, true);
        take(event.site);
    }
    me.takes_hidden_step = false;
    world().registers = registers;
    me.accesses_alone = true;
}

}  // namespace

void keep_sections_whole() {
    World& w = world();
    Thread& me = *w.current;
    if (me.takes_hidden_step) {
        me.next.order = Order::nothing;
        return;
    }
    const Event event = me.next;
    if (event.address == section_word()) return;
    if (w.mode == Mode::replay) {
        if (in_section(me)) make_atomic(me.next);
        return;
    }
    const auto stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (me.section_frame != 0 && stack > me.section_frame) {  // left by an exception or a long jump
        me.section_frame = 0;
        if (!in_section(me)) give(event.site);
        me.next = event;
    }
    if (event.access == Access::none || event.location == no_location) return;
    if (in_section(me)) {
        make_atomic(me.next);
        if (note_in_sections(event.location)) start_learning();
        return;
    }
    if (!known_in_sections(event.location)) return;
    begin_lone_access(me, event);
    me.next = event;
}

void end_lone_access(Thread& me) {
    me.accesses_alone = false;
    if (me.state != State::alive) return;
    const Registers registers = world().registers;
    me.takes_hidden_step = true;
    give(0);
    me.takes_hidden_step = false;
    world().registers = registers;
}

void end_sections(Thread& me) {
    const bool was_inside = in_section(me);
    me.section_depth = 0;
    me.section_frame = 0;
    if (was_inside) give(0);
}

extern "C" {

void __VERIFIER_atomic_begin() {
    if (!enter()) return;
    Thread& me = *world().current;
    world().has_sections = true;
    world().watched_from = 0;
    if (!in_section(me)) take(SITE);
    ++me.section_depth;
}

void __VERIFIER_atomic_end() {
    if (!enter()) return;
    Thread& me = *world().current;
    if (me.section_depth == 0)
        unsupported("__VERIFIER_atomic_end", "the thread has not begun the atomic section that it ends");
    --me.section_depth;
    if (!in_section(me)) give(SITE);
}

// The body of a function that is a section begins and ends. `frame` tells its calls apart: only the outermost
// counts.
void norn_section_enter(std::uintptr_t frame, std::uintptr_t site) {
    if (!enter()) return;
    Thread& me = *world().current;
    world().has_sections = true;
    world().watched_from = 0;
    if (!in_section(me)) take(site);
    if (me.section_frame == 0) me.section_frame = frame;
}

void norn_section_leave(std::uintptr_t frame, std::uintptr_t site) {
    if (!enter()) return;
    Thread& me = *world().current;
    if (me.section_frame != frame) return;
    me.section_frame = 0;
    if (!in_section(me)) give(site);
}
}

}  // namespace norn::native

// What the build (src/norn/build/dialect.py) calls in such functions: right after the frame is made, and
// right before it is given up. Arguments and results are in registers at that time, which must stay as they
// are.
asm(R"(
    .text
    .macro norn_keeping name target
    .globl \name
    .type \name, @function
\name:
    pushq %rbp
    movq %rsp, %rbp
    pushq %rax
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %r10
    subq $128, %rsp
    andq $-16, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movq (%rbp), %rdi
    movq 8(%rbp), %rsi
    call \target
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    leaq -64(%rbp), %rsp
    popq %r10
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rax
    popq %rbp
    ret
    .size \name, .-\name
    .endm
    norn_keeping __norn_section_enter norn_section_enter
    norn_keeping __norn_section_leave norn_section_leave
    norn_keeping __norn_reached_error norn_reached_error
)");
