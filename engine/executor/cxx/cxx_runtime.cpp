// What a checked C++ program needs beyond a C one: its allocation goes to norn's heap, an uncaught exception
// is a finding, and pthread_exit unwinds the stack. Linked into C++ programs only, after their own objects.
#include <cxxabi.h>
#include <unwind.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

extern "C" {
void* norn_malloc(std::size_t size);
void* norn_engine_malloc(std::size_t size);  // for the engine's own use
void* norn_aligned_alloc(std::size_t alignment, std::size_t size);
void norn_free(void* pointer);
void norn_uncaught_exception(const char* message);  // executor/native/process.cpp
}

namespace {

void* take(std::size_t size) {
    void* const memory = norn_malloc(size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void* take_aligned(std::size_t size, std::align_val_t alignment) {
    void* const memory = norn_aligned_alloc(static_cast<std::size_t>(alignment), size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void on_terminate() {
    char text[400];
    const std::type_info* const type = abi::__cxa_current_exception_type();
    if (type == nullptr) {
        std::snprintf(text, sizeof text, "std::terminate was called");
    } else {
        int status = 0;
        char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
        const char* what = "";
        try {
            throw;
        } catch (const std::exception& exception) {
            what = exception.what();
        } catch (...) {
        }
        std::snprintf(text, sizeof text, "uncaught exception of type %s%s%s",
                      status == 0 ? name : type->name(), *what != '\0' ? ": " : "", what);
        std::free(name);
    }
    norn_uncaught_exception(text);
    std::abort();
}

[[maybe_unused]] const std::terminate_handler previous_handler = std::set_terminate(on_terminate);

struct ThreadExit {
    void (*finish)(void*);
    void* result;
};

_Unwind_Reason_Code on_frame(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                             _Unwind_Context*, void* data) {
    if ((actions & _UA_END_OF_STACK) != 0) {
        const ThreadExit exit = *static_cast<ThreadExit*>(data);
        exit.finish(exit.result);
    }
    return _URC_NO_REASON;
}

}  // namespace

// Runs the destructors of all frames of the running thread, then `finish`, which does not return.
extern "C" void norn_unwind_thread(void (*finish)(void*), void* result) {
    auto* const exception = static_cast<_Unwind_Exception*>(norn_engine_malloc(sizeof(_Unwind_Exception)));
    auto* const exit = static_cast<ThreadExit*>(norn_engine_malloc(sizeof(ThreadExit)));
    *exit = {finish, result};
    _Unwind_ForcedUnwind(exception, on_frame, exit);
}

// See executor/native/once.cpp.
extern "C" void norn_call_or_undo(void (*function)(), void (*undo)(void*), void* argument) {
    try {
        function();
    } catch (...) {
        undo(argument);
        throw;
    }
}

// Exceptions live on norn's heap too: libstdc++ would take them from libc's, whose addresses depend on the
// interleaving and on earlier executions. In front of the object is the header of the C++ ABI, of which only
// libstdc++ knows more.
extern "C" {
void* __cxa_allocate_exception(std::size_t size) noexcept {
    constexpr std::size_t header = 128;
    auto* const memory = static_cast<char*>(norn_malloc(size + header));
    if (memory == nullptr) std::terminate();
    std::memset(memory, 0, header);
    return memory + header;
}
void __cxa_free_exception(void* object) noexcept {
    constexpr std::size_t header = 128;
    norn_free(static_cast<char*>(object) - header);
}
}

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return norn_malloc(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return norn_malloc(size); }
void* operator new(std::size_t size, std::align_val_t alignment) { return take_aligned(size, alignment); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return take_aligned(size, alignment); }
void operator delete(void* memory) noexcept { norn_free(memory); }
void operator delete[](void* memory) noexcept { norn_free(memory); }
void operator delete(void* memory, std::size_t) noexcept { norn_free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { norn_free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { norn_free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { norn_free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { norn_free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { norn_free(memory); }
