#include "explore/values.h"

#include <utility>

namespace norn {

namespace {

std::uint64_t mask_of(std::uint64_t bytes) {
    return bytes >= largest_value ? UINT64_MAX : (std::uint64_t{1} << (8 * bytes)) - 1;
}

bool is_all_of(const CellTable& cells, CellId cell, const Event& event) {
    return event.address == cells.begin_of(cell) && event.address + event.size == cells.end_of(cell);
}

}  // namespace

void Values::clear() {
    of_access_.clear();
    initial_.clear();
}

void Values::wrote(const CellTable& cells, CellId cell, AccessIndex access, const Event& event) {
    if (of_access_.size() <= access) of_access_.resize(access + 1);
    Value& value = of_access_[access];
    value = {};
    if (is_all_of(cells, cell, event)) {
        value = {!is_unknown(event.after, event.size), event.after};
    } else if (event.size <= largest_value) {
        value = {true, (event.after >> (8 * (cells.begin_of(cell) - event.address))) &
                           mask_of(cells.end_of(cell) - cells.begin_of(cell))};
    }
}

bool Values::found(const CellTable& cells, CellId cell, AccessIndex content, const Event& event) {
    std::uint64_t bytes = event.before;
    if (!is_all_of(cells, cell, event)) {
        if (event.size > largest_value) return true;
        bytes = (event.before >> (8 * (cells.begin_of(cell) - event.address))) &
                mask_of(cells.end_of(cell) - cells.begin_of(cell));
    }
    if (is_unknown(event.before, event.size)) return found_unknown(cells, cell, content);
    if (content == no_access) {
        // (What is on a stack at first may be left from another execution.)
        if (initial_.size() <= cell) initial_.resize(cells.size());
        if (initial_[cell].known && initial_[cell].value != bytes && !is_changing(cell)) {
            if (changing_.size() <= cell) changing_.resize(cells.size(), 0);
            changing_[cell] = 1;
            initial_has_changed_ = true;
        }
        initial_[cell] = {true, bytes};
        return true;
    }
    if (of_access_.size() <= content) of_access_.resize(content + 1);
    Value& value = of_access_[content];
    if (!value.known) {
        value = {true, bytes};
        return true;
    }
    return value.value == bytes || disbelieve(cells, cell);
}

// What is found is no value that is known, so that no known one can have been left.
bool Values::found_unknown(const CellTable& cells, CellId cell, AccessIndex content) {
    if (content == no_access) {
        if (cell < initial_.size()) initial_[cell] = {};
        return true;
    }
    return content >= of_access_.size() || !of_access_[content].known || disbelieve(cells, cell);
}

bool Values::disbelieve(const CellTable& cells, CellId cell) {
    if (is_unseen(cell)) return true;
    if (unseen_.size() <= cell) unseen_.resize(cells.size(), 0);
    unseen_[cell] = 1;
    return false;
}

void Values::add(const CellTable& cells, CellId cell, const Event& event, AccessIndex source,
                 FoundValue& found) const {
    Value value;
    if (source != no_access) {
        if (source < of_access_.size()) value = of_access_[source];
    } else if (cell < initial_.size()) {
        value = initial_[cell];
    }
    const bool is_all = is_all_of(cells, cell, event);
    if (!value.known || is_unseen(cell) || (!is_all && event.size > largest_value)) {
        found.known = false;
    } else {
        found.value |= is_all ? value.value : value.value << (8 * (cells.begin_of(cell) - event.address));
    }
}

FoundValue Values::left(CellId cell, AccessIndex write) const {
    Value value;
    if (write != no_access) {
        if (write < of_access_.size()) value = of_access_[write];
    } else if (cell < initial_.size() && !is_changing(cell)) {
        value = initial_[cell];
    }
    return {value.known && !is_unseen(cell), value.value};
}

bool Values::initial_has_changed() { return std::exchange(initial_has_changed_, false); }

}  // namespace norn
