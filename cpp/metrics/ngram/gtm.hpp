// The maximum match size of the General Text Matcher (Melamed, Green and Turian 2003).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/pair_numbers.hpp"
#include "core/segment.hpp"

namespace tertium::metrics::ngram {

class GtmKernel {
  public:
    explicit GtmKernel(double exponent) : exponent_(exponent) {}

    // Match size, hypothesis length, mean reference length.
    static constexpr std::size_t columns = 3;
    void operator()(const core::Segment& segment, double* row);

  private:
    // Equal words one after the other; ordered as the greedy search takes them.
    struct Run {
        std::uint32_t length, hypothesis, reference;
        auto operator<=>(const Run&) const = default;
    };

    // n-grams by number at the places where they begin; none is negative.
    struct Order {
        std::vector<core::Token> hypothesis, reference;
        std::size_t count = 0;
    };

    void join(const core::Segment& segment);
    void link(std::span<const core::Token> numbers, std::size_t count);
    std::size_t number_grams(const core::Segment& segment);
    void find_runs(core::Tokens hypothesis, std::size_t order);
    void take_runs(std::size_t shortest);
    void take_grams(std::size_t n);
    void take_single_words(core::Tokens hypothesis);
    void add(double length);

    double exponent_;
    std::vector<core::Token> joined_;  // all references, a break after each
    // Occurrences of a word or an n-gram in `joined_`, from the last to the first, as position + 1.
    std::vector<std::uint32_t> last_, previous_;
    std::vector<Run> runs_;      // a heap
    std::vector<Order> orders_;  // of two words and more
    core::PairNumbers numbers_;
    std::vector<std::uint32_t> counts_;
    std::vector<char> hypothesis_used_, reference_used_;
    double room_ = 0;     // hits that may still be counted
    double longest_ = 0;  // run that was taken first
    double length_ = 0;   // run that was taken last
    double share_ = 0;    // (length_ / longest_) ^ e
    double sum_ = 0;      // of the shares
};

}  // namespace tertium::metrics::ngram
