#include "races/happens_before.h"

#include <algorithm>

namespace norn {

void HappensBefore::begin(std::size_t threads) {
    ++round_;
    met_first_fence_ = false;
    cause_rows_.clear();
    if (threads <= started_.size()) return;
    started_.resize(threads);
    fence_states_.resize(threads);
    for (ClockTable* const table : {&clocks_, &messages_, &causes_, &pending_, &released_})
        table->fit_threads(threads);
    for (ClockTable* const table : {&clocks_, &pending_, &released_}) table->fit_rows(threads);
}

void HappensBefore::take_in(const Event& event) {
    if (event.cause != no_event) {
        const auto cause =
            std::lower_bound(cause_rows_.begin(), cause_rows_.end(), event.cause,
                             [](const Cause& each, EventIndex wanted) { return each.event < wanted; });
        if (cause != cause_rows_.end() && cause->event == event.cause)
            clocks_.join(clocks_.row(event.thread), causes_.row(cause->row));
    }
    if (event.fences != 0) pass_fences(event.thread, event.fences);
}

void HappensBefore::start(ThreadId thread) {
    started_[thread] = round_;
    clocks_.clear(clocks_.row(thread));
}

void HappensBefore::keep_as_cause(const Event& event, EventIndex index) {
    const auto row = static_cast<std::uint32_t>(cause_rows_.size());
    causes_.fit_rows(row + 1U);
    causes_.copy(causes_.row(row), clocks_.row(event.thread));
    cause_rows_.push_back({index, row});
}

void HappensBefore::pass_fences(ThreadId thread, std::uint8_t fences) {
    if (!has_fences_) has_fences_ = met_first_fence_ = true;
    if ((fences & acquire_fence) != 0) take_pending(thread);
    if ((fences & release_fence) != 0) {
        released_.copy(released_.row(thread), clocks_.row(thread));
        fence_states_[thread].released_round = round_;
    }
    if ((fences & late_acquire_fence) != 0) take_pending(thread);
}

void HappensBefore::take_pending(ThreadId thread) {
    if (fence_states_[thread].pending_round == round_)
        clocks_.join(clocks_.row(thread), pending_.row(thread));
}

void HappensBefore::take_at_fence(ThreadId thread, const Message& message) {
    if (!has_fences_ || message.round != round_) return;
    FenceState& state = fence_states_[thread];
    if (state.pending_round == round_) {
        pending_.join(pending_.row(thread), messages_.row(message.row));
    } else {
        pending_.copy(pending_.row(thread), messages_.row(message.row));
        state.pending_round = round_;
    }
}

void HappensBefore::put_of_fence(ThreadId thread, Message& message, bool replace) {
    if (fence_states_[thread].released_round == round_) {
        put_row(released_.row(thread), message, replace);
    } else if (replace) {
        clear(message);
    }
}

void HappensBefore::add_row(Message& message) {
    message.row = message_rows_++;
    messages_.fit_rows(message_rows_);
}

}  // namespace norn
