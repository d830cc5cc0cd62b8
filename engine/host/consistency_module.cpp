#include "host/consistency_module.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "consistency/cells.h"
#include "consistency/decide.h"
#include "consistency/saturate.h"
#include "consistency/verify_sc.h"
#include "consistency/witness.h"
#include "consistency/witness_finder.h"
#include "graph/source_graph.h"

namespace nb = nanobind;

namespace norn {
namespace {

using Events = std::vector<EventIndex>;
using FoundEvents = std::optional<Events>;
using Pairs = std::set<std::pair<EventIndex, EventIndex>>;

// The event whose value is read: nothing for the initial value, any_source for any.
using Source = std::optional<std::int64_t>;
// A cell and the source of what is read of it, or its good writes.
using CellAndSource = std::pair<CellId, std::variant<Source, std::vector<Source>>>;
constexpr std::int64_t any_source = -1;

void require(bool condition, const char* otherwise) {
    if (!condition) throw nb::value_error(otherwise);
}

// What VerifySc has said.
struct Verification {
    std::string answer;
    std::string step;
    FoundEvents witness;
    std::size_t kept;
    std::size_t states;
};

// A graph, its saturated order and the searches for a witness. What the engine takes for granted is looked at
// here, so that a wrong test raises an error.
class Consistency {
public:
    Consistency() { verify_by_search_.use_search_only(); }

    EventIndex push(ThreadId thread, const std::string& access, const std::vector<CellAndSource>& cells,
                    std::optional<EventIndex> cause) {
        require(access == "none" || access == "read" || access == "write" || access == "rmw",
                "unknown access");
        require(thread < max_threads, "too many threads");
        require(!cause || *cause < graph_.size(), "the cause must come first");
        require(cells.empty() == (access == "none"), "an event touches cells if it has an access");
        const bool reads = access == "read" || access == "rmw";
        std::set<CellId> seen;
        std::vector<SourceGraph::NewAccess> accesses;
        std::vector<std::vector<AccessIndex>> goods(cells.size());
        for (const auto& [cell, source] : cells) {
            require(cell < max_cells && seen.insert(cell).second, "bad cell");
            accesses.push_back({cell, no_event});
            if (!reads) continue;
            SourceGraph::NewAccess& added = accesses.back();
            if (const Source* const one = std::get_if<Source>(&source)) {
                added.source = source_of(cell, *one);
            } else {
                std::vector<AccessIndex>& writes = goods[accesses.size() - 1];
                writes = good_writes_of(cell, std::get<std::vector<Source>>(source));
                added.source = undecided_event;
                added.goods = writes;
            }
        }
        for (const CellId cell : seen) graph_.fit_cells(cell + 1);
        graph_.fit_threads(thread + std::size_t{1});
        return graph_.push({thread, 0, cause.value_or(no_event), reads, access == "write" || access == "rmw"},
                           accesses);
    }

    void truncate(std::size_t size) {
        retract(size);
        graph_.truncate(size);
    }

    bool advance(std::size_t size) {
        require(acyclic_, "there is a cycle: retract first");
        require(size <= graph_.size(), "no such event");
        acyclic_ = order_.advance(size);
        return acyclic_;
    }

    void retract(std::size_t size) {
        if (size < order_.size()) acyclic_ = true;
        order_.retract(size);
    }

    bool add_edge(EventIndex early, EventIndex late) {
        require(acyclic_ && early < order_.size() && late < order_.size(), "not in the order");
        acyclic_ = order_.add_edge(early, late);
        return acyclic_;
    }

    void forget_edges() {
        order_.forget_edges();
        acyclic_ = true;
    }

    [[nodiscard]] std::size_t size() const { return order_.size(); }

    [[nodiscard]] Pairs order() const {
        require(acyclic_, "there is a cycle: no order");
        return pairs_of(order_.clocks(), order_.size());
    }

    [[nodiscard]] Pairs happens_before() const { return pairs_of(graph_.clocks(), graph_.size()); }

    [[nodiscard]] std::vector<Tick> clock(EventIndex event) const {
        require(acyclic_ && event < order_.size(), "not in the order");
        const Tick* const clock = order_.clock(event);
        return {clock, clock + graph_.threads()};
    }

    // `guide` must be an execution of the first `known` events, and of others that do not count.
    FoundEvents witness(const Events& guide, std::size_t known) {
        require_all_decided();
        require_guide(guide, known);
        Events execution = guide;
        return witness_.find(graph_, order_, known, execution) ? FoundEvents(execution) : std::nullopt;
    }

    FoundEvents decide() {
        require_all_decided();
        return decision_.find(graph_, order_) ? FoundEvents(decision_.events()) : std::nullopt;
    }

    std::pair<std::string, FoundEvents> realize() {
        require_all_decided();
        const Realization::Answer answer = realization_.find(graph_, order_);
        return {answer_name(answer),
                answer == Realization::Answer::yes ? FoundEvents(realization_.events()) : std::nullopt};
    }

    std::pair<std::string, FoundEvents> find(const Events& guide, std::size_t known) {
        require_all_decided();
        require_guide(guide, known);
        Events execution = guide;
        const bool found = finder_.find(graph_, order_, known, execution);
        return {step_name(finder_.answered_by()), found ? FoundEvents(execution) : std::nullopt};
    }

    Verification verify(const Events& guide, std::size_t known, bool respect_order, bool search_only,
                        std::optional<std::size_t> limit) {
        if (respect_order) require_all();
        require(acyclic_, "there is a cycle: retract first");
        require_guide(guide, known);
        VerifySc& verify = search_only ? verify_by_search_ : verify_;
        verify.set_limit(limit.value_or(default_limit));
        Events execution = guide;
        const VerifySc::Answer answer =
            verify.find(graph_, order_, known, execution,
                        respect_order ? VerifySc::Demand::order : VerifySc::Demand::good_writes);
        acyclic_ = verify.answered_by() != VerifySc::Step::closure;
        const bool found = answer == VerifySc::Answer::yes;
        const bool searched = verify.answered_by() == VerifySc::Step::search;
        return {answer_name(answer), step_name(verify.answered_by()),
                found ? FoundEvents(execution) : std::nullopt, found ? verify.kept() : 0,
                searched ? verify.states() : 0};
    }

private:
    static constexpr ThreadId max_threads = 256;
    static constexpr CellId max_cells = 1U << 16U;
    static constexpr std::size_t default_limit = 1U << 20U;

    static const char* step_name(WitnessFinder::Step step) {
        switch (step) {
            case WitnessFinder::Step::saturation: return "saturation";
            case WitnessFinder::Step::witness: return "witness";
            case WitnessFinder::Step::ordered_witness: return "ordered_witness";
            case WitnessFinder::Step::realization: return "realization";
            case WitnessFinder::Step::decision: return "decision";
        }
        return "";
    }

    static const char* step_name(VerifySc::Step step) {
        switch (step) {
            case VerifySc::Step::descent: return "descent";
            case VerifySc::Step::closure: return "closure";
            case VerifySc::Step::ordered_descent: return "ordered_descent";
            case VerifySc::Step::search: return "search";
        }
        return "";
    }

    static const char* answer_name(Realization::Answer answer) {
        switch (answer) {
            case Realization::Answer::no: return "no";
            case Realization::Answer::yes: return "yes";
            case Realization::Answer::open: return "open";
        }
        return "";
    }

    static const char* answer_name(VerifySc::Answer answer) {
        switch (answer) {
            case VerifySc::Answer::yes: return "yes";
            case VerifySc::Answer::no: return "no";
            case VerifySc::Answer::too_hard: return "too_hard";
        }
        return "";
    }

    [[nodiscard]] Pairs pairs_of(const ClockTable& clocks, std::size_t size) const {
        Pairs pairs;
        for (EventIndex early = 0; early < size; ++early)
            for (EventIndex late = 0; late < size; ++late)
                if (early != late && clocks.row(late)[graph_.node(early).thread] >= graph_.node(early).tick)
                    pairs.insert({early, late});
        return pairs;
    }

    void require_all() {
        require(acyclic_ && order_.size() == graph_.size(), "the order must have taken in all events");
        require(graph_.size() > 0, "no events");
        order_.advance(graph_.size());  // there may have been events of more threads, which are gone
    }

    void require_all_decided() {
        require_all();
        for (std::size_t cell = 0; cell < graph_.cells(); ++cell)
            require(graph_.cell(static_cast<CellId>(cell)).open_reads.empty(), "a read has good writes");
    }

    void require_guide(const Events& guide, std::size_t known) const {
        require(known <= graph_.size(), "no such event");
        std::set<EventIndex> seen;
        for (const EventIndex event : guide)
            if (event < known) require(seen.insert(event).second, "an event is twice in the guide");
        require(seen.size() == known, "an event is not in the guide");
    }

    [[nodiscard]] std::vector<AccessIndex> good_writes_of(CellId cell,
                                                          const std::vector<Source>& sources) const {
        require(!sources.empty(), "no good writes");
        std::set<AccessIndex> writes;
        for (const Source& source : sources) {
            const EventIndex event = source_of(cell, source);
            require(event != undecided_event, "a good write must be an event");
            const AccessIndex write = event == no_event ? no_access : graph_.access_to(event, cell);
            require(writes.insert(write).second, "a good write is there twice");
        }
        return {writes.begin(), writes.end()};
    }

    [[nodiscard]] EventIndex source_of(CellId cell, Source source) const {
        if (!source) return no_event;
        if (*source == any_source) return undecided_event;
        require(*source >= 0 && static_cast<std::size_t>(*source) < graph_.size(),
                "the source must come first");
        const auto event = static_cast<EventIndex>(*source);
        bool is_writer = false;
        for (const SourceGraph::Access& access : graph_.accesses_of(event))
            is_writer = is_writer || (graph_.node(event).writes && access.cell == cell);
        require(is_writer, "the source must write the cell");
        return event;
    }

    SourceGraph graph_;
    Saturation order_{graph_};
    bool acyclic_ = true;
    Witness witness_;
    Decision decision_;
    Realization realization_;
    WitnessFinder finder_;
    VerifySc verify_;
    VerifySc verify_by_search_;
};

Event event_touching(LocationId location, std::uint64_t address, std::uint32_t size) {
    require(location < 1U << 16U && size > 0, "bad bytes");
    Event event{};
    event.location = location;
    event.address = address;
    event.size = size;
    return event;
}

class Cells {
public:
    bool learn(LocationId location, std::uint64_t address, std::uint32_t size) {
        known_.insert(location);
        return table_.learn(event_touching(location, address, size));
    }

    [[nodiscard]] std::vector<CellId> cells_of(LocationId location, std::uint64_t address,
                                               std::uint32_t size) const {
        require(known_.contains(location), "unknown location");
        std::vector<CellId> cells;
        table_.append_cells_of(event_touching(location, address, size), cells);
        return cells;
    }

    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> bytes_of(CellId cell) const {
        require(cell < table_.size(), "no such cell");
        return {table_.begin_of(cell), table_.end_of(cell)};
    }

    [[nodiscard]] std::size_t size() const { return table_.size(); }

private:
    CellTable table_;
    std::set<LocationId> known_;
};

}  // namespace

void add_consistency(nb::module_& module) {
    nb::class_<Verification>(module, "Verification")
        .def_ro("answer", &Verification::answer)
        .def_ro("step", &Verification::step)
        .def_ro("witness", &Verification::witness)
        .def_ro("kept", &Verification::kept)
        .def_ro("states", &Verification::states);

    nb::class_<Consistency>(module, "Consistency")
        .def(nb::init<>())
        .def("push", &Consistency::push, nb::arg("thread"), nb::arg("access"), nb::arg("cells"),
             nb::arg("cause") = nb::none())
        .def("truncate", &Consistency::truncate, nb::arg("size"))
        .def("advance", &Consistency::advance, nb::arg("size"))
        .def("retract", &Consistency::retract, nb::arg("size"))
        .def("add_edge", &Consistency::add_edge, nb::arg("early"), nb::arg("late"))
        .def("forget_edges", &Consistency::forget_edges)
        .def_prop_ro("size", &Consistency::size)
        .def("order", &Consistency::order)
        .def("happens_before", &Consistency::happens_before)
        .def("clock", &Consistency::clock, nb::arg("event"))
        .def("witness", &Consistency::witness, nb::arg("guide"), nb::arg("known") = 0)
        .def("decide", &Consistency::decide)
        .def("realize", &Consistency::realize)
        .def("find", &Consistency::find, nb::arg("guide"), nb::arg("known") = 0)
        .def("verify", &Consistency::verify, nb::arg("guide") = Events{}, nb::arg("known") = 0, nb::kw_only(),
             nb::arg("respect_order") = false, nb::arg("search_only") = false, nb::arg("limit") = nb::none());

    nb::class_<Cells>(module, "Cells")
        .def(nb::init<>())
        .def("learn", &Cells::learn, nb::arg("location"), nb::arg("address"), nb::arg("size"))
        .def("cells_of", &Cells::cells_of, nb::arg("location"), nb::arg("address"), nb::arg("size"))
        .def("bytes_of", &Cells::bytes_of, nb::arg("cell"))
        .def_prop_ro("size", &Cells::size);
}

}  // namespace norn
