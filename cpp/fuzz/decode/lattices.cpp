#include <cmath>
#include <set>
#include <stdexcept>

#include "decode/mbr/linear_bleu.hpp"
#include "decode/oracle/lattice.hpp"
#include "fuzz/decode/structures.hpp"
#include "fuzz/target.hpp"

namespace tertium::fuzz {
namespace {

using metrics::edit::GramWeights;

double numerator(const Numbers& words, core::Tokens reference, const GramWeights& weights) {
    double sum = 0;
    for (const auto& step : metrics::edit::grr_path(words, reference, weights)) sum += step.weight;
    return sum;
}

void check_oracle(const LatticeArrays& arrays, core::Tokens reference, const GramWeights& weights) {
    const decode::oracle::OracleLattice lattice(arrays.nodes, arrays.sources, arrays.targets,
                                                arrays.labels, arrays.scores);
    const auto found = lattice.best(reference, weights, 5);
    std::set<Numbers> sequences;
    double best = -HUGE_VAL;
    const bool all = arrays.for_each_path(200, [&](const Numbers& path) {
        best = std::max(best, numerator(arrays.words(path), reference, weights));
        sequences.insert(arrays.words(path));
    });
    double last = HUGE_VAL;
    std::set<Numbers> said;
    for (const auto& path : found) {
        EXPECT(path.numerator <= last + 1e-9);
        last = path.numerator;
        const Numbers words = arrays.words(path.edges);
        EXPECT(said.insert(words).second);  // each sequence once
        EXPECT(std::abs(numerator(words, reference, weights) - path.numerator) < 1e-6);
    }
    if (!all) return;
    EXPECT(found.size() == std::min<std::size_t>(5, sequences.size()));
    EXPECT(found.empty() || std::abs(found.front().numerator - best) < 1e-6);
    for (const double merit : lattice.merits()) EXPECT(!std::isnan(merit));
}

void check_posteriors(const LatticeArrays& arrays, std::size_t order) {
    using namespace decode::mbr;
    const WordLattice lattice(arrays.sources, arrays.targets, arrays.labels, arrays.nodes);
    std::vector<double> scores;
    for (const double score : arrays.scores) scores.push_back(score / 16);
    const WeightedGrams grams = gram_posteriors(lattice, scores, order);
    EXPECT(grams.words.size() == grams.size() * order);
    const WeightedGrams listed[] = {grams};
    const GainPath best = best_gain_path(lattice, -0.5, listed);
    const auto has = [&](const Numbers& words, std::size_t gram, std::size_t place) {
        return std::equal(words.begin() + static_cast<std::ptrdiff_t>(place),
                          words.begin() + static_cast<std::ptrdiff_t>(place + order),
                          grams.words.begin() + static_cast<std::ptrdiff_t>(gram * order));
    };
    std::vector<double> sums(grams.size());
    double all = 0, gain = -HUGE_VAL;
    const bool complete = arrays.for_each_path(200, [&](const Numbers& path) {
        double score = 0;
        for (const std::int32_t arc : path) score += scores[static_cast<std::size_t>(arc)];
        const Numbers words = arrays.words(path);
        double gained = -0.5 * static_cast<double>(words.size());
        for (std::size_t gram = 0; gram < grams.size(); ++gram) {
            bool once = false;
            for (std::size_t place = 0; place + order <= words.size(); ++place) {
                if (!has(words, gram, place)) continue;
                gained += grams.values[gram];
                once = true;
            }
            if (once) sums[gram] += std::exp(score);
        }
        all += std::exp(score);
        gain = std::max(gain, gained);
    });
    if (!complete) return;
    for (std::size_t gram = 0; gram < grams.size(); ++gram) {
        EXPECT(std::abs(sums[gram] / all - grams.values[gram]) < 1e-9);
    }
    EXPECT(std::abs(best.gain - gain) < 1e-9);
}

}  // namespace

// Of every lattice that is small, the best path and each posterior are what all paths say; numbers
// that are no lattice are refused.
FUZZ_TARGET(lattices) {
    const bool any = input.byte() % 4 == 0;
    const GramWeights weights(1 + static_cast<std::int64_t>(input.below(4)), input.number() / 64,
                              input.number() / 64);
    const std::size_t order = 1 + input.below(3);
    const Numbers reference = input.tokens(5, 12);
    const LatticeArrays arrays = any ? LatticeArrays::any(input) : LatticeArrays::ordered(input);
    try {
        check_oracle(arrays, reference, weights);
        check_posteriors(arrays, order);
    } catch (const std::invalid_argument&) {
        EXPECT(any);
    }
}

}  // namespace tertium::fuzz
