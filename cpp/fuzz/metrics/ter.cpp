#include "metrics/edit/ter.hpp"

#include "decode/mbr/ter_intervals.hpp"
#include "decode/mbr/ter_pairs.hpp"
#include "fuzz/segment.hpp"
#include "fuzz/target.hpp"
#include "metrics/edit/tercom_search.hpp"

namespace tertium::fuzz {
namespace {

using namespace metrics::edit;

// Shifts, then edits, make the reference of the hypothesis.
void check_path(const TerPath& path, core::Tokens hypothesis, core::Tokens reference) {
    std::vector<core::Token> words(hypothesis.begin(), hypothesis.end());
    for (const Shift& shift : path.shifts) {
        EXPECT(shift.end() <= words.size());
        shift.apply(words);
    }
    std::size_t word = 0, position = 0;
    std::int64_t edits = 0;
    for (const Edit edit : path.edits) {
        if (edit == Edit::match) {
            EXPECT(word < words.size() && position < reference.size() &&
                   words[word] == reference[position]);
        }
        edits += edit != Edit::match;
        word += edit != Edit::deletion;
        position += edit != Edit::insertion;
    }
    EXPECT(word == words.size() && position == reference.size());
    EXPECT(edits == path.distance);
}

// The bounds of all pairs hold their edits.
void check_pairs(const text::Texts& hypotheses, const text::Texts& references,
                 const TerLimits& limits) {
    using namespace decode::mbr;
    const PairTokens pairs = pair_tokens(hypotheses, references, text::tokens::Tokenization::none);
    const std::size_t count = hypotheses.size() * references.size();
    std::vector<double> totals(count * ter_total_columns), bounds(2 * count * ter_total_columns);
    ter_totals(pairs, limits, totals.data());
    std::vector<std::int32_t> all(hypotheses.size());
    for (std::size_t h = 0; h < all.size(); ++h) all[h] = static_cast<std::int32_t>(h);
    const TerIntervals intervals(pairs, limits, false);
    intervals.bounds(all, 0, references.size(), bounds.data());
    for (std::size_t i = 0; i < count * ter_total_columns; i += ter_total_columns) {
        EXPECT(bounds[i] <= totals[i] && totals[i] <= bounds[i + count * ter_total_columns]);
        EXPECT(bounds[i + 1] == totals[i + 1]);
    }
}

}  // namespace

FUZZ_TARGET(ter) {
    TerLimits limits;
    limits.shift_length = static_cast<std::int64_t>(input.below(12));
    limits.shift_distance = static_cast<std::int64_t>(input.below(60));
    limits.beam = 1 + static_cast<std::int64_t>(input.below(30));
    limits.shifts_tried = 1 + static_cast<std::int64_t>(input.below(200));
    if (input.byte() % 4 == 0) {
        const text::Texts hypotheses = input.texts(3), references = input.texts(2);
        if (hypotheses.byte_size() + references.byte_size() > 600) return;
        return check_pairs(hypotheses, references, limits);
    }
    const FuzzSegment given(input, 2, 200);
    TerSearch search(limits);
    TercomSearch tercom(limits);
    TerPath path;
    double row[ter_columns];
    EditScratch scratch;
    double fewest = -1;
    for (std::size_t r = 0; r < given.references(); ++r) {
        const core::Tokens reference = given.reference(r);
        search.search(given.hypothesis(), reference, given.vocabulary(), path);
        check_path(path, given.hypothesis(), reference);
        const auto total = static_cast<double>(path.total());
        fewest = fewest < 0 ? total : std::min(fewest, total);
        // No more than what the same beam finds without a shift.
        TerLimits still = limits;
        still.shift_length = 0;
        TerPath unshifted;
        TerSearch(still).search(given.hypothesis(), reference, given.vocabulary(), unshifted);
        EXPECT(path.total() <= unshifted.total());
        EXPECT(unshifted.distance >=
               edit_counts(given.hypothesis(), reference, given.vocabulary(), scratch).total());
        if (!reference.empty()) {
            search.set_reference(reference, given.vocabulary());
            EXPECT(search.total(given.hypothesis()) == path.total());
        }
        if (given.hypothesis().size() * reference.size() > 900) continue;
        tercom.search(given.hypothesis(), reference, path);
        check_path(path, given.hypothesis(), reference);
    }
    search(given.segment(), row);
    EXPECT(row[0] == fewest);
    EXPECT(row[0] == row[2] + row[3] + row[4] + row[5]);
}

}  // namespace tertium::fuzz
