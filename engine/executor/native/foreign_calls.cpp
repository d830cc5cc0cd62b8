// The program calls shared libraries through a table of addresses that the dynamic linker has filled in. Each
// address of a function outside the image is replaced by that of a few instructions which set
// Thread::visits of the running thread to 0, let a call of the program be noted (foreign_arguments.h), and go
// on to the function.
#include "executor/native/foreign_calls.h"

#include <link.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <span>

#include "executor/native/foreign_arguments.h"
#include "executor/native/world.h"

extern "C" const char __start_norn_text[], __stop_norn_text[];  // set by the linker

#pragma weak _DYNAMIC  // there is none in a program that is linked statically

namespace norn::native {

namespace {

// Functions that keep nothing to themselves: what they return follows from what they are given, and what they
// write is seen or only the engine calls them.
constexpr const char* harmless[] = {"__errno_location",
                                    "memcpy",
                                    "memmove",
                                    "memset",
                                    "memcmp",
                                    "memchr",
                                    "strlen",
                                    "strnlen",
                                    "strcmp",
                                    "strncmp",
                                    "strchr",
                                    "strrchr",
                                    "abs",
                                    "labs",
                                    "getpid",
                                    "__ctype_b_loc",
                                    "toupper",
                                    "tolower",
                                    "sqrt",
                                    "fabs",
                                    "floor",
                                    "ceil",
                                    "pow",
                                    "exp",
                                    "log"};

bool is_harmless(const char* name) {
    for (const char* const known : harmless)
        if (std::strcmp(name, known) == 0) return true;
    return false;
}

struct Table {
    std::span<const ElfW(Rela)> relocations;
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
};

Table read_table() {
    Table table;
    std::size_t size = 0;
    const ElfW(Rela)* first = nullptr;
    for (const ElfW(Dyn)* entry = _DYNAMIC; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
        switch (entry->d_tag) {
            case DT_JMPREL: first = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr); break;
            case DT_PLTRELSZ: size = entry->d_un.d_val; break;
            case DT_SYMTAB: table.symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr); break;
            case DT_STRTAB: table.names = reinterpret_cast<const char*>(entry->d_un.d_ptr); break;
            default: break;
        }
    }
    table.relocations = {first, size / sizeof(ElfW(Rela))};
    return table;
}

std::uintptr_t& slot_of(const ElfW(Rela) & relocation) {
    return *reinterpret_cast<std::uintptr_t*>(relocation.r_offset);
}

const char* name_of(const Table& table, const ElfW(Rela) & relocation) {
    return table.names + table.symbols[ELF64_R_SYM(relocation.r_info)].st_name;
}

bool calls_library(const Table& table, const ElfW(Rela) & relocation) {
    const char* const name = name_of(table, relocation);
    return ELF64_R_TYPE(relocation.r_info) == R_X86_64_JUMP_SLOT && slot_of(relocation) >= image_limit &&
           !is_harmless(name);
}

bool make_writable(std::uintptr_t address) {
    constexpr std::uintptr_t page = 4096;
    return mprotect(reinterpret_cast<void*>(address & ~(page - 1)), page, PROT_READ | PROT_WRITE) == 0;
}

constexpr std::size_t stub_size = 80;

class Code {
public:
    explicit Code(std::uint8_t* at) : at_(at) {}
    void bytes(std::initializer_list<std::uint8_t> some) {
        for (const std::uint8_t byte : some) *at_++ = byte;
    }
    template <typename T>
    void value(T value) {
        std::memcpy(at_, &value, sizeof value);
        at_ += sizeof value;
    }

private:
    std::uint8_t* at_;
};

void write_stub(std::uint8_t* at, std::uintptr_t target, std::size_t number) {
    Code code(at);
    code.bytes({0x49, 0xBB});  // movabs $&World::current, %r11
    code.value(world_base + offsetof(World, current));
    code.bytes({0x4D, 0x8B, 0x1B});  // mov (%r11), %r11
    code.bytes({0x41, 0xC7, 0x83});  // movl $0, visits(%r11)
    code.value(static_cast<std::uint32_t>(offsetof(Thread, visits)));
    code.value(std::uint32_t{0});
    // The engine itself calls by this table, too: then straight on.
    const auto start = reinterpret_cast<std::uintptr_t>(__start_norn_text);
    const auto end = reinterpret_cast<std::uintptr_t>(__stop_norn_text);
    code.bytes({0x4C, 0x8B, 0x1C, 0x24});  // mov (%rsp), %r11
    code.bytes({0x49, 0x81, 0xEB});        // sub $start, %r11
    code.value(static_cast<std::uint32_t>(start));
    code.bytes({0x49, 0x81, 0xFB});  // cmp $size, %r11
    code.value(static_cast<std::uint32_t>(end - start));
    code.bytes({0x72, 18});  // jb beyond the next three instructions
    code.bytes({0x68});      // push $number
    code.value(static_cast<std::uint32_t>(number));
    code.bytes({0x49, 0xBB});  // movabs $norn_foreign_entry, %r11
    code.value(reinterpret_cast<std::uintptr_t>(&norn_foreign_entry));
    code.bytes({0x41, 0xFF, 0xE3});  // jmp *%r11
    code.bytes({0x49, 0xBB});        // movabs $target, %r11
    code.value(target);
    code.bytes({0x41, 0xFF, 0xE3});  // jmp *%r11
}

}  // namespace

bool watch_foreign_calls(bool shared) {
    const Table table = read_table();
    if (table.relocations.empty() || table.symbols == nullptr || table.names == nullptr) return false;
    const std::size_t size = table.relocations.size() * stub_size;
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    const auto stub_of = [&](const ElfW(Rela) & relocation) {
        return static_cast<std::uint8_t*>(memory) + (&relocation - table.relocations.data()) * stub_size;
    };
    map_foreign_calls(table.relocations.size(), shared);
    // The engine itself calls by this table: the stubs must be ready before they are in it.
    for (const ElfW(Rela) & relocation : table.relocations) {
        if (!calls_library(table, relocation)) continue;
        write_stub(stub_of(relocation), slot_of(relocation),
                   add_foreign_function(name_of(table, relocation), slot_of(relocation)));
        if (!make_writable(relocation.r_offset)) return false;  // it is read-only once it is filled in
    }
    if (mprotect(memory, size, PROT_READ | PROT_EXEC) != 0) return false;
    for (const ElfW(Rela) & relocation : table.relocations)
        if (calls_library(table, relocation))
            slot_of(relocation) = reinterpret_cast<std::uintptr_t>(stub_of(relocation));
    return true;
}

}  // namespace norn::native
