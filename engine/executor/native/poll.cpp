// Waiting for descriptors: poll, ppoll, select, pselect. Without any they are a sleep with another name.
//
// The kernel goes through the descriptors, one after the other, and sleeps if none is ready, until one
// becomes so; then it goes through them again. What the program sees of all that is the last time. So here
// the thread goes through them once: each is a look at its channel, and they are looked at in order.
//
// With a limit of time the thread does so at any moment, and if none is ready, the time is over
// (virtual_time.h). Without one, some must be ready. An event waits for one thing only, so the thread decides
// beforehand which will be the *first* that it finds ready, and all decisions are explored:
//
//     descriptor        event                              wrong if
//     before the first  a look                             it is ready
//     the first         waits until it is ready            it still waits at the end, and another one is
//     ready after it          a look
//
// An execution with a wrong decision is not one of the program's: it is *blocked*, as by a failed assume. Up
// to there it is one, with a thread that is slow to go on. Nothing is lost, since the last time through has a
// first one that is ready; and nothing comes twice, since it has only one. A thread that waits while none is
// ready has decided as well as any other way: a deadlock, as ever.
//
// Descriptors of files are always ready. Others of the kernel (terminals, sockets) are refused. A signal mask
// is not used: no signal comes while a thread waits.
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <span>

#include "executor/native/access.h"
#include "executor/native/cancellation.h"
#include "executor/native/channel.h"
#include "executor/native/descriptors.h"
#include "executor/native/faults.h"
#include "executor/native/heap.h"
#include "executor/native/hidden_descriptor.h"
#include "executor/native/scheduler.h"
#include "executor/native/sync_word.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

using Kind = Described::Kind;

int fail_with(int code) {
    errno = code;
    return -1;
}

// Of what is asked for: flags of its channel that make the descriptor ready.
std::uint64_t wanted_of(Kind kind, short events) {
    std::uint64_t wanted = 0;
    if (kind != Kind::writing_end && (events & (POLLIN | POLLRDNORM)) != 0) wanted |= has_data;
    if (kind != Kind::reading_end && (events & (POLLOUT | POLLWRNORM)) != 0) wanted |= has_room;
    if (kind == Kind::reading_end) wanted |= is_ended;
    if (kind == Kind::writing_end) wanted |= is_broken;
    return wanted;
}

short found_of(Kind kind, short events, std::uint64_t word) {
    int found = 0;
    if (kind != Kind::writing_end && (word & has_data) != 0) found |= events & (POLLIN | POLLRDNORM);
    if (kind != Kind::reading_end && (word & has_room) != 0) found |= events & (POLLOUT | POLLWRNORM);
    if (kind == Kind::reading_end && (word & is_ended) != 0) found |= POLLHUP;
    if (kind == Kind::writing_end && (word & is_broken) != 0) found |= POLLERR;
    return static_cast<short>(found);
}

// A descriptor of the kernel: what it is ready for.
short found_of_kernel(int descriptor, short events, const char* function) {
    struct stat about{};
    if (is_hidden(descriptor) || fcntl(descriptor, F_GETFD) < 0 || fstat(descriptor, &about) != 0)
        return POLLNVAL;
    if (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        unsupported(function,
                    "to wait for a descriptor whose other end is outside of the program is not modelled");
    return static_cast<short>(events & (POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM));
}

// Waits until the channel has one of these flags. It may lose them again, as a semaphore its permits: so
// this is an event that leaves the word as it is, not a read, whose guard explorers take for one that stays.
void await_channel(std::uint64_t& word, std::uint64_t wanted, std::uintptr_t site) {
    const BasicWordEvent<std::uint64_t> event(
        word, {Operation::channel_await, Condition::intersects, wanted, true}, site);
}

// Which of several will be the first that is ready.
std::size_t choose_first(std::size_t count, std::uintptr_t site) {
    if (count == 1) return 0;
    enter();
    announce(Operation::choose, Access::none, 0, 0, no_location, site).alternatives =
        static_cast<std::uint16_t>(count);
    return perform().choice;
}

[[noreturn]] void stop_with_wrong_decision() {
    enter();
    world().current->state = State::stopped;
    leave();
}

// Goes through the descriptors. Returns how many are ready.
int look_through(std::span<pollfd> all, bool waits, const char* function, std::uintptr_t site) {
    World& w = world();
    AwaitedChannels& awaited = w.awaited_channels[w.current->id];
    awaited.count = 0;
    int ready = 0;
    const Scratch kinds_kept(all.size() + 1);
    auto* const kinds = reinterpret_cast<Kind*>(kinds_kept.bytes());
    for (std::size_t i = 0; i < all.size(); ++i) {
        pollfd& each = all[i];
        each.revents = 0;
        kinds[i] = Kind::nothing;
        if (each.fd < 0) continue;
        const Described of(each.fd, site);
        kinds[i] = of.kind();
        if (!of.is_modelled()) {
            each.revents = found_of_kernel(each.fd, each.events, function);
            if (each.revents != 0) ++ready;
            continue;
        }
        if (awaited.count == AwaitedChannels::most)
            unsupported(function, "to wait for more than 64 pipes and eventfds at once is not modelled");
        awaited.settings[awaited.count] = &of.settings();
        awaited.channel[awaited.count] = &of.channel();
        awaited.wanted[awaited.count++] = wanted_of(of.kind(), each.events);
    }
    const bool decides = waits && ready == 0;
    if (decides && awaited.count == 0)
        unsupported(function, "a wait that only a signal can end is not modelled");
    const std::size_t count = awaited.count;
    const std::size_t first = decides ? choose_first(count, site) : count;
    std::size_t channel = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (kinds[i] == Kind::nothing) continue;
        enter();
        std::uint64_t& word = *awaited.channel[channel];
        if (channel == first) {
            await_channel(word, awaited.wanted[channel], site);
        } else {
            read_word(Operation::channel_look, &word, sizeof word, site);
        }
        all[i].revents = found_of(kinds[i], all[i].events, word);
        if (all[i].revents != 0) ++ready;
        if (channel < first && decides && all[i].revents != 0) stop_with_wrong_decision();
        ++channel;
    }
    awaited.count = 0;
    return ready;
}

// The time that a call may take; nothing: as long as it takes.
using Limit = std::optional<std::uint64_t>;

int poll_all(std::span<pollfd> all, Limit limit, const char* function, std::uintptr_t site) {
    if (!enter()) unsupported(function, "before main begins it is not modelled");
    if (all.empty() && limit) {
        sleep_for(*limit, site);
        return 0;
    }
    if (limit) {
        test_cancellation(site);
    } else {
        begin_wait(site);
    }
    const int ready = look_through(all, !limit, function, site);
    end_wait();
    if (ready == 0) sleep_for(limit.value_or(0), site);
    return ready;
}

int poll_given(pollfd* given, nfds_t count, Limit limit, const char* function, std::uintptr_t site) {
    if (count > World::descriptor_limit) return fail_with(EINVAL);
    const std::size_t size = count * sizeof *given;
    const Scratch kept(size + 1);
    if (count > 0) {
        range_access(given, size, Operation::load, site);
        std::memcpy(kept.bytes(), given, size);
    }
    const std::span<pollfd> all{reinterpret_cast<pollfd*>(kept.bytes()), count};
    const int ready = poll_all(all, limit, function, site);
    for (std::size_t i = 0; i < count; ++i) {
        enter();
        range_access(&given[i].revents, sizeof given[i].revents, Operation::store, site);
        given[i].revents = all[i].revents;
    }
    return ready;
}

bool is_valid(const timespec& time) {
    return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000;
}

std::uint64_t nanoseconds(const timespec& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * second + static_cast<std::uint64_t>(time.tv_nsec);
}

constexpr short reads = POLLIN;
constexpr short writes = POLLOUT;

// The sets of select, kept at their read events.
class Sets {
public:
    Sets(int limit, fd_set* const (&given)[3], std::uintptr_t site) : limit_(limit), site_(site) {
        for (std::size_t i = 0; i < 3; ++i) {
            given_[i] = given[i];
            FD_ZERO(&set_[i]);
            if (given[i] == nullptr || limit == 0) continue;
            range_access(given[i], size(), Operation::load, site);
            std::memcpy(&set_[i], given[i], size());
        }
    }
    // What poll is to be asked for. (Exceptional conditions never come about.)
    std::size_t list(pollfd* all) const {
        std::size_t count = 0;
        for (int i = 0; i < limit_; ++i) {
            const int events = (FD_ISSET(i, &set_[0]) ? reads : 0) | (FD_ISSET(i, &set_[1]) ? writes : 0);
            if (events != 0 || FD_ISSET(i, &set_[2])) all[count++] = {i, static_cast<short>(events), 0};
        }
        return count;
    }
    // Returns how many are in the sets then.
    int put_back(std::span<const pollfd> all) {
        for (fd_set& set : set_) FD_ZERO(&set);
        int count = 0;
        for (const pollfd& each : all) {
            if ((each.events & reads) != 0 && (each.revents & (POLLIN | POLLHUP | POLLERR)) != 0)
                FD_SET(each.fd, &set_[0]), ++count;
            if ((each.events & writes) != 0 && (each.revents & (POLLOUT | POLLERR)) != 0)
                FD_SET(each.fd, &set_[1]), ++count;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            if (given_[i] == nullptr || limit_ == 0) continue;
            enter();
            range_access(given_[i], size(), Operation::store, site_);
            std::memcpy(given_[i], &set_[i], size());
        }
        return count;
    }

private:
    [[nodiscard]] std::size_t size() const {  // the kernel uses whole words
        return (static_cast<std::size_t>(limit_) + 63) / 64 * 8;
    }
    int limit_;
    std::uintptr_t site_;
    fd_set* given_[3] = {};
    fd_set set_[3];
};

int select_given(int limit, fd_set* const (&given)[3], Limit time, const char* function,
                 std::uintptr_t site) {
    if (limit < 0 || limit > FD_SETSIZE) return fail_with(EINVAL);
    Sets sets(limit, given, site);
    const Scratch kept((static_cast<std::size_t>(limit) + 1) * sizeof(pollfd));
    auto* const list = reinterpret_cast<pollfd*>(kept.bytes());
    const std::span<pollfd> all{list, sets.list(list)};
    poll_all(all, time, function, site);
    for (const pollfd& each : all)
        if ((each.revents & POLLNVAL) != 0) return fail_with(EBADF);
    return sets.put_back(all);
}

}  // namespace

bool awaits_wrong_channel(const Thread& thread) {
    if (thread.state != State::alive || !thread.parked || enabled(thread) ||
        thread.next.operation != Operation::channel_await)
        return false;
    const AwaitedChannels& awaited = world().awaited_channels[thread.id];
    for (std::uint32_t i = 0; i < awaited.count; ++i)
        if ((*awaited.channel[i] & awaited.wanted[i]) != 0) return true;
    return false;
}

extern "C" {

[[gnu::weak]] int norn_poll(pollfd* given, nfds_t count, int milliseconds) {
    Limit limit;
    if (milliseconds >= 0) limit = static_cast<std::uint64_t>(milliseconds) * 1'000'000;
    return poll_given(given, count, limit, "poll", SITE);
}
[[gnu::weak]] int norn_ppoll(pollfd* given, nfds_t count, const timespec* time, const sigset_t*) {
    Limit limit;
    if (time != nullptr) {
        range_access(time, sizeof *time, Operation::load, SITE);
        if (!is_valid(*time)) return fail_with(EINVAL);
        limit = nanoseconds(*time);
    }
    return poll_given(given, count, limit, "ppoll", SITE);
}
[[gnu::weak]] int norn_select(int limit, fd_set* reading, fd_set* writing, fd_set* others, timeval* time) {
    Limit most;
    if (time != nullptr) {
        range_access(time, sizeof *time, Operation::load, SITE);
        if (time->tv_sec < 0 || time->tv_usec < 0) return fail_with(EINVAL);
        most = static_cast<std::uint64_t>(time->tv_sec) * second +
               static_cast<std::uint64_t>(time->tv_usec) * 1000;
    }
    return select_given(limit, {reading, writing, others}, most, "select", SITE);
}
[[gnu::weak]] int norn_pselect(int limit, fd_set* reading, fd_set* writing, fd_set* others,
                               const timespec* time, const sigset_t*) {
    Limit most;
    if (time != nullptr) {
        range_access(time, sizeof *time, Operation::load, SITE);
        if (!is_valid(*time)) return fail_with(EINVAL);
        most = nanoseconds(*time);
    }
    return select_given(limit, {reading, writing, others}, most, "pselect", SITE);
}
}

}  // namespace norn::native
