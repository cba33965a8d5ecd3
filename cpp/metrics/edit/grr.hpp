// The k-gram recognition rate (Chiang, DeNeefe, Chan & Ng, 2008, equation 6).
//
// GRR = max (Σ_{n=1…k} M_n − α I − β D) / Σ_{n=1…k} |g_n(r)| over the monotone alignments of a
// hypothesis with a reference; M_n are the matched n-grams, I the insertions, D the deletions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/segment.hpp"

namespace tertium::metrics::edit {

// k, α and β, validated once: throws std::invalid_argument unless k ≥ 1 and |α|, |β| ≤ 1e100.
class GramWeights {
  public:
    GramWeights(std::int64_t k, double alpha, double beta);

    std::int64_t k() const { return k_; }
    double alpha() const { return alpha_; }
    double beta() const { return beta_; }

    // Weights are added up in units of 1 / unit(), the largest unit of which α and β are whole
    // numbers, so that sums are exact and do not depend on the order of a path; if there is none
    // down to 1/1000, α and β stay as they are and whole() is false.
    bool whole() const { return whole_; }
    double unit() const { return unit_; }
    double alpha_units() const { return alpha_units_; }
    double beta_units() const { return beta_units_; }

  private:
    std::int64_t k_;
    double alpha_;
    double beta_;
    double alpha_units_;
    double beta_units_;
    double unit_ = 1;
    bool whole_ = false;
};

// Memory that is kept from one segment to the next; holds no results.
struct GrrScratch {
    std::vector<std::int16_t> narrow;
    std::vector<std::int32_t> strips;
    std::vector<double> wide;
};

// Σ_{n=1…k} |g_n(r)|
double grr_denominator(core::Tokens reference, const GramWeights&);

// The best alignment's Σ M_n − α I − β D. Time grows with |c| · |r|, memory with
// k · (|c| + |r|).
double grr_numerator(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                     const GramWeights&, GrrScratch&);

// weighted numerator, weight
inline constexpr std::size_t grr_columns = 2;

// One reference: its numerator and denominator. Several: the best numerator / denominator over
// the references, times the mean denominator; the mean denominator. References without a word
// have denominator 0 and are passed over; if all are, the best numerator and 0.
void grr_row(const core::Segment&, const GramWeights&, GrrScratch&, double* row);

enum class GrrMove : std::uint8_t { match, substitution, insertion, deletion };

// One transition of the automaton over states (reference position, matches in a row).
struct GrrStep {
    GrrMove move;
    std::int64_t hypothesis;  // index of the word read, −1 for a deletion
    std::int64_t reference;   // index of the word passed, −1 for an insertion
    std::int64_t run;         // m after the step: matches in a row, at most k − 1
    double weight;
};

// A best path in reading order, for explanation. Where several are best, read from the end, a
// match is taken before a substitution, an insertion, a deletion. Keeps whole tables: throws
// std::length_error where (|c| + 1) · (|r| + 1) · k exceeds 2^24.
std::vector<GrrStep> grr_path(core::Tokens hypothesis, core::Tokens reference, const GramWeights&);

}  // namespace tertium::metrics::edit
