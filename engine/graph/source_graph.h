// SourceGraph: the events of a trace with the source of each read. What the checks of consistency and the
// explorers built on them look at. Grows and shrinks at its end; every event is pushed after all that it
// depends on.
//
// *Happens before* is here the smallest order that contains program order, the edge from an event's cause to
// it, and the edge from a source to its read. It is what the events themselves demand: whatever order is
// added to it (see consistency/saturate.h) follows from there being one memory.
//
// An event touches one or more cells (consistency/cells.h); its reads and writes of single cells are its
// accesses. A read-modify-write is one access that has both a source and readers.
//
// A read whose source is left open may have its *good writes* instead: it must read from one of them, no
// matter which. What happens before all of them happens before it. Without good writes anything may be its
// source.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/event.h"
#include "graph/vector_clock.h"

namespace norn {

using CellId = std::uint32_t;  // see consistency/cells.h
using AccessIndex = std::uint32_t;

inline constexpr AccessIndex no_access = UINT32_MAX;      // the end of a list; as a source: nothing wrote it
inline constexpr AccessIndex undecided = UINT32_MAX - 1;  // as a source: one of several may be it
inline constexpr EventIndex undecided_event = UINT32_MAX - 1;  // likewise, as an event

class SourceGraph {
public:
    struct Node {
        Tick tick;  // its number in its thread, from 1
        ThreadId thread;
        std::uint16_t choice;
        EventIndex cause;
        AccessIndex first;  // its accesses are `count` from here
        std::uint32_t count;
        EventIndex
            first_caused;  // the events that have it as their cause: this one and its `next_caused` ...
        EventIndex next_caused;
        bool reads;
        bool writes;
    };
    struct Access {
        CellId cell;
        EventIndex event;
        AccessIndex source;        // of a read; undecided if it has good writes instead, or none of both
        AccessIndex first_reader;  // of a write: this one and its `next_reader` ...
        AccessIndex next_reader;
        Tick tick;                 // of the event
        std::uint32_t first_good;  // its good writes are `goods` from here
        std::uint32_t goods;
    };
    // The accesses of one thread to one cell.
    struct Column {
        ThreadId thread;
        std::vector<AccessIndex> reads;   // in program order
        std::vector<AccessIndex> writes;  // likewise
    };
    struct Cell {
        std::vector<Column> columns;
        AccessIndex first_reader = no_access;  // of its initial value
        std::vector<AccessIndex> open_reads;   // those that have good writes
    };
    struct NewNode {
        ThreadId thread;
        std::uint16_t choice;
        EventIndex cause;
        bool reads;
        bool writes;
    };
    struct NewAccess {
        CellId cell;
        EventIndex source;  // no_event: the initial value; undecided_event: anything; if the event reads
        std::span<const AccessIndex> goods{};  // of a source that is undecided; no_access: the initial value
    };

    SourceGraph();
    void fit_threads(std::size_t threads);
    void fit_cells(std::size_t cells) {
        if (cells_.size() < cells) cells_.resize(cells);
    }
    EventIndex push(const NewNode& node, std::span<const NewAccess> accesses);
    void truncate(std::size_t size);
    void clear();

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t threads() const { return by_thread_.size(); }
    [[nodiscard]] std::size_t accesses() const { return accesses_.size(); }
    [[nodiscard]] std::size_t cells() const { return cells_.size(); }
    [[nodiscard]] const Node& node(std::size_t i) const { return nodes_[i]; }
    [[nodiscard]] const Access& access(AccessIndex i) const { return accesses_[i]; }
    [[nodiscard]] const Cell& cell(CellId cell) const { return cells_[cell]; }
    [[nodiscard]] std::span<const Access> accesses_of(std::size_t i) const {
        return {accesses_.data() + nodes_[i].first, nodes_[i].count};
    }
    // The events of a thread, in program order.
    [[nodiscard]] const std::vector<EventIndex>& of_thread(ThreadId thread) const {
        return by_thread_[thread];
    }
    [[nodiscard]] EventIndex last_of(ThreadId thread) const {
        return by_thread_[thread].empty() ? no_event : by_thread_[thread].back();
    }
    [[nodiscard]] const Tick* clock(std::size_t i) const { return clocks_.row(i); }
    [[nodiscard]] const ClockTable& clocks() const { return clocks_; }
    // The same order with edges from all good writes to their read: what may have happened before an event.
    // Kept only if asked for.
    void keep_possible_past() { keeps_possible_past_ = true; }
    [[nodiscard]] const Tick* possible_past(std::size_t i) const { return possible_.row(i); }
    [[nodiscard]] Tick tick_of(AccessIndex access) const { return accesses_[access].tick; }
    // The readers of a write, or of the initial value of a cell if there is no write.
    [[nodiscard]] AccessIndex first_reader(AccessIndex write, CellId cell) const {
        return write == no_access ? cells_[cell].first_reader : accesses_[write].first_reader;
    }
    // The writes that a read without a decided source may read from. None: any.
    [[nodiscard]] std::span<const AccessIndex> goods_of(const Access& read) const {
        return {goods_.data() + read.first_good, read.goods};
    }
    // Whether any read has good writes.
    [[nodiscard]] bool has_goods() const { return !goods_.empty(); }
    // Whether it may read from that write, which is one of its cell; no_access: the initial value.
    [[nodiscard]] bool is_good(const Access& read, AccessIndex write) const {
        if (read.source != undecided) return read.source == write;
        if (read.goods == 0) return true;
        for (const AccessIndex good : goods_of(read))
            if (good == write) return true;
        return false;
    }
    // The write of a cell by an event.
    [[nodiscard]] AccessIndex access_to(EventIndex event, CellId cell) const;

private:
    Column& column(CellId cell, ThreadId thread);
    void note_possible_past(EventIndex event);
    void add_goods(Access& read, AccessIndex number, const NewAccess& added, Tick* clock);
    [[nodiscard]] AccessIndex& reader_head(const Access& read) {
        return read.source == no_access ? cells_[read.cell].first_reader
                                        : accesses_[read.source].first_reader;
    }

    std::vector<Node> nodes_;
    std::vector<Access> accesses_;
    std::vector<Cell> cells_;
    std::vector<AccessIndex> goods_;  // of all accesses that have any
    std::vector<std::vector<EventIndex>> by_thread_;
    ClockTable clocks_;
    ClockTable possible_;
    bool keeps_possible_past_ = false;
    std::vector<Tick> common_;  // what several events have in common
};

}  // namespace norn
