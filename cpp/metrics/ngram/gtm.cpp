// The search takes the longest run of equal words that is free in both texts, of equally long ones
// the last of the hypothesis, of these the last of the reference, until no run is left.
//
// A heap has the maximal runs; one of which words are taken already is split, and its pieces queue
// up again. Short texts need nothing else. In a long text of few different words short runs are
// nearly as many as pairs of places. When all longer runs are done, those of n words are just the
// n-grams that are free in both texts: they are found from the end of the hypothesis on, by lists
// of places that lose each place once, in linear time. So only the runs of so many words that they
// are few (take_order) are put into the heap.
#include "metrics/ngram/gtm.hpp"

#include <algorithm>
#include <cmath>

#include "core/interrupt.hpp"

namespace tertium::metrics::ngram {
namespace {

constexpr core::Token reference_break = core::unknown - 1;  // equal to no word of any text

// Up to here all runs go to the heap.
constexpr std::size_t few_words = 128;
// As many runs for each word are few.
constexpr std::size_t few_runs = 4;
constexpr std::size_t most_orders = 16;

}  // namespace

void GtmKernel::operator()(const core::Segment& segment, double* row) {
    join(segment);
    const auto breaks = static_cast<double>(segment.references.size());
    const double mean_length = (static_cast<double>(joined_.size()) - breaks) / breaks;
    const auto length = static_cast<double>(segment.hypothesis.size());
    const double most = std::min(length, mean_length);
    room_ = most;
    longest_ = length_ = share_ = sum_ = 0;
    if (room_ > 0) {
        hypothesis_used_.assign(segment.hypothesis.size(), 0);
        reference_used_.assign(joined_.size(), 0);
        const std::size_t order = number_grams(segment);
        if (order > 1) link(orders_[order - 2].reference, orders_[order - 2].count);
        find_runs(segment.hypothesis, order);
        take_runs(std::max<std::size_t>(order, 2));
        for (std::size_t n = order; --n > 1;) take_grams(n);
        if (order > 1) link(joined_, segment.vocabulary);
        take_single_words(segment.hypothesis);
    }
    // (Σ lengthᵉ)^(1/e), with the longest run taken out: no exponent can overflow, and one
    // single run is exactly as long as it is. Runs together are never worth more than their words,
    // which rounding could make them.
    const double size = longest_ == 0 ? 0 : longest_ * std::pow(sum_, 1 / exponent_);
    row[0] = std::min(size, most - room_);
    row[1] = length;
    row[2] = mean_length;
}

void GtmKernel::join(const core::Segment& segment) {
    joined_.clear();
    for (const core::Tokens reference : segment.references) {
        joined_.insert(joined_.end(), reference.begin(), reference.end());
        joined_.push_back(reference_break);
    }
    link(joined_, segment.vocabulary);
}

// Lists the places of each word or n-gram; negative numbers are none.
void GtmKernel::link(std::span<const core::Token> numbers, std::size_t count) {
    last_.assign(count, 0);
    previous_.resize(numbers.size());
    for (std::size_t j = 0; j < numbers.size(); ++j) {
        if (numbers[j] < 0) continue;
        std::uint32_t& last = last_[static_cast<std::size_t>(numbers[j])];
        previous_[j] = last;
        last = static_cast<std::uint32_t>(j + 1);
    }
}

// The order from which on there are few n-grams in common, or 1 for short texts; those of two words
// and more up to there get numbers.
std::size_t GtmKernel::number_grams(const core::Segment& segment) {
    const std::size_t words = segment.hypothesis.size();
    if (words <= few_words) return 1;
    std::span<const core::Token> hypothesis = segment.hypothesis, reference = joined_;
    std::size_t count = segment.vocabulary;
    for (std::size_t n = 2;; ++n) {
        if (orders_.size() < n - 1) orders_.emplace_back();
        Order& order = orders_[n - 2];
        numbers_.clear(count, joined_.size());
        const auto number = [&](auto&& known, std::span<const core::Token> shorter,
                                std::span<const core::Token> all, std::vector<core::Token>& out) {
            out.assign(all.size(), core::unknown);
            for (std::size_t p = 0; p + n <= all.size(); ++p) {
                core::check_interrupt_at(p);
                const core::Token last = all[p + n - 1];
                if (shorter[p] < 0 || last < 0) continue;
                out[p] = static_cast<core::Token>(
                    known(static_cast<core::Gram>(shorter[p]), static_cast<core::Gram>(last)));
            }
        };
        number([&](core::Gram a, core::Gram b) { return numbers_.intern(a, b); }, reference,
               joined_, order.reference);
        number([&](core::Gram a, core::Gram b) { return numbers_.find(a, b); }, hypothesis,
               segment.hypothesis, order.hypothesis);
        order.count = 0;
        for (const core::Token gram : order.reference) {
            order.count = std::max(order.count, static_cast<std::size_t>(gram + 1));
        }
        counts_.assign(order.count, 0);
        for (const core::Token gram : order.reference) {
            if (gram >= 0) ++counts_[static_cast<std::size_t>(gram)];
        }
        std::size_t pairs = 0;
        for (const core::Token gram : order.hypothesis) {
            if (gram >= 0) pairs += counts_[static_cast<std::size_t>(gram)];
        }
        if (pairs <= few_runs * words || n == most_orders) return n;
        hypothesis = order.hypothesis;
        reference = order.reference;
        count = order.count;
    }
}

// The maximal runs of two words and more, and of as many as the n-grams have by which they are
// found. Most matches are words alone: they need no heap.
void GtmKernel::find_runs(core::Tokens hypothesis, std::size_t order) {
    runs_.clear();
    const core::Tokens grams = order > 1 ? core::Tokens(orders_[order - 2].hypothesis) : hypothesis;
    for (std::size_t i = 0; i + 1 < hypothesis.size(); ++i) {
        core::check_interrupt();
        if (grams[i] < 0) continue;
        for (std::size_t next = last_[static_cast<std::size_t>(grams[i])]; next != 0;
             next = previous_[next - 1]) {
            const std::size_t j = next - 1;
            if (i > 0 && j > 0 && hypothesis[i - 1] == joined_[j - 1]) continue;
            std::size_t length = order;  // a break ends the last reference
            while (i + length < hypothesis.size() && hypothesis[i + length] == joined_[j + length])
                ++length;
            if (length == 1) continue;
            runs_.push_back({static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(i),
                             static_cast<std::uint32_t>(j)});
        }
    }
    std::ranges::make_heap(runs_);
}

// Longest first; what an earlier run has used splits a later one, whose pieces queue up again.
void GtmKernel::take_runs(std::size_t shortest) {
    while (room_ > 0 && !runs_.empty()) {
        core::check_interrupt();
        std::ranges::pop_heap(runs_);
        const Run run = runs_.back();
        runs_.pop_back();
        char* const hypothesis = hypothesis_used_.data() + run.hypothesis;
        char* const reference = reference_used_.data() + run.reference;
        std::uint32_t free = 0;
        for (std::uint32_t k = 0; k <= run.length; ++k) {
            if (k < run.length && !hypothesis[k] && !reference[k]) {
                ++free;
                continue;
            }
            if (free == run.length) {
                std::fill_n(hypothesis, free, char{1});
                std::fill_n(reference, free, char{1});
                add(free);
            } else if (free >= shortest) {
                runs_.push_back({free, run.hypothesis + k - free, run.reference + k - free});
                std::ranges::push_heap(runs_);
            }
            free = 0;
        }
    }
}

// The n-grams that are free in both texts, when there are no longer runs.
void GtmKernel::take_grams(std::size_t n) {
    const Order& order = orders_[n - 2];
    link(order.reference, order.count);
    const auto free = [n](const std::vector<char>& used, std::size_t begin) {
        const char* const first = used.data() + begin;
        return std::none_of(first, first + n, [](char one) { return one != 0; });
    };
    for (std::size_t i = order.hypothesis.size(); i-- > 0 && room_ > 0;) {
        core::check_interrupt();
        if (order.hypothesis[i] < 0 || !free(hypothesis_used_, i)) continue;
        std::uint32_t& last = last_[static_cast<std::size_t>(order.hypothesis[i])];
        while (last != 0 && !free(reference_used_, last - 1)) last = previous_[last - 1];
        if (last == 0) continue;
        std::fill_n(hypothesis_used_.data() + i, n, char{1});
        std::fill_n(reference_used_.data() + (last - 1), n, char{1});
        add(static_cast<double>(n));
    }
}

void GtmKernel::take_single_words(core::Tokens hypothesis) {
    for (std::size_t i = hypothesis.size(); i-- > 0 && room_ > 0;) {
        if (hypothesis_used_[i] || hypothesis[i] == core::unknown) continue;
        std::uint32_t& last = last_[static_cast<std::size_t>(hypothesis[i])];
        while (last != 0 && reference_used_[last - 1]) last = previous_[last - 1];
        if (last == 0) continue;
        last = previous_[last - 1];
        add(1);
    }
}

// Counts a run, or as much of it as there is room for.
void GtmKernel::add(double length) {
    length = std::min(length, room_);
    room_ -= length;
    if (longest_ == 0) longest_ = length;
    if (length != length_) {
        length_ = length;
        share_ = std::pow(length / longest_, exponent_);
    }
    sum_ += share_;
}

}  // namespace tertium::metrics::ngram
