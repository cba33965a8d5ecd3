// METEOR (Banerjee & Lavie 2005; Denkowski & Lavie 2014): statistics of the best reference.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "metrics/meteor/alignment.hpp"
#include "metrics/meteor/stages.hpp"
#include "metrics/meteor/words.hpp"

namespace tertium::metrics::meteor {

struct MeteorParameters {
    double alpha, beta, gamma, delta;
    std::vector<Stage> stages;    // in the order of the enumeration, exact first
    std::vector<double> weights;  // one for each stage
    std::size_t beam;
    bool by_stage = false;  // as METEOR up to 1.0, see meteor_stages.hpp
};

// What the aligner looks for in these stages.
MatchStages match_stages(const std::vector<Stage>& stages, const MeteorPhrases* phrases);

// Either of the two aligners; very long segments have one only.
class AnyAligner {
  public:
    AnyAligner(const MatchStages& stages, std::size_t beam, bool by_stage)
        : at_once_(stages, beam), by_stage_(stages, beam), chosen_by_stage_(by_stage) {}

    std::span<const Match> align(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
                                 std::span<const Word> reference);
    std::size_t chunks() const { return chunks_; }

  private:
    MeteorAligner at_once_;
    StageAligner by_stage_;
    bool chosen_by_stage_;
    std::size_t chunks_ = 0;
};

// A row: lengths of hypothesis and reference, function words in both, chunks (0 where the whole
// text is one); then for every stage the matched content words of hypothesis and reference and the
// matched function words of both.
class MeteorKernel {
  public:
    MeteorKernel(const MeteorParameters& parameters, const MeteorPhrases* phrases);

    static std::size_t columns(std::size_t stages) { return 5 + 4 * stages; }

    // Throws std::invalid_argument where the segment has no reference.
    void operator()(const MeteorWords& hypotheses, const MeteorWords& references,
                    std::size_t segment, double* row);

    // The row of one pair of texts; `vocabulary` knows the words of both.
    void compare(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
                 std::span<const Word> reference, double* row);
    // The same from an alignment that is known.
    void count(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
               std::span<const Word> reference, std::span<const Match> matches, std::size_t chunks,
               double* row) const;

    // fmean · (1 − penalty) of a row, 0 … 1; two empty texts are perfect.
    double score(const double* row) const;

  private:
    MeteorParameters parameters_;
    std::array<std::size_t, 4> stage_columns_{};
    AnyAligner aligner_;
    std::vector<double> candidate_;
};

}  // namespace tertium::metrics::meteor
