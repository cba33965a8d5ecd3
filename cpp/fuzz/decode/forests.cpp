#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "decode/mbr/forest_posteriors.hpp"
#include "decode/oracle/forest.hpp"
#include "fuzz/decode/structures.hpp"
#include "fuzz/target.hpp"

namespace tertium::fuzz {
namespace {

using metrics::edit::GramWeights;
using Yields = std::vector<ForestArrays::Yield>;

double numerator(const Numbers& words, core::Tokens reference, const GramWeights& weights) {
    double sum = 0;
    for (const auto& step : metrics::edit::grr_path(words, reference, weights)) sum += step.weight;
    return sum;
}

void check_oracle(const ForestArrays& arrays, const Yields* yields, core::Tokens reference,
                  const GramWeights& weights) {
    using namespace decode::oracle;
    const OracleForest forest(arrays.nodes, arrays.heads, arrays.symbol_offsets, arrays.symbols,
                              arrays.tail_offsets, arrays.tails, arrays.scores);
    const ForestOracles found = forest.best(reference, weights, 4, {});
    const ForestOracles pruned = forest.best(reference, weights, 1, {{2}, {2}});
    for (const double merit : forest.merits()) EXPECT(!std::isnan(merit));
    double last = HUGE_VAL;
    for (const OraclePath& path : found.paths) {
        EXPECT(path.numerator <= last + 1e-9);
        last = path.numerator;
    }
    if (yields == nullptr) return;
    std::map<Numbers, double> sequences;
    for (const auto& yield : *yields) {
        sequences.emplace(yield.words, numerator(yield.words, reference, weights));
    }
    std::vector<double> best;
    for (const auto& [words, value] : sequences) best.push_back(value);
    std::ranges::sort(best, std::greater<>());
    EXPECT(!found.complete || found.paths.size() == std::min<std::size_t>(4, best.size()));
    for (std::size_t i = 0; i < found.paths.size(); ++i) {
        EXPECT(std::abs(found.paths[i].numerator - best[i]) < 1e-6);
    }
    for (const OraclePath& path : pruned.paths) EXPECT(path.numerator <= best[0] + 1e-6);
}

void check_posteriors(const ForestArrays& arrays, const Yields* yields, const Numbers& gram) {
    using namespace decode::mbr;
    const WordForest forest(arrays.heads, arrays.symbol_offsets, arrays.symbols,
                            arrays.tail_offsets, arrays.tails, arrays.nodes);
    const std::vector<double> shares = edge_shares(forest, arrays.scores);
    const double probability = gram_probability(forest, shares, gram);
    EXPECT(probability >= -1e-9 && probability <= 1 + 1e-9);
    if (yields == nullptr) return;
    double with = 0, all = 0;
    for (const auto& yield : *yields) {
        const double weight = std::exp(yield.score);
        all += weight;
        const auto found =
            std::search(yield.words.begin(), yield.words.end(), gram.begin(), gram.end());
        if (found != yield.words.end()) with += weight;
    }
    EXPECT(std::abs(with / all - probability) < 1e-9);
}

}  // namespace

// Of every forest that is small, the best sequences and a posterior are what all derivations say.
FUZZ_TARGET(forests) {
    const bool any = input.byte() % 4 == 0;
    const GramWeights weights(1 + static_cast<std::int64_t>(input.below(4)), input.number() / 64,
                              input.number() / 64);
    Numbers gram(1 + input.below(3));
    for (std::int32_t& word : gram) word = static_cast<std::int32_t>(input.below(5));
    const Numbers reference = input.tokens(5, 10);
    const ForestArrays arrays = any ? ForestArrays::any(input) : ForestArrays::ordered(input);
    std::vector<Yields> yields;
    const bool all = !any && arrays.yields(100, yields);
    const Yields* goal = all && !yields.empty() ? &yields.back() : nullptr;
    try {
        check_oracle(arrays, goal, reference, weights);
        check_posteriors(arrays, goal, gram);
    } catch (const std::invalid_argument&) {
        EXPECT(any);
    }
}

}  // namespace tertium::fuzz
