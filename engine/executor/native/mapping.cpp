#include "executor/native/mapping.h"

#include <sys/mman.h>

#include "host/messages.h"

namespace norn::native {

namespace {

int flags_for(bool shared) { return MAP_ANONYMOUS | MAP_NORESERVE | (shared ? MAP_SHARED : MAP_PRIVATE); }

}  // namespace

void map_fixed(std::uintptr_t address, std::size_t size, bool shared) {
    void* const wanted = reinterpret_cast<void*>(address);
    void* const got =
        mmap(wanted, size, PROT_READ | PROT_WRITE, flags_for(shared) | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != wanted)
        die("cannot reserve memory at the fixed addresses norn needs (is the address space limited, e.g. by "
            "ulimit -v?)");
}

void* map_anywhere(std::size_t size, bool shared) {
    void* const got = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags_for(shared), -1, 0);
    if (got == MAP_FAILED)
        die("out of memory (mmap failed; is the address space limited, e.g. by ulimit -v?)");
    return got;
}

void allow_execution(std::uintptr_t address, std::size_t size) {
    mprotect(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE | PROT_EXEC);
}

void forbid_access(std::uintptr_t address, std::size_t size) {
    mprotect(reinterpret_cast<void*>(address), size, PROT_NONE);
}

}  // namespace norn::native
