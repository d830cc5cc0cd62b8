#include "executor/native/copies.h"

#include <cstring>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

void announce_copy(void* target, std::size_t size, std::uintptr_t site) {
    if (!enter()) return;
    World& w = world();
    Thread& me = *w.current;
    if (size > copy_limit)
        unsupported("copy of a struct",
                    "structs of more than 4096 bytes cannot be copied between threads in one go");
    me.copy_target = reinterpret_cast<std::uintptr_t>(target);
    me.copy_size = static_cast<std::uint32_t>(size);
    me.copy_site = site;
    w.current_tag = no_tag;  // the read hook must come the slow way
}

}  // namespace

void perform_copy(Thread& me, std::uintptr_t source, std::size_t size, std::uintptr_t site) {
    World& w = world();
    std::uint8_t* const kept = w.copy_bytes[me.id];
    const std::uintptr_t target = me.copy_target;
    const std::size_t target_size = me.copy_size;
    me.copy_target = 0;
    w.current_tag = tag_of(me);

    plain_access(source, size, Operation::load, site);
    std::memcpy(kept, reinterpret_cast<void*>(source), size);
    settle();
    plain_access(target, target_size, Operation::store, site);
    if (std::memcmp(kept, reinterpret_cast<void*>(source), size) == 0) return;

    // Somebody wrote the source between the two events.
    auto* const bytes = reinterpret_cast<std::uint8_t*>(source);
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t newer = bytes[i];
        bytes[i] = kept[i];
        kept[i] = newer;
    }
    me.restore_address = source;
    me.restore_size = static_cast<std::uint32_t>(size);
    w.current_tag = no_tag;
}

void perform_announced_write(Thread& me) {
    const std::uintptr_t target = me.copy_target;
    me.copy_target = 0;
    world().current_tag = tag_of(me);
    plain_access(target, me.copy_size, Operation::store, me.copy_site);
    settle();
}

void put_source_back(Thread& me) {
    std::memcpy(reinterpret_cast<void*>(me.restore_address), world().copy_bytes[me.id], me.restore_size);
    me.restore_size = 0;
    world().current_tag = tag_of(me);
}

extern "C" {
void __norn_copy_write1(void* p) { announce_copy(p, 1, SITE); }
void __norn_copy_write2(void* p) { announce_copy(p, 2, SITE); }
void __norn_copy_write4(void* p) { announce_copy(p, 4, SITE); }
void __norn_copy_write8(void* p) { announce_copy(p, 8, SITE); }
void __norn_copy_write16(void* p) { announce_copy(p, 16, SITE); }
void __norn_copy_write_range(void* p, unsigned long size) { announce_copy(p, size, SITE); }
}

}  // namespace norn::native
