#include "fuzz/metrics/counts.hpp"
#include "fuzz/segment.hpp"
#include "fuzz/target.hpp"
#include "metrics/ngram/bleu.hpp"
#include "metrics/ngram/clipped_matches.hpp"
#include "metrics/ngram/gtm.hpp"

namespace tertium::fuzz {
namespace {

using namespace metrics::ngram;

void check_bleu(const FuzzSegment& given, std::size_t order) {
    const core::Segment segment = given.segment();
    std::vector<double> row(BleuKernel::columns(order));
    BleuKernel kernel(order, static_cast<ReferenceLength>(order % 3));
    for (int again = 0; again < 2; ++again) {  // memory of before must not matter
        kernel(segment, row.data());
        for (std::size_t n = 1; n <= order; ++n) {
            const std::size_t length = segment.hypothesis.size();
            EXPECT(row[n - 1] == clipped(segment.hypothesis, segment.references, n));
            EXPECT(row[order + n - 1] == static_cast<double>(length < n ? 0 : length - n + 1));
        }
        EXPECT(row[2 * order] == static_cast<double>(segment.hypothesis.size()));
        EXPECT(row[2 * order + 2] == std::min(row[2 * order], row[2 * order + 1]));
    }
}

void check_pair(const FuzzSegment& given, std::size_t order) {
    const core::Tokens reference = given.reference();
    ClippedMatches counter, prepared;
    std::vector<double> matches(order), held(order);
    counter.count(given.hypothesis(), reference, given.vocabulary(), matches);
    for (std::size_t n = 1; n <= order; ++n) {
        EXPECT(matches[n - 1] == clipped(given.hypothesis(), std::span(&reference, 1), n));
    }
    if (!prepared.prepare(reference, given.vocabulary(), order)) return;
    prepared.count_prepared(given.hypothesis(), held);
    EXPECT(held == matches);
}

}  // namespace

// The kernels count what a loop over all n-grams counts.
FUZZ_TARGET(ngrams) {
    const std::size_t order = 1 + input.below(7);
    const FuzzSegment given(input, 4, 700);
    check_bleu(given, order);
    check_pair(given, order);
    double row[GtmKernel::columns];
    GtmKernel gtm(1 + static_cast<double>(order % 3));
    gtm(given.segment(), row);
    EXPECT(row[0] >= 0 && row[0] <= row[1]);
}

}  // namespace tertium::fuzz
