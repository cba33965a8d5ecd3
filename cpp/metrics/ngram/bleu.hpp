// Clipped n-gram matches and the lengths of the BLEU family (Papineni et al. 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/segment.hpp"
#include "metrics/ngram/clipped_matches.hpp"
#include "metrics/ngram/ngram_matcher.hpp"
#include "metrics/ngram/pooled_matches.hpp"

namespace tertium::metrics::ngram {

enum class ReferenceLength { closest, shortest, average };

// "closest" (ties to the shorter), "shortest", "average" (the real mean).
ReferenceLength reference_length_named(std::string_view name);

double effective_length(const core::Segment& segment, ReferenceLength choice);

class BleuKernel {
  public:
    BleuKernel(std::size_t order, ReferenceLength length, bool covered = true);

    // matches 1…N, totals 1…N, hypothesis length, reference length; and, if the `covered` length is
    // asked for, the smaller of the two.
    static std::size_t columns(std::size_t order, bool covered = true) {
        return 2 * order + 2 + (covered ? 1 : 0);
    }
    void operator()(const core::Segment& segment, double* row);

  private:
    // Of 4-grams in a reference of at most 64 tokens.
    void match_one_reference(const core::Segment& segment, double* matches);

    std::size_t order_;
    ReferenceLength length_;
    bool covered_;
    ClippedMatches clipped_;
    PooledMatches pooled_;
    NgramMatcher matcher_;
    std::vector<std::uint64_t> masks_;  // of match_one_reference
};

}  // namespace tertium::metrics::ngram
