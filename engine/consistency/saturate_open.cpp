// Part of saturation (consistency/saturate.h): reads of which only the good writes are known, the *closure*.
//
// From P. Agarwal, K. Chatterjee, S. Pathak, A. Pavlogiannis, V. Toman: "Stateless Model Checking under a
// Reads-Value-From Equivalence", CAV 2021, section 4.2. Let r be such a read. A good write of r is *visible*
// if it does not come after r, and between it and r there comes no other write of the cell, and no read of it
// for which it is not good. Whatever r reads from, it is visible. So, with a *bad* write being one that is
// not a visible good one:
//
//   1. There is a visible good write.
//   2. What comes before all visible good writes comes before r. (So does the first of them, if all others
//      come after it.)
//   3. If one of them comes after all others, the bad writes before r come before that one.
//   4. A bad write that comes after all of them comes after r.
//
// In the paper a write is bad if it is not good; a good write that is not visible is no better. And 2 is
// there only what is here in brackets.
//
// The rules are applied to the open reads of a cell again whenever the clock of an event that touches the
// cell has grown, after the simpler rules have nothing more to say.
#include <algorithm>

#include "consistency/saturate.h"

namespace norn {

void Saturation::note_open_reads_of_cells(EventIndex event) {
    for (const SourceGraph::Access& access : graph_.accesses_of(event)) {
        if (is_unsettled_[access.cell] != 0 || graph_.cell(access.cell).open_reads.empty()) continue;
        is_unsettled_[access.cell] = 1;
        unsettled_.push_back(access.cell);
    }
}

// Until some clock grows: then the other rules come first again.
bool Saturation::order_open_reads() {
    while (!unsettled_.empty()) {
        const CellId cell = unsettled_.back();
        const std::size_t quiet = queue_.size();
        for (const AccessIndex open : graph_.cell(cell).open_reads) {
            const SourceGraph::Access& read = graph_.access(open);
            if (read.event < size_ && !order_open_read(read.event, read)) return false;
            if (queue_.size() > quiet) return true;
        }
        unsettled_.pop_back();
        is_unsettled_[cell] = 0;
    }
    return true;
}

bool Saturation::order_open_read(EventIndex event, const SourceGraph::Access& read) {
    find_visible(event, read);
    if (visible_.empty()) return false;
    const bool has_initial = visible_.front() == no_access;

    AccessIndex greatest = visible_.back();
    for (const AccessIndex write : visible_)
        if (write != greatest && write != no_access &&
            before(graph_.access(greatest).event, graph_.access(write).event))
            greatest = write;
    bool has_greatest = greatest != no_access;
    for (const AccessIndex write : visible_)
        has_greatest = has_greatest && (write == greatest || write == no_access ||
                                        before(graph_.access(write).event, graph_.access(greatest).event));

    if (!has_initial) {
        common_.resize(clocks_.stride());
        clocks_.copy(common_.data(), clocks_.row(graph_.access(visible_.front()).event));
        for (const AccessIndex write : visible_)
            clocks_.meet(common_.data(), clocks_.row(graph_.access(write).event));
        if (!gain(event, common_.data())) return false;
    }
    if (has_greatest)
        for (const AccessIndex earlier : last_before_)
            if (!is_visible(earlier) && !order(graph_.access(earlier).event, graph_.access(greatest).event))
                return false;
    for (const SourceGraph::Column& column : graph_.cell(read.cell).columns)
        for (const AccessIndex write : column.writes) {
            const EventIndex writer = graph_.access(write).event;
            if (writer >= size_ || writer == event) continue;
            bool comes_last = true;
            for (const AccessIndex good : visible_)
                comes_last = comes_last && good != write &&
                             (good == no_access || before(graph_.access(good).event, writer));
            if (!comes_last) continue;
            if (!order(event, writer)) return false;
            break;  // those after it in its thread come after it
        }
    return true;
}

// Puts the initial value first, if it is among them.
void Saturation::find_visible(EventIndex event, const SourceGraph::Access& read) {
    const Tick* const clock = clocks_.row(event);
    last_before_.clear();
    last_reads_.clear();
    for (const SourceGraph::Column& column : graph_.cell(read.cell).columns) {
        AccessIndex write = last_write_before(column, clock);
        if (write != no_access && graph_.access(write).event == event)
            write = column.writes.front() == write
                        ? no_access
                        : *(std::lower_bound(column.writes.begin(), column.writes.end(), write) - 1);
        if (write != no_access) last_before_.push_back(write);
        // The last read before this one; others could tell more, but seldom do.
        const auto after = std::partition_point(
            column.reads.begin(), column.reads.end(),
            [&](AccessIndex each) { return graph_.tick_of(each) <= clock[column.thread]; });
        auto last = after;
        if (last != column.reads.begin() && graph_.access(*(last - 1)).event == event) --last;
        if (last != column.reads.begin()) last_reads_.push_back(*(last - 1));
    }
    visible_.clear();
    for (const AccessIndex good : graph_.goods_of(read)) {
        if (is_missed(good)) continue;
        if (good == no_access) {
            if (last_before_.empty()) visible_.insert(visible_.begin(), good);
            continue;
        }
        const EventIndex writer = graph_.access(good).event;
        bool is_hidden = before(event, writer);
        for (const AccessIndex later : last_before_)
            is_hidden = is_hidden || (later != good && before(writer, graph_.access(later).event));
        if (!is_hidden) visible_.push_back(good);
    }
}

// Whether a read in between must not have found what a write leaves.
bool Saturation::is_missed(AccessIndex write) const {
    return std::any_of(last_reads_.begin(), last_reads_.end(), [&](AccessIndex read) {
        const SourceGraph::Access& between = graph_.access(read);
        return read != write && (write == no_access || before(graph_.access(write).event, between.event)) &&
               !graph_.is_good(between, write);
    });
}

bool Saturation::is_visible(AccessIndex write) const {
    return std::find(visible_.begin(), visible_.end(), write) != visible_.end();
}

}  // namespace norn
