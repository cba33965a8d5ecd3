#include "metrics/ngram/rouge.hpp"

#include <cmath>

#include "fuzz/metrics/counts.hpp"
#include "fuzz/segment.hpp"
#include "fuzz/target.hpp"

namespace tertium::fuzz {
namespace {

using namespace metrics::ngram;

std::size_t plain_subsequence(core::Tokens one, core::Tokens other) {
    std::vector<std::size_t> row(other.size() + 1);
    for (const core::Token word : one) {
        std::size_t diagonal = 0;
        for (std::size_t i = 0; i < other.size(); ++i) {
            const std::size_t above = row[i + 1];
            row[i + 1] = word == other[i] ? diagonal + 1 : std::max(row[i + 1], row[i]);
            diagonal = above;
        }
    }
    return row.back();
}

double plain_skip_bigrams(core::Tokens one, core::Tokens other, std::size_t skip) {
    const auto pairs = [&](core::Tokens text) {
        Counts counts;
        for (std::size_t i = 0; i < text.size(); ++i) {
            for (std::size_t k = i + 1; k < text.size() && k - i - 1 <= skip; ++k) {
                ++counts[{text[i], text[k]}];
            }
        }
        return counts;
    };
    const Counts others = pairs(other);
    double sum = 0;
    for (const auto& [pair, count] : pairs(one)) {
        const auto found = others.find(pair);
        const bool known = pair[0] != core::unknown && pair[1] != core::unknown;
        if (known && found != others.end()) sum += std::min(count, found->second);
    }
    return sum;
}

template <class Measure>
void check_row(const FuzzSegment& given, const RougeScoring& scoring, Measure measure) {
    double row[rouge_columns];
    rouge_row(given.segment(), scoring, measure, row);
    for (const double value : row) EXPECT(std::isfinite(value) && value >= 0);
}

}  // namespace

FUZZ_TARGET(rouge) {
    const bool limited = input.flag(), best = input.flag();
    const std::size_t skip = limited ? input.below(9) : SkipBigrams::no_limit;
    const std::size_t order = 1 + input.below(5);
    const FuzzSegment given(input, 3, 200);
    const core::Tokens hypothesis = given.hypothesis(), reference = given.reference();
    EXPECT(LongestSubsequence().length(hypothesis, reference, given.vocabulary()) ==
           plain_subsequence(hypothesis, reference));
    if (given.words() <= 400) {
        EXPECT(SkipBigrams().matches(hypothesis, reference, given.vocabulary(), skip) ==
               plain_skip_bigrams(hypothesis, reference, skip));
    }
    const RougeScoring scoring{best, 0.5};
    check_row(given, scoring, RougeGrams(order));
    check_row(given, scoring, RougeSubsequence());
    check_row(given, scoring, RougeWeighted(1.2, limited));
    check_row(given, scoring, RougeSkipBigrams(skip, limited));
    // Runs of one word each are the same subsequence.
    EXPECT(WeightedSubsequence(1).size(hypothesis, reference) ==
           static_cast<double>(plain_subsequence(hypothesis, reference)));
}

}  // namespace tertium::fuzz
