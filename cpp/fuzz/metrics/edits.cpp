#include <algorithm>
#include <cmath>

#include "fuzz/segment.hpp"
#include "fuzz/target.hpp"
#include "metrics/edit/edit_distance.hpp"
#include "metrics/edit/error_rates.hpp"
#include "metrics/edit/grr.hpp"

namespace tertium::fuzz {
namespace {

using namespace metrics::edit;

std::int64_t plain_distance(core::Tokens one, core::Tokens other) {
    std::vector<std::int64_t> row(other.size() + 1);
    for (std::size_t i = 0; i <= other.size(); ++i) row[i] = static_cast<std::int64_t>(i);
    for (const core::Token word : one) {
        std::int64_t diagonal = row[0]++;
        for (std::size_t i = 0; i < other.size(); ++i) {
            const std::int64_t above = row[i + 1];
            row[i + 1] = std::min({above + 1, row[i] + 1, diagonal + (word != other[i])});
            diagonal = above;
        }
    }
    return row.back();
}

void check_path(const std::vector<Edit>& path, core::Tokens hypothesis, core::Tokens reference,
                const Edits& counted) {
    Edits edits;
    std::size_t word = 0, position = 0;
    for (const Edit edit : path) {
        edits.matches += edit == Edit::match;
        edits.substitutions += edit == Edit::substitution;
        edits.insertions += edit == Edit::insertion;
        edits.deletions += edit == Edit::deletion;
        if (edit == Edit::match) EXPECT(hypothesis[word] == reference[position]);
        word += edit != Edit::deletion;
        position += edit != Edit::insertion;
        EXPECT(word <= hypothesis.size() && position <= reference.size());
    }
    EXPECT(word == hypothesis.size() && position == reference.size());
    EXPECT(edits == counted);
}

void check_grr(const FuzzSegment& given, const GramWeights& weights) {
    const core::Tokens hypothesis = given.hypothesis(), reference = given.reference();
    if ((hypothesis.size() + 1) * (reference.size() + 1) > 20000) return;
    GrrScratch scratch;
    const double best = grr_numerator(hypothesis, reference, given.vocabulary(), weights, scratch);
    double sum = 0;
    for (const GrrStep& step : grr_path(hypothesis, reference, weights)) sum += step.weight;
    EXPECT(std::abs(best - sum) < 1e-9 * std::max(1.0, std::abs(sum)));
}

}  // namespace

// Bits count what a table of distances counts, paths lead where they say; the distance to another
// text is that of the other.
FUZZ_TARGET(edits) {
    const std::int64_t k = 1 + static_cast<std::int64_t>(input.below(5));
    const GramWeights weights(k, input.number() / 32, input.number() / 32);
    const FuzzSegment given(input, 3, 600);
    EditScratch scratch;
    for (std::size_t r = 0; r < given.references(); ++r) {
        const core::Tokens hypothesis = given.hypothesis(), reference = given.reference(r);
        const Edits edits = edit_counts(hypothesis, reference, given.vocabulary(), scratch);
        EXPECT(edits.total() == plain_distance(hypothesis, reference));
        check_path(alignment(hypothesis, reference, given.vocabulary(), scratch), hypothesis,
                   reference, edits);
        if (std::ranges::find(hypothesis, core::unknown) == hypothesis.end()) {
            EXPECT(edits.total() ==
                   edit_counts(reference, hypothesis, given.vocabulary(), scratch).total());
        }
    }
    ErrorRateScratch rates;
    double wer[wer_columns], per[3];
    wer_row(given.segment(), ReferenceChoice::fewest_edits, rates, wer);
    per_row(given.segment(), SurplusClip::segment, rates, per);
    EXPECT(per[0] <= wer[0] + wer[1] + wer[2]);  // words in any order have no more errors
    wer_row(given.segment(), ReferenceChoice::best_rate, rates, wer);
    per_row(given.segment(), SurplusClip::corpus, rates, per);
    check_grr(given, weights);
}

}  // namespace tertium::fuzz
