#include "litmus/litmus_executor.h"

#include <algorithm>

namespace norn::litmus {

namespace {

constexpr std::uint64_t mask_of(std::uint32_t size) { return ~std::uint64_t{0} >> (64 - 8 * size); }

// By how many bits the value of an access is shifted in its location: the first byte is the lowest.
std::uint32_t shift_of(const Event& event) {
    return 8 * static_cast<std::uint32_t>(event.address % bytes_per_location);
}

bool compare(std::int64_t left, Comparison comparison, std::int64_t right) {
    switch (comparison) {
        case Comparison::equal: return left == right;
        case Comparison::not_equal: return left != right;
        case Comparison::less: return left < right;
        case Comparison::greater: return left > right;
    }
    return false;
}

}  // namespace

LitmusExecutor::LitmusExecutor(const Program& program, Limits limits)
    : program_(program),
      mutexes_(program.variables),
      conditions_(mutexes_ + program.mutexes),
      semaphores_(conditions_ + program.conditions),
      rwlocks_(semaphores_ + program.semaphores),
      thread_ends_(rwlocks_ + program.rwlocks),
      values_(thread_ends_ + program.threads.size()),
      threads_(program.threads.size()),
      waiters_(program.conditions),
      limits_(limits) {
    std::uint32_t registers = 0;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        threads_[t].registers = registers;
        registers += program.threads[t].registers;
    }
    registers_.resize(registers);
}

const Execution& LitmusExecutor::run(const Schedule& schedule) {
    reset();
    for (const Step step : schedule.steps) {
        if (step.thread >= threads_.size() || !enabled(step.thread)) {
            execution_.ending = Ending::diverged;
            finish();
            return execution_;
        }
        perform(step.thread, step.choice);
    }
    if (schedule.policy != nullptr) {
        run_by_policy(*schedule.policy);
    } else {
        schedule.reads_last ? run_freely_reads_last(schedule) : run_freely(schedule);
    }
    finish();
    return execution_;
}

void LitmusExecutor::reset() {
    events_.clear();
    pending_.clear();
    able_.clear();
    execution_ = Execution{};
    execution_.threads = static_cast<std::uint16_t>(threads_.size());
    std::fill(values_.begin(), values_.end(), 0);
    std::fill(registers_.begin(), registers_.end(), 0);
    for (std::vector<ThreadId>& queue : waiters_) queue.clear();
    for (std::size_t t = 0; t < threads_.size(); ++t)
        threads_[t] = {.pc = 0,
                       .registers = threads_[t].registers,
                       .started = !program_.threads[t].spawned,
                       .stopped = false,
                       .ended = false,
                       .waiting = Waiting::no,
                       .performed = 0,
                       .has_written = std::vector<bool>(values_.size()),
                       .spawned_by = no_event,
                       .woken_by = no_event};
    for (std::size_t t = 0; t < threads_.size(); ++t)
        if (threads_[t].started) advance_locally(static_cast<ThreadId>(t));
}

// Runs the instructions that are no events.
void LitmusExecutor::advance_locally(ThreadId thread) {
    ThreadState& state = threads_[thread];
    const std::vector<Instruction>& instructions = program_.threads[thread].instructions;
    while (state.pc < instructions.size() && instructions[state.pc].opcode >= Opcode::assert_) {
        const Instruction& instruction = instructions[state.pc];
        const bool holds =
            compare(registers_[state.registers + instruction.a], instruction.comparison, instruction.k);
        if (instruction.opcode == Opcode::assume && !holds) {
            state.stopped = true;
            return;
        }
        if (instruction.opcode == Opcode::assert_ && !holds) execution_.failed = true;
        ++state.pc;
        if (instruction.opcode == Opcode::branch && holds) {
            const std::uint64_t left = instructions.size() - state.pc;
            state.pc +=
                static_cast<std::uint32_t>(std::min(left, static_cast<std::uint64_t>(instruction.k2)));
        }
    }
}

// Whether the thread has met the bound on its events, and would have another one.
bool LitmusExecutor::is_cut(ThreadId thread) const {
    const ThreadState& state = threads_[thread];
    return limits_.thread_events != 0 && state.performed >= limits_.thread_events && state.started &&
           !state.stopped && !state.ended;
}

bool LitmusExecutor::has_next(ThreadId thread) const {
    const ThreadState& state = threads_[thread];
    return !is_cut(thread) && state.started && !state.stopped && !state.ended &&
           (state.waiting != Waiting::for_signal || state.woken_by != no_event);
}

bool LitmusExecutor::enabled(ThreadId thread) const {
    if (!has_next(thread)) return false;
    const Event event = next_event(thread);
    return !event.guarded || event.condition_holds_on(event.before);
}

// The event that the thread performs next, as it would be now, with alternative 0 of a choice.
Event LitmusExecutor::next_event(ThreadId thread) const {
    const ThreadState& state = threads_[thread];
    Event event{};
    event.thread = thread;
    event.cause = state.spawned_by;
    event.alternatives = 1;
    event.location = no_location;
    const auto on = [&](LocationId location, Operation operation, Access access) {
        event.location = location;
        event.address = std::uint64_t{location} * bytes_per_location;
        event.size = bytes_per_location;
        event.operation = operation;
        event.access = access;
        event.before = event.after = values_[location];
    };
    const auto on_bytes = [&](const Instruction& instruction, Operation operation, Access access) {
        on(instruction.b, operation, access);
        event.address += instruction.offset;
        event.size = instruction.size;
        event.before = event.after = values_[instruction.b] >> shift_of(event) & mask_of(event.size);
    };
    const auto put = [&](std::uint64_t value) { event.after = value & mask_of(event.size); };
    // Else it only reads; or it waits, if it is guarded.
    const auto if_holds = [&](Condition condition, std::uint64_t expected, std::uint64_t desired) {
        event.condition = condition;
        event.expected = expected;
        if (event.condition_holds_on(event.before)) {
            event.after = desired;
        } else if (!event.guarded) {
            event.access = Access::read;
        }
    };
    const auto if_equals = [&](std::uint64_t expected, std::uint64_t desired) {
        if_holds(Condition::equals, expected, desired);
    };
    const auto lock = [&](std::uint8_t mutex, Operation operation) {
        on(mutexes_ + mutex, operation, Access::rmw);
        event.condition = Condition::equals;
        event.guarded = true;
        event.after = std::uint64_t{thread} + 1;
    };
    const auto unlock = [&](std::uint8_t mutex) {
        on(mutexes_ + mutex, Operation::unlock, Access::rmw);
        if_equals(std::uint64_t{thread} + 1, 0);
    };
    const auto notify = [&](std::uint8_t condition, Operation operation, std::uint64_t left) {
        on(conditions_ + condition, operation, Access::rmw);
        if_holds(Condition::nonzero, 0, left);
    };
    const auto sem_wait = [&](std::uint8_t semaphore, Operation operation, bool waits) {
        on(semaphores_ + semaphore, operation, Access::rmw);
        event.guarded = waits;
        if_holds(Condition::nonzero, 0, event.before - 1);
    };
    const auto lock_to_read = [&](std::uint8_t rwlock, Operation operation, bool waits) {
        on(rwlocks_ + rwlock, operation, Access::rmw);
        event.guarded = waits;
        if_holds(Condition::below, writer_bit, event.before + 1);
    };
    const std::uint64_t as_writer = writer_bit | (std::uint64_t{thread} + 1);
    const auto lock_to_write = [&](std::uint8_t rwlock, Operation operation, bool waits) {
        on(rwlocks_ + rwlock, operation, Access::rmw);
        event.guarded = waits;
        if_equals(0, as_writer);
    };

    const std::vector<Instruction>& instructions = program_.threads[thread].instructions;
    if (state.pc == instructions.size()) {
        on(thread_ends_ + thread, Operation::end, Access::write);
        event.after = 1;
        return event;
    }
    const Instruction& instruction = instructions[state.pc];
    const auto constant = static_cast<std::uint64_t>(instruction.k);
    if (state.waiting == Waiting::to_unlock) {
        unlock(instruction.c);
        return event;
    }
    if (state.waiting == Waiting::for_signal) {
        lock(instruction.c, Operation::wake_lock);
        event.cause = state.woken_by;
        return event;
    }
    switch (instruction.opcode) {
        case Opcode::read: on_bytes(instruction, Operation::load, Access::read); break;
        case Opcode::write:
            on_bytes(instruction, Operation::store, Access::write);
            put(constant);
            break;
        case Opcode::write_reg:
            on_bytes(instruction, Operation::store, Access::write);
            put(static_cast<std::uint64_t>(registers_[state.registers + instruction.a]));
            break;
        case Opcode::rmw_add:
            on_bytes(instruction, Operation::rmw, Access::rmw);
            put(event.before + constant);
            break;
        case Opcode::xchg:
            on_bytes(instruction, Operation::rmw, Access::rmw);
            put(constant);
            break;
        case Opcode::cas: {
            on_bytes(instruction, Operation::compare_exchange, Access::rmw);
            const std::uint64_t mask = mask_of(event.size);
            if_equals(constant & mask, static_cast<std::uint64_t>(instruction.k2) & mask);
            break;
        }
        case Opcode::lock: lock(instruction.b, Operation::lock); break;
        case Opcode::trylock:
            on(mutexes_ + instruction.b, Operation::trylock, Access::rmw);
            if_equals(0, std::uint64_t{thread} + 1);
            break;
        case Opcode::unlock: unlock(instruction.b); break;
        case Opcode::wait:
            if (owns(thread, instruction.c)) {
                on(conditions_ + instruction.b, Operation::wait, Access::rmw);
                event.after = event.before + 1;
            } else {
                on(mutexes_ + instruction.c, Operation::wait, Access::read);
            }
            break;
        case Opcode::signal:
            notify(instruction.b, Operation::signal, values_[conditions_ + instruction.b] - 1);
            event.alternatives = static_cast<std::uint16_t>(std::max<std::uint64_t>(event.before, 1));
            break;
        case Opcode::broadcast: notify(instruction.b, Operation::broadcast, 0); break;
        case Opcode::sem_wait: sem_wait(instruction.b, Operation::sem_wait, true); break;
        case Opcode::sem_trywait: sem_wait(instruction.b, Operation::sem_trywait, false); break;
        case Opcode::sem_post:
            on(semaphores_ + instruction.b, Operation::sem_post, Access::rmw);
            event.after = event.before + 1;
            break;
        case Opcode::rdlock: lock_to_read(instruction.b, Operation::rwlock_read, true); break;
        case Opcode::wrlock: lock_to_write(instruction.b, Operation::rwlock_write, true); break;
        case Opcode::tryrdlock: lock_to_read(instruction.b, Operation::rwlock_try_read, false); break;
        case Opcode::trywrlock: lock_to_write(instruction.b, Operation::rwlock_try_write, false); break;
        case Opcode::rwunlock:
            on(rwlocks_ + instruction.b, Operation::rwlock_unlock, Access::rmw);
            if (event.before == as_writer) {
                event.after = 0;
            } else if (event.before != 0 && event.before < writer_bit) {
                event.after = event.before - 1;
            }
            break;
        case Opcode::spawn: event.operation = Operation::spawn; break;
        case Opcode::join:
            on(thread_ends_ + instruction.b, Operation::join, Access::read);
            event.condition = Condition::nonzero;
            event.guarded = true;
            break;
        case Opcode::choose:
            event.operation = Operation::choose;
            event.alternatives = static_cast<std::uint16_t>(instruction.k);
            break;
        case Opcode::assert_:
        case Opcode::assume:
        case Opcode::branch: break;  // never next, see advance_locally
    }
    return event;
}

void LitmusExecutor::perform(ThreadId thread, std::uint16_t choice) {
    Event event = next_event(thread);
    event.choice = std::min<std::uint16_t>(choice, static_cast<std::uint16_t>(event.alternatives - 1));
    const auto index = static_cast<EventIndex>(events_.size());
    events_.push_back(event);
    threads_[thread].spawned_by = no_event;
    ++threads_[thread].performed;
    if (event.writes()) {
        store(event);
        threads_[thread].has_written[event.location] = true;
    }
    take_effect(thread, event, index);
}

void LitmusExecutor::store(const Event& event) {
    const std::uint64_t mask = mask_of(event.size) << shift_of(event);
    std::uint64_t& value = values_[event.location];
    value = (value & ~mask) | (event.after << shift_of(event) & mask);
}

// What the event does beside the value at its location.
void LitmusExecutor::take_effect(ThreadId thread, const Event& event, EventIndex index) {
    ThreadState& state = threads_[thread];
    if (event.operation == Operation::end) {
        state.ended = true;
        return;
    }
    if (state.waiting == Waiting::to_unlock) {
        state.waiting = Waiting::for_signal;
        return;
    }
    const Instruction& instruction = program_.threads[thread].instructions[state.pc];
    std::int64_t* registers = registers_.data() + state.registers;
    const auto release = [&](std::size_t waiter) {
        std::vector<ThreadId>& queue = waiters_[instruction.b];
        threads_[queue[waiter]].woken_by = index;
        queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(waiter));
    };
    switch (event.operation) {
        case Operation::load:
        case Operation::rmw:
        case Operation::compare_exchange:
            registers[instruction.a] = static_cast<std::int64_t>(event.before);
            break;
        case Operation::trylock:
        case Operation::sem_trywait:
        case Operation::rwlock_try_read:
        case Operation::rwlock_try_write: registers[instruction.a] = event.writes() ? 1 : 0; break;
        case Operation::choose: registers[instruction.a] = event.choice; break;
        case Operation::unlock:
            if (!event.writes()) execution_.failed = true;
            break;
        case Operation::rwlock_unlock:
            if (event.after == event.before) execution_.failed = true;
            break;
        case Operation::wait:
            if (event.writes()) {
                waiters_[instruction.b].push_back(thread);
                state.waiting = Waiting::to_unlock;
                return;
            }
            execution_.failed = true;
            break;
        case Operation::wake_lock:
            state.waiting = Waiting::no;
            state.woken_by = no_event;
            break;
        case Operation::signal:
            if (event.writes()) release(event.choice);
            break;
        case Operation::broadcast:
            while (!waiters_[instruction.b].empty()) release(0);
            break;
        case Operation::spawn:
            threads_[instruction.b].started = true;
            threads_[instruction.b].spawned_by = index;
            threads_[instruction.b].has_written = state.has_written;
            advance_locally(instruction.b);
            break;
        default: break;
    }
    ++state.pc;
    advance_locally(thread);
}

void LitmusExecutor::run_freely(const Schedule& schedule) {
    ThreadId current = schedule.steps.empty() ? ThreadId{0} : schedule.steps.back().thread;
    const auto count = static_cast<ThreadId>(threads_.size());
    for (;;) {
        if (is_too_long()) return;
        const bool has_started_one = !events_.empty() && events_.back().operation == Operation::spawn;
        if (current >= count || has_started_one || !enabled(current)) {
            current = count;
            do {
                if (current == 0) return;
                --current;
            } while (!enabled(current));
        }
        perform(current, 0);
    }
}

// Whether the thread can go on without an event that depends on a value.
bool LitmusExecutor::goes_on_blindly(ThreadId thread) const {
    return enabled(thread) && !depends_on_value(next_event(thread));
}

// How soon the next event of a thread, which depends on a value, should be performed: the lower, the sooner.
std::size_t LitmusExecutor::rank_of(ThreadId thread, const Forecast* forecast) const {
    const Event event = next_event(thread);
    if (forecast == nullptr) return 1;
    if (event.operation == Operation::load &&
        forecast->is_constant(event.location, threads_[thread].has_written[event.location]))
        return 0;
    if (event.location >= forecast->locations.size()) return 1;
    const std::vector<std::uint32_t>& last = forecast->locations[event.location].last_write;
    std::size_t writers = 0;
    for (std::size_t t = 0; t < last.size(); ++t)
        if (t != thread && threads_[t].performed < last[t]) ++writers;
    return 1 + writers;
}

void LitmusExecutor::run_freely_reads_last(const Schedule& schedule) {
    const auto count = static_cast<ThreadId>(threads_.size());
    if (count == 0) return;
    ThreadId current = schedule.steps.empty() ? ThreadId{0} : schedule.steps.back().thread;
    std::vector<bool> deferred(count, false);
    for (const ThreadId thread : schedule.deferred) deferred[thread] = true;
    while (!is_too_long()) {
        ThreadId next = goes_on_blindly(current) ? current : count;
        for (ThreadId thread = count; thread > 0 && next == count; --thread)
            if (goes_on_blindly(static_cast<ThreadId>(thread - 1))) next = static_cast<ThreadId>(thread - 1);
        std::size_t lowest = SIZE_MAX;
        for (const bool is_deferred : {false, true})
            for (ThreadId i = 0; i < count && (next == count || lowest < SIZE_MAX); ++i) {
                const auto thread = static_cast<ThreadId>((current + count - i) % count);
                if (deferred[thread] != is_deferred || !enabled(thread)) continue;
                const std::size_t rank =
                    rank_of(thread, schedule.forecast) + (is_deferred ? std::size_t{1} << 32 : 0);
                if (rank >= lowest) continue;
                lowest = rank;
                next = thread;
            }
        if (next == count) return;
        current = next;
        if (depends_on_value(next_event(current))) deferred[current] = false;
        perform(current, 0);
    }
}

void LitmusExecutor::run_by_policy(const Policy& policy) {
    policy_walk_.begin(policy);
    std::vector<ThreadId> able;
    while (!is_too_long()) {
        able.clear();
        for (std::size_t t = 0; t < threads_.size(); ++t)
            if (enabled(static_cast<ThreadId>(t))) able.push_back(static_cast<ThreadId>(t));
        if (able.empty()) return;
        if (policy.notes_able()) {
            able_.push_back(static_cast<ThreadId>(able.size()));
            able_.insert(able_.end(), able.begin(), able.end());
        }
        const ThreadId last = events_.empty() ? ThreadId{0} : events_.back().thread;
        const ThreadId next = policy_walk_.pick(able, events_.size(), last);
        const std::uint16_t alternatives = next_event(next).alternatives;
        perform(next, alternatives > 1 ? policy_walk_.choose(alternatives, next) : std::uint16_t{0});
    }
}

// Whether the bound on the events of an execution was met while some thread could still go on.
bool LitmusExecutor::is_too_long() {
    if (limits_.events == 0 || events_.size() < limits_.events) return false;
    for (std::size_t t = 0; t < threads_.size(); ++t)
        if (enabled(static_cast<ThreadId>(t))) execution_.ending = Ending::too_long;
    return true;
}

// Says how the execution ended and what it left behind.
void LitmusExecutor::finish() {
    final_state_.clear();
    bool stopped = false;
    bool unfinished = false;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
        const auto thread = static_cast<ThreadId>(t);
        const ThreadState& state = threads_[t];
        final_state_.push_back(state.pc);
        final_state_.insert(final_state_.end(), registers_.begin() + state.registers,
                            registers_.begin() + state.registers + program_.threads[t].registers);
        if (is_cut(thread)) execution_.was_cut = true;
        stopped = stopped || state.stopped || is_cut(thread);
        unfinished = unfinished || (state.started && !state.ended);
        if (has_next(thread) && !enabled(thread)) pending_.push_back(next_event(thread));
    }
    execution_.events = events_;
    execution_.pending = pending_;
    execution_.able = able_;
    if (execution_.ending != Ending::complete) return;
    if (stopped) {
        execution_.ending = Ending::blocked;
    } else if (unfinished) {
        execution_.ending = Ending::deadlock;
    }
}

}  // namespace norn::litmus
