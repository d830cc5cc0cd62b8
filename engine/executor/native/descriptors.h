// Descriptors that norn models: of pipes and eventfds. See descriptors.cpp.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

// What a descriptor stands for. While there is such an object, the running thread uses it.
class Described {
public:
    enum class Kind : std::uint8_t { nothing, reading_end, writing_end, counter };

    // Looks at the descriptor. Kind::nothing: it is not open, or one of the kernel's.
    Described(int descriptor, std::uintptr_t site);
    ~Described();
    Described(const Described&) = delete;
    Described& operator=(const Described&) = delete;

    [[nodiscard]] bool is_modelled() const { return kind_ != Kind::nothing; }
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool counts_down() const { return counts_down_; }
    [[nodiscard]] std::uint64_t& channel() const;
    [[nodiscard]] std::uint32_t& settings() const;
    [[nodiscard]] bool waits(std::uintptr_t site) const;  // and does not fail with EAGAIN instead

private:
    Kind kind_ = Kind::nothing;
    bool counts_down_ = false;
    std::uint32_t number_ = 0;
};

// A look at a word of norn's own, by which threads know of each other.
void read_word(Operation operation, const void* word, std::size_t size, std::uintptr_t site);

ssize_t read_channel(const Described& from, void* target, std::size_t size, std::uintptr_t site);
ssize_t write_channel(const Described& to, const void* source, std::size_t size, std::uintptr_t site);

// True: it was one that norn models, and `result` is the answer.
bool close_modelled(int descriptor, std::uintptr_t site, int& result);
void close_modelled_between(unsigned first, unsigned last, std::uintptr_t site);
bool duplicate_modelled(int descriptor, int lowest, std::uintptr_t site, int& result);
// For functions of which norn knows nothing about such descriptors.
void require_unmodelled(int descriptor, const char* function, std::uintptr_t site);

// Before an execution.
void forget_descriptors();

// At the end of an execution: the thread waits for one of several channels, and another one is ready
// (poll.cpp).
bool awaits_wrong_channel(const Thread& thread);

}  // namespace norn::native
