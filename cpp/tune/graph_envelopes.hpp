// The upper envelope over all derivations of a forest or lattice, by the convex-hull semiring
// (Macherey et al. 2008; Kumar et al. 2009).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "core/hash_table.hpp"
#include "tune/envelope.hpp"

namespace tertium::tune {

// A hypergraph whose nodes are numbered bottom-up: tails come before their head, edges are sorted
// by head, the goal is the last node. A lattice is one too: an arc is an edge with one tail.
// Edge e has the symbols symbol_offsets[e] …, a word (≥ 0) or −1 − k for the k-th of its tails.
struct DerivationGraph {
    std::size_t nodes;
    std::vector<std::int32_t> heads;
    std::vector<std::int32_t> tail_offsets;
    std::vector<std::int32_t> tails;
    std::vector<std::int32_t> symbol_offsets;
    std::vector<std::int32_t> symbols;
    std::vector<double> features;  // edges × columns
    std::size_t columns;

    std::size_t edges() const { return heads.size(); }
};

// Throws std::invalid_argument unless the graph is as described and some derivation exists.
void check(const DerivationGraph& graph);

// The hypotheses that envelopes of some graphs have come upon: each has a number. Whoever uses it
// from several threads holds the guard; the work inside is parallel anyway.
class GraphHypotheses {
  public:
    explicit GraphHypotheses(std::vector<DerivationGraph> graphs);

    // One envelope for each search and graph; the words of new hypotheses are kept.
    Envelopes envelopes(const Searches& searches);

    std::mutex& guard() { return guard_; }
    std::size_t segments() const { return graphs_.size(); }
    std::size_t columns() const { return graphs_.empty() ? 0 : graphs_[0].columns; }
    std::size_t size() const { return owners_.size(); }
    // Of each hypothesis, in the order of numbers.
    std::span<const std::int32_t> owners() const { return owners_; }
    std::span<const std::int64_t> word_offsets() const { return word_offsets_; }
    std::span<const std::int32_t> words() const { return words_; }

  private:
    std::int32_t number_of(std::size_t segment, std::span<const std::int32_t> words);

    std::mutex guard_;
    std::vector<DerivationGraph> graphs_;
    core::HashIndex numbers_;  // of hypotheses, by owner and words
    std::vector<std::int32_t> owners_;
    std::vector<std::int64_t> word_offsets_{0};
    std::vector<std::int32_t> words_;
};

}  // namespace tertium::tune
