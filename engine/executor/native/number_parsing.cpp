// Numbers from strings: atoi, strtol and their like. The string is one read event and parsed right after it;
// where it ended is a write event.
#include <cstdlib>

#include "executor/native/access.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// `parse(end)` returns the number.
template <typename Parse>
auto parse_number(const char* text, char** end, std::uintptr_t site, const Parse& parse) {
    read_string(text, SIZE_MAX, site);
    char* stopped = nullptr;
    const auto number = parse(&stopped);
    if (end != nullptr) {
        range_access(end, sizeof *end, Operation::store, site);
        *end = stopped;
    }
    return number;
}

}  // namespace

extern "C" {

int norn_atoi(const char* text) {
    read_string(text, SIZE_MAX, SITE);
    return std::atoi(text);
}
long norn_atol(const char* text) {
    read_string(text, SIZE_MAX, SITE);
    return std::atol(text);
}
long long norn_atoll(const char* text) {
    read_string(text, SIZE_MAX, SITE);
    return std::atoll(text);
}
double norn_atof(const char* text) {
    read_string(text, SIZE_MAX, SITE);
    return std::atof(text);
}
long norn_strtol(const char* text, char** end, int base) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtol(text, stop, base); });
}
unsigned long norn_strtoul(const char* text, char** end, int base) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtoul(text, stop, base); });
}
long long norn_strtoll(const char* text, char** end, int base) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtoll(text, stop, base); });
}
unsigned long long norn_strtoull(const char* text, char** end, int base) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtoull(text, stop, base); });
}
// By the names that headers of a newer libc give them.
long norn_isoc23_strtol(const char* text, char** end, int base) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtol(text, stop, base); });
}
unsigned long norn_isoc23_strtoul(const char* text, char** end, int base) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtoul(text, stop, base); });
}
long long norn_isoc23_strtoll(const char* text, char** end, int base) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtoll(text, stop, base); });
}
unsigned long long norn_isoc23_strtoull(const char* text, char** end, int base) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtoull(text, stop, base); });
}
double norn_strtod(const char* text, char** end) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtod(text, stop); });
}
float norn_strtof(const char* text, char** end) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtof(text, stop); });
}
long double norn_strtold(const char* text, char** end) {
    return parse_number(text, end, SITE, [=](char** stop) { return std::strtold(text, stop); });
}
}

}  // namespace norn::native
