// `--sample`: a number of executions by chance, for programs of which there are too many to run all. It never
// claims to have seen every class.
//
// `random`: at each event every thread that can go on is as likely to be the next. Simple, but it hardly ever
// lets a thread run for long while another one waits.
//
// `pct`: probabilistic concurrency testing, from S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte: "A
// Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010. Threads have random
// priorities, and the highest that can go on runs; at d - 1 random points of the execution the thread that
// runs gets a new priority, lower than all initial ones. A failure that needs d ordering constraints between
// events (its *depth*) shows up in an execution of n threads and k events with a probability of at least
// 1 / (n k^(d-1)). Neither n nor k is known beforehand: the longest execution so far stands for k, and n is
// not needed; the first execution has no change points. (One thing is added: a thread that runs for a
// thousand events while others could gets the lowest priority, for it may wait for one of them.)
//
// Execution number i has a seed of its own that follows from i and the seed of the sample. So does the first
// guess at k, and with it the whole sample: the same seed gives the same executions.
//
// Each execution counts, also one of a class that was seen before; how many classes there were is counted
// beside it (class_identity.h).
#include "explore/sample.h"

#include <algorithm>

#include "consistency/identity_set.h"
#include "explore/class_identity.h"

namespace norn {

namespace {

class Sample final : public Explorer {
public:
    explicit Sample(const Sampling& sampling) : sampling_(sampling), seeds_(sampling.seed) {
        policy_.kind =
            sampling.scheduler == Sampling::Scheduler::pct ? Policy::Kind::priorities : Policy::Kind::random;
        schedule_.policy = &policy_;
    }

    void explore(Exploration& exploration) override {
        for (std::uint64_t i = 0; i < sampling_.executions; ++i) {
            prepare(exploration.statistics().longest);
            const Execution* const execution = exploration.run(schedule_);
            if (execution == nullptr) return;
            note_classes(*execution);
            exploration.count_classes(sources_.size(), orders_.size());
        }
        exploration.give_up(Monitor::Reason::sample);
    }

private:
    void prepare(std::uint32_t longest) {
        policy_.seed = seeds_.next();
        if (policy_.kind != Policy::Kind::priorities) return;
        RandomNumbers numbers(~policy_.seed);
        policy_.change_points.clear();
        for (std::uint32_t i = 1; i < sampling_.depth && longest > 0; ++i)
            policy_.change_points.push_back(1 + numbers.below(longest));
    }

    void note_classes(const Execution& execution) {
        identity_.begin();
        for (const Event& event : execution.events) identity_.push(event);
        sources_.insert(identity_.sources());
        orders_.insert(identity_.order());
    }

    const Sampling sampling_;
    RandomNumbers seeds_;
    Policy policy_;
    Schedule schedule_;
    ClassIdentity identity_;
    IdentitySet sources_;
    IdentitySet orders_;
};

}  // namespace

std::unique_ptr<Explorer> make_sample(const Sampling& sampling) { return std::make_unique<Sample>(sampling); }

}  // namespace norn
