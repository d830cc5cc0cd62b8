// What was tried and how good it is: docs/estimate.md. The constants below are the result of that.
#include "explore/coverage.h"

#include <algorithm>
#include <bit>

namespace norn {

namespace {

// Logarithm and power of 2, to four digits or so. (Not those of the library: a program that defines a
// function of that name would be called instead.)
double log2_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52U) - 1023);
    const double mantissa = std::bit_cast<double>((bits & 0x000F'FFFF'FFFF'FFFFU) | 0x3FF0'0000'0000'0000U);
    // 2 artanh((m - 1) / (m + 1)) / ln 2
    const double t = (mantissa - 1) / (mantissa + 1);
    const double tt = t * t;
    return exponent + 2.885390081777927 * t * (1 + tt * (1.0 / 3 + tt * (1.0 / 5 + tt * (1.0 / 7))));
}

double exp2_of(double power) {
    const double bounded = std::clamp(power, -1000.0, 1000.0);
    auto whole = static_cast<std::int64_t>(bounded);
    if (static_cast<double>(whole) > bounded) --whole;
    const double x = (bounded - static_cast<double>(whole)) * 0.6931471805599453;
    const double series =
        1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6 * (1 + x / 7))))));
    return series * std::bit_cast<double>(static_cast<std::uint64_t>(whole + 1023) << 52U);
}

// No tree is taken for larger: what exceeds it says only that the guess is bad.
constexpr double largest = 1e15;
// The least excess over 1 of a multiplier that is told from none.
constexpr double least_excess = 1e-3;
// The slope of the line is drawn towards this value, as if by observations with such a variance.
constexpr double usual_slope = 0.5;
constexpr double slope_weight = 0.4;
constexpr double steepest = 1.5;
// What is left turns out to be more than these guesses say where they say little, and less where they say
// much.
constexpr double correction = 2.5;
constexpr double below_likely = 1.0 / 8;
constexpr double above_likely = 6;

}  // namespace

std::uint64_t Coverage::begin_of(std::size_t place) const {
    std::size_t i = stretches_.size();
    while (i > 1 && stretches_[i - 1].first > place) --i;
    return i > 0 ? stretches_[i - 1].begin : leaves_;
}

// All nodes above this one are done.
void Coverage::learn_above(std::size_t node) {
    for (std::size_t i = std::min(stack_, looked_at_); i-- > node + 1;)
        if (is_noted(i)) learn(nodes_[i]);
    looked_at_ = node + 1;
}

void Coverage::next_child(std::size_t node) {
    if (looked_at_ > node + 1) learn_above(node);
    if (node >= stack_) stretches_.push_back({stack_, leaves_});
    stack_ = node + 1;
    while (stretches_.back().first > node) stretches_.pop_back();
    Node& at = node_at(node, stretches_.back().begin);
    if (at.left > 0) {
        --at.left;
        ++begun_;
    }
    if (leaves_ == at.child_begin) return;
    if (at.done++ == 0) at.first = leaves_ - at.child_begin;
    at.child_begin = leaves_;
}

void Coverage::look(std::size_t node, std::size_t left, std::uint64_t kind) {
    Node& at = node_at(node, begin_of(node));
    at.left = static_cast<std::uint32_t>(std::min<std::size_t>(left, not_looked - 1));
    at.kind = kind;
    if (at.done == 0) at.seen = at.left;
    looked_at_ = std::max(looked_at_, node + 1);
}

// The node is done.
void Coverage::learn(const Node& node) {
    if (node.seen == not_looked) return;
    const auto first = static_cast<double>(node.done > 0 ? node.first : leaves_ - node.begin);
    const double multiplier = static_cast<double>(leaves_ - node.begin) / first;
    // Large nodes tell more of what is left, which is above them.
    const double weight = first * first;
    if (node.seen == 0) {
        const double y = log2_of(multiplier);
        for (Mean* mean : {&of_kind_[slot_of(node.kind)], &of_all_}) {
            mean->weight += weight;
            mean->sum += weight * y;
        }
    } else {
        const double x = log2_of(static_cast<double>(node.seen));
        const double y = log2_of(std::max(multiplier - 1, least_excess));
        weight_ += weight;
        x_ += weight * x;
        y_ += weight * y;
        xx_ += weight * x * x;
        xy_ += weight * x * y;
    }
}

double Coverage::multiplier(const Node& node, std::uint32_t known) const {
    if (known == 0) {
        const Mean& own = of_kind_[slot_of(node.kind)];
        const Mean& mean = own.weight > 0 ? own : of_all_;
        return mean.weight > 0 ? exp2_of(mean.sum / mean.weight) : 1;
    }
    if (weight_ == 0) {
        const double rate = static_cast<double>(begun_) / static_cast<double>(begun_ + rejected_);
        return 1 + rate * known;
    }
    const double x = x_ / weight_;
    const double y = y_ / weight_;
    const double slope = std::clamp(
        (xy_ / weight_ - x * y + slope_weight * usual_slope) / (xx_ / weight_ - x * x + slope_weight), 0.0,
        steepest);
    return 1 + exp2_of(y + slope * (log2_of(known) - x));
}

double Coverage::leaves_of_tree() const {
    const double rate = static_cast<double>(begun_) / static_cast<double>(begun_ + rejected_);
    // Of the subtree of the current child. The last one has just begun: it may be like those before it.
    double size = 1;
    if (is_noted(stack_ - 1) && nodes_[stack_ - 1].done > 0) {
        const Node& last = nodes_[stack_ - 1];
        size = static_cast<double>(last.child_begin - last.begin) / last.done;
    }
    const double usual = of_all_.weight > 0 ? exp2_of(of_all_.sum / of_all_.weight) : 1;
    for (std::size_t i = stack_; i-- > 0;) {
        if (!is_noted(i)) {
            size *= usual;
            continue;
        }
        const Node& node = nodes_[i];
        const auto done = static_cast<double>(node.child_begin - node.begin);
        const double known = done + size;
        if (node.done == 0) {
            size = std::max(known, size * multiplier(node, node.left));
        } else if (node.left > 0) {
            const auto first = static_cast<double>(node.first);
            // By its children so far, and by other nodes.
            const double by_children = known + rate * node.left * (known - first) / node.done;
            const bool was_seen = node.seen != not_looked && node.seen > 0;
            const double by_others = first * multiplier(node, was_seen ? node.seen : node.left + node.done);
            size = by_others > known
                       ? std::max(known, exp2_of((log2_of(by_others) + log2_of(by_children)) / 2))
                       : (known + by_children) / 2;
        } else {
            size = known;
        }
        size = std::min(size, std::max(known, largest));
    }
    return size;
}

Coverage::Left Coverage::left() const {
    if (leaves_ < fewest || stack_ == 0) return {};
    const auto done = static_cast<double>(leaves_);
    const double guess = std::max((leaves_of_tree() - done) / done, 0.0);
    const double likely = correction * (guess > 1 ? exp2_of(log2_of(guess) / 2) : guess);
    return {true, likely * below_likely, likely, likely * above_likely};
}

}  // namespace norn
