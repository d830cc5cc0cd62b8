#include "executor/native/foreign_arguments.h"

#include <cstring>

#include "executor/native/mapping.h"
#include "executor/native/shadow.h"

extern "C" const char __data_start[], _end[];  // set by the linker
// The standard streams of C++, which threads may share.
extern "C" [[gnu::weak]] const char _ZSt4cout[], _ZSt4cerr[], _ZSt4clog[], _ZSt3cin[];

namespace norn::native {

namespace {

constexpr std::size_t arguments = 6;
constexpr std::size_t stream_size = 280;  // of an object such as std::cin, at most

// What threads have given to libraries: a table in which a newer pointer takes the place of an older one.
struct Given {
    std::uintptr_t pointer;
    std::uint64_t execution;
    std::uint32_t thread;
};
constexpr std::size_t given_slots = std::size_t{1} << 14;

Given* given_before = nullptr;
ForeignFunction* functions = nullptr;
constexpr std::size_t modelled_count = 16;  // the first ones are those of `note_call`
std::size_t function_count = modelled_count;

constexpr const char* trusted_beginnings[] = {
    "pthread_attr_", "pthread_mutexattr_", "pthread_condattr_", "pthread_rwlockattr_", "pthread_barrierattr_",
    "__cxa_", "_Unwind_", "__gxx_", "_ZSt9terminatev", "_ZNSt8ios_base4Init", "__libc_", "__stack_chk",
    "__gmon", "_ITM_",
    // Of the C++ library what only calls functions that are modelled (std::thread, std::condition_variable),
    // does nothing (std::allocator) or begins and ends objects of its own (std::__future_base, exception_ptr)
    "_ZNSt6thread", "_ZNSt18condition_variable", "_ZSt25notify_all_at_thread_exit", "_ZNSaI",
    "_ZNSt13__future_base", "_ZNSt15__exception_ptr"};
constexpr const char* trusted_names[] = {
    "fclose",      "fflush",       "fputc",   "putc",    "_IO_putc", "fgetc",         "getc",
    "_IO_getc",    "ungetc",       "feof",    "ferror",  "fileno",   "clearerr",      "fseek",
    "fseeko",      "ftell",        "ftello",  "rewind",  "setvbuf",  "setbuf",        "flockfile",
    "funlockfile", "ftrylockfile", "putchar", "getchar", "_setjmp",  "setjmp",        "__sigsetjmp",
    "longjmp",     "siglongjmp",   "bsearch", "lfind",   "getenv",   "secure_getenv", "dlsym",
    "dladdr",      "fdopen",       "closedir"};

bool is_trusted(const char* name) {
    if (std::strstr(name, "__throw_") != nullptr) return true;
    for (const char* const beginning : trusted_beginnings)
        if (std::strncmp(name, beginning, std::strlen(beginning)) == 0) return true;
    for (const char* const known : trusted_names)
        if (std::strcmp(name, known) == 0) return true;
    return false;
}

#define ONLY_GENERAL_REGISTERS [[gnu::target("general-regs-only")]]

ONLY_GENERAL_REGISTERS bool is_in(std::uintptr_t address, const char* start, std::size_t size) {
    const auto begin = reinterpret_cast<std::uintptr_t>(start);
    return begin != 0 && address - begin < size;
}

// Whether the shadow has a cell for it, and whether that says that threads share the memory.
ONLY_GENERAL_REGISTERS bool has_cell(std::uintptr_t address) {
    const auto in_slots = [&](std::uintptr_t base) {
        return address >= base && (address - base) / slot_size < world().known_threads;
    };
    return is_in(address, __data_start, static_cast<std::size_t>(_end - __data_start)) ||
           in_slots(arena_base) || in_slots(stack_base);
}

ONLY_GENERAL_REGISTERS bool is_given_by_others(std::uintptr_t pointer) {
    const World& w = world();
    Given& entry = given_before[pointer * 0x9E37'79B9'7F4A'7C15U >> 50];
    const bool is_known = entry.pointer == pointer && entry.execution == w.executions;
    if (is_known && entry.thread != w.current->id) return true;
    entry.pointer = pointer;
    entry.execution = w.executions;
    entry.thread = w.current->id;
    return false;
}

ONLY_GENERAL_REGISTERS bool is_shared(std::uintptr_t pointer) {
    const bool is_cell = has_cell(pointer);
    const bool in_heap_of_libc = pointer >= reinterpret_cast<std::uintptr_t>(_end) && pointer < image_limit;
    if (!is_cell && !in_heap_of_libc) return false;
    if (is_in(pointer, _ZSt4cout, stream_size) || is_in(pointer, _ZSt4cerr, stream_size) ||
        is_in(pointer, _ZSt4clog, stream_size) || is_in(pointer, _ZSt3cin, stream_size))
        return false;
    if (!is_cell) return is_given_by_others(pointer);
    Cell& cell = *cell_of(pointer);
    const Cell tag = world().current->id + 1U;
    if (cell == 0) cell = tag;  // as if it had touched it: who does so later finds that it is shared
    const Cell owner = cell & ~heap_bits;
    return owner != 0 && owner != tag;
}

}  // namespace

void map_foreign_calls(std::size_t most, bool shared) {
    given_before = static_cast<Given*>(map_anywhere(given_slots * sizeof(Given), shared));
    functions = static_cast<ForeignFunction*>(
        map_anywhere((modelled_count + most) * sizeof(ForeignFunction), shared));
}

std::size_t add_foreign_function(const char* name, std::uintptr_t target) {
    functions[function_count] = {name, target, 0, is_trusted(name), false};
    return function_count++;
}

void note_call(const char* name, std::uintptr_t site) {
    if (!world().running || site >= image_limit || functions == nullptr) return;
    for (std::size_t i = 0; i < modelled_count; ++i) {
        ForeignFunction& function = functions[i];
        if (function.name != nullptr && std::strcmp(function.name, name) != 0) continue;
        function.name = name;
        function.site = site;
        return;
    }
}

std::span<const ForeignFunction> foreign_functions() {
    if (functions == nullptr) return {};
    return {functions, function_count};
}

// Returns where the function is.
extern "C" ONLY_GENERAL_REGISTERS [[gnu::used]] std::uintptr_t norn_note_foreign_call(
    std::size_t number, const std::uintptr_t* given, std::uintptr_t site) {
    ForeignFunction& function = functions[number];
    if (!world().running || function.shares || site >= image_limit) return function.target;
    function.site = site;
    if (function.is_trusted) return function.target;
    for (std::size_t i = 0; i < arguments; ++i) function.shares = is_shared(given[i]) || function.shares;
    return function.target;
}

// Between a call and the function all registers but r11 may have a meaning.
asm(".pushsection .text, \"ax\", @progbits\n"
    ".globl norn_foreign_entry\n.type norn_foreign_entry, @function\nnorn_foreign_entry:\n"
    "    pushq %rax\n    pushq %r10\n"
    "    pushq %r9\n    pushq %r8\n    pushq %rcx\n    pushq %rdx\n    pushq %rsi\n    pushq %rdi\n"
    "    movq 64(%rsp), %rdi\n"
    "    movq %rsp, %rsi\n"
    "    movq 72(%rsp), %rdx\n"
    "    call norn_note_foreign_call\n"
    "    movq %rax, %r11\n"
    "    popq %rdi\n    popq %rsi\n    popq %rdx\n    popq %rcx\n    popq %r8\n    popq %r9\n"
    "    popq %r10\n    popq %rax\n"
    "    addq $8, %rsp\n"
    "    jmp *%r11\n"
    ".size norn_foreign_entry, .-norn_foreign_entry\n.popsection\n");

}  // namespace norn::native
