// BenignPlaces: code and data whose races the user has declared harmless.
//
// Python knows the names and lines that the user gave; it writes the addresses into a file, one range a line:
// `code BEGIN END` or `data BEGIN END`.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/event.h"

namespace norn {

class BenignPlaces {
public:
    // Ends the process with a message if the file cannot be read. An empty path: there are none.
    explicit BenignPlaces(const char* path);

    [[nodiscard]] bool covers(const Event& a, const Event& b) const;

private:
    struct Range {
        std::uint64_t begin;
        std::uint64_t end;
    };
    std::vector<Range> code_;
    std::vector<Range> data_;
};

}  // namespace norn
