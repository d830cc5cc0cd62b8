// One message to Python: a JSON object on a line, built up piece by piece (docs/protocol.md; messages.cpp
// says what is in it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "host/channel.h"

namespace norn {

// Built up and written with as few system calls as its length allows. Never allocates.
class Line {
public:
    explicit Line(const char* type) {
        text("{\"type\":");
        string(type);
    }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line() {
        text("}\n");
        flush();
    }

    Line& key(const char* name) {
        character(',');
        string(name);
        character(':');
        return *this;
    }
    Line& number(std::uint64_t value) {
        char digits[24];
        std::snprintf(digits, sizeof digits, "%lu", static_cast<unsigned long>(value));
        return text(digits);
    }
    void seconds(double value) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%.6f", value);
        text(digits);
    }
    Line& boolean(bool value) { return text(value ? "true" : "false"); }
    Line& text(const char* value) {
        while (*value != '\0') character(*value++);
        return *this;
    }
    void string(const char* value) {
        character('"');
        for (; *value != '\0'; ++value) {
            const auto c = static_cast<unsigned char>(*value);
            char escaped[8];
            if (c == '"' || c == '\\') {
                character('\\');
                character(*value);
            } else if (c < 0x20 || c == 0x7F) {  // the reader replaces bytes that are not UTF-8
                std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
                text(escaped);
            } else {
                character(*value);
            }
        }
        character('"');
    }
    void stack(const std::uintptr_t* addresses, std::size_t frames) {
        character('[');
        for (std::size_t i = 0; i < frames; ++i) {
            if (i > 0) character(',');
            number(addresses[i]);
        }
        character(']');
    }
    void character(char c) {
        if (used_ == sizeof buffer_) flush();
        buffer_[used_++] = c;
    }

private:
    void flush() {
        send_bytes(buffer_, used_, begins_);
        begins_ = false;
        used_ = 0;
    }

    char buffer_[4096];
    std::size_t used_ = 0;
    bool begins_ = true;
};

}  // namespace norn
