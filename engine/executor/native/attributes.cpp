// What a thread is told about itself, and asked again: its name, processors, scheduling, stack.
//
// None of it changes which interleavings there are: priorities and processors decide who runs when, and here
// everybody may run at any time. So it is remembered and given back. Threads may set and ask for the
// attributes of each other: the accesses are ordinary reads and writes of memory of their own, events only if
// several threads make them. Nobody sets, nobody pays. (Of a thread that has ended but was not joined, libc
// may say that there is none; here it still answers.) Attribute objects (pthread_attr_*, pthread_mutexattr_*
// and the others) are plain memory of the program, and libc's functions for them are used as they are.
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/scheduler.h"
#include "executor/native/system_call.h"
#include "executor/native/threads.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

ThreadAttributes* attributes_of(pthread_t handle) {
    const Thread* const thread = enter() ? thread_of(handle) : nullptr;
    return thread == nullptr ? nullptr : &world().attributes[thread->id];
}

ThreadAttributes* attributes_to_set(pthread_t handle) {
    world().has_attributes = true;
    return attributes_of(handle);
}

// The program's memory, which libc would read and write.
void read_from(const void* memory, std::size_t size, std::uintptr_t site) {
    range_access(memory, size, Operation::load, site);
}
void write_to(const void* memory, std::size_t size, std::uintptr_t site) {
    range_access(memory, size, Operation::store, site);
}

// Our own: an event if several threads do it. What is written is there when the thread comes to its next
// event.
void touch(const void* memory, std::size_t size, Access access, std::uintptr_t site) {
    if (!enter()) return;
    Thread& me = *world().current;
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const LocationId location = locate(me, address, size);
    if (location == no_location && access == Access::write) spoil_round(me);
    if (location == no_location && !counting()) return;
    announce(Operation::attribute, access, address, size, location, site);
    const Event& event = perform();
    if (access == Access::write && &event != &me.next)
        me.open_store = static_cast<EventIndex>(&event - world().events);
}
void ask(const void* memory, std::size_t size, std::uintptr_t site) {
    touch(memory, size, Access::read, site);
}
void set(const void* memory, std::size_t size, std::uintptr_t site) {
    touch(memory, size, Access::write, site);
}

bool is_valid(int policy, int priority) {
    const int lowest = sched_get_priority_min(policy);
    return lowest >= 0 && priority >= lowest && priority <= sched_get_priority_max(policy);
}

// Those that the machine lets this process use.
void read_real_processors(unsigned char (&set)[sizeof ThreadAttributes::processors]) {
    std::memset(set, 0, sizeof set);
    system_call(SYS_sched_getaffinity, 0, sizeof set, reinterpret_cast<long>(set), 0, 0, 0);
}

}  // namespace

extern "C" {

int pthread_setname_np(pthread_t handle, const char* name) {
    const std::size_t length = read_string(name, SIZE_MAX, SITE);
    char kept[sizeof ThreadAttributes::name] = {};
    if (length >= sizeof kept) return ERANGE;
    std::memcpy(kept, name, length);
    ThreadAttributes* const attributes = attributes_to_set(handle);
    if (attributes == nullptr) return ESRCH;
    set(attributes->name, sizeof kept, SITE);
    std::memcpy(attributes->name, kept, sizeof kept);
    return 0;
}

int norn_pthread_getname_np(pthread_t handle, char* name, std::size_t size) {
    const ThreadAttributes* const attributes = attributes_of(handle);
    if (attributes == nullptr) return ESRCH;
    if (size < sizeof attributes->name) return ERANGE;
    ask(attributes->name, sizeof attributes->name, SITE);
    char kept[sizeof attributes->name] = "program";  // until anybody gives the thread another name
    if (attributes->name[0] != '\0') std::memcpy(kept, attributes->name, sizeof kept);
    write_to(name, std::strlen(kept) + 1, SITE);
    std::strcpy(name, kept);
    return 0;
}

int norn_pthread_setaffinity_np(pthread_t handle, std::size_t size, const cpu_set_t* processors) {
    ThreadAttributes* const attributes = attributes_to_set(handle);
    if (attributes == nullptr) return ESRCH;
    unsigned char kept[sizeof attributes->processors] = {};
    read_from(processors, size, SITE);
    std::memcpy(kept, processors, size < sizeof kept ? size : sizeof kept);
    unsigned char real[sizeof kept];
    read_real_processors(real);
    bool has_any = false;
    for (std::size_t i = 0; i < sizeof kept; ++i) has_any = (kept[i] &= real[i]) != 0 || has_any;
    if (!has_any) return EINVAL;
    set(&attributes->has_processors, sizeof attributes->has_processors + sizeof kept, SITE);
    attributes->has_processors = 1;
    std::memcpy(attributes->processors, kept, sizeof kept);
    return 0;
}

int norn_pthread_getaffinity_np(pthread_t handle, std::size_t size, cpu_set_t* processors) {
    const ThreadAttributes* const attributes = attributes_of(handle);
    if (attributes == nullptr) return ESRCH;
    unsigned char kept[sizeof attributes->processors] = {};
    if (size < sizeof(unsigned long)) return EINVAL;
    ask(&attributes->has_processors, sizeof attributes->has_processors + sizeof kept, SITE);
    if (attributes->has_processors != 0)
        std::memcpy(kept, attributes->processors, sizeof kept);
    else
        read_real_processors(kept);
    write_to(processors, size, SITE);
    std::memset(processors, 0, size);
    std::memcpy(processors, kept, size < sizeof kept ? size : sizeof kept);
    return 0;
}

int norn_pthread_setschedparam(pthread_t handle, int policy, const struct sched_param* parameter) {
    ThreadAttributes* const attributes = attributes_to_set(handle);
    if (attributes == nullptr) return ESRCH;
    read_from(parameter, sizeof *parameter, SITE);
    const int priority = parameter->sched_priority;
    if (!is_valid(policy, priority)) return EINVAL;
    set(&attributes->policy, 2 * sizeof attributes->policy, SITE);
    attributes->policy = policy;
    attributes->priority = priority;
    return 0;
}

int norn_pthread_getschedparam(pthread_t handle, int* policy, struct sched_param* parameter) {
    const ThreadAttributes* const attributes = attributes_of(handle);
    if (attributes == nullptr) return ESRCH;
    ask(&attributes->policy, 2 * sizeof attributes->policy, SITE);
    const int found_policy = attributes->policy;
    const int found_priority = attributes->priority;
    write_to(policy, sizeof *policy, SITE);
    *policy = found_policy;
    write_to(parameter, sizeof *parameter, SITE);
    parameter->sched_priority = found_priority;
    return 0;
}

int norn_pthread_setschedprio(pthread_t handle, int priority) {
    ThreadAttributes* const attributes = attributes_to_set(handle);
    if (attributes == nullptr) return ESRCH;
    ask(&attributes->policy, sizeof attributes->policy, SITE);
    if (!is_valid(attributes->policy, priority)) return EINVAL;
    set(&attributes->priority, sizeof attributes->priority, SITE);
    attributes->priority = priority;
    return 0;
}

int norn_pthread_getattr_np(pthread_t handle, pthread_attr_t* result) {
    const Thread* const thread = enter() ? thread_of(handle) : nullptr;
    if (thread == nullptr) return ESRCH;
    write_to(result, sizeof *result, SITE);
    pthread_attr_init(result);
    pthread_attr_setdetachstate(result, thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    const std::uintptr_t bottom = slot_of(thread->id) + guard_size;
    pthread_attr_setstack(result, reinterpret_cast<void*>(bottom), stack_top_of(thread->id) - bottom);
    pthread_attr_setguardsize(result, guard_size);
    return 0;
}

int pthread_setconcurrency(int level) {
    if (level < 0) return EINVAL;
    std::uint32_t& kept = world().concurrency;
    world().has_attributes = true;
    set(&kept, sizeof kept, SITE);
    kept = static_cast<std::uint32_t>(level);
    return 0;
}
int pthread_getconcurrency() {
    ask(&world().concurrency, sizeof world().concurrency, SITE);
    return static_cast<int>(world().concurrency);
}

// There never is a process to be forked from this one (fork is refused).
int pthread_atfork(void (*)(), void (*)(), void (*)()) { return 0; }
}

}  // namespace norn::native
