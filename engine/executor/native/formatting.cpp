// printf and friends: each string that is formatted is one read event, what is written another.
//
// A pattern is formatted part by part. A string is used as it was at its own read event, before another
// thread can change it, so "a from before, b from after" comes out of "%s%s" if the thread was interrupted
// between the two. The text is put together in memory of the engine and written, to memory, a stream or a
// file, after the last event of the parts. %n writes when its turn comes. Arguments that are numbers were
// copied by the call.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/format_pattern.h"
#include "executor/native/heap.h"
#include "executor/native/leaks.h"
#include "executor/native/read_extent.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// Lets libc format one directive into new memory of the thread's heap. Returns its bytes, or -1.
template <typename Value>
int format_value(char*& text, const Directive& directive, const int* star, Value value) {
    const char* const specification = directive.specification;
    const bool width = directive.width != Directive::no_argument;
    const bool both = width && directive.precision != Directive::no_argument;
    const bool one = width || directive.precision != Directive::no_argument;
    const auto into = [&](char* target, std::size_t size) {
        if (both) return std::snprintf(target, size, specification, star[0], star[1], value);
        if (one) return std::snprintf(target, size, specification, star[width ? 0 : 1], value);
        return std::snprintf(target, size, specification, value);
    };
    const int length = into(nullptr, 0);
    if (length < 0) return length;
    text = static_cast<char*>(allocate(static_cast<std::size_t>(length) + 1));
    if (text == nullptr) unsupported("memory", "the heap of the thread is full (1 GiB)");
    into(text, static_cast<std::size_t>(length) + 1);
    return length;
}

// The whole text that a pattern makes.
class Text {
public:
    Text(const char* pattern, va_list arguments, std::uintptr_t site)
        : everything_(1), site_(site), error_(errno) {
        if (!is_constant(pattern)) pattern = keep(pattern);
        va_list own;
        va_copy(own, arguments);
        auto* const memory = static_cast<FormatPattern*>(allocate(sizeof(FormatPattern)));
        if (memory == nullptr) unsupported("memory", "the heap of the thread is full (1 GiB)");
        const FormatPattern& parts = *new (memory) FormatPattern(pattern, own);
        va_end(own);
        pieces_ = static_cast<Piece*>(allocate((2 * parts.size() + 1) * sizeof(Piece)));
        for (std::size_t i = 0; i < parts.size() && !failed_; ++i) {
            add(parts[i].text, parts[i].text_size);
            take(parts, parts[i]);
        }
    }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] std::size_t length() const { return length_; }

    // Its first bytes.
    void copy_to(char* target, std::size_t size) const {
        for (std::size_t i = 0; i < count_ && size != 0; ++i) {
            const std::size_t part = pieces_[i].size < size ? pieces_[i].size : size;
            std::memcpy(target, pieces_[i].bytes, part);
            target += part;
            size -= part;
        }
    }

private:
    struct Piece {
        const char* bytes;
        std::size_t size;
    };

    // The string stays until the whole is gone, with everything else that was allocated meanwhile.
    const char* keep(const char* text, std::size_t limit = SIZE_MAX) {
        const std::size_t length = read_string(text, limit, site_);
        return kept(text, length, 1);
    }
    const char* keep_wide(const char* text, std::size_t limit) {
        const std::size_t size =
            read_extent({.start = text, .limit = limit, .character = sizeof(wchar_t)}, site_);
        return kept(text, size, sizeof(wchar_t));
    }
    static const char* kept(const char* text, std::size_t size, std::size_t zeros) {
        auto* const copy = static_cast<char*>(allocate(size + zeros));
        if (copy == nullptr) unsupported("memory", "the heap of the thread is full (1 GiB)");
        std::memcpy(copy, text, size);
        std::memset(copy + size, 0, zeros);
        return copy;
    }

    void add(const char* bytes, std::size_t size) {
        pieces_[count_++] = {bytes, size};
        length_ += size;
    }

    void take(const FormatPattern& parts, const Directive& directive) {
        using Kind = Directive::Kind;
        if (directive.specification[0] == '\0') return;
        int star[2] = {0, 0};
        if (directive.width >= 0) star[0] = static_cast<int>(parts.argument(directive.width).integer);
        if (directive.precision >= 0) star[1] = static_cast<int>(parts.argument(directive.precision).integer);
        const long precision = directive.precision >= 0 ? star[1] : directive.fixed_precision;
        const std::size_t limit = precision >= 0 ? static_cast<std::size_t>(precision) : SIZE_MAX;
        const bool has_value = directive.argument != Directive::no_argument;
        const long value = has_value ? parts.argument(directive.argument).integer : 0;
        const auto* string = reinterpret_cast<const char*>(value);
        char* text = nullptr;
        int size = 0;
        switch (directive.kind) {
            case Kind::count: return store_count(reinterpret_cast<void*>(value), directive.count_size);
            case Kind::string:
                if (string != nullptr) string = keep(string, limit);
                size = format_value(text, directive, star, string);
                break;
            case Kind::wide_string:
                if (string != nullptr) string = keep_wide(string, limit);
                size = format_value(text, directive, star, string);
                break;
            case Kind::real:
                size = format_value(text, directive, star, parts.argument(directive.argument).real);
                break;
            case Kind::long_real:
                size = format_value(text, directive, star, parts.argument(directive.argument).long_real);
                break;
            default:
                errno = error_;  // %m
                size = format_value(text, directive, star, value);
        }
        if (size < 0)
            failed_ = true;
        else
            add(text, static_cast<std::size_t>(size));
    }

    void store_count(void* target, std::size_t size) const {
        range_access(target, size, Operation::store, site_);
        std::memcpy(target, &length_, size);
    }

    Scratch everything_;  // what comes later goes with it
    std::uintptr_t site_;
    int error_;
    Piece* pieces_ = nullptr;
    std::size_t count_ = 0;
    std::size_t length_ = 0;
    bool failed_ = false;
};

int length_of(const Text& text) {
    if (!text.failed() && text.length() <= INT32_MAX) return static_cast<int>(text.length());
    if (!text.failed()) errno = EOVERFLOW;
    return -1;
}

// The write event comes before the bytes change.
int format(char* target, std::size_t size, const char* pattern, va_list arguments, std::uintptr_t site) {
    const Text text(pattern, arguments, site);
    const int length = length_of(text);
    if (length < 0 || size == 0) return length;
    const std::size_t kept = text.length() < size ? text.length() + 1 : size;
    range_access(target, kept, Operation::store, site);
    text.copy_to(target, kept - 1);
    target[kept - 1] = '\0';
    return length;
}

// asprintf: libc would take the memory from its own heap. Between the last read event and the store into
// `target` there is no event, so the text may pass through memory of libc.
int format_new(char** target, const char* pattern, va_list arguments, std::uintptr_t site) {
    char* passed = nullptr;
    int length = 0;
    {
        const Text text(pattern, arguments, site);
        length = length_of(text);
        if (length < 0) return length;
        passed = static_cast<char*>(std::malloc(text.length() + 1));
        if (passed == nullptr) return -1;
        text.copy_to(passed, text.length());
        passed[text.length()] = '\0';
    }
    const std::size_t whole = static_cast<std::size_t>(length) + 1;
    auto* const block = static_cast<char*>(allocate(whole));
    note_block(block);
    if (block != nullptr) std::memcpy(block, passed, whole);
    std::free(passed);
    if (block == nullptr) return -1;
    range_access(target, sizeof *target, Operation::store, site);
    *target = block;
    return length;
}

// Runs `write(bytes, size)` on the text in one piece.
template <typename Write>
int print(const char* pattern, va_list arguments, std::uintptr_t site, const Write& write) {
    const Text text(pattern, arguments, site);
    const int length = length_of(text);
    if (length < 0) return length;
    const Scratch whole(text.length() + 1);
    text.copy_to(whole.bytes(), text.length());
    return write(whole.bytes(), text.length()) ? length : -1;
}

int print_to_stream(std::FILE* file, const char* pattern, va_list arguments, std::uintptr_t site) {
    return print(pattern, arguments, site, [file](const char* bytes, std::size_t size) {
        return std::fwrite(bytes, 1, size, file) == size;
    });
}

int print_to_file(int file, const char* pattern, va_list arguments, std::uintptr_t site) {
    return print(pattern, arguments, site, [file](const char* bytes, std::size_t size) {
        return write(file, bytes, size) == static_cast<ssize_t>(size);
    });
}

}  // namespace

#define WITH_ARGUMENTS(last, call) \
    va_list arguments;             \
    va_start(arguments, last);     \
    const int result = call;       \
    va_end(arguments);             \
    return result

extern "C" {

int norn_vsnprintf(char* target, std::size_t size, const char* pattern, va_list arguments) {
    return format(target, size, pattern, arguments, SITE);
}
int norn_vsprintf(char* target, const char* pattern, va_list arguments) {
    return format(target, SIZE_MAX, pattern, arguments, SITE);
}
int norn_snprintf(char* target, std::size_t size, const char* pattern, ...) {
    WITH_ARGUMENTS(pattern, format(target, size, pattern, arguments, SITE));
}
int norn_sprintf(char* target, const char* pattern, ...) {
    WITH_ARGUMENTS(pattern, format(target, SIZE_MAX, pattern, arguments, SITE));
}
int norn_vasprintf(char** target, const char* pattern, va_list arguments) {
    return format_new(target, pattern, arguments, SITE);
}
int norn_asprintf(char** target, const char* pattern, ...) {
    WITH_ARGUMENTS(pattern, format_new(target, pattern, arguments, SITE));
}
int norn_vfprintf(std::FILE* file, const char* pattern, va_list arguments) {
    return print_to_stream(file, pattern, arguments, SITE);
}
int norn_vprintf(const char* pattern, va_list arguments) {
    return print_to_stream(stdout, pattern, arguments, SITE);
}
int norn_fprintf(std::FILE* file, const char* pattern, ...) {
    WITH_ARGUMENTS(pattern, print_to_stream(file, pattern, arguments, SITE));
}
int norn_printf(const char* pattern, ...) {
    WITH_ARGUMENTS(pattern, print_to_stream(stdout, pattern, arguments, SITE));
}
int norn_vdprintf(int file, const char* pattern, va_list arguments) {
    return print_to_file(file, pattern, arguments, SITE);
}
int norn_dprintf(int file, const char* pattern, ...) {
    WITH_ARGUMENTS(pattern, print_to_file(file, pattern, arguments, SITE));
}
}

}  // namespace norn::native
