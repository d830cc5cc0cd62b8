#include "host/replay_schedule.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>

#include "host/messages.h"

namespace norn {

namespace {

[[noreturn]] void reject() { die("the schedule to replay is damaged"); }

// From its beginning, wherever others have read it to: a debugger may start the program several times.
std::string read_all(int descriptor) {
    std::string text;
    constexpr std::size_t part = std::size_t{1} << 20;
    for (;;) {
        const std::size_t size = text.size();
        text.resize(size + part);
        const ssize_t got = pread(descriptor, text.data() + size, part, static_cast<off_t>(size));
        text.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
        if (got == 0) return text;
        if (got < 0 && errno != EINTR) reject();
    }
}

// The next line, without its end.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) reject();
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

// The number at the beginning of a list, and the separator after it, if it is not the last one.
template <typename Number>
Number take_number(std::string_view& list, char separator) {
    Number number{};
    const auto [rest, problem] = std::from_chars(list.data(), list.data() + list.size(), number);
    if (problem != std::errc{}) reject();
    list.remove_prefix(static_cast<std::size_t>(rest - list.data()));
    if (list.empty()) return number;
    if (list.front() != separator || list.size() == 1) reject();
    list.remove_prefix(1);
    return number;
}

}  // namespace

ReplaySchedule read_replay_schedule(int descriptor) {
    const std::string all = read_all(descriptor);
    close(descriptor);
    std::string_view text = all;
    ReplaySchedule schedule;
    for (std::string_view list = take_line(text); !list.empty();) {
        native::Run run{};
        run.thread = take_number<ThreadId>(list, ':');
        run.ticks = take_number<std::uint32_t>(list, ':');
        run.checksum = take_number<std::uint16_t>(list, ',');
        schedule.runs.push_back(run);
    }
    for (std::string_view list = take_line(text); !list.empty();)
        schedule.choices.push_back(take_number<std::uint16_t>(list, ','));
    for (std::string_view list = take_line(text); !list.empty();)
        schedule.parents.push_back(take_number<ThreadId>(list, ','));
    if (!text.empty()) reject();
    return schedule;
}

}  // namespace norn
