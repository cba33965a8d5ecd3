// n-gram posteriors of a word lattice and the path that gains most from them (linear BLEU,
// Tromble et al. 2008).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"
#include "decode/mbr/word_lattice.hpp"

namespace tertium::decode::mbr {

// n-grams of one order by number, with what stands beside each.
struct WeightedGrams {
    std::size_t order = 0;
    std::vector<core::Token> words;  // order words for each n-gram
    std::vector<double> values;      // one for each n-gram
    std::size_t size() const { return values.size(); }
};

// For every n-gram of one order the probability that a path has it at least once, where a path
// has probability ∝ exp(sum of its arcs' scores).
WeightedGrams gram_posteriors(const WordLattice& lattice, std::span<const double> scores,
                              std::size_t order);

struct GainPath {
    std::vector<std::int32_t> arcs;
    double gain = 0;
};

// The path with the largest Σ over its words of word_gain + Σ_n value(n-gram that ends there).
// n-grams that are not listed gain nothing. Of equal paths one is taken, always the same.
GainPath best_gain_path(const WordLattice& lattice, double word_gain,
                        std::span<const WeightedGrams> grams);

}  // namespace tertium::decode::mbr
