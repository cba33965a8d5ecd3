// Exact oracles of a forest: its best word sequences by the k-gram recognition rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/segment.hpp"
#include "decode/oracle/lattice.hpp"
#include "metrics/edit/grr.hpp"

namespace tertium::decode::oracle {

// What may be left out where exactness costs too much.
struct ForestPruning {
    // A derivation of n words may pass n − band … n + band reference words.
    std::optional<std::size_t> band;
    // From a state of the automaton, a node may lead to this many others: the best ones.
    std::optional<std::size_t> beam;
};

struct ForestOracles {
    std::vector<OraclePath> paths;
    bool complete = true;  // false: too many derivations said the same to find as many as asked for
};

// A forest in canonical form: tails before heads, hyperedges sorted by head, the last node is the
// goal. Symbols are words, or −1 − t for the t-th tail of the hyperedge.
class OracleForest {
  public:
    // Throws std::invalid_argument where the form is another, or a score is not finite.
    OracleForest(std::size_t nodes, std::vector<std::int32_t> heads,
                 std::span<const std::int32_t> symbol_offsets,
                 std::span<const std::int32_t> symbols, std::span<const std::int32_t> tail_offsets,
                 std::span<const std::int32_t> tails, std::vector<double> scores);
    ~OracleForest();
    OracleForest(OracleForest&&) noexcept;

    // The best `count` word sequences. Ties: the higher score of the model, then the derivation
    // that is smaller by its hyperedges, goal first and left before right; a sequence has the
    // first of its derivations. A left-branching forest is searched as the lattice that it is.
    // `mix` times the model's score is added to what the metric says.
    ForestOracles best(core::Tokens reference, const metrics::edit::GramWeights&, std::size_t count,
                       const ForestPruning&, double mix = 0) const;

    // For each hyperedge the best score of any derivation with it; −∞ for one in none.
    std::vector<double> merits() const;

    bool left_branching() const { return lattice_ != nullptr; }

    // A hyperedge's target side: words, or −1 − node.
    std::span<const std::int32_t> body(std::size_t edge) const {
        return {bodies_.data() + body_begins_[edge], bodies_.data() + body_begins_[edge + 1]};
    }
    std::size_t nodes() const { return begins_.size() - 1; }
    std::span<const std::size_t> begins() const { return begins_; }  // of a node's hyperedges
    std::span<const double> scores() const { return scores_; }

    // For each symbol of `body`, which of the hyperedge's tails it is.
    std::span<const std::int32_t> tail_numbers(std::size_t edge) const {
        return {tail_numbers_.data() + body_begins_[edge],
                tail_numbers_.data() + body_begins_[edge + 1]};
    }

    std::span<const double> shortest() const { return shortest_; }  // words of a node's yields
    std::span<const double> longest() const { return longest_; }

  private:
    void measure();
    void make_lattice();

    std::vector<std::size_t> begins_;
    std::vector<std::size_t> body_begins_;
    std::vector<std::int32_t> bodies_;
    std::vector<double> scores_;
    std::vector<std::int32_t> tail_numbers_;
    std::vector<double> shortest_;
    std::vector<double> longest_;
    double most_score_ = 0;
    std::unique_ptr<OracleLattice> lattice_;
    std::vector<std::int32_t> lattice_edges_;  // by arc: the hyperedge it begins, or −1
};

}  // namespace tertium::decode::oracle
