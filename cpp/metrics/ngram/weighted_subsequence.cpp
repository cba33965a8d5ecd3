// A cell (i, j) of the table has the best weight of i reference words and j hypothesis words: where
// the words match, that of the diagonal neighbor and what the word adds to its run, else the larger
// of the two other neighbors'. A match is taken even if a neighbor weighs more, as in ROUGE-1.5.5.
//
// Cells of an antidiagonal s = i + j do not depend on each other, so that eight are computed at
// once, as if a match was always the first of its run; those that go on with a run, of which there
// are few, are put right one by one. The table is filled in strips of
// some rows, whose antidiagonals stay in the first cache; between strips one row of weights and the
// runs that reach it are all there is. The way back asks which cells took the weight above, a bit
// each. The bits of a whole table would take too much memory for very long texts: then the state is
// saved at the start of each block of strips, and on the way back the bits of a block are made
// again from there.
//
// Bits of matches are written by bytes and read by words, as processors have them that begin with
// the lowest byte; there is no other kind that this runs on.
//
// Invariants: the row above the strip stands at index 0 of an antidiagonal; the cell behind the
// last one, where the hypothesis begins, weighs 0. Lanes beside the cells of an antidiagonal are
// computed in passing and never read. Every cell is the result of the same operations whatever
// their order, so weights have the same bits with and without vectors.
#include "metrics/ngram/weighted_subsequence.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/interrupt.hpp"
#include "core/processor.hpp"

namespace tertium::metrics::ngram {
namespace {

constexpr std::size_t group = 8;  // cells for which there is a byte of moves
constexpr std::size_t most_rows = 1024;
constexpr std::size_t few_cells = 1024;
constexpr std::size_t block_bytes = std::size_t{1} << 24;
constexpr core::Token reference_margin = -2, hypothesis_margin = -3;  // equal to no word

// Groups of cells of an antidiagonal: their weights as if runs had one word, which weighs
// one − none; a byte each of bits for the cells that took the weight above (if nothing matched),
// and for those where words match.
struct Line {
    const double *above, *left, *diagonal;
    double one, none;
    double* next;
    const core::Token *reference, *hypothesis;
    std::size_t groups;
    unsigned char *moves, *matches;
};

// By value: a byte that is written could be part of what a reference refers to.
void advance(Line line) {
    for (std::size_t g = 0; g < line.groups; ++g) {
        unsigned moves = 0, matches = 0;
        for (std::size_t k = 0; k < group; ++k) {
            const std::size_t i = g * group + k;
            const bool taken = line.above[i] >= line.left[i];
            const bool match = line.reference[i] == line.hypothesis[i];
            const double weight = taken ? line.above[i] : line.left[i];
            line.next[i] = match ? line.diagonal[i] + line.one - line.none : weight;
            moves |= unsigned{taken} << k;
            matches |= unsigned{match} << k;
        }
        line.moves[g] = static_cast<unsigned char>(moves);
        line.matches[g] = static_cast<unsigned char>(matches);
    }
}

#ifdef TERTIUM_AVX2
TERTIUM_AVX2 void advance_by_vectors(Line line) {
    const __m256d one = _mm256_set1_pd(line.one), none = _mm256_set1_pd(line.none);
    for (std::size_t g = 0; g < line.groups; ++g) {
        unsigned moves = 0, matches = 0;
        for (std::size_t k = 0; k < group; k += 4) {
            const std::size_t i = g * group + k;
            const __m256d above = _mm256_loadu_pd(line.above + i);
            const __m256d left = _mm256_loadu_pd(line.left + i);
            const __m256d diagonal = _mm256_loadu_pd(line.diagonal + i);
            const __m256d match = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_cmpeq_epi32(
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(line.reference + i)),
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(line.hypothesis + i)))));
            const __m256d taken = _mm256_cmp_pd(above, left, _CMP_GE_OQ);
            const __m256d matched = _mm256_sub_pd(_mm256_add_pd(diagonal, one), none);
            _mm256_storeu_pd(line.next + i,
                             _mm256_blendv_pd(_mm256_max_pd(above, left), matched, match));
            moves |= static_cast<unsigned>(_mm256_movemask_pd(taken)) << k;
            matches |= static_cast<unsigned>(_mm256_movemask_pd(match)) << k;
        }
        line.moves[g] = static_cast<unsigned char>(moves);
        line.matches[g] = static_cast<unsigned char>(matches);
    }
}

TERTIUM_AVX512 void advance_by_wide_vectors(Line line) {
    const __m512d one = _mm512_set1_pd(line.one), none = _mm512_set1_pd(line.none);
    for (std::size_t g = 0; g < line.groups; ++g) {
        const std::size_t i = g * group;
        const __m512d above = _mm512_loadu_pd(line.above + i);
        const __m512d left = _mm512_loadu_pd(line.left + i);
        const __m512d diagonal = _mm512_loadu_pd(line.diagonal + i);
        const __mmask8 match = _mm256_cmpeq_epi32_mask(
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line.reference + i)),
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line.hypothesis + i)));
        const __m512d matched = _mm512_sub_pd(_mm512_add_pd(diagonal, one), none);
        _mm512_storeu_pd(line.next + i,
                         _mm512_mask_mov_pd(_mm512_max_pd(above, left), match, matched));
        line.moves[g] = _mm512_cmp_pd_mask(above, left, _CMP_GE_OQ);
        line.matches[g] = match;
    }
}
#endif

auto* advance_fastest() {
#ifdef TERTIUM_AVX2
    if (core::has_avx512()) return advance_by_wide_vectors;
    if (core::has_avx2()) return advance_by_vectors;
#endif
    return advance;
}

}  // namespace

double WeightedSubsequence::power(std::size_t length) {
    while (powers_.size() <= length) {
        powers_.push_back(std::pow(static_cast<double>(powers_.size()), weight_));
    }
    return powers_[length];
}

double WeightedSubsequence::size(core::Tokens hypothesis, core::Tokens reference) {
    hit_runs_.clear();
    if (hypothesis.empty() || reference.empty()) return 0;
    rows_ = reference.size();
    columns_ = hypothesis.size();
    power(std::min(rows_, columns_) + 1);
    if (rows_ * columns_ <= few_cells) {
        fill_rows(hypothesis, reference);
        find_runs(hypothesis, reference,
                  [&](std::size_t i, std::size_t j) { return moves_[(i - 1) * columns_ + j - 1]; });
        return sum_of_runs();
    }
    reference_.assign(reference.begin(), reference.end());
    reference_.resize(rows_ + group, reference_margin);
    hypothesis_.assign(group, hypothesis_margin);
    hypothesis_.insert(hypothesis_.end(), hypothesis.rbegin(), hypothesis.rend());
    hypothesis_.resize(columns_ + 2 * group, hypothesis_margin);
    state_.row.assign(columns_ + 1, 0);
    state_.runs.assign(rows_ + columns_, {});

    // Their memory is taken at once, so moves get less of it than states, unless they are few.
    const std::size_t height = std::min(rows_, most_rows);
    strips_ = (rows_ + most_rows - 1) / most_rows;
    stride_ = (height + group - 1) / group;
    const auto strip_bytes = static_cast<double>((columns_ + height) * stride_);
    const auto state_bytes = static_cast<double>(16 * columns_ + 8 * rows_);
    const double bytes =
        std::max(static_cast<double>(block_bytes),
                 std::sqrt(static_cast<double>(strips_) * strip_bytes * state_bytes) / 4);
    strips_of_block_ =
        std::clamp<std::size_t>(static_cast<std::size_t>(bytes / strip_bytes), 1, strips_);
    const std::size_t blocks = (strips_ + strips_of_block_ - 1) / strips_of_block_;
    if (saved_.size() < blocks - 1) saved_.resize(blocks - 1);
    for (std::size_t block = 0; block < blocks; ++block) {
        if (block + 1 < blocks) saved_[block] = state_;
        fill_block(block, state_);
    }

    std::size_t block = blocks - 1;
    find_runs(hypothesis, reference, [&](std::size_t i, std::size_t j) {
        const std::size_t strip = (i - 1) / most_rows, row = (i - 1) % most_rows;
        // Matches ask for no move: a run of them may lead through a whole block.
        if (const std::size_t own = strip / strips_of_block_; own < block) {
            block = own;
            fill_block(block, saved_[block]);
        }
        const unsigned char* const moves =
            moves_.data() + (strip - block * strips_of_block_) * (columns_ + height) * stride_;
        return moves[(row + j - 1) * stride_ + row / group] >> row % group & 1;
    });
    return sum_of_runs();
}

// The way back; from_above(i, j) says which of the two neighbors a cell without a match goes to.
template <class FromAbove>
void WeightedSubsequence::find_runs(core::Tokens hypothesis, core::Tokens reference,
                                    FromAbove&& from_above) {
    std::uint32_t run = 0;
    for (std::size_t i = rows_, j = columns_; i > 0 && j > 0;) {
        if (reference[i - 1] == hypothesis[j - 1]) {
            --i;
            --j;
            ++run;
        } else if (from_above(i, j)) {
            --i;
            if (run > 0) hit_runs_.push_back(run);
            run = 0;
        } else {
            --j;
        }
    }
    if (run > 0) hit_runs_.push_back(run);
}

// Small tables, row by row: antidiagonals would be too short.
void WeightedSubsequence::fill_rows(core::Tokens hypothesis, core::Tokens reference) {
    core::check_interrupt();
    if (moves_.size() < few_cells) moves_.resize(few_cells);
    last_.assign(columns_ + 1, 0);
    state_.runs.assign(columns_ + 1, {});
    unsigned char* moves = moves_.data();
    for (const core::Token word : reference) {
        double diagonal = 0;
        std::uint32_t diagonal_run = 0;
        for (std::size_t j = 1; j <= columns_; ++j) {
            const double above = last_[j];
            const std::uint32_t run = state_.runs[j].words;
            const bool match = hypothesis[j - 1] == word, taken = above >= last_[j - 1];
            if (match) {
                last_[j] = diagonal + powers_[diagonal_run + 1] - powers_[diagonal_run];
            } else if (!taken) {
                last_[j] = last_[j - 1];
            }
            state_.runs[j].words = match ? diagonal_run + 1 : 0;
            *moves++ = taken;
            diagonal = above;
            diagonal_run = run;
        }
    }
}

void WeightedSubsequence::fill_block(std::size_t block, State& state) {
    const std::size_t begin = block * strips_of_block_;
    const std::size_t end = std::min(begin + strips_of_block_, strips_);
    const std::size_t size = (columns_ + std::min(rows_, most_rows)) * stride_;
    if (moves_.size() < (end - begin) * size) moves_.resize((end - begin) * size);
    for (std::size_t strip = begin; strip < end; ++strip) {
        fill_strip(strip, state, moves_.data() + (strip - begin) * size);
    }
}

// Rows are counted from 1 within the strip.
void WeightedSubsequence::fill_strip(std::size_t strip, State& state, unsigned char* moves) {
    auto* const advance_line = advance_fastest();
    const std::size_t above = strip * most_rows, rows = std::min(rows_ - above, most_rows);
    for (auto* row : {&last_, &before_, &next_}) row->assign(rows + 2 * group, 0);
    // Bit i − 1 of the antidiagonal, and of the one before the last; with a word of margin.
    const std::size_t words_of_bits = rows / 64 + 2;
    for (auto* bits : {&matches_, &last_matches_, &matches_before_}) {
        bits->assign(words_of_bits, 0);
    }
    for (std::size_t s = 2; s <= rows + columns_; ++s, moves += stride_) {
        core::check_interrupt();
        const std::size_t lowest = s > columns_ ? s - columns_ : 1, highest = std::min(rows, s - 1);
        last_[0] = s - 1 <= columns_ ? state.row[s - 1] : 0;  // above row 1, while there is a cell
        const std::size_t first = (lowest - 1) / group, i = first * group + 1;
        advance_line({last_.data() + (i - 1), last_.data() + i, before_.data() + (i - 1),
                      powers_[1], powers_[0], next_.data() + i, reference_.data() + (above + i - 1),
                      hypothesis_.data() + (group + columns_ + i - s),
                      (highest - 1) / group + 1 - first, moves + first,
                      reinterpret_cast<unsigned char*>(matches_.data()) + first});
        const std::size_t begin = (lowest - 1) / 64, end = (highest - 1) / 64;
        matches_[begin] &= ~std::uint64_t{0} << (lowest - 1) % 64;
        matches_[end] &= ~std::uint64_t{0} >> (63 - (highest - 1) % 64);
        for (std::size_t w = begin; w <= end; ++w) {
            // Those behind a match, and those of row 1, of which the strip above may have one.
            const std::uint64_t carried = w > 0 ? matches_before_[w - 1] >> 63 : 1;
            std::uint64_t going_on = matches_[w] & (matches_before_[w] << 1 | carried);
            for (; going_on != 0; going_on &= going_on - 1) {
                const std::size_t cell =
                    64 * w + 1 + static_cast<std::size_t>(std::countr_zero(going_on));
                auto& [words, last] = state.runs[above + 2 * cell + columns_ - s];
                if (last + 2 != above + s) {
                    const std::size_t row = above + cell, column = s - cell;
                    words = row > 1 && column > 1 &&
                            reference_[row - 2] == hypothesis_[group + columns_ + 1 - column];
                }
                last = static_cast<std::uint32_t>(above + s);
                next_[cell] = before_[cell - 1] + powers_[words + 1] - powers_[words];
                ++words;
            }
        }
        if (highest + 1 == s) next_[s] = 0;
        if (highest == rows) state.row[s - rows] = next_[rows];
        before_.swap(last_);
        last_.swap(next_);
        matches_before_.swap(last_matches_);
        last_matches_.swap(matches_);
    }
}

// From left to right, as ROUGE-1.5.5 adds them: the order decides about the last bit, and
// that about which of two references is the better one.
double WeightedSubsequence::sum_of_runs() const {
    double sum = 0;
    for (std::size_t k = hit_runs_.size(); k-- > 0;) sum += powers_[hit_runs_[k]];
    return sum;
}

}  // namespace tertium::metrics::ngram
