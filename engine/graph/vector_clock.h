// ClockTable: the vector clocks of a growing and shrinking sequence of events, one row each, in one flat
// array.
//
// Entry t of the clock of an event is the number of events of thread t that happened before it, itself
// included for its own thread. So the n-th event of thread t (counted from 1) happened before an event iff
// entry t of that event's clock is at least n.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace norn {

using Tick = std::uint32_t;

class ClockTable {
public:
    // Makes room for that many threads; rows already there keep their values.
    void fit_threads(std::size_t threads) {
        if (threads <= stride_) return;
        const std::size_t wider = (threads + lane - 1) / lane * lane;
        Ticks ticks = allocate(capacity_ * wider);
        std::fill_n(ticks.get(), capacity_ * wider, 0);
        for (std::size_t i = 0; i < capacity_; ++i)
            std::copy_n(ticks_.get() + i * stride_, stride_, ticks.get() + i * wider);
        ticks_ = std::move(ticks);
        stride_ = wider;
    }

    // What is in a new row is not defined.
    void fit_rows(std::size_t rows) {
        if (rows <= capacity_) return;
        const std::size_t capacity = std::max({rows, capacity_ * 2, fewest_rows});
        Ticks ticks = allocate(capacity * stride_);
        std::copy_n(ticks_.get(), capacity_ * stride_, ticks.get());
        ticks_ = std::move(ticks);
        capacity_ = capacity;
    }

    [[nodiscard]] std::size_t stride() const { return stride_; }
    [[nodiscard]] Tick* row(std::size_t i) { return ticks_.get() + i * stride_; }
    [[nodiscard]] const Tick* row(std::size_t i) const { return ticks_.get() + i * stride_; }

    // Register by register, since rows are short: a call of memcpy would cost more.
    void clear(Tick* into) const {
        for (std::size_t t = 0; t < stride_; t += lane) lane_at(into + t) = Lane{};
    }
    void copy(Tick* into, const Tick* from) const {
        for (std::size_t t = 0; t < stride_; t += lane) lane_at(into + t) = lane_at(from + t);
    }
    void join(Tick* into, const Tick* from) const {
        for (std::size_t t = 0; t < stride_; t += lane) {
            const Lane here = lane_at(into + t);
            const Lane there = lane_at(from + t);
            lane_at(into + t) = here > there ? here : there;
        }
    }
    // Leaves what both have in common.
    void meet(Tick* into, const Tick* from) const {
        for (std::size_t t = 0; t < stride_; t += lane) {
            const Lane here = lane_at(into + t);
            const Lane there = lane_at(from + t);
            lane_at(into + t) = here < there ? here : there;
        }
    }
    // Whether all that is in one clock is in the other.
    [[nodiscard]] bool contains(const Tick* clock, const Tick* part) const {
        std::uint64_t missing = 0;
        for (std::size_t t = 0; t < stride_; t += lane) missing |= excess_of_lane(part + t, clock + t);
        return missing == 0;
    }

    // The threads of which one clock has more than the other, as bits; of more than 64 threads, all or none.
    [[nodiscard]] std::uint64_t excess(const Tick* of, const Tick* over) const {
        if (stride_ > 64) return contains(over, of) ? 0 : ~std::uint64_t{0};
        std::uint64_t threads = 0;
        for (std::size_t t = 0; t < stride_; t += lane) threads |= excess_of_lane(of + t, over + t) << t;
        return threads;
    }

private:
    // Rows are whole vector registers long: the loops over them need no tail. (Signed, which is cheaper to
    // compare: ticks are far below the sign bit.)
    static constexpr std::size_t lane = 4;
    static constexpr std::size_t fewest_rows = 32;  // to make room for at once
    typedef std::int32_t Lane __attribute__((vector_size(4 * lane), aligned(alignof(Tick)), may_alias));

    // Not a vector, which would write every row twice.
    struct Deallocate {
        std::size_t size;
        void operator()(Tick* ticks) const { std::allocator<Tick>{}.deallocate(ticks, size); }
    };
    using Ticks = std::unique_ptr<Tick[], Deallocate>;
    static Ticks allocate(std::size_t size) {
        return {std::allocator<Tick>{}.allocate(size), Deallocate{size}};
    }

    static Lane& lane_at(Tick* ticks) { return *reinterpret_cast<Lane*>(ticks); }
    static const Lane& lane_at(const Tick* ticks) { return *reinterpret_cast<const Lane*>(ticks); }

    static std::uint64_t excess_of_lane(const Tick* of, const Tick* over) {
        const Lane more = lane_at(of) > lane_at(over);
#ifdef __SSE2__
        return static_cast<std::uint64_t>(_mm_movemask_ps(reinterpret_cast<__m128>(more)));
#else
        std::uint64_t threads = 0;
        for (std::size_t k = 0; k < lane; ++k) threads |= std::uint64_t{more[k] != 0 ? 1U : 0U} << k;
        return threads;
#endif
    }

    Ticks ticks_;
    std::size_t stride_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace norn
