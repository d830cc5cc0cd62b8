#include "executor/native/tls.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>

#include "executor/native/coroutine.h"
#include "executor/native/layout.h"
#include "host/messages.h"

namespace norn::native {

namespace {

constexpr std::size_t default_tcb_size = 2304;  // sizeof(struct pthread) where libc does not tell
constexpr std::size_t max_modules = 64;

struct Module {
    std::uintptr_t live;  // its block in the OS thread
    const void* image;
    std::size_t file_size;
    std::size_t memory_size;
    bool reinitialise;  // belongs to the program, not to libc
};

Module modules[max_modules];
std::size_t module_count = 0;
std::uintptr_t original = 0;  // thread pointer of the OS thread
std::size_t alignment = 64;   // of the thread pointer
std::size_t below = 0;        // bytes of static TLS under the thread pointer
std::size_t above = 0;        // bytes of the thread control block
std::size_t dtv_words = 0;
unsigned char* first_template = nullptr;  // for thread 0: as the constructors left it
unsigned char* other_template = nullptr;  // for the others: initial images
bool made[max_threads];                   // whose control block exists: nothing in it changes from then on

bool is_libc(const char* name) {
    return std::strstr(name, "libc.so") != nullptr || std::strstr(name, "ld-linux") != nullptr;
}

int note_module(dl_phdr_info* info, std::size_t, void*) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) & header = info->dlpi_phdr[i];
        if (header.p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
        const auto live = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
        if (live > original || original - live > tls_size / 2) continue;  // not static TLS
        if (module_count == max_modules) die("the program uses thread-local storage of too many libraries");
        modules[module_count++] = {live, reinterpret_cast<const void*>(info->dlpi_addr + header.p_vaddr),
                                   header.p_filesz, header.p_memsz, !is_libc(info->dlpi_name)};
        if (original - live > below) below = original - live;
        if (header.p_align > alignment) alignment = header.p_align;
    }
    return 0;
}

}  // namespace

void capture_tls() {
    original = thread_pointer();
    dl_iterate_phdr(note_module, nullptr);
    below = (below + alignment - 1) & ~(alignment - 1);
    const auto* size = static_cast<const std::uint32_t*>(dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
    above = size != nullptr ? *size : default_tcb_size;
    if (below + above + 2 * alignment > tls_size / 4) die("the program has too much thread-local storage");

    const auto* dtv = reinterpret_cast<std::uintptr_t* const*>(original)[1];
    dtv_words = (dtv[-2] + 2) * 2;  // slot -1 holds the count; a slot has two words

    first_template = static_cast<unsigned char*>(std::malloc(2 * (below + above)));
    other_template = first_template + below + above;
    std::memcpy(first_template, reinterpret_cast<void*>(original - below), below + above);
    std::memcpy(other_template, first_template, below + above);
    for (std::size_t i = 0; i < module_count; ++i) {
        const Module& module = modules[i];
        if (!module.reinitialise) continue;
        unsigned char* const block = other_template + (module.live - (original - below));
        std::memcpy(block, module.image, module.file_size);
        std::memset(block + module.file_size, 0, module.memory_size - module.file_size);
    }
}

std::span<const std::uintptr_t> tls_words(std::uintptr_t pointer) {
    const std::uintptr_t start = (pointer - below) & ~std::uintptr_t{7};
    return {reinterpret_cast<const std::uintptr_t*>(start), (pointer + above - start) / sizeof pointer};
}

namespace {

std::uintptr_t pointer_of(std::size_t thread) {
    return (stack_top_of(thread) + below + alignment - 1) & ~(alignment - 1);
}

}  // namespace

void* moved_to_first_thread(void* variable) {
    const auto address = reinterpret_cast<std::uintptr_t>(variable);
    if (address < original - below || address >= original + above) return variable;
    return reinterpret_cast<void*>(address - original + pointer_of(0));
}

std::uintptr_t make_tls(std::size_t thread) {
    const std::uintptr_t pointer = pointer_of(thread);
    const unsigned char* const source = thread == 0 ? first_template : other_template;
    std::memcpy(reinterpret_cast<void*>(pointer - below), source, below);
    if (made[thread]) return pointer;
    made[thread] = true;
    std::memcpy(reinterpret_cast<void*>(pointer), source + below, above);

    auto* const tcb = reinterpret_cast<std::uintptr_t*>(pointer);
    const auto* const old_dtv = reinterpret_cast<std::uintptr_t* const*>(original)[1];
    auto* const dtv = reinterpret_cast<std::uintptr_t*>(tls_area_of(thread) + tls_size / 2) + 2;
    std::memcpy(dtv - 2, old_dtv - 2, dtv_words * sizeof(std::uintptr_t));
    for (std::size_t i = 2; i + 2 < dtv_words; i += 2)
        if (dtv[i] >= original - below && dtv[i] < original + above) dtv[i] += pointer - original;
    tcb[0] = pointer;  // the thread pointer points to itself, twice
    tcb[1] = reinterpret_cast<std::uintptr_t>(dtv);
    tcb[2] = pointer;
    return pointer;
}

}  // namespace norn::native
