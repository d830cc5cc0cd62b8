// ClockTable: the vector clocks of a growing and shrinking sequence of events, one row each, in one flat
// array.
//
// Entry t of the clock of an event is the number of events of thread t that happened before it, itself
// included for its own thread. So the n-th event of thread t (counted from 1) happened before an event iff
// entry t of that event's clock is at least n.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace norn {

using Tick = std::uint32_t;

class ClockTable {
public:
    // Makes room for that many threads; rows already there keep their values.
    void fit_threads(std::size_t threads) {
        if (threads <= stride_) return;
        const std::size_t wider = (threads + lane - 1) / lane * lane;
        std::vector<Tick> ticks(capacity_ * wider, 0);
        for (std::size_t i = 0; i < capacity_; ++i)
            std::copy_n(ticks_.begin() + static_cast<std::ptrdiff_t>(i * stride_), stride_,
                        ticks.begin() + static_cast<std::ptrdiff_t>(i * wider));
        ticks_.swap(ticks);
        stride_ = wider;
    }

    void fit_rows(std::size_t rows) {
        if (rows <= capacity_) return;
        capacity_ = std::max(rows, capacity_ * 2);
        ticks_.resize(capacity_ * stride_, 0);
    }

    [[nodiscard]] std::size_t stride() const { return stride_; }
    [[nodiscard]] Tick* row(std::size_t i) { return ticks_.data() + i * stride_; }
    [[nodiscard]] const Tick* row(std::size_t i) const { return ticks_.data() + i * stride_; }

    void clear(Tick* into) const { std::fill_n(into, stride_, 0); }
    void copy(Tick* into, const Tick* from) const { std::copy_n(from, stride_, into); }
    void join(Tick* __restrict into, const Tick* __restrict from) const {
        for (std::size_t t = 0; t < stride_; t += lane)
            for (std::size_t k = t; k < t + lane; ++k) into[k] = std::max(into[k], from[k]);
    }
    // Whether all that is in one clock is in the other.
    [[nodiscard]] bool contains(const Tick* clock, const Tick* part) const {
        std::uint32_t missing = 0;
        for (std::size_t t = 0; t < stride_; t += lane)
            for (std::size_t k = t; k < t + lane; ++k) missing |= part[k] > clock[k] ? 1U : 0U;
        return missing == 0;
    }

private:
    // Rows are whole vector registers long: the loops over them need no tail.
    static constexpr std::size_t lane = 8;

    std::vector<Tick> ticks_;
    std::size_t stride_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace norn
