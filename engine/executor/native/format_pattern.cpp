#include "executor/native/format_pattern.h"

#include <cstdlib>
#include <cstring>

#include "executor/native/faults.h"

namespace norn::native {

namespace {

constexpr const char* flags = "-+ #0'I";
constexpr const char* lengths = "hlLqjzZt";

bool is_one_of(char letter, const char* set) { return letter != '\0' && std::strchr(set, letter) != nullptr; }

// The number before a dollar sign, from 1; 0 if there is none. Goes past it.
int take_number(const char*& at) {
    char* end = nullptr;
    if (*at < '1' || *at > '9') return 0;
    const long number = std::strtol(at, &end, 10);
    if (*end != '$') return 0;
    at = end + 1;
    return number < 10'000 ? static_cast<int>(number) : 10'000;
}

[[noreturn]] void refuse(const char* why) { unsupported("printf", why); }

struct Length {
    int longs = 0;  // l, ll, j, z, t
    int shorts = 0;
    bool is_long_double = false;
};

Directive::Kind kind_of(char conversion, const Length& length) {
    using Kind = Directive::Kind;
    switch (conversion) {
        case 's': return length.longs == 0 ? Kind::string : Kind::wide_string;
        case 'S': return Kind::wide_string;
        case 'n': return Kind::count;
        case 'm': return Kind::error;
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G': return length.is_long_double ? Kind::long_real : Kind::real;
        case '%': return Kind::none;
        default: return Kind::integer;  // and pointers: all take eight bytes
    }
}

std::uint8_t count_size(const Length& length) {
    if (length.longs != 0) return sizeof(long);
    if (length.shorts >= 2) return sizeof(char);
    return length.shorts == 1 ? sizeof(short) : sizeof(int);
}

class Specification {
public:
    explicit Specification(char* at) : at_(at), end_(at + Directive::longest - 1) {}
    void add(char letter) {
        if (at_ == end_) refuse("a directive of a format has more than 46 letters");
        *at_++ = letter;
        *at_ = '\0';
    }

private:
    char* at_;
    char* end_;
};

}  // namespace

FormatPattern::FormatPattern(const char* pattern, va_list arguments) {
    for (Directive::Kind& kind : kinds_) kind = Directive::Kind::none;
    while (*pattern != '\0') {
        if (size_ == most) refuse("a format has more than 128 directives");
        pattern = take_directive(pattern);
    }
    for (int i = 0; i < wanted_; ++i) {
        switch (kinds_[i]) {
            case Directive::Kind::real: arguments_[i].real = va_arg(arguments, double); break;
            case Directive::Kind::long_real: arguments_[i].long_real = va_arg(arguments, long double); break;
            default: arguments_[i].integer = va_arg(arguments, long); break;
        }
    }
}

const char* FormatPattern::take_directive(const char* at) {
    Directive& directive = directives_[size_++];
    directive = {at, 0, {}, Directive::Kind::none, 0, -1, -1, -1, -1};
    at = strchrnul(at, '%');
    directive.text_size = static_cast<std::size_t>(at - directive.text);
    if (*at == '\0') return at;

    Specification specification(directive.specification);
    specification.add(*at++);
    const int number = take_number(at);
    while (is_one_of(*at, flags)) specification.add(*at++);
    if (*at == '*') {
        specification.add('*');
        directive.width = take_star(++at);
    }
    while (*at >= '0' && *at <= '9') specification.add(*at++);
    if (*at == '.') {
        specification.add(*at++);
        if (*at == '*') {
            specification.add('*');
            directive.precision = take_star(++at);
        } else {
            directive.fixed_precision = std::strtol(at, nullptr, 10);
            while ((*at >= '0' && *at <= '9') || *at == '-') specification.add(*at++);
        }
    }
    Length length;
    for (; is_one_of(*at, lengths); ++at) {
        specification.add(*at);
        if (*at == 'h') ++length.shorts;
        if (is_one_of(*at, "ljzZtqL")) ++length.longs;
        if (*at == 'L') length.is_long_double = true;
    }
    if (*at == '\0') return at;  // libc prints nothing of it
    specification.add(*at);
    directive.kind = kind_of(*at, length);
    directive.count_size = count_size(length);
    if (*at != '%' && *at != 'm') {
        directive.argument = number != 0 ? number - 1 : next_++;
        want(directive.argument, directive.kind);
    }
    return at + 1;
}

int FormatPattern::take_star(const char*& at) {
    const int number = take_number(at);
    const int argument = number != 0 ? number - 1 : next_++;
    want(argument, Directive::Kind::integer);
    return argument;
}

void FormatPattern::want(int argument, Directive::Kind kind) {
    if (argument >= static_cast<int>(most)) refuse("a format has more than 128 arguments");
    kinds_[argument] = kind;
    if (argument >= wanted_) wanted_ = argument + 1;
}

}  // namespace norn::native
