// The pattern of printf and its like, taken apart: which arguments it asks for, and where.
//
// libc would read all arguments by itself, after the last event. Here each part of a pattern is formatted for
// itself, between two events (formatting.cpp), so the arguments must be found one by one.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace norn::native {

// A part of a pattern: some text, then a directive (`%-5.3s`) with what it takes. The last may have text
// only.
struct Directive {
    enum class Kind : std::uint8_t { none, integer, real, long_real, string, wide_string, count, error };
    static constexpr int no_argument = -1;
    static constexpr std::size_t longest = 48;

    const char* text;
    std::size_t text_size;
    char specification[longest];  // for libc, without the numbers of arguments
    Kind kind;
    std::uint8_t count_size;  // bytes that %n writes
    int width;                // argument that has the width, or none
    int precision;            // likewise
    int argument;
    long fixed_precision;  // or -1
};

union Argument {
    long integer;
    double real;
    long double long_real;
};

class FormatPattern {
public:
    // The arguments are taken, but nothing that they point to is read. `function`: for messages.
    FormatPattern(const char* pattern, va_list arguments);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const Directive& operator[](std::size_t i) const { return directives_[i]; }
    [[nodiscard]] const Argument& argument(int i) const { return arguments_[i]; }

private:
    static constexpr std::size_t most = 128;  // directives, and arguments

    const char* take_directive(const char* at);
    int take_star(const char*& at);
    void want(int argument, Directive::Kind kind);

    std::size_t size_ = 0;
    int next_ = 0;    // argument, where they are not numbered
    int wanted_ = 0;  // arguments in all
    Directive directives_[most];
    Directive::Kind kinds_[most];
    Argument arguments_[most];
};

}  // namespace norn::native
