#include "host/options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "executor/native/leaks.h"
#include "host/channel.h"
#include "host/messages.h"

namespace norn {

namespace {

constexpr const char* options_variable = "NORN_OPTIONS";
constexpr const char* fd_variable = "NORN_FD";

[[noreturn]] void reject(const char* key, const char* value) {
    char text[300];
    std::snprintf(text, sizeof text, "unknown option %s=%s", key, value);
    die(text);
}

// How something is told: an enumeration with these three.
template <typename Told>
void set_told(Told& told, const char* key, const char* value) {
    const std::string_view word = value;
    if (word == "off")
        told = Told::off;
    else if (word == "warn")
        told = Told::warn;
    else if (word == "error")
        told = Told::error;
    else
        reject(key, value);
}

void set(Options& options, const char* key, const char* value) {
    const std::string_view name = key;
    const std::string_view word = value;
    if (name == "mode") {
        if (word == "check")
            options.mode = Options::Mode::check;
        else if (word == "replay")
            options.mode = Options::Mode::replay;
        else if (word == "bare")
            options.mode = Options::Mode::bare;
        else
            reject(key, value);
    } else if (name == "equivalence") {
        std::snprintf(options.equivalence, sizeof options.equivalence, "%s", value);
    } else if (name == "max_executions") {
        options.max_executions = std::strtoull(value, nullptr, 10);
    } else if (name == "max_events") {
        options.max_events = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (name == "max_thread_events") {
        options.max_thread_events = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (name == "cut_long") {
        options.cut_long = word == "1";
    } else if (name == "sample") {
        options.sampling.executions = std::strtoull(value, nullptr, 10);
    } else if (name == "scheduler") {
        if (word != "random" && word != "pct") reject(key, value);
        options.sampling.scheduler = word == "pct" ? Sampling::Scheduler::pct : Sampling::Scheduler::random;
    } else if (name == "depth") {
        options.sampling.depth = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (name == "seed") {
        options.sampling.seed = std::strtoull(value, nullptr, 10);
    } else if (name == "preemptions") {
        options.is_bounded = true;
        options.preemptions = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (name == "time_limit") {
        options.time_limit = std::strtod(value, nullptr);
    } else if (name == "watchdog") {
        options.watchdog = std::strtod(value, nullptr);
    } else if (name == "keep_going") {
        options.keep_going = word == "1";
    } else if (name == "spurious") {
        options.spurious = word == "1";
    } else if (name == "isolate") {
        options.fork = word == "fork";
    } else if (name == "leaks") {
        options.leaks =
            static_cast<std::uint8_t>((word.find("memory") != word.npos ? native::leaks_of_memory : 0) |
                                      (word.find("threads") != word.npos ? native::leaks_of_threads : 0) |
                                      (word.find("locks") != word.npos ? native::leaks_of_locks : 0));
    } else if (name == "repeat") {
        options.repeat = static_cast<unsigned>(std::strtoul(value, nullptr, 10));
    } else if (name == "shrink") {
        options.shrink = std::strtoull(value, nullptr, 10);
    } else if (name == "without_signals") {
        options.without_signals = word == "1";
    } else if (name == "without_closure") {
        options.without_closure = word == "1";
    } else if (name == "without_constants") {
        options.without_constants = word == "1";
    } else if (name == "most_states") {
        options.most_states = std::strtoul(value, nullptr, 10);
    } else if (name == "most_wide_bytes") {
        options.most_wide_bytes = std::strtoul(value, nullptr, 10);
    } else if (name == "output") {
        options.show_output = word == "shown";
    } else if (name == "progress") {
        options.progress_ms = static_cast<unsigned>(std::strtoul(value, nullptr, 10));
    } else if (name == "races") {
        set_told(options.races, key, value);
    } else if (name == "exit_status") {
        set_told(options.on_status, key, value);
    } else if (name == "strong_atomics") {
        options.strong_atomics = word == "1";
    } else if (name == "fill") {
        options.fill = static_cast<std::uint8_t>(std::strtoul(value, nullptr, 10));
    } else if (name == "benign") {
        options.benign = value;
    } else if (name == "most_private") {
        options.most_private = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (name == "schedule_fd") {
        options.schedule_fd = std::atoi(value);
    } else if (name == "nondet") {
        options.nondet = value;
    } else if (name == "only") {
        options.counted = value;
    } else if (name != "breakpoint") {  // the place to stop at is always called
        reject(key, value);
    }
}

}  // namespace

namespace {
bool isolates_by_fork = false;

// What an entry of the environment sets a variable to, or null.
const char* value_of(const char* entry, const char* variable) {
    const std::size_t length = std::strlen(variable);
    return std::strncmp(entry, variable, length) == 0 && entry[length] == '=' ? entry + length + 1 : nullptr;
}
}  // namespace

void note_early_option(const char* entry) {
    if (const char* const text = value_of(entry, options_variable))
        isolates_by_fork = std::strstr(text, "isolate=fork") != nullptr;
}

bool early_option_isolate_fork() { return isolates_by_fork; }

Options read_options() {
    if (!has_channel()) {
        std::fputs(
            "This program was built to be checked by norn. Run it with `norn check` or `norn replay`.\n",
            stderr);
        std::_Exit(2);
    }
    Options options;
    if (const char* const text = std::getenv(options_variable)) {
        // Kept for good: string options point into it.
        char* const copy = static_cast<char*>(std::malloc(std::strlen(text) + 1));
        std::strcpy(copy, text);
        char* rest = copy;
        while (char* const pair = strsep(&rest, ";")) {
            char* const equals = std::strchr(pair, '=');
            if (equals == nullptr) continue;
            *equals = '\0';
            set(options, pair, equals + 1);
        }
    }
    unsetenv(fd_variable);
    unsetenv(options_variable);
    return options;
}

}  // namespace norn
