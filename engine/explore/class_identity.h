// ClassIdentity: names the class of a sequence of events, as it grows. For searches that do not know
// beforehand which class an execution will be of (sample.cpp, preemption_bounded.cpp).
//
// Two sequences of one program have the same `order` iff they are equal for `mazurkiewicz`: the same events,
// and each pair that conflicts in the same order. They have the same `sources` iff they are equal for
// `reads-from`: the same events, and each byte that is read comes from the same write. (But for an accident
// that never happens: both are 128 bits.)
//
// An event is called by its thread and its number there. For each thread there is a chain over its events,
// into which each is mixed with what matters of it: for `sources` the events it reads from, byte by byte; for
// `order` the last accesses that it conflicts with. Those are the conflicting ones of which no later write
// covers all bytes: such a write conflicts with both, so that it stands for them. Which these are, and their
// sum, is the same in every sequence of the class.
#pragma once

#include <cstdint>
#include <vector>

#include "consistency/identity.h"
#include "graph/event.h"

namespace norn {

class ClassIdentity {
public:
    void begin();
    void push(const Event& event);

    [[nodiscard]] Identity order() const { return sum_of(&Chain::order); }
    [[nodiscard]] Identity sources() const { return sum_of(&Chain::sources); }

private:
    // Accesses to the same bytes: one write, or reads of which the names were added.
    struct Access {
        std::uint64_t begin;
        std::uint64_t end;
        std::uint64_t name;
    };
    struct Location {
        std::vector<Access> writes;  // in their order, without those that a later one covers
        std::vector<Access> reads;   // likewise without
    };
    struct Chain {
        Identity order;
        Identity sources;
        std::uint64_t events = 0;
    };

    [[nodiscard]] Identity sum_of(Identity Chain::* part) const;
    [[nodiscard]] std::uint64_t sources_of(const Event& event, const Location& location);
    static std::uint64_t conflicts_of(const Event& event, const Location& location);
    static void perform(const Event& event, std::uint64_t name, Location& location);

    std::vector<Location> locations_;
    std::vector<LocationId> touched_;
    std::vector<Chain> chains_;    // by thread
    std::vector<Access> missing_;  // scratch of sources_of
};

}  // namespace norn
