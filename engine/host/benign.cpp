#include "host/benign.h"

#include <algorithm>
#include <cstdio>

#include "host/messages.h"

namespace norn {

BenignPlaces::BenignPlaces(const char* path) {
    if (*path == '\0') return;
    std::FILE* const file = std::fopen(path, "re");
    if (file == nullptr) die("the list of benign races cannot be read");
    char kind[8];
    unsigned long begin = 0;
    unsigned long end = 0;
    while (std::fscanf(file, "%7s %lu %lu", kind, &begin, &end) == 3)
        (kind[0] == 'c' ? code_ : data_).push_back({begin, end});
    std::fclose(file);
}

bool BenignPlaces::covers(const Event& a, const Event& b) const {
    for (const Range& range : code_)
        for (const Event* const event : {&a, &b})
            if (event->site > range.begin && event->site <= range.end) return true;  // a return address
    const std::uint64_t begin = std::max(a.address, b.address);
    const std::uint64_t end = std::min(a.address + a.size, b.address + b.size);
    for (const Range& range : data_)
        if (begin >= range.begin && end <= range.end) return true;
    return false;
}

}  // namespace norn
