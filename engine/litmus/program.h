// Program: a tiny concurrent program as data, for tests. Written as Python tuples in src/norn/_engine.pyi,
// which also says what every instruction means.
#pragma once

#include <cstdint>
#include <vector>

namespace norn::litmus {

inline constexpr std::uint8_t bytes_per_location = 8;

enum class Opcode : std::uint8_t {
    // Accesses to some bytes of a variable: offset, size.
    read,       // a: register, b: variable
    write,      // b: variable, k: value
    write_reg,  // a: register, b: variable
    rmw_add,    // a: register, b: variable, k: summand
    xchg,       // a: register, b: variable, k: value
    cas,        // a: register, b: variable, k: expected, k2: desired
    // All others touch a whole location or none.
    lock,         // b: mutex
    trylock,      // a: register, b: mutex
    unlock,       // b: mutex
    wait,         // b: condition variable, c: mutex
    signal,       // b: condition variable
    broadcast,    // b: condition variable
    sem_wait,     // b: semaphore
    sem_trywait,  // a: register, b: semaphore
    sem_post,     // b: semaphore
    rdlock,       // b: read-write lock
    wrlock,       // b: read-write lock
    tryrdlock,    // a: register, b: read-write lock
    trywrlock,    // a: register, b: read-write lock
    rwunlock,     // b: read-write lock
    spawn,        // b: thread
    join,         // b: thread
    choose,       // a: register, k: number of alternatives
    // From here on local: no event.
    assert_,  // a: register, comparison, k
    assume,   // a: register, comparison, k
    branch,   // a: register, comparison, k, k2: instructions to skip
};

enum class Comparison : std::uint8_t { equal, not_equal, less, greater };

struct Instruction {
    Opcode opcode;
    Comparison comparison = Comparison::equal;
    std::uint8_t a = 0;
    std::uint8_t b = 0;
    std::uint8_t c = 0;
    std::uint8_t offset = 0;
    std::uint8_t size = bytes_per_location;
    std::int64_t k = 0;
    std::int64_t k2 = 0;
};

struct Thread {
    std::vector<Instruction> instructions;
    std::uint32_t registers = 0;  // one more than the highest one mentioned
    bool spawned = false;         // some instruction spawns it; else it runs from the start
};

struct Program {
    std::vector<Thread> threads;
    std::uint32_t variables = 0;
    std::uint32_t mutexes = 0;
    std::uint32_t conditions = 0;
    std::uint32_t semaphores = 0;
    std::uint32_t rwlocks = 0;
};

}  // namespace norn::litmus
