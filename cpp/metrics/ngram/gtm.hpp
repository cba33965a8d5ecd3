// The maximum match size of the General Text Matcher (Melamed, Green and Turian 2003).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

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

    void join(const core::Segment& segment);
    void find_runs(core::Tokens hypothesis);
    void take_runs();
    void take_single_words(core::Tokens hypothesis);
    void add(double length);

    double exponent_;
    std::vector<core::Token> joined_;  // all references, a break after each
    // Occurrences of a token in `joined_`, from the last to the first, as position + 1.
    std::vector<std::uint32_t> last_, previous_;
    std::vector<Run> runs_;  // a heap
    std::vector<char> hypothesis_used_, reference_used_;
    double room_ = 0;     // hits that may still be counted
    double longest_ = 0;  // run that was taken first
    double length_ = 0;   // run that was taken last
    double share_ = 0;    // (length_ / longest_) ^ e
    double sum_ = 0;      // of the shares
};

}  // namespace tertium::metrics::ngram
