// RIBES (Isozaki et al. 2010) as NTT's program 1.03.1 computes it.
#pragma once

#include <cstddef>

#include "core/segment.hpp"
#include "metrics/order/word_order.hpp"

namespace tertium::metrics::order {

class RibesKernel {
  public:
    RibesKernel(double alpha, double beta) : alpha_(alpha), beta_(beta) {}

    // Score, rank correlation, unigram precision and brevity penalty of the best reference, and
    // 1 for the segment; nothing at all where both sides are empty.
    static constexpr std::size_t columns = 5;
    void operator()(const core::Segment& segment, double* row);

  private:
    struct Parts {
        double correlation, precision, brevity;
    };
    Parts parts(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary);

    double alpha_, beta_;
    WordOrder order_;
};

}  // namespace tertium::metrics::order
