// The word of a synchronisation object: what all its events read and write.
//
// It is program memory, and so it is reset with the program. Every operation that changes the object is a
// read-modify-write of it, whether its new value depends on the old one or not: so the order of these
// operations is known from what they find, which is what explorers take for granted of anything that threads
// wait for.
#pragma once

#include <cstdint>

#include "executor/native/scheduler.h"

namespace norn::native {

using SyncWord = std::uint32_t;

struct WordOperation {
    Operation operation;
    Condition condition = Condition::always;
    std::uint64_t expected = 0;
    bool guarded = false;  // waits until the condition holds; else it has no effect if it does not hold
    Order order = Order::natural;
};

// The operation has become possible: from here on its effect must not be interrupted. True: the condition
// holds. The caller changes the word by `leave`. (A word has 4 or 8 bytes.)
template <typename Word>
class BasicWordEvent {
public:
    BasicWordEvent(Word& word, const WordOperation& operation, std::uintptr_t site);

    [[nodiscard]] bool holds() const { return holds_; }
    // Its place in the execution; none if only this thread ever uses the object.
    [[nodiscard]] EventIndex index() const;
    // The alternative taken, where it is a choice.
    [[nodiscard]] std::uint16_t choice() const { return event_ == nullptr ? 0 : event_->choice; }
    // Sets the word, and says so.
    void leave(Word value);

private:
    Word& word_;
    Event* event_ = nullptr;
    bool holds_ = true;
};
using WordEvent = BasicWordEvent<SyncWord>;

}  // namespace norn::native
