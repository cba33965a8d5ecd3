#include "metrics/ngram/gtm.hpp"

#include <algorithm>
#include <cmath>

#include "core/interrupt.hpp"

namespace tertium::metrics::ngram {
namespace {

constexpr core::Token reference_break = core::unknown - 1;  // equal to no word of any text

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
        find_runs(segment.hypothesis);
        take_runs();
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
    last_.assign(segment.vocabulary, 0);
    previous_.resize(joined_.size());
    for (std::size_t j = 0; j < joined_.size(); ++j) {
        if (joined_[j] == reference_break) continue;
        std::uint32_t& last = last_[static_cast<std::size_t>(joined_[j])];
        previous_[j] = last;
        last = static_cast<std::uint32_t>(j + 1);
    }
}

// The longest runs of two words and more. Most matches are words alone: they need no heap.
void GtmKernel::find_runs(core::Tokens hypothesis) {
    runs_.clear();
    for (std::size_t i = 0; i + 1 < hypothesis.size(); ++i) {
        core::check_interrupt();
        if (hypothesis[i] == core::unknown || hypothesis[i + 1] == core::unknown) continue;
        for (std::size_t next = last_[static_cast<std::size_t>(hypothesis[i])]; next != 0;
             next = previous_[next - 1]) {
            const std::size_t j = next - 1;
            if (joined_[j + 1] != hypothesis[i + 1]) continue;  // a break ends the last reference
            if (i > 0 && j > 0 && hypothesis[i - 1] == joined_[j - 1]) continue;
            std::size_t length = 2;
            while (i + length < hypothesis.size() && hypothesis[i + length] == joined_[j + length])
                ++length;
            runs_.push_back({static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(i),
                             static_cast<std::uint32_t>(j)});
        }
    }
    std::ranges::make_heap(runs_);
}

// Longest first; what an earlier run has used splits a later one, whose pieces queue up again.
void GtmKernel::take_runs() {
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
            } else if (free > 1) {
                runs_.push_back({free, run.hypothesis + k - free, run.reference + k - free});
                std::ranges::push_heap(runs_);
            }
            free = 0;
        }
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
