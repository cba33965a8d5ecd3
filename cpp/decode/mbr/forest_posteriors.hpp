// n-gram posteriors of a forest of derivations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"

namespace tertium::decode::mbr {

// Nodes bottom-up, the last one the goal; hyperedges sorted by head. A symbol of 0 or more is a
// word, −1 − k the k-th tail. The constructor throws std::invalid_argument on anything else.
struct WordForest {
    WordForest(std::span<const std::int32_t> heads, std::span<const std::int32_t> symbol_offsets,
               std::span<const std::int32_t> symbols, std::span<const std::int32_t> tail_offsets,
               std::span<const std::int32_t> tails, std::size_t nodes);

    std::span<const std::int32_t> heads, symbol_offsets, symbols, tail_offsets, tails;
    std::size_t nodes;

    std::span<const std::int32_t> symbols_of(std::size_t edge) const;
    std::int32_t tail(std::size_t edge, std::int32_t symbol) const;
};

// The probability of each hyperedge among those with its head, where a derivation has
// probability ∝ exp(sum of its hyperedges' scores).
std::vector<double> edge_shares(const WordForest& forest, std::span<const double> scores);

// The probability that a derivation has the n-gram at least once. Every node gets a matrix: the
// probability that its yield, read after the first p words of the n-gram, ends after q of them
// and does not complete it.
double gram_probability(const WordForest& forest, std::span<const double> shares,
                        core::Tokens gram);

}  // namespace tertium::decode::mbr
