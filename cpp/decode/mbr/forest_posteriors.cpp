// The probability that a derivation of a forest has an n-gram at least once.
//
// edge_shares is the inside algorithm in the log domain: the probability of each hyperedge given
// its head. A derivation's probability is then the product of the shares of its hyperedges, so the
// rest needs no outside pass.
//
// gram_probability intersects the forest with the automaton of Knuth, Morris and Pratt for the
// n-gram: state q says that the last q words read are its first q, and the final state is left out.
// The matrix of a node has, for each pair of states, the probability that deriving the node takes
// the automaton from one to the other without completing the n-gram. A word moves each state, a
// tail multiplies by its matrix, and hyperedges add up. What the goal's row of state 0 sums to is
// the probability that the n-gram is absent. Words are generated from left to right across tails,
// so n-grams that span hyperedges are found as well.
//
// Nodes come bottom-up and hyperedges are sorted by head (WordForest checks it), so each matrix is
// finished before it is used. The cost is O(hyperedges · symbols · n³) per n-gram, with n² numbers
// per node.
#include "decode/mbr/forest_posteriors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/interrupt.hpp"

namespace tertium::decode::mbr {
namespace {

// How many words at the end of what was read begin the n-gram (Knuth, Morris & Pratt).
std::size_t advance(core::Tokens gram, std::span<const std::size_t> borders, std::size_t read,
                    core::Token word) {
    while (read > 0 && gram[read] != word) read = borders[read - 1];
    return gram[read] == word ? read + 1 : 0;
}

std::vector<std::size_t> borders_of(core::Tokens gram) {
    std::vector<std::size_t> borders(gram.size(), 0);
    for (std::size_t i = 1; i < gram.size(); ++i) {
        borders[i] = advance(gram, borders, borders[i - 1], gram[i]);
    }
    return borders;
}

}  // namespace

WordForest::WordForest(std::span<const std::int32_t> edge_heads,
                       std::span<const std::int32_t> edge_symbol_offsets,
                       std::span<const std::int32_t> edge_symbols,
                       std::span<const std::int32_t> edge_tail_offsets,
                       std::span<const std::int32_t> edge_tails, std::size_t node_count)
    : heads(edge_heads),
      symbol_offsets(edge_symbol_offsets),
      symbols(edge_symbols),
      tail_offsets(edge_tail_offsets),
      tails(edge_tails),
      nodes(node_count) {
    const auto fits = [this](std::span<const std::int32_t> offsets, std::size_t size) {
        return offsets.size() == heads.size() + 1 && offsets.front() == 0 &&
               static_cast<std::size_t>(offsets.back()) == size && std::ranges::is_sorted(offsets);
    };
    if (nodes == 0 || !fits(symbol_offsets, symbols.size()) || !fits(tail_offsets, tails.size())) {
        throw std::invalid_argument("forest: expected a node, and offsets that fit");
    }
    for (std::size_t e = 0; e < heads.size(); ++e) {
        const auto begin = static_cast<std::size_t>(tail_offsets[e]);
        const auto arity = static_cast<std::size_t>(tail_offsets[e + 1]) - begin;
        const bool upward = std::ranges::all_of(
            tails.subspan(begin, arity), [&](std::int32_t t) { return t >= 0 && t < heads[e]; });
        const bool known = std::ranges::all_of(symbols_of(e), [&](std::int32_t symbol) {
            return symbol >= 0 || static_cast<std::size_t>(-1 - symbol) < arity;
        });
        if (heads[e] < 0 || static_cast<std::size_t>(heads[e]) >= nodes || !upward || !known ||
            (e > 0 && heads[e] < heads[e - 1])) {
            throw std::invalid_argument("forest: hyperedge " + std::to_string(e) +
                                        ": expected tails before heads, hyperedges by head");
        }
    }
}

std::span<const std::int32_t> WordForest::symbols_of(std::size_t edge) const {
    const auto begin = static_cast<std::size_t>(symbol_offsets[edge]);
    return symbols.subspan(begin, static_cast<std::size_t>(symbol_offsets[edge + 1]) - begin);
}

std::int32_t WordForest::tail(std::size_t edge, std::int32_t symbol) const {
    return tails[static_cast<std::size_t>(tail_offsets[edge] - 1 - symbol)];
}

std::vector<double> edge_shares(const WordForest& forest, std::span<const double> scores) {
    if (scores.size() != forest.heads.size()) {
        throw std::invalid_argument("forest: expected a score for every hyperedge");
    }
    constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
    std::vector<double> inside(forest.nodes, minus_infinity), shares(scores.size());
    for (std::size_t begin = 0; begin < shares.size();) {
        std::size_t end = begin;
        double best = minus_infinity;
        for (; end < shares.size() && forest.heads[end] == forest.heads[begin]; ++end) {
            shares[end] = scores[end];
            for (auto t = static_cast<std::size_t>(forest.tail_offsets[end]);
                 t < static_cast<std::size_t>(forest.tail_offsets[end + 1]); ++t) {
                shares[end] += inside[static_cast<std::size_t>(forest.tails[t])];
            }
            best = std::max(best, shares[end]);
        }
        double sum = 0;
        for (std::size_t e = begin; e < end; ++e) {
            shares[e] = best == minus_infinity ? 0 : std::exp(shares[e] - best);
            sum += shares[e];
        }
        for (std::size_t e = begin; e < end; ++e) shares[e] = sum > 0 ? shares[e] / sum : 0;
        inside[static_cast<std::size_t>(forest.heads[begin])] =
            sum > 0 ? best + std::log(sum) : minus_infinity;
        begin = end;
    }
    return shares;
}

double gram_probability(const WordForest& forest, std::span<const double> shares,
                        core::Tokens gram) {
    const std::size_t n = gram.size();
    if (n == 0 || shares.size() != forest.heads.size()) {
        throw std::invalid_argument("forest: expected a share for every hyperedge, and an n-gram");
    }
    const std::vector<std::size_t> borders = borders_of(gram);
    std::vector<double> matrices(forest.nodes * n * n, 0.0);
    std::vector<double> row(n), next(n);
    for (std::size_t e = 0; e < forest.heads.size(); ++e) {
        core::check_interrupt();
        double* head = matrices.data() + static_cast<std::size_t>(forest.heads[e]) * n * n;
        for (std::size_t p = 0; p < n; ++p) {
            std::ranges::fill(row, 0.0);
            row[p] = shares[e];
            for (const std::int32_t symbol : forest.symbols_of(e)) {
                std::ranges::fill(next, 0.0);
                if (symbol >= 0) {
                    for (std::size_t q = 0; q < n; ++q) {
                        if (row[q] == 0) continue;
                        const std::size_t read = advance(gram, borders, q, symbol);
                        if (read < n) next[read] += row[q];
                    }
                } else {
                    const double* below =
                        matrices.data() + static_cast<std::size_t>(forest.tail(e, symbol)) * n * n;
                    for (std::size_t q = 0; q < n; ++q) {
                        if (row[q] == 0) continue;
                        for (std::size_t r = 0; r < n; ++r) next[r] += row[q] * below[q * n + r];
                    }
                }
                std::swap(row, next);
            }
            for (std::size_t q = 0; q < n; ++q) head[p * n + q] += row[q];
        }
    }
    const double* goal = matrices.data() + (forest.nodes - 1) * n * n;
    double without = 0;
    for (std::size_t q = 0; q < n; ++q) without += goal[q];
    return std::clamp(1 - without, 0.0, 1.0);
}

}  // namespace tertium::decode::mbr
