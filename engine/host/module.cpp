// The Python extension `norn._engine`: explores litmus programs. What it offers is described in
// src/norn/_engine.pyi.
#include <nanobind/nanobind.h>

#include <cstring>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explorer.h"
#include "explore/preemption_bounded.h"
#include "explore/sample.h"
#include "explore/shrink.h"
#include "host/consistency_module.h"
#include "host/coverage_module.h"
#include "host/races_module.h"
#include "litmus/litmus_executor.h"
#include "litmus/program.h"

namespace nb = nanobind;

namespace {

using norn::litmus::Comparison;
using norn::litmus::Instruction;
using norn::litmus::LitmusExecutor;
using norn::litmus::Opcode;
using norn::litmus::Program;

// ---- reading a program
// -------------------------------------------------------------------------------------------

// What an operand is: each kind is kept in one field of Instruction.
enum class Operand : char {
    reg = 'r',
    variable = 'v',
    mutex = 'm',
    condition = 'c',
    semaphore = 'p',
    rwlock = 'l',
    thread = 't',
    constant = 'k',
    constant2 = 'K',
    alternatives = 'n',
    skip = 's',
    comparison = 'o',
};

struct Form {
    std::string_view name;
    Opcode opcode;
    std::string_view operands;  // one letter of Operand each
    bool sized = false;         // two more may say which bytes of the variable: the first, and how many
};

constexpr Form forms[] = {
    {"read", Opcode::read, "rv", true},
    {"write", Opcode::write, "vk", true},
    {"write_reg", Opcode::write_reg, "vr", true},
    {"rmw_add", Opcode::rmw_add, "rvk", true},
    {"xchg", Opcode::xchg, "rvk", true},
    {"cas", Opcode::cas, "rvkK", true},
    {"lock", Opcode::lock, "m"},
    {"trylock", Opcode::trylock, "rm"},
    {"unlock", Opcode::unlock, "m"},
    {"wait", Opcode::wait, "cm"},
    {"signal", Opcode::signal, "c"},
    {"broadcast", Opcode::broadcast, "c"},
    {"sem_wait", Opcode::sem_wait, "p"},
    {"sem_trywait", Opcode::sem_trywait, "rp"},
    {"sem_post", Opcode::sem_post, "p"},
    {"rdlock", Opcode::rdlock, "l"},
    {"wrlock", Opcode::wrlock, "l"},
    {"tryrdlock", Opcode::tryrdlock, "rl"},
    {"trywrlock", Opcode::trywrlock, "rl"},
    {"rwunlock", Opcode::rwunlock, "l"},
    {"spawn", Opcode::spawn, "t"},
    {"join", Opcode::join, "t"},
    {"choose", Opcode::choose, "rn"},
    {"assert", Opcode::assert_, "rok"},
    {"assume", Opcode::assume, "rok"},
    {"branch", Opcode::branch, "roks"},
};

[[noreturn]] void refuse(std::size_t thread, std::size_t index, const char* reason) {
    const std::string message =
        "thread " + std::to_string(thread) + ", instruction " + std::to_string(index) + ": " + reason;
    throw nb::value_error(message.c_str());
}

class Reader {
public:
    Program read(nb::handle threads) {
        const std::size_t count = nb::len(threads);
        if (count > max_name) throw nb::value_error("too many threads");
        program_.threads.resize(count);
        for (thread_ = 0; thread_ < count; ++thread_) read_thread(threads[thread_]);
        return std::move(program_);
    }

private:
    static constexpr std::size_t max_name = 255;

    void read_thread(nb::handle instructions) {
        const std::size_t count = nb::len(instructions);
        program_.threads[thread_].instructions.reserve(count);
        for (index_ = 0; index_ < count; ++index_)
            program_.threads[thread_].instructions.push_back(read_instruction(instructions[index_]));
    }

    Instruction read_instruction(nb::handle instruction) {
        const std::size_t length = nb::len(instruction);
        if (length == 0) refuse(thread_, index_, "empty instruction");
        const std::string_view name = text(instruction[0]);
        for (const Form& form : forms) {
            if (form.name != name) continue;
            const std::size_t operands = form.operands.size();
            const bool has_bytes = form.sized && length == operands + 3;
            if (length != operands + 1 && !has_bytes) refuse(thread_, index_, "wrong number of operands");
            Instruction result{.opcode = form.opcode};
            for (std::size_t i = 0; i < operands; ++i)
                read_operand(static_cast<Operand>(form.operands[i]), instruction[i + 1], result);
            if (has_bytes) read_bytes(instruction[operands + 1], instruction[operands + 2], result);
            return result;
        }
        refuse(thread_, index_, "unknown instruction");
    }

    void read_operand(Operand kind, nb::handle operand, Instruction& result) {
        switch (kind) {
            case Operand::reg: result.a = name(operand, program_.threads[thread_].registers); break;
            case Operand::variable: result.b = name(operand, program_.variables); break;
            case Operand::condition: result.b = name(operand, program_.conditions); break;
            case Operand::semaphore: result.b = name(operand, program_.semaphores); break;
            case Operand::rwlock: result.b = name(operand, program_.rwlocks); break;
            case Operand::mutex: read_mutex(operand, result); break;
            case Operand::thread: read_thread_name(operand, result); break;
            case Operand::constant: result.k = number(operand); break;
            case Operand::constant2: result.k2 = number(operand); break;
            case Operand::alternatives:
                result.k = number(operand);
                if (result.k < 1 || result.k > UINT16_MAX)
                    refuse(thread_, index_, "bad number of alternatives");
                break;
            case Operand::skip:
                result.k2 = number(operand);
                if (result.k2 < 0) refuse(thread_, index_, "cannot skip backwards");
                break;
            case Operand::comparison: result.comparison = comparison(text(operand)); break;
        }
    }

    void read_mutex(nb::handle operand, Instruction& result) {
        const std::uint8_t mutex = name(operand, program_.mutexes);
        (result.opcode == Opcode::wait ? result.c : result.b) = mutex;
    }

    void read_thread_name(nb::handle operand, Instruction& result) {
        std::uint32_t ignored = 0;
        result.b = name(operand, ignored);
        if (result.b >= program_.threads.size()) refuse(thread_, index_, "no such thread");
        if (result.opcode != Opcode::spawn) return;
        if (program_.threads[result.b].spawned) refuse(thread_, index_, "thread is spawned twice");
        program_.threads[result.b].spawned = true;
    }

    void read_bytes(nb::handle first, nb::handle count, Instruction& result) {
        const std::int64_t offset = number(first);
        const std::int64_t size = number(count);
        if (size != 1 && size != 2 && size != 4 && size != 8) refuse(thread_, index_, "bad size");
        if (offset < 0 || offset > norn::litmus::bytes_per_location - size)
            refuse(thread_, index_, "not inside the variable");
        result.offset = static_cast<std::uint8_t>(offset);
        result.size = static_cast<std::uint8_t>(size);
    }

    // A name in one of the name spaces; `used` is the number of names in use there.
    std::uint8_t name(nb::handle operand, std::uint32_t& used) {
        const std::int64_t value = number(operand);
        if (value < 0 || value > static_cast<std::int64_t>(max_name))
            refuse(thread_, index_, "name out of range");
        used = std::max(used, static_cast<std::uint32_t>(value + 1));
        return static_cast<std::uint8_t>(value);
    }

    std::int64_t number(nb::handle operand) {
        std::int64_t value = 0;
        if (!nb::try_cast(operand, value)) refuse(thread_, index_, "integer expected");
        return value;
    }

    std::string_view text(nb::handle operand) {
        Py_ssize_t size = 0;
        const char* data =
            PyUnicode_Check(operand.ptr()) ? PyUnicode_AsUTF8AndSize(operand.ptr(), &size) : nullptr;
        if (data == nullptr) refuse(thread_, index_, "string expected");
        return {data, static_cast<std::size_t>(size)};
    }

    Comparison comparison(std::string_view symbol) {
        if (symbol == "==") return Comparison::equal;
        if (symbol == "!=") return Comparison::not_equal;
        if (symbol == "<") return Comparison::less;
        if (symbol == ">") return Comparison::greater;
        refuse(thread_, index_, "unknown comparison");
    }

    Program program_;
    std::size_t thread_ = 0;
    std::size_t index_ = 0;
};

// ---- exploring it
// ------------------------------------------------------------------------------------------------

struct LitmusResult {
    norn::Statistics statistics;
    bool complete = false;
    std::uint64_t deadlocks = 0;
    std::uint64_t failed = 0;
    nb::object states;
    nb::object traces;
    nb::object edges;    // of the communication graph: threads, names of locations, whether it is removed
    nb::object ordered;  // names of locations
};

// Keeps what the tests want to know of every execution; no Python object is made before the exploration has
// ended.
class Recorder final : public norn::Monitor {
public:
    Recorder(const LitmusExecutor& executor, bool keep_traces, std::uint64_t max_executions)
        : executor_(executor), keep_traces_(keep_traces), max_executions_(max_executions) {}

    bool saw(const norn::Execution& execution, const norn::Statistics& statistics) override {
        switch (execution.ending) {
            case norn::Ending::diverged: diverged = true; return false;
            default:
                was_cut = was_cut || execution.was_cut || execution.ending == norn::Ending::too_long;
                last_was_deadlock_ = execution.ending == norn::Ending::deadlock;
                last_failed_ = execution.failed;
                if (last_was_deadlock_) ++deadlocks;
                if (last_failed_) ++failed;
                states.insert(executor_.final_state());
                if (keep_traces_) traces.emplace_back(execution.events.begin(), execution.events.end());
        }
        const std::uint64_t seen =
            statistics.executions + statistics.blocked + statistics.redundant + statistics.cut;
        return max_executions_ == 0 || seen < max_executions_;
    }

    // (Its final state stays: it is reachable all the same.)
    void was_redundant() override {
        if (last_was_deadlock_) --deadlocks;
        if (last_failed_) --failed;
        if (keep_traces_) traces.pop_back();
    }

    void began_again() override {
        deadlocks = failed = 0;
        states.clear();
        traces.clear();
    }

    void learned(const norn::Communication& learned) override { communication = learned; }

    bool diverged = false;
    bool was_cut = false;  // some execution met a bound on events
    norn::Communication communication;
    std::uint64_t deadlocks = 0;
    std::uint64_t failed = 0;
    std::set<std::vector<std::int64_t>> states;
    std::vector<std::vector<norn::Event>> traces;

private:
    const LitmusExecutor& executor_;
    bool last_was_deadlock_ = false;
    bool last_failed_ = false;
    const bool keep_traces_;
    const std::uint64_t max_executions_;
};

nb::tuple tuple_of(std::size_t size, auto&& item) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(size));
    if (tuple == nullptr) throw nb::python_error();
    for (std::size_t i = 0; i < size; ++i)
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), nb::object(item(i)).release().ptr());
    return nb::steal<nb::tuple>(tuple);
}

nb::object states_of(const Program& program, const Recorder& recorder) {
    nb::set states;
    for (const std::vector<std::int64_t>& state : recorder.states) {
        std::size_t next = 0;
        states.add(tuple_of(program.threads.size(), [&](std::size_t t) {
            return tuple_of(program.threads[t].registers + 1,
                            [&](std::size_t) { return nb::int_(state[next++]); });
        }));
    }
    return states;
}

// The bytes of a variable that an access touches, or what else it is about.
std::string location_name(const Program& program, std::uint64_t address, std::uint64_t size) {
    auto location = static_cast<std::uint32_t>(address / norn::litmus::bytes_per_location);
    const auto numbered = [&](char kind) { return kind + std::to_string(location); };
    if (location < program.variables) {
        if (size == norn::litmus::bytes_per_location) return numbered('v');
        const std::uint64_t first = address % norn::litmus::bytes_per_location;
        return numbered('v') + '[' + std::to_string(first) + ':' + std::to_string(first + size) + ']';
    }
    location -= program.variables;
    if (location < program.mutexes) return numbered('m');
    location -= program.mutexes;
    if (location < program.conditions) return numbered('c');
    location -= program.conditions;
    if (location < program.semaphores) return numbered('s');
    location -= program.semaphores;
    if (location < program.rwlocks) return numbered('l');
    location -= program.rwlocks;
    return numbered('t');
}

std::string location_name(const Program& program, const norn::Event& event) {
    return event.access == norn::Access::none ? "" : location_name(program, event.address, event.size);
}

std::string location_name(const Program& program, const norn::Communication::Location& location) {
    return location_name(program, location.begin, location.end - location.begin);
}

nb::object edges_of(const Program& program, const norn::Communication& communication) {
    nb::list edges;
    for (const norn::Communication::Edge& edge : communication.edges) {
        nb::list names;
        for (const std::uint32_t number : edge.locations)
            names.append(location_name(program, communication.locations[number]).c_str());
        edges.append(nb::make_tuple(edge.a, edge.b, names, edge.removed));
    }
    return edges;
}

nb::object ordered_of(const Program& program, const norn::Communication& communication) {
    nb::list names;
    for (const norn::Communication::Location& location : communication.locations)
        if (location.ordered) names.append(location_name(program, location).c_str());
    return names;
}

constexpr const char* operation_names[] = {"load",
                                           "store",
                                           "rmw",
                                           "compare_exchange",
                                           "lock",
                                           "trylock",
                                           "unlock",
                                           "mutex_init",
                                           "mutex_destroy",
                                           "wait",
                                           "wake_lock",
                                           "signal",
                                           "broadcast",
                                           "cond_init",
                                           "cond_destroy",
                                           "spawn",
                                           "join",
                                           "end",
                                           "choose",
                                           "free",
                                           "sem_wait",
                                           "sem_trywait",
                                           "sem_post",
                                           "rwlock_read",
                                           "rwlock_write",
                                           "rwlock_try_read",
                                           "rwlock_try_write",
                                           "rwlock_unlock",
                                           "barrier_wait",
                                           "barrier_wake",
                                           "once_begin",
                                           "once_end",
                                           "object_init",
                                           "object_destroy",
                                           "key_create"};
constexpr const char* access_names[] = {"none", "read", "write", "rmw"};

nb::object traces_of(const Program& program, const Recorder& recorder) {
    nb::list traces;
    for (const std::vector<norn::Event>& events : recorder.traces) {
        nb::list trace;
        for (const norn::Event& event : events)
            trace.append(
                nb::make_tuple(event.thread, operation_names[static_cast<std::size_t>(event.operation)],
                               access_names[static_cast<std::size_t>(event.access)],
                               location_name(program, event).c_str(), static_cast<std::int64_t>(event.before),
                               static_cast<std::int64_t>(event.after), event.choice));
        traces.append(trace);
    }
    return traces;
}

template <typename Make>
LitmusResult explore_by(nb::object threads, const Make& make, bool keep_traces, std::uint64_t max_executions,
                        norn::litmus::Limits limits) {
    const Program program = Reader().read(threads);
    LitmusExecutor executor(program, limits);
    Recorder recorder(executor, keep_traces, max_executions);
    norn::Exploration exploration(executor, recorder);
    LitmusResult result;
    {
        nb::gil_scoped_release release;
        result.complete = norn::explore_by(make, exploration) && !recorder.was_cut;
    }
    if (recorder.diverged)
        throw std::runtime_error("a schedule could not be followed: this is a bug of the explorer");
    result.statistics = exploration.statistics();
    result.deadlocks = recorder.deadlocks;
    result.failed = recorder.failed;
    result.states = states_of(program, recorder);
    result.traces = traces_of(program, recorder);
    result.edges = edges_of(program, recorder.communication);
    result.ordered = ordered_of(program, recorder.communication);
    return result;
}

LitmusResult explore(nb::object threads, const char* equivalence, bool keep_traces,
                     std::uint64_t max_executions, bool without_signals, bool without_closure,
                     bool without_constants, std::uint32_t max_events, std::uint32_t max_thread_events) {
    if (norn::make_explorer(equivalence) == nullptr) throw nb::value_error("unknown equivalence");
    const norn::Ablation without{without_signals, without_closure, without_constants, 0};
    return explore_by(threads, [&] { return norn::make_explorer(equivalence, without); }, keep_traces,
                      max_executions, {max_events, max_thread_events});
}

LitmusResult sample(nb::object threads, std::uint64_t executions, const char* scheduler_name,
                    std::uint32_t depth, std::uint64_t seed, bool keep_traces, std::uint32_t max_events,
                    std::uint32_t max_thread_events) {
    const std::string_view scheduler = scheduler_name;
    if (scheduler != "random" && scheduler != "pct") throw nb::value_error("unknown scheduler");
    using Scheduler = norn::Sampling::Scheduler;
    const norn::Sampling sampling{executions, scheduler == "pct" ? Scheduler::pct : Scheduler::random, depth,
                                  seed};
    return explore_by(threads, [&] { return norn::make_sample(sampling); }, keep_traces, 0,
                      {max_events, max_thread_events});
}

LitmusResult explore_bounded(nb::object threads, std::uint32_t preemptions, bool keep_traces,
                             std::uint32_t max_events, std::uint32_t max_thread_events) {
    return explore_by(threads, [&] { return norn::make_preemption_bounded(preemptions); }, keep_traces, 0,
                      {max_events, max_thread_events});
}

// ---- shrinking what fails
// ----------------------------------------------------------------------------------------

// An execution fails like another one if both have a failed assert, or both end in a deadlock.
class LitmusShrinkHost final : public norn::ShrinkHost {
public:
    explicit LitmusShrinkHost(const norn::Execution& failing) : failed_(failing.failed) { keep(failing); }

    norn::EventIndex failure_in(const norn::Execution& execution) override {
        const bool fails = failed_ ? execution.failed : execution.ending == norn::Ending::deadlock;
        return fails ? static_cast<norn::EventIndex>(execution.events.size()) : norn::no_event;
    }
    bool keep(const norn::Execution& execution) override {
        best_.assign(execution.events.begin(), execution.events.end());
        return true;
    }
    bool restore(std::vector<norn::Event>& events) override {
        events = best_;
        return true;
    }
    bool may_go_on() override { return true; }

    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] const std::vector<norn::Event>& best() const { return best_; }

private:
    const bool failed_;
    std::vector<norn::Event> best_;
};

nb::tuple tuple_of_effort(const norn::Effort& effort) {
    return nb::make_tuple(effort.preemptions, effort.switches, effort.events, effort.choices);
}

// Shrinks the execution that a random schedule leads to; none if it does not fail.
nb::object shrink(nb::object threads, std::uint64_t seed, std::uint64_t executions, std::uint64_t events) {
    const Program program = Reader().read(threads);
    LitmusExecutor executor(program);
    norn::Policy policy;
    policy.kind = norn::Policy::Kind::random;
    policy.seed = seed;
    norn::Schedule schedule;
    schedule.policy = &policy;
    const norn::Execution& first = executor.run(schedule);
    if (!first.failed && first.ending != norn::Ending::deadlock) return nb::none();
    LitmusShrinkHost host(first);
    norn::Shrinker shrinker(executor, host, {executions, events});
    if (!shrinker.shrink()) throw std::runtime_error("a failing execution does not fail again");
    norn::Schedule again;
    for (const norn::Event& event : host.best()) again.steps.push_back({event.thread, event.choice});
    const norn::Execution& replayed = executor.run(again);
    nb::dict result;
    result["before"] = tuple_of_effort(shrinker.original());
    result["after"] = tuple_of_effort(shrinker.best());
    result["executions"] = shrinker.executions();
    result["least"] = shrinker.is_least();
    result["met_budget"] = shrinker.met_budget();
    result["failed"] = host.failed();
    result["replayed"] =
        replayed.ending != norn::Ending::diverged && host.failure_in(replayed) != norn::no_event;
    result["threads"] =
        tuple_of(host.best().size(), [&](std::size_t i) { return nb::int_(host.best()[i].thread); });
    return result;
}

}  // namespace

NB_MODULE(_engine, module) {
    module.doc() = "norn's explorers, for litmus programs given as data.";

    nb::class_<LitmusResult>(module, "LitmusResult")
        .def_prop_ro("complete", [](const LitmusResult& self) { return self.complete; })
        .def_prop_ro("executions", [](const LitmusResult& self) { return self.statistics.executions; })
        .def_prop_ro("blocked", [](const LitmusResult& self) { return self.statistics.blocked; })
        .def_prop_ro("redundant", [](const LitmusResult& self) { return self.statistics.redundant; })
        .def_prop_ro("cut", [](const LitmusResult& self) { return self.statistics.cut; })
        .def_prop_ro("sources_seen", [](const LitmusResult& self) { return self.statistics.sources_seen; })
        .def_prop_ro("orders_seen", [](const LitmusResult& self) { return self.statistics.orders_seen; })
        .def_prop_ro("preemptions", [](const LitmusResult& self) { return self.statistics.preemptions; })
        .def_prop_ro("deadlocks", [](const LitmusResult& self) { return self.deadlocks; })
        .def_prop_ro("failed", [](const LitmusResult& self) { return self.failed; })
        .def_prop_ro("events", [](const LitmusResult& self) { return self.statistics.events; })
        .def_prop_ro("checks", [](const LitmusResult& self) { return self.statistics.checks; })
        .def_prop_ro("decided", [](const LitmusResult& self) { return self.statistics.decided; })
        .def_prop_ro("annotations", [](const LitmusResult& self) { return self.statistics.annotations; })
        .def_prop_ro("edges", [](const LitmusResult& self) { return self.edges; })
        .def_prop_ro("ordered", [](const LitmusResult& self) { return self.ordered; })
        .def_prop_ro("states", [](const LitmusResult& self) { return self.states; })
        .def_prop_ro("traces", [](const LitmusResult& self) { return self.traces; });

    module.def("explore", &explore, nb::arg("program"), nb::arg("equivalence") = "mazurkiewicz",
               nb::kw_only(), nb::arg("keep_traces") = false, nb::arg("max_executions") = 0,
               nb::arg("without_signals") = false, nb::arg("without_closure") = false,
               nb::arg("without_constants") = false, nb::arg("max_events") = 0,
               nb::arg("max_thread_events") = 0);
    module.def("sample", &sample, nb::arg("program"), nb::arg("executions"), nb::kw_only(),
               nb::arg("scheduler") = "random", nb::arg("depth") = 3, nb::arg("seed") = 0,
               nb::arg("keep_traces") = false, nb::arg("max_events") = 0, nb::arg("max_thread_events") = 0);
    module.def("explore_bounded", &explore_bounded, nb::arg("program"), nb::arg("preemptions"), nb::kw_only(),
               nb::arg("keep_traces") = false, nb::arg("max_events") = 0, nb::arg("max_thread_events") = 0);
    module.def("shrink", &shrink, nb::arg("program"), nb::kw_only(), nb::arg("seed") = 0,
               nb::arg("executions") = 20000, nb::arg("events") = 10000000);
    module.def("equivalences", [] {
        nb::list names;
        names.append("mazurkiewicz");
        names.append("reads-from");
        names.append("reads-value-from");
        names.append("observation");
        return names;
    });
    norn::add_consistency(module);
    norn::add_races(module);
    norn::add_coverage(module);
}
