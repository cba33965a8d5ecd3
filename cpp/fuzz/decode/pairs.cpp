#include <cmath>

#include "decode/mbr/bleu_pairs.hpp"
#include "decode/mbr/distance_lanes.hpp"
#include "decode/mbr/tokens.hpp"
#include "fuzz/target.hpp"
#include "metrics/edit/edit_distance.hpp"
#include "metrics/ngram/bleu.hpp"

namespace tertium::fuzz {
namespace {

using namespace decode::mbr;
using namespace metrics;

// The matches of all pairs are those of the kernel for one: seen where the mean is one reference.
void check_bleu(const text::Texts& hypotheses, const text::Texts& references, std::size_t order) {
    text::Texts one;
    one.append(references[0]);
    const std::size_t columns = ngram::BleuKernel::columns(order);
    const auto rules = text::tokens::Tokenization::thirteen_a;
    std::vector<double> rows(hypotheses.size() * columns), row(columns);
    const double weight[] = {1};
    BleuPairs(hypotheses, one, rules, order).against_mean(weight, rows.data());
    text::Texts repeated;
    for (std::size_t h = 0; h < hypotheses.size(); ++h) repeated.append(one[0]);
    const text::References prepared({&repeated}, rules);
    text::Interner interner(prepared);
    ngram::BleuKernel kernel(order, ngram::ReferenceLength::closest);
    for (std::size_t h = 0; h < hypotheses.size(); ++h) {
        kernel(interner.segment(hypotheses[h], h), row.data());
        EXPECT(std::equal(row.begin(), row.end(),
                          rows.begin() + static_cast<std::ptrdiff_t>(h * columns)));
    }
    std::vector<double> scores(hypotheses.size() * references.size());
    const BleuPairs pairs(hypotheses, references, rules, order);
    for (const auto smoothing : {BleuFormula::Smoothing::none, BleuFormula::Smoothing::exp,
                                 BleuFormula::Smoothing::floor, BleuFormula::Smoothing::add}) {
        pairs.utilities({order, std::vector<double>(order, 1.0 / static_cast<double>(order)),
                         smoothing, 0.5, order % 2 != 0, false, false},
                        scores.data());
        for (const double score : scores) EXPECT(score >= 0 && score <= 100 + 1e-9);
    }
}

// Distances of several texts at once are the distances of each.
void check_lanes(const PairTokens& pairs) {
    std::vector<core::Tokens> texts;
    for (std::size_t h = 0; h < pairs.hypotheses.size(); ++h) texts.push_back(pairs.hypotheses[h]);
    DistanceLanes lanes(pairs.vocabulary);
    std::int32_t distances[DistanceLanes::most];
    edit::EditScratch scratch;
    lanes.set_texts(texts);
    for (std::size_t r = 0; r < pairs.references.size(); ++r) {
        lanes(pairs.references[r], distances);
        for (std::size_t h = 0; h < texts.size(); ++h) {
            EXPECT(distances[h] ==
                   edit::edit_counts(texts[h], pairs.references[r], pairs.vocabulary, scratch)
                       .total());
        }
    }
}

}  // namespace

FUZZ_TARGET(pairs) {
    const std::size_t order = 1 + input.below(5);
    const bool characters = input.flag();
    const std::size_t count = 1 + input.below(20);
    const text::Texts hypotheses = input.texts(count), references = input.texts(3);
    check_bleu(hypotheses, references, order);
    if (count > DistanceLanes::most) return;
    const PairTokens pairs = pair_tokens(
        hypotheses, references,
        characters ? text::tokens::Tokenization::character : text::tokens::Tokenization::none);
    for (std::size_t h = 0; h < count; ++h) {
        if (pairs.hypotheses[h].size() > DistanceLanes::most_words) return;
    }
    check_lanes(pairs);
}

}  // namespace tertium::fuzz
