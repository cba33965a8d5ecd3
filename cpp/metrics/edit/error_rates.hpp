// Rows of statistics for the word error rates: WER (and WRR = 1 − WER) and PER.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/edit_distance.hpp"

namespace tertium::metrics::edit {

// Which of several references a segment is measured against; ties go to the first.
enum class ReferenceChoice {
    fewest_edits,  // fewest edits, over the mean reference length
    best_rate,     // fewest edits per reference word, over the length of that reference
};

// Where hypothesis words beyond the reference's length are charged.
enum class SurplusClip {
    segment,  // in each segment, as Portage does
    corpus,   // once, for the sums of the lengths
};

struct ErrorRateScratch {
    EditScratch edits;
    std::vector<std::int32_t> counts;  // by token + 1; all zero between calls
};

// insertions, deletions, substitutions, length
inline constexpr std::size_t wer_columns = 4;

// WER = (insertions + deletions + substitutions) / length, of the sums over segments.
void wer_row(const core::Segment&, ReferenceChoice, ErrorRateScratch&, double* row);

// clip = segment: errors, length with errors = max(|c|, |r|) − M for the reference with the
// fewest errors, M the words common to both bags, and length the mean reference length;
// PER = errors / length.
// clip = corpus: M, |c|, |r| for the reference with the fewest errors per word;
// PER = 1 − (M − max(0, |c| − |r|)) / |r|, of the sums over segments.
constexpr std::size_t per_columns(SurplusClip clip) {
    return clip == SurplusClip::segment ? 2 : 3;
}

void per_row(const core::Segment&, SurplusClip, ErrorRateScratch&, double* row);

}  // namespace tertium::metrics::edit
