// Pipes and eventfds: pipe, pipe2, eventfd, and fcntl, ioctl, dup, close on them.
//
// They are in memory, and the kernel knows nothing of them. What it has is a descriptor of the same number
// that cannot be used for anything, so that numbers are those that the program would get without norn.
//
//     descriptor[number]           what it stands for: which description, of which kind; 0: nothing
//     descriptor_numbers           which numbers are in use
//     description_settings[...]    how many descriptors have the description, and whether it waits
//     channel[...]                 what is in the pipe or eventfd, and which ends are open (channel.h)
//
// Each is a word with events of its own; those that only one thread ever touches have none. What an operation
// does follows from the values of these words alone. A descriptor begins to stand for something after its
// number was taken, and ends to before its number is given back: a thread that uses the number in between
// finds that it is not open.
//
// A description belongs to the thread that made it and has its number there, so that it does not depend on
// the interleaving.
//
// To close a description while another thread is inside of an operation on it is refused: Linux keeps it open
// until that operation is over, and who would be the last to use it cannot be told from the words above.
// Also refused, by name: dup2 from or to such a descriptor, other sizes of pipes, streams of stdio on them.
// A read of a pipe gives what is there, a write of more than PIPE_BUF bytes what there is room for.
#include "executor/native/descriptors.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/cancellation.h"
#include "executor/native/channel.h"
#include "executor/native/faults.h"
#include "executor/native/heap.h"
#include "executor/native/hidden_descriptor.h"
#include "executor/native/process_state.h"
#include "executor/native/sync_word.h"
#include "executor/native/wide_values.h"

extern "C" int norn_raise(int number);

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

using Kind = Described::Kind;
using LongWordEvent = BasicWordEvent<std::uint64_t>;

constexpr std::uint32_t does_not_wait = 0x8000'0000;  // in settings; the rest is the number of descriptors

// What descriptor[...] holds: the number of the description from 1, its kind, whether it counts down.
constexpr std::uint32_t number_bits = 0xF'FFFF;
constexpr std::uint32_t kind_shift = 20;
constexpr std::uint32_t counts_down_bit = std::uint32_t{1} << 24;

int fail_with(int code) {
    errno = code;
    return -1;
}

void begin_using_descriptors() {
    World& w = world();
    if (w.has_descriptors) return;
    w.has_descriptors = true;
    start_learning();  // numbers were not looked up before
}

// Numbers of the running thread for new descriptions, one after the other.
std::uint32_t make_descriptions(std::uint32_t count) {
    World& w = world();
    std::uint32_t& made = w.descriptions_made[w.current->id];
    if (made + count > World::descriptions_per_thread)
        unsupported("pipe", "a thread makes more than 64 ends of pipes and eventfds");
    const std::uint32_t first = w.current->id * World::descriptions_per_thread + made;
    made += count;
    return first;
}

std::uint64_t used_numbers() {
    const World& w = world();
    return wide_value(reinterpret_cast<std::uintptr_t>(w.used_descriptors), sizeof w.used_descriptors);
}

bool is_in_use(int number) { return (world().used_descriptors[number / 64] >> number % 64 & 1) != 0; }

void note_number(int number) { world().used_descriptors[number / 64] ^= std::uint64_t{1} << number % 64; }

int take_number(int lowest, std::uintptr_t site) {
    World& w = world();
    enter();
    LongWordEvent event(w.descriptor_numbers, {Operation::descriptor_open}, site);
    note_opened();
    const int number = fcntl(unusable_descriptor(), F_DUPFD_CLOEXEC, lowest);
    if (number < 0) return number;
    if (static_cast<std::size_t>(number) >= World::descriptor_limit)
        unsupported("pipe", "the program has more than 1024 descriptors");
    note_number(number);
    event.leave(used_numbers());
    return number;
}

void give_number_back(int number, std::uintptr_t site) {
    enter();
    LongWordEvent event(world().descriptor_numbers, {Operation::descriptor_open}, site);
    close(number);
    note_number(number);
    event.leave(used_numbers());
}

void set_descriptor(int number, std::uint32_t value, std::uintptr_t site) {
    enter();
    WordEvent event(world().descriptor[number], {Operation::descriptor_set}, site);
    event.leave(value);
}

void begin_description(std::uint32_t description, bool waits, std::uintptr_t site) {
    enter();
    WordEvent event(world().description_settings[description], {Operation::descriptor_set}, site);
    event.leave(waits ? 0 : does_not_wait);
}

void begin_channel(std::uint32_t channel, const Channel& state, std::uintptr_t site) {
    enter();
    LongWordEvent event(world().channel[channel], {Operation::descriptor_set}, site);
    event.leave(word_of(state));
}

// One descriptor more stands for the description. Returns its number.
int add_descriptor(std::uint32_t description, Kind kind, bool counts_down, int lowest, std::uintptr_t site) {
    const int number = take_number(lowest, site);
    if (number < 0) return number;
    {
        enter();
        std::uint32_t& settings = world().description_settings[description];
        WordEvent event(settings, {Operation::descriptor_set}, site);
        event.leave(settings + 1);
    }
    const std::uint32_t value = (description + 1) | static_cast<std::uint32_t>(kind) << kind_shift |
                                (counts_down ? counts_down_bit : 0);
    set_descriptor(number, value, site);
    return number;
}

int make_pipe(int* ends, int flags, std::uintptr_t site) {
    if (!enter()) unsupported("pipe", "pipes that are made before main begins are not modelled");
    if ((flags & ~(O_CLOEXEC | O_NONBLOCK)) != 0) {
        if ((flags & O_DIRECT) != 0) unsupported("pipe2", "pipes of packets (O_DIRECT) are not modelled");
        return fail_with(EINVAL);
    }
    begin_using_descriptors();
    const std::uint32_t first = make_descriptions(2);
    const bool waits = (flags & O_NONBLOCK) == 0;
    begin_channel(first, {false, 1, 1, 0, {}}, site);
    begin_description(first, waits, site);
    begin_description(first + 1, waits, site);
    const int reading = add_descriptor(first, Kind::reading_end, false, 0, site);
    if (reading < 0) return reading;
    const int writing = add_descriptor(first + 1, Kind::writing_end, false, 0, site);
    if (writing < 0) {
        const int code = errno;
        int result = 0;
        close_modelled(reading, site, result);
        return fail_with(code);
    }
    range_access(ends, 2 * sizeof *ends, Operation::store, site);
    ends[0] = reading;
    ends[1] = writing;
    return 0;
}

void end_channel(Kind kind, std::uint64_t& word, std::uintptr_t site) {
    enter();
    LongWordEvent event(word, {Operation::channel_close}, site);
    Channel state = channel_of(word);
    if (kind != Kind::writing_end) --state.readers;
    if (kind != Kind::reading_end) --state.writers;
    event.leave(word_of(state));
}

// Whether another thread is inside of an operation on it.
bool is_used_by_others(std::uint32_t description) {
    const World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i) {
        if (i == w.current->id) continue;
        if (w.description_in_use[i] == description + 1) return true;
        const AwaitedChannels& awaited = w.awaited_channels[i];
        for (std::uint32_t k = 0; k < awaited.count; ++k)
            if (awaited.settings[k] == &w.description_settings[description]) return true;
    }
    return false;
}

ssize_t read_counter(std::uint64_t& word, LongWordEvent& event, bool counts_down, void* target,
                     std::uintptr_t site) {
    Channel state = channel_of(word);
    const std::uint64_t value = counts_down ? 1 : state.count;
    state.count -= value;
    event.leave(word_of(state));
    enter();
    range_access(target, sizeof value, Operation::store, site);
    std::memcpy(target, &value, sizeof value);
    return sizeof value;
}

ssize_t read_pipe(std::uint64_t& word, LongWordEvent& event, void* target, std::size_t size,
                  std::uintptr_t site) {
    Channel state = channel_of(word);
    const std::span<const unsigned char> all = state.bytes;
    const std::size_t taken = all.size() < size ? all.size() : size;
    if (taken == 0) return 0;
    state.bytes = all.subspan(taken);
    event.leave(word_of(state));
    enter();
    range_access(target, taken, Operation::store, site);
    std::memcpy(target, all.data(), taken);
    return static_cast<ssize_t>(taken);
}

ssize_t add_to_counter(const Described& to, std::uint64_t value, std::uintptr_t site) {
    if (value == UINT64_MAX) return fail_with(EINVAL);
    const bool waits = to.waits(site);
    enter();
    std::uint64_t& word = to.channel();
    LongWordEvent event(word, {Operation::channel_write}, site);
    Channel state = channel_of(word);
    if (state.count > largest_count - value) {
        if (!waits) return fail_with(EAGAIN);
        unsupported("write", "to wait until the count of an eventfd is less is not modelled");
    }
    state.count += value;
    event.leave(word_of(state));
    return sizeof value;
}

ssize_t write_pipe(const Described& to, std::span<const unsigned char> bytes, std::uintptr_t site) {
    const bool waits = to.waits(site);
    const std::size_t least = bytes.size() <= pipe_atomic ? bytes.size() : 1;
    std::uint64_t& word = to.channel();
    std::size_t done = 0;
    while (done < bytes.size()) {
        enter();
        if (waits && done == 0) begin_wait(site);
        LongWordEvent event(word,
                            {waits ? Operation::channel_write : Operation::channel_try_write,
                             Condition::below, limit_with_room(least), waits},
                            site);
        end_wait();
        if (!event.holds()) return done > 0 ? static_cast<ssize_t>(done) : fail_with(EAGAIN);
        const Channel state = channel_of(word);
        if (state.readers == 0) {
            if (done > 0) break;
            norn_raise(SIGPIPE);
            return fail_with(EPIPE);
        }
        const std::size_t room = pipe_capacity - state.bytes.size();
        const std::size_t size = bytes.size() - done < room ? bytes.size() - done : room;
        event.leave(word_of(state, bytes.subspan(done, size)));
        done += size;
    }
    return static_cast<ssize_t>(done);
}

int set_flags(const Described& of, int flags, std::uintptr_t site) {
    enter();
    std::uint32_t& settings = of.settings();
    WordEvent event(settings, {Operation::descriptor_set}, site);
    const std::uint32_t count = settings & ~does_not_wait;
    event.leave((flags & O_NONBLOCK) != 0 ? count | does_not_wait : count);
    return 0;
}

int flags_of(const Described& of, std::uintptr_t site) {
    const int access = of.kind() == Kind::reading_end   ? O_RDONLY
                       : of.kind() == Kind::writing_end ? O_WRONLY
                                                        : O_RDWR;
    return of.waits(site) ? access : access | O_NONBLOCK;
}

int control(int descriptor, int command, long argument, std::uintptr_t site) {
    const Described of(descriptor, site);
    if (!of.is_modelled()) {
        if (is_hidden(descriptor)) return not_open();
        if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) note_opened();
        return fcntl(descriptor, command, argument);
    }
    int result = 0;
    switch (command) {
        case F_DUPFD:
        case F_DUPFD_CLOEXEC:
            duplicate_modelled(descriptor, static_cast<int>(argument), site, result);
            return result;
        case F_GETFD:
        case F_SETFD: return fcntl(descriptor, command, argument);
        case F_GETFL: return flags_of(of, site);
        case F_SETFL: return set_flags(of, static_cast<int>(argument), site);
        case F_GETPIPE_SZ: return of.kind() == Kind::counter ? fail_with(EBADF) : int{pipe_capacity};
        default: unsupported("fcntl", "of pipes and eventfds only flags and duplicates are modelled");
    }
}

}  // namespace

Described::Described(int descriptor, std::uintptr_t site) {
    World& w = world();
    if (!w.has_descriptors || descriptor < 0 ||
        static_cast<std::size_t>(descriptor) >= World::descriptor_limit || !enter())
        return;
    const std::uint32_t& word = w.descriptor[descriptor];
    read_word(Operation::descriptor_use, &word, sizeof word, site);
    if (word == 0) return;
    number_ = word & number_bits;
    kind_ = static_cast<Kind>(word >> kind_shift & 0xF);
    counts_down_ = (word & counts_down_bit) != 0;
    w.description_in_use[w.current->id] = number_;
}

Described::~Described() {
    if (is_modelled()) world().description_in_use[world().current->id] = 0;
}

std::uint64_t& Described::channel() const {
    return world().channel[kind_ == Kind::writing_end ? number_ - 2 : number_ - 1];
}

std::uint32_t& Described::settings() const { return world().description_settings[number_ - 1]; }

bool Described::waits(std::uintptr_t site) const {
    enter();
    read_word(Operation::descriptor_use, &settings(), sizeof settings(), site);
    return (settings() & does_not_wait) == 0;
}

void read_word(Operation operation, const void* word, std::size_t size, std::uintptr_t site) {
    const auto address = reinterpret_cast<std::uintptr_t>(word);
    const LocationId location = locate(*world().current, address, size);
    if (location == no_location && !counting()) return;
    announce(operation, Access::read, address, size, location, site);
    perform();
}

ssize_t read_channel(const Described& from, void* target, std::size_t size, std::uintptr_t site) {
    test_cancellation(site);
    if (from.kind() == Kind::writing_end) return fail_with(EBADF);
    const bool is_counter = from.kind() == Kind::counter;
    if (is_counter && size < sizeof(std::uint64_t)) return fail_with(EINVAL);
    if (size == 0) return 0;
    const bool waits = from.waits(site);
    std::uint64_t& word = from.channel();
    enter();
    if (waits) begin_wait(site);
    LongWordEvent event(word,
                        {waits ? Operation::channel_read : Operation::channel_try_read, Condition::intersects,
                         has_data | is_ended, waits},
                        site);
    end_wait();
    if (!event.holds()) return fail_with(EAGAIN);
    return is_counter ? read_counter(word, event, from.counts_down(), target, site)
                      : read_pipe(word, event, target, size, site);
}

ssize_t write_channel(const Described& to, const void* source, std::size_t size, std::uintptr_t site) {
    test_cancellation(site);
    if (to.kind() == Kind::reading_end) return fail_with(EBADF);
    const bool is_counter = to.kind() == Kind::counter;
    if (is_counter && size < sizeof(std::uint64_t)) return fail_with(EINVAL);
    if (size == 0) return 0;
    range_access(source, is_counter ? sizeof(std::uint64_t) : size, Operation::load, site);
    if (is_counter) {
        std::uint64_t value = 0;
        std::memcpy(&value, source, sizeof value);
        return add_to_counter(to, value, site);
    }
    const Scratch kept(size);
    std::memcpy(kept.bytes(), source, size);
    return write_pipe(to, {reinterpret_cast<const unsigned char*>(kept.bytes()), size}, site);
}

bool close_modelled(int descriptor, std::uintptr_t site, int& result) {
    World& w = world();
    if (!w.has_descriptors || descriptor < 0 ||
        static_cast<std::size_t>(descriptor) >= World::descriptor_limit)
        return false;
    std::uint32_t number = 0;
    Kind kind = Kind::nothing;
    {
        enter();
        std::uint32_t& word = w.descriptor[descriptor];
        WordEvent event(word, {Operation::descriptor_set, Condition::nonzero}, site);
        if (!event.holds()) {
            // Perhaps another thread is about to close it, and has not given its number back yet.
            enter();
            read_word(Operation::descriptor_use, &w.descriptor_numbers, sizeof w.descriptor_numbers, site);
            if (!is_in_use(descriptor)) return false;
            result = fail_with(EBADF);
            return true;
        }
        number = (word & number_bits) - 1;
        kind = static_cast<Kind>(word >> kind_shift & 0xF);
        event.leave(0);
    }
    bool is_last = false;
    {
        enter();
        std::uint32_t& settings = w.description_settings[number];
        WordEvent event(settings, {Operation::descriptor_set}, site);
        event.leave(settings - 1);
        is_last = (settings & ~does_not_wait) == 0;
    }
    if (is_last) {
        end_channel(kind, w.channel[kind == Kind::writing_end ? number - 1 : number], site);
        if (is_used_by_others(number))
            unsupported("close", "to close a descriptor that another thread is just using is not modelled");
    }
    give_number_back(descriptor, site);
    result = 0;
    return true;
}

void close_modelled_between(unsigned first, unsigned last, std::uintptr_t site) {
    if (!world().has_descriptors) return;
    int result = 0;
    for (std::size_t number = first; number <= last && number < World::descriptor_limit; ++number)
        close_modelled(static_cast<int>(number), site, result);
}

bool duplicate_modelled(int descriptor, int lowest, std::uintptr_t site, int& result) {
    const Described of(descriptor, site);
    if (!of.is_modelled()) return false;
    const auto number = static_cast<std::uint32_t>(&of.settings() - world().description_settings);
    result = add_descriptor(number, of.kind(), of.counts_down(), lowest, site);
    return true;
}

void require_unmodelled(int descriptor, const char* function, std::uintptr_t site) {
    if (Described(descriptor, site).is_modelled())
        unsupported(function, "of pipes and eventfds it is not modelled");
}

void forget_descriptors() {
    World& w = world();
    if (!w.has_descriptors) return;
    std::memset(w.descriptor, 0, sizeof w.descriptor);
    std::memset(w.used_descriptors, 0, sizeof w.used_descriptors);
    w.descriptor_numbers = 0;
    for (std::size_t thread = 0; thread < max_threads; ++thread) {
        const std::size_t first = thread * World::descriptions_per_thread;
        for (std::uint32_t i = 0; i < w.descriptions_made[thread]; ++i)
            w.description_settings[first + i] = 0, w.channel[first + i] = 0;
        w.descriptions_made[thread] = 0;
        w.description_in_use[thread] = 0;
        w.awaited_channels[thread].count = 0;
    }
}

extern "C" {

[[gnu::weak]] int norn_pipe(int* ends) { return make_pipe(ends, 0, SITE); }
[[gnu::weak]] int norn_pipe2(int* ends, int flags) { return make_pipe(ends, flags, SITE); }

[[gnu::weak]] int norn_eventfd(unsigned count, int flags) {
    if (!enter()) unsupported("eventfd", "those that are made before main begins are not modelled");
    if ((flags & ~(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)) != 0) return fail_with(EINVAL);
    begin_using_descriptors();
    const std::uint32_t number = make_descriptions(1);
    begin_channel(number, {true, 1, 1, count, {}}, SITE);
    begin_description(number, (flags & EFD_NONBLOCK) == 0, SITE);
    return add_descriptor(number, Kind::counter, (flags & EFD_SEMAPHORE) != 0, 0, SITE);
}
[[gnu::weak]] int norn_eventfd_read(int descriptor, eventfd_t* value) {
    const Described from(descriptor, SITE);
    if (!from.is_modelled()) return fail_with(EBADF);
    return read_channel(from, value, sizeof *value, SITE) == sizeof *value ? 0 : -1;
}
[[gnu::weak]] int norn_eventfd_write(int descriptor, eventfd_t value) {
    const Described to(descriptor, SITE);
    if (!to.is_modelled()) return fail_with(EBADF);
    if (to.kind() != Kind::counter) return fail_with(EINVAL);
    test_cancellation(SITE);
    return add_to_counter(to, value, SITE) == sizeof value ? 0 : -1;
}

// (An argument that is not there is not used.)
[[gnu::weak]] int norn_fcntl(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    const long argument = va_arg(arguments, long);
    va_end(arguments);
    return control(descriptor, command, argument, SITE);
}
[[gnu::weak]] int norn_fcntl64(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    const long argument = va_arg(arguments, long);
    va_end(arguments);
    return control(descriptor, command, argument, SITE);
}
[[gnu::weak]] int norn_ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    const Described of(descriptor, SITE);
    if (!of.is_modelled()) return is_hidden(descriptor) ? not_open() : ioctl(descriptor, request, argument);
    if (request != FIONBIO && request != FIONREAD)
        unsupported("ioctl", "of pipes and eventfds only FIONBIO and FIONREAD are modelled");
    int value = 0;
    if (request == FIONBIO) {
        range_access(argument, sizeof value, Operation::load, SITE);
        std::memcpy(&value, argument, sizeof value);
        return set_flags(of, value != 0 ? O_NONBLOCK : 0, SITE);
    }
    if (of.kind() == Kind::counter) return fail_with(ENOTTY);
    enter();
    read_word(Operation::channel_look, &of.channel(), sizeof(std::uint64_t), SITE);
    value = static_cast<int>(channel_of(of.channel()).bytes.size());
    range_access(argument, sizeof value, Operation::store, SITE);
    std::memcpy(argument, &value, sizeof value);
    return 0;
}
[[gnu::weak]] std::FILE* norn_fdopen(int descriptor, const char* mode) {
    require_unmodelled(descriptor, "fdopen", SITE);
    if (is_hidden(descriptor)) {
        not_open();
        return nullptr;
    }
    note_opened();
    read_string(mode, SIZE_MAX, SITE);
    return fdopen(descriptor, mode);
}
}

}  // namespace norn::native
