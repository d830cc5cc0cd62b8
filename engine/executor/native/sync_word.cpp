#include "executor/native/sync_word.h"

#include "executor/native/access.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/own_writes.h"

namespace norn::native {

namespace {

// Programs do so in loops.
bool may_be_tried_again(Operation operation) {
    return only_tries(operation) || operation == Operation::channel_try_read ||
           operation == Operation::channel_try_write;
}

}  // namespace

template <typename Word>
BasicWordEvent<Word>::BasicWordEvent(Word& word, const WordOperation& operation, std::uintptr_t site)
    : word_(word) {
    const auto address = reinterpret_cast<std::uintptr_t>(&word);
    check_heap(address, sizeof word, operation.operation);
    LocationId location = locate(*world().current, address, sizeof word);
    Event probe{};
    probe.condition = operation.condition;
    probe.expected = operation.expected;
    if (location == no_location && !counting()) {
        holds_ = probe.condition_holds_on(word);
        if (holds_) return;
        if (!operation.guarded) {
            if (!may_be_tried_again(operation.operation) || !spins(*world().current, address, site)) return;
            location = share(address, sizeof word);
        }
    }
    Event& next = announce(operation.operation, Access::rmw, address, sizeof word, location, site);
    next.condition = operation.condition;
    next.expected = operation.expected;
    next.guarded = operation.guarded;
    next.order = operation.order;
    if (operation.operation == Operation::object_init || operation.operation == Operation::object_destroy)
        world().has_plain = true;
    event_ = &perform();
    check_shared(address, sizeof word, operation.operation);  // it may have been freed meanwhile
    holds_ = operation.guarded || probe.condition_holds_on(word);
}

template <typename Word>
EventIndex BasicWordEvent<Word>::index() const {
    return event_ == nullptr ? no_event : static_cast<EventIndex>(event_ - world().events);
}

template <typename Word>
void BasicWordEvent<Word>::leave(Word value) {
    if (event_ == nullptr)
        note_own_write(*world().current, reinterpret_cast<std::uintptr_t>(&word_), sizeof word_);
    word_ = value;
    if (event_ != nullptr) event_->after = value;
}

template class BasicWordEvent<std::uint32_t>;
template class BasicWordEvent<std::uint64_t>;

}  // namespace norn::native
