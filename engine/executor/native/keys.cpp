// Thread-specific data: pthread_key_*, pthread_getspecific, pthread_setspecific and tss_*.
//
// What a thread keeps under a key is its own: to get and to set it is no event. Which key a thread is given
// when it creates one depends on who created keys before: that is a read-modify-write of the number of these,
// so that keys created by several threads are told apart. To delete a key is one of another word, which a
// thread that ends with data reads: a destructor runs only if its key is still there. When a thread ends,
// after the destructors of its thread_local variables, the destructors of its data run, again as long as they
// leave new data, at most four times over (PTHREAD_DESTRUCTOR_ITERATIONS), by the number of the key; POSIX
// leaves that order open. The end of the process runs none: main's run only if it ends by pthread_exit. A key
// that was deleted is not given out again in the same execution. Shared libraries keep their keys for
// themselves and create them once (libstdc++ does, for what is to happen at the end of a thread); as their
// memory is not reset, neither are these keys: they are the last ones of the table, and to create one is no
// event.
#include "executor/native/keys.h"

#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/scheduler.h"
#include "executor/native/sync_word.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

constexpr int most_rounds = 4;

// What constructors have set before main, in main's thread: it is there in every execution.
void* early_data[key_limit];

bool is_key(pthread_key_t key) { return key < key_limit && world().keys[key].used; }

// The key of a library, by the variable that it keeps it in. (With a process for each execution it creates it
// again and again.)
int create_for_library(pthread_key_t* key, void (*destructor)(void*)) {
    World& w = world();
    std::uint32_t number = 0;
    while (number < w.library_keys && w.keys[key_limit - 1 - number].kept_in != key) ++number;
    if (number == w.library_keys) {
        if (w.keys_created + number >= key_limit) return EAGAIN;
        ++w.library_keys;
    }
    *key = static_cast<pthread_key_t>(key_limit - 1 - number);
    w.keys[*key] = {true, destructor, key};
    return 0;
}

int create(pthread_key_t* key, void (*destructor)(void*), std::uintptr_t site) {
    World& w = world();
    w.has_keys = true;
    if (w.running && site >= image_limit) return create_for_library(key, destructor);
    if (!enter()) {  // before main: such keys are there in every execution
        if (w.early_keys == key_limit) return EAGAIN;
        *key = w.early_keys;
        w.keys[w.early_keys++] = {true, destructor, nullptr};
        w.keys_created = w.early_keys;
        return 0;
    }
    WordEvent event(w.keys_created, {Operation::key_create}, site);
    const SyncWord created = w.keys_created;
    if (created + w.library_keys >= key_limit)
        unsupported("pthread_key_create", "the program creates more than 128 thread-specific keys");
    w.keys[created] = {true, destructor, nullptr};
    event.leave(created + 1);
    enter();
    range_access(key, sizeof *key, Operation::store, site);
    *key = created;
    return 0;
}

int destroy(pthread_key_t key, std::uintptr_t site) {
    World& w = world();
    if (!enter()) return 0;
    WordEvent event(w.keys_deleted, {Operation::object_destroy, Condition::always, 0, false, Order::relaxed},
                    site);
    if (!is_key(key)) return EINVAL;
    w.keys[key].used = false;
    event.leave(w.keys_deleted + 1);
    return 0;
}

bool has_data(void* const* data) {
    const World& w = world();
    for (std::size_t key = 0; key < w.keys_created; ++key)
        if (data[key] != nullptr) return true;
    for (std::size_t key = key_limit - w.library_keys; key < key_limit; ++key)
        if (data[key] != nullptr) return true;
    return false;
}

int set(pthread_key_t key, const void* value) {
    if (!is_key(key)) return EINVAL;
    if (!world().running) {
        early_data[key] = const_cast<void*>(value);
        return 0;
    }
    spoil_round(*world().current);
    world().specific[world().current->id][key] = const_cast<void*>(value);
    return 0;
}

void* get(pthread_key_t key) {
    if (!is_key(key)) return nullptr;
    return world().running ? world().specific[world().current->id][key] : early_data[key];
}

}  // namespace

void begin_specific_data(ThreadId thread) {
    void** const data = world().specific[thread];
    if (thread == 0)
        std::memcpy(data, early_data, sizeof early_data);
    else
        std::memset(data, 0, sizeof early_data);
}

void destroy_specific_data() {
    World& w = world();
    void** const data = w.specific[w.current->id];
    if (!has_data(data)) return;
    range_access(&w.keys_deleted, sizeof w.keys_deleted, Operation::load, 0, Order::relaxed);
    bool has_more = true;
    for (int round = 0; round < most_rounds && has_more; ++round) {
        has_more = false;
        for (std::size_t key = 0; key < key_limit; ++key) {
            if (data[key] == nullptr || !w.keys[key].used || w.keys[key].destructor == nullptr) continue;
            void* const value = data[key];
            data[key] = nullptr;
            w.keys[key].destructor(value);
            has_more = true;
        }
    }
}

void forget_keys() {
    World& w = world();
    if (!w.has_keys) return;
    w.keys_created = w.early_keys;
    w.keys_deleted = 0;
    for (std::size_t key = 0; key < key_limit - w.library_keys; ++key) {
        w.keys[key].used = key < w.early_keys;
        if (key >= w.early_keys) w.keys[key].destructor = nullptr;
    }
}

extern "C" {

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
    return create(key, destructor, SITE);
}
int pthread_key_delete(pthread_key_t key) { return destroy(key, SITE); }
int pthread_setspecific(pthread_key_t key, const void* value) { return set(key, value); }
void* pthread_getspecific(pthread_key_t key) { return get(key); }

int tss_create(pthread_key_t* key, void (*destructor)(void*)) { return create(key, destructor, SITE); }
void tss_delete(pthread_key_t key) { destroy(key, SITE); }
int tss_set(pthread_key_t key, void* value) { return set(key, value) == 0 ? 0 : 2; }
void* tss_get(pthread_key_t key) { return get(key); }
}

}  // namespace norn::native
