#include "host/messages.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "executor/native/atomic_section.h"
#include "executor/native/foreign_arguments.h"
#include "executor/native/futex.h"
#include "executor/native/ticks.h"
#include "executor/native/wide_values.h"
#include "host/message_line.h"
#include "host/timer.h"
#include "races/synchronisation.h"

namespace norn {

namespace {

const char* const operation_names[] = {
    "load",
    "store",
    "rmw",
    "compare-exchange",
    "lock",
    "trylock",
    "unlock",
    "mutex-init",
    "mutex-destroy",
    "wait",
    "wake-lock",
    "signal",
    "broadcast",
    "cond-init",
    "cond-destroy",
    "spawn",
    "join",
    "end",
    "choose",
    "free",
    "sem-wait",
    "sem-trywait",
    "sem-post",
    "rwlock-read",
    "rwlock-write",
    "rwlock-try-read",
    "rwlock-try-write",
    "rwlock-unlock",
    "barrier-wait",
    "barrier-wake",
    "once-begin",
    "once-end",
    "object-init",
    "object-destroy",
    "key-create",
    "try-join",
    "cancel",
    "cancel-choice",
    "cancel-test",
    "cancel-wait",
    "robust-lock",
    "robust-trylock",
    "robust-unlock",
    "owner-died",
    "signal-setting",
    "wait-end",
    "attribute",
    "exit-begin",
    "exit-handler",
    "signal-mask",
    "signal-send",
    "signal-wait",
    "signal-take",
    "descriptor-open",
    "descriptor-set",
    "descriptor-use",
    "channel-read",
    "channel-try-read",
    "channel-write",
    "channel-try-write",
    "channel-look",
    "channel-await",
    "channel-close",
};

const char* name_of(const Event& event) {
    // For explorers an atomic section is a mutex; people need not know.
    if (event.address == native::section_word())
        return event.operation == Operation::lock ? "section-begin" : "section-end";
    return operation_names[static_cast<std::size_t>(event.operation)];
}

void counts(Line& line, const Statistics& statistics) {
    line.key("executions").number(statistics.executions);
    line.key("blocked").number(statistics.blocked);
    line.key("redundant").number(statistics.redundant);
    line.key("cut").number(statistics.cut);
    line.key("events").number(statistics.events);
    line.key("restarts").number(statistics.restarts);
}

// Peak resident memory of this process alone (getrusage would count what the parent had at the time of the
// fork).
std::uint64_t peak_resident_kb() {
    char text[4096];
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (size <= 0) return 0;
    text[size] = '\0';
    const char* const line = std::strstr(text, "VmHWM:");
    return line == nullptr ? 0 : std::strtoull(line + 6, nullptr, 10);
}

const char* state_of(const native::FindingThread& thread) {
    switch (thread.state) {
        case native::State::failed: return "failed";
        case native::State::stopped: return "stopped";
        case native::State::exited:
        case native::State::ended: return "ended";
        case native::State::looping: return "looping";
        default: return thread.waiting ? "waiting" : "running";
    }
}

const char* detail_of(const native::FindingThread& thread) {
    if (thread.detail != nullptr) return thread.detail;
    if (thread.state == native::State::looping) return "goes round in a loop and waits for a change of";
    if (!thread.waiting) return "";
    if (thread.object == native::section_word()) return "waits for the end of an atomic section";
    if (native::futex_of_queue(thread.object) != 0) return "waits on the futex";
    switch (thread.operation) {
        case Operation::lock: return "waits to lock the mutex";
        case Operation::wake_lock: return "was signalled and waits to lock the mutex again";
        case Operation::wait: return "waits on the condition variable";
        case Operation::join: return "waits for a thread to end";
        case Operation::sem_wait: return "waits for the semaphore";
        case Operation::rwlock_read: return "waits to lock for reading";
        case Operation::rwlock_write: return "waits to lock for writing";
        case Operation::barrier_wake: return "waits at the barrier";
        case Operation::once_begin: return "waits for the initialisation";
        case Operation::robust_lock: return "waits to lock the mutex";
        case Operation::exit_begin: return "waits for the end of the process, which another thread has begun";
        case Operation::signal_wait: return "waits for a signal";
        case Operation::channel_read: return "waits to read from a pipe or eventfd";
        case Operation::channel_write: return "waits to write to a pipe or eventfd";
        case Operation::channel_await: return "waits until a descriptor is ready";
        default: return "waits";
    }
}

// For a join the object is the thread; its number says more than the address of its end word.
std::uint64_t thing_of(const native::FindingThread& thread) {
    if (thread.object == native::section_word()) return 0;
    if (const std::uintptr_t futex = native::futex_of_queue(thread.object); futex != 0) return futex;
    // A word of the engine's own has no name; what the thread does says enough.
    if (thread.operation != Operation::join)
        return native::in_memory_of_engine(thread.object) ? 0 : thread.object;
    for (std::size_t i = 0; i < native::max_threads; ++i)
        if (reinterpret_cast<std::uintptr_t>(&native::world().thread[i].ended) == thread.object) return i;
    return 0;
}

std::uint64_t object_of(const native::FindingThread& thread) {
    if (thread.state == native::State::looping) return thread.object;
    return thread.waiting ? thing_of(thread) : 0;
}

// What a thread that could go on would do: it may have waited for that until a moment ago.
void next_operation(Line& line, const native::FindingThread& thread) {
    if (thread.state != native::State::alive || !thread.has_next || thread.waiting) return;
    line.key("next").string(operation_names[static_cast<std::size_t>(thread.operation)]);
    line.key("next_object").number(thing_of(thread));
}

void threads(Line& line, const native::Finding& finding) {
    line.key("threads").character('[');
    for (std::uint32_t i = 0; i < finding.threads; ++i) {
        const native::FindingThread& thread = finding.involved[i];
        if (i > 0) line.character(',');
        line.text("{\"id\":");
        line.number(thread.id);
        line.key("state").string(state_of(thread));
        line.key("detail").string(detail_of(thread));
        line.key("object");
        if (object_of(thread) != 0)
            line.number(object_of(thread));
        else
            line.text("null");
        next_operation(line, thread);
        line.key("stack").stack(thread.stack, thread.frames);
        line.character('}');
    }
    line.character(']');
}

void schedule(Line& line) {
    const native::World& w = native::world();
    char text[48];
    line.key("schedule").character('"');
    for (std::uint32_t i = 0; i < w.run_count; ++i) {
        const native::Run& run = w.runs[i];
        std::snprintf(text, sizeof text, "%s%u:%u:%u", i > 0 ? "," : "", unsigned{run.thread}, run.ticks,
                      unsigned{run.checksum});
        line.text(text);
    }
    line.character('"');
    line.key("choices").character('"');
    for (std::uint32_t i = 0; i < w.choices_made_count; ++i) {
        std::snprintf(text, sizeof text, "%s%u", i > 0 ? "," : "", unsigned{w.choices_made[i]});
        line.text(text);
    }
    line.character('"');
    line.key("parents").character('"');
    for (ThreadId id = 1; id < w.known_threads; ++id) {
        std::snprintf(text, sizeof text, "%s%u", id > 1 ? "," : "", unsigned{w.known_parent[id]});
        line.text(text);
    }
    line.character('"');
}

void frame_in(Line& line, const native::LiveFrame& frame) {
    line.text("{\"code\":").number(frame.code);
    line.key("pointer").number(frame.pointer);
    line.character('}');
}

// What the memory is part of, if that helps to name it.
void whereabouts(Line& line, const native::Whereabouts& where) {
    if (where.futex != 0) line.key("futex").number(where.futex);
    if (where.frame.code != 0) {
        line.key("frame");
        frame_in(line, where.frame);
    }
    if (where.block == 0) return;
    line.key("block").text("{\"start\":").number(where.block);
    line.key("size").number(where.block_size);
    line.text("}").key("pointers").character('[');
    for (std::uint32_t i = 0; i < where.pointers; ++i) {
        const native::Whereabouts::Pointer& pointer = where.pointer[i];
        line.text(i == 0 ? "{\"address\":" : ",{\"address\":").number(pointer.address);
        line.key("value").number(pointer.value);
        if (pointer.frame.code != 0) {
            line.key("frame");
            frame_in(line, pointer.frame);
        }
        line.character('}');
    }
    line.character(']');
}

// `watched`: where it was; null in a replay, whose steps say it.
void raced_access(Line& line, const Event& event, EventIndex step, const native::Watched* watched) {
    line.text("{\"thread\":").number(event.thread);
    line.key("operation").string(name_of(event));
    line.key("address").number(event.address);
    line.key("size").number(event.size);
    line.key("writes").boolean(event.writes());
    line.key("atomic").boolean(!synchronisation_of(event).is_plain);
    line.key("step");
    if (step != no_event)
        line.number(step);
    else
        line.text("null");
    line.key("stack").stack(watched == nullptr ? nullptr : watched->stack,
                            watched == nullptr ? 0 : watched->frames);
    if (watched != nullptr) whereabouts(line, watched->where);
    line.character('}');
}

// How many executions of every sort there will have been.
void estimate(Line& line, const Statistics& statistics, const Coverage::Left& left) {
    line.key("estimate");
    if (!left.is_known) {
        line.text("null");
        return;
    }
    const std::uint64_t done =
        statistics.executions + statistics.blocked + statistics.redundant + statistics.cut;
    const auto total = [&](double times) {
        return done + static_cast<std::uint64_t>(times * static_cast<double>(done));
    };
    line.text("{\"low\":").number(total(left.low));
    line.key("likely").number(total(left.likely));
    line.key("high").number(total(left.high));
    line.character('}');
}

std::size_t benign_races = 0;
bool races_met_limit = false;

}  // namespace

void die(const char* message) {
    if (!has_channel()) {
        std::fprintf(stderr, "norn: %s\n", message);
    } else {
        Line line("error");
        line.key("message").string(message);
    }
    std::_Exit(2);
}

void send_gap(std::uintptr_t site) {
    Line line("gap");
    line.key("site").number(site);
}

void send_progress(const Statistics& statistics, const Coverage::Left& left, double seconds) {
    Line line("progress");
    counts(line, statistics);
    line.key("depth").number(statistics.longest);
    line.key("seconds").seconds(seconds);
    estimate(line, statistics, left);
}

namespace {

void finding_in(Line& line, const native::Finding& finding, std::uint64_t executions) {
    line.key("kind").string(finding.kind);
    line.key("message").string(finding.message);
    line.key("thread").number(finding.thread);
    line.key("file");
    if (finding.file[0] != '\0')
        line.string(finding.file);
    else
        line.text("null");
    line.key("line");
    if (finding.line != 0)
        line.number(finding.line);
    else
        line.text("null");
    line.key("fault").boolean(finding.fault);
    line.key("in_library").boolean(finding.in_library);
    line.key("address");
    if (finding.address != 0)
        line.number(finding.address);
    else
        line.text("null");
    threads(line, finding);
    schedule(line);
    line.key("executions").number(executions);
}

void race_in(Line& line, const Event& first, const Event& second, const native::Watched* watched,
             std::uint64_t executions) {
    line.key("accesses").character('[');
    raced_access(line, first, no_event, &watched[0]);
    line.character(',');
    raced_access(line, second, no_event, &watched[1]);
    line.character(']');
    line.key("in_library").boolean(native::world().failed && native::world().finding.in_library);
    schedule(line);
    line.key("executions").number(executions);
}

void effort_in(Line& line, const char* key, const Effort& effort) {
    line.key(key).text("{\"preemptions\":").number(effort.preemptions);
    line.key("switches").number(effort.switches);
    line.key("events").number(effort.events);
    line.key("choices").number(effort.choices);
    line.character('}');
}

void shrunk_in(Line& line, const Shrunk& shrunk) {
    line.key("of").string(shrunk.is_race ? "race" : "finding");
    line.key("number").number(shrunk.number);
    effort_in(line, "before", shrunk.from);
    effort_in(line, "after", shrunk.to);
    line.key("executions").number(shrunk.executions);
    line.key("least").boolean(shrunk.is_least);
    line.key("met_budget").boolean(shrunk.met_budget);
}

}  // namespace

void send_finding(const native::Finding& finding, std::uint64_t executions) {
    Line line("finding");
    finding_in(line, finding, executions);
}

void send_shrunk(const Shrunk& shrunk) {
    Line line("shrunk");
    shrunk_in(line, shrunk);
}

void send_shrunk_finding(const Shrunk& shrunk, const native::Finding& finding) {
    Line line("shrunk");
    shrunk_in(line, shrunk);
    line.key("finding").text("{\"type\":\"finding\"");
    finding_in(line, finding, 0);
    line.character('}');
}

void send_shrunk_race(const Shrunk& shrunk, const Event& first, const Event& second,
                      const native::Watched* watched) {
    Line line("shrunk");
    shrunk_in(line, shrunk);
    line.key("race").text("{\"type\":\"race\"");
    race_in(line, first, second, watched, 0);
    line.character('}');
}

void send_thread(ThreadId id, ThreadId parent, std::uintptr_t start) {
    Line line("thread");
    line.key("id").number(id);
    line.key("parent").number(parent);
    line.key("start").number(start);
}

void send_block(std::uintptr_t start, std::size_t size, std::span<const std::uintptr_t> stack) {
    Line line("block");
    line.key("start").number(start);
    line.key("size").number(size);
    line.key("stack").stack(stack.data(), stack.size());
}

void send_step(const Event& event, std::span<const std::uintptr_t> stack, const native::Whereabouts& where,
               bool in_vain) {
    Line line("step");
    line.key("thread").number(event.thread);
    line.key("operation").string(name_of(event));
    line.key("address").number(event.address);
    line.key("size").number(event.size);
    line.key("before").number(native::shown_value(event.before, event.size));
    line.key("after");
    if (in_vain && event.writes())
        line.text("null");
    else
        line.number(native::shown_value(event.after, event.size));
    line.key("writes").boolean(event.writes());
    line.key("shared").boolean(event.location != no_location);
    line.key("choice").number(event.choice);
    line.key("alternatives").number(event.alternatives);
    line.key("stack").stack(stack.data(), stack.size());
    whereabouts(line, where);
}

void send_race(const Event& first, const Event& second, const native::Watched* watched,
               std::uint64_t executions) {
    Line line("race");
    race_in(line, first, second, watched, executions);
}

void send_race_of_replay(const Event& first, const Event& second, EventIndex first_step,
                         EventIndex second_step) {
    Line line("race");
    line.key("accesses").character('[');
    raced_access(line, first, first_step, nullptr);
    line.character(',');
    raced_access(line, second, second_step, nullptr);
    line.character(']');
}

void note_races(std::size_t benign, bool met_limit) {
    benign_races = benign;
    races_met_limit = met_limit;
}

void send_diverged(const native::Finding& finding, std::uint64_t tick) {
    Line line("diverged");
    line.key("tick").number(tick);
    line.key("thread").number(finding.thread);
    line.key("message").string(finding.message);
    line.key("stack");
    if (finding.threads > 0)
        line.stack(finding.involved[0].stack, finding.involved[0].frames);
    else
        line.text("[]");
    if (!native::world().has_differing) return;
    const char* key = "was";
    for (const Event& event : native::world().differing) {
        line.key(key).text("{\"operation\":");
        line.string(name_of(event));
        line.key("address").number(event.address);
        line.key("size").number(event.size);
        line.key("value").number(native::shown_value(event.before, event.size));
        line.key("site").number(event.site);
        line.character('}');
        key = "now";
    }
}

void send_unsupported(const native::Finding& finding) {
    Line line("unsupported");
    line.key("function").string(finding.kind);
    line.key("message").string(finding.message);
    line.key("thread").number(finding.thread);
    line.key("stack").stack(finding.involved[0].stack, finding.involved[0].frames);
}

namespace {

void undefined(Line& line) {
    const native::Undefined& seen = native::world().undefined;
    if (!seen.seen) return;
    line.key("undefined").text("{\"kind\":");
    line.string(seen.kind);
    line.key("message").string(seen.message);
    line.key("thread").number(seen.thread);
    line.key("stack").stack(seen.stack, seen.frames);
    line.character('}');
}

}  // namespace

void send_bare(std::uint64_t executions, std::uint64_t events, std::uint64_t switches, double seconds) {
    Line line("bare");
    line.key("executions").number(executions);
    line.key("events").number(events);
    line.key("switches").number(switches);
    line.key("seconds").seconds(seconds);
    line.key("cpu_seconds").seconds(processor_seconds());
}

void send_again(unsigned explorations, double seconds, double cpu_seconds) {
    Line line("again");
    line.key("explorations").number(explorations);
    line.key("seconds").seconds(seconds);
    line.key("cpu_seconds").seconds(cpu_seconds);
}

void send_topology(const Communication& communication) {
    const native::World& w = native::world();
    for (std::size_t t = 0; t < communication.threads; ++t)
        send_thread(static_cast<ThreadId>(t), w.known_parent[t],
                    t == 0 ? 0 : reinterpret_cast<std::uintptr_t>(w.thread[t].start));
    Line line("topology");
    const auto list = [&](const char* key, std::size_t size, const auto& item) {
        line.key(key).text("[");
        for (std::size_t i = 0; i < size; ++i) {
            if (i > 0) line.text(",");
            item(i);
        }
        line.text("]");
    };
    line.key("threads").number(communication.threads);
    list("locations", communication.locations.size(), [&](std::size_t i) {
        const Communication::Location& location = communication.locations[i];
        line.text("{\"address\":").number(location.begin).text(",\"size\":");
        line.number(location.end - location.begin).text("}");
    });
    list("edges", communication.edges.size(), [&](std::size_t i) {
        const Communication::Edge& edge = communication.edges[i];
        line.text("{\"threads\":[").number(edge.a).text(",").number(edge.b).text("],\"locations\":[");
        for (std::size_t k = 0; k < edge.locations.size(); ++k)
            line.text(k == 0 ? "" : ",").number(edge.locations[k]);
        line.text("],\"removed\":").boolean(edge.removed).text("}");
    });
    std::vector<std::size_t> ordered;
    for (std::size_t i = 0; i < communication.locations.size(); ++i)
        if (communication.locations[i].ordered) ordered.push_back(i);
    list("ordered", ordered.size(), [&](std::size_t i) { line.number(ordered[i]); });
}

void Failures::count(const char* kind) {
    for (Kind& known : kinds_)
        if (std::strcmp(known.name, kind) == 0) {
            ++known.executions;
            return;
        }
    kinds_.push_back({});
    std::snprintf(kinds_.back().name, sizeof kinds_.back().name, "%s", kind);
    kinds_.back().executions = 1;
}

// The functions of libraries that the program has called in some execution.
static void foreign_calls(Line& line) {
    line.key("foreign_calls").text("[");
    bool is_first = true;
    for (const native::ForeignFunction& function : native::foreign_functions()) {
        if (function.site == 0) continue;
        line.text(is_first ? "{\"function\":" : ",{\"function\":");
        line.string(function.name);
        line.key("site").number(function.site);
        line.key("shares").boolean(function.shares).text("}");
        is_first = false;
    }
    line.text("]");
}

void send_result(bool complete, const char* bounds, const Statistics& statistics, const Failures& failures,
                 const Coverage::Left& left, double seconds, double cpu_seconds) {
    Line line("result");
    line.key("complete").boolean(complete);
    line.key("bounds").text(bounds);
    counts(line, statistics);
    line.key("threads").number(statistics.threads);
    line.key("longest").number(statistics.longest);
    line.key("checks").number(statistics.checks);
    line.key("decided").number(statistics.decided);
    line.key("annotations").number(statistics.annotations);
    line.key("sources_seen").number(statistics.sources_seen);
    line.key("orders_seen").number(statistics.orders_seen);
    line.key("preemptions").number(statistics.preemptions);
    line.key("failures").text("{");
    bool is_first = true;
    for (const Failures::Kind& kind : failures.kinds()) {
        if (!is_first) line.text(",");
        is_first = false;
        line.string(kind.name);
        line.text(":").number(kind.executions);
    }
    line.text("}");
    line.key("seconds").seconds(seconds);
    line.key("cpu_seconds").seconds(cpu_seconds);
    line.key("exit_status").number(native::world().exit_status);
    line.key("expected_signals").number(native::world().expected_signals);
    line.key("peak_rss_kb").number(peak_resident_kb());
    line.key("benign_races").number(benign_races);
    line.key("race_limit").boolean(races_met_limit);
    undefined(line);
    line.key("hidden_steps").number(native::hidden_ticks());
    foreign_calls(line);
    estimate(line, statistics, left);
}

}  // namespace norn
