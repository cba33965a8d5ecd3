// Exact oracles of a lattice: its best word sequences by the k-gram recognition rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/grr.hpp"

namespace tertium::decode::oracle {

// A word sequence of a structure, with the best way to derive it.
struct OraclePath {
    double numerator;                 // the best alignment's Σ M_n − α I − β D
    std::vector<std::int32_t> edges;  // arcs from start to end; or a derivation, goal first
};

// A lattice in canonical form: nodes in topological order, arcs sorted by source, the first node
// is the start, the last one the only end. A label below 0 is the empty word.
class OracleLattice {
  public:
    // Throws std::invalid_argument where the form is another, or a score is not finite.
    OracleLattice(std::size_t nodes, std::vector<std::int32_t> sources,
                  std::vector<std::int32_t> targets, std::vector<std::int32_t> labels,
                  std::vector<double> scores);

    // The best `count` word sequences. Ties: the higher score of the model, then the sequence
    // that is smaller by its labels. Each has its path of the highest score, then of the smallest
    // arcs. Time O(E · |r|) and k for each match, memory O(nodes · k · |r|), for the first one.
    // Throws std::length_error where that is too much. `mix` times the model's score is added to
    // what the metric says.
    std::vector<OraclePath> best(core::Tokens reference, const metrics::edit::GramWeights&,
                                 std::size_t count, double mix = 0) const;

    // For each arc the best score of any path over it; −∞ for an arc on no path.
    std::vector<double> merits() const;

    std::size_t nodes() const { return begins_.size() - 1; }
    std::span<const std::size_t> begins() const { return begins_; }  // of a node's arcs
    std::span<const std::int32_t> targets() const { return targets_; }
    std::span<const std::int32_t> labels() const { return labels_; }
    std::span<const double> scores() const { return scores_; }

  private:
    std::vector<std::size_t> begins_;
    std::vector<std::int32_t> sources_;
    std::vector<std::int32_t> targets_;
    std::vector<std::int32_t> labels_;
    std::vector<double> scores_;
    double most_words_ = 0;  // on any path
    double most_score_ = 0;  // the largest sum of absolute scores on any path
};

}  // namespace tertium::decode::oracle
