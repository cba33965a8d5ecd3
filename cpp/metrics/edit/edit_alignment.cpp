// A minimal alignment of two token sequences of any length: the one that RapidFuzz finds, where
// there are several, because counts of insertions, deletions and substitutions depend on which it
// is.
//
// The distance table is bit-parallel (edit_bits.hpp). A long reference is worked off block by
// block, each block over all the hypothesis words it can meet, so that token masks are needed for
// 64 positions at a time only. What passes from a block to the next is one carry (−1, 0, 1) for
// each hypothesis word. Three ideas bound time and memory:
//  - Ukkonen (1985): at most `limit` edits means that a path stays within `limit` of the diagonal.
//    The limit is doubled until the distance fits, O(distance · length / 64).
//  - Small problems store two bits per cell of the band and trace back (append_from_table).
//  - Hirschberg (1975): large ones are divided in the middle of the hypothesis, where the distances
//    of the two halves add up to the least, in linear memory. The recursion halves the hypothesis,
//    so it is at most logarithmically deep.
//
// When to divide (largest_table, smallest_divided_hypothesis), which half point wins a tie (the
// first) and the order of the trace (deletion, insertion, diagonal) are RapidFuzz's rules: each
// changes which of several minimal alignments is returned.
//
// Outside the band distances may be too large, never too small, and rows outside have no
// differences. Common prefixes and suffixes are taken off first at every level. Masks are zero
// between blocks.
#include <algorithm>
#include <limits>
#include <utility>

#include "core/interrupt.hpp"
#include "metrics/edit/edit_bits.hpp"
#include "metrics/edit/edit_distance.hpp"

namespace tertium::metrics::edit {
namespace {

using namespace edit_bits;

constexpr std::int64_t out_of_reach = std::numeric_limits<std::int64_t>::max() / 4;

// Where RapidFuzz divides the problem instead of storing the table: a table of two bits for
// each cell inside the band of `limit` edits that is this large. Ours is the same rule, since
// the division can change which of several minimal alignments is found.
constexpr std::size_t largest_table = 1024 * 1024;
constexpr std::size_t smallest_divided_hypothesis = 10;

// The band of one block: the hypothesis rows first + 1 … last that an alignment of at most
// `limit` edits can meet.
struct Band {
    std::size_t first;
    std::size_t last;
};

Band band_of(std::size_t block, std::size_t rows, std::size_t limit) {
    const std::size_t start = block * block_size;
    const std::size_t first = start > limit ? start - limit : 0;
    const std::size_t reach = start + block_size + limit;
    return {first, std::min(rows, reach)};
}

// The blocks of one distance table, worked off in order.
class Blocks {
  public:
    Blocks(core::Tokens hypothesis, core::Tokens reference, std::size_t limit, EditScratch& scratch)
        : hypothesis_(hypothesis), reference_(reference), limit_(limit), scratch_(scratch) {
        // Left of the first block stands the empty reference: each word is one more insertion.
        scratch_.carries.assign(hypothesis.size(), 1);
    }

    std::size_t count() const { return (reference_.size() + block_size - 1) / block_size; }
    Band band(std::size_t block) const { return band_of(block, hypothesis_.size(), limit_); }
    core::Tokens tokens(std::size_t block) const {
        const std::size_t start = block * block_size;
        return reference_.subspan(start, std::min(block_size, reference_.size() - start));
    }

    struct End {
        std::int64_t left;  // the distance at the band's last row, left of the block
        Row row;            // and the differences from there on
    };

    // `keep` sees the rows of the band in order.
    template <class Keep>
    End run(std::size_t block, Keep keep) {
        const Band band = this->band(block);
        const core::Tokens tokens = this->tokens(block);
        for (; corner_row_ < band.first; ++corner_row_) {
            corner_ += scratch_.carries[corner_row_];
        }
        set_masks(tokens, scratch_.masks);
        // Outside the band a distance may come out too large: at the first row, where each
        // reference word is taken as deleted, and below the last row of the block before, whose
        // carries stay 1. Such a cell lies on no alignment of at most `limit` edits.
        End end{corner_, first_row};
        for (std::size_t word = band.first; word < band.last; ++word) {
            int carry = scratch_.carries[word];
            end.left += carry;
            advance(end.row, scratch_.masks[slot(hypothesis_[word])], carry);
            scratch_.carries[word] = static_cast<std::int8_t>(carry);
            keep(end.row);
        }
        clear_masks(tokens, scratch_.masks);
        corner_ += static_cast<std::int64_t>(tokens.size());
        return end;
    }

  private:
    core::Tokens hypothesis_;
    core::Tokens reference_;
    std::size_t limit_;
    EditScratch& scratch_;
    // The distance at the upper left corner of the next block.
    std::size_t corner_row_ = 0;
    std::int64_t corner_ = 0;
};

constexpr auto forget = [](const Row&) {};

// The distance of the whole hypothesis from each prefix of the reference, at the positions that
// `limit` edits can reach.
std::vector<std::int64_t> prefix_distances(core::Tokens hypothesis, core::Tokens reference,
                                           std::size_t limit, EditScratch& scratch) {
    std::vector<std::int64_t> distances(reference.size() + 1, out_of_reach);
    distances[0] = static_cast<std::int64_t>(hypothesis.size());
    Blocks blocks(hypothesis, reference, limit, scratch);
    for (std::size_t block = 0; block < blocks.count(); ++block) {
        core::check_interrupt();
        const Band band = blocks.band(block);
        if (band.first >= hypothesis.size()) {
            break;
        }
        auto [distance, row] = blocks.run(block, forget);
        if (band.last < hypothesis.size()) {
            continue;
        }
        std::size_t position = block * block_size;
        for (std::size_t bit = 0; bit < blocks.tokens(block).size(); ++bit) {
            distance += static_cast<std::int64_t>(row.positive >> bit & 1);
            distance -= static_cast<std::int64_t>(row.negative >> bit & 1);
            distances[++position] = distance;
        }
    }
    return distances;
}

// Ukkonen (1985): a band that is doubled until the distance fits into it.
std::size_t distance_by_doubling(core::Tokens hypothesis, core::Tokens reference,
                                 EditScratch& scratch) {
    const std::size_t longer = std::max(hypothesis.size(), reference.size());
    const std::size_t shorter = std::min(hypothesis.size(), reference.size());
    std::size_t limit = std::max(longer - shorter, 4 * block_size);
    for (;; limit *= 2) {
        core::check_interrupt();
        limit = std::min(limit, longer);
        const auto distance = static_cast<std::size_t>(
            prefix_distances(hypothesis, reference, limit, scratch).back());
        if (distance <= limit) {
            return distance;
        }
    }
}

// Appends the alignment that the stored table of differences gives, from its end.
void append_from_table(core::Tokens hypothesis, core::Tokens reference, std::size_t limit,
                       EditScratch& scratch, std::vector<Edit>& edits) {
    Blocks blocks(hypothesis, reference, limit, scratch);
    scratch.rows.clear();
    std::vector<std::size_t> starts;
    for (std::size_t block = 0; block < blocks.count(); ++block) {
        core::check_interrupt();
        starts.push_back(scratch.rows.size());
        blocks.run(block, [&](const Row& row) { scratch.rows.push_back(row); });
    }
    // The differences in the row that `rows` hypothesis words lead to, none outside the band.
    const auto differences = [&](std::size_t rows, std::size_t block) {
        const Band band = blocks.band(block);
        return rows > band.first && rows <= band.last
                   ? scratch.rows[starts[block] + rows - band.first - 1]
                   : Row{0, 0};
    };
    const std::size_t before = edits.size();
    std::size_t rows = hypothesis.size();
    std::size_t columns = reference.size();
    while (rows > 0 && columns > 0) {
        const std::size_t block = (columns - 1) / block_size;
        const std::size_t bit = (columns - 1) % block_size;
        if (differences(rows, block).positive >> bit & 1) {
            edits.push_back(Edit::deletion);
            --columns;
        } else if (differences(rows - 1, block).negative >> bit & 1) {
            edits.push_back(Edit::insertion);
            --rows;
        } else {
            --rows;
            --columns;
            edits.push_back(hypothesis[rows] == reference[columns] ? Edit::match
                                                                   : Edit::substitution);
        }
    }
    edits.insert(edits.end(), columns, Edit::deletion);
    edits.insert(edits.end(), rows, Edit::insertion);
    std::reverse(edits.begin() + static_cast<std::ptrdiff_t>(before), edits.end());
}

void append_alignment(core::Tokens hypothesis, core::Tokens reference, std::size_t limit,
                      EditScratch& scratch, std::vector<Edit>& edits);

// Hirschberg (1975): the hypothesis is halved, and the reference where the two halves' distances
// add up to the least, which needs no table.
void append_by_halves(core::Tokens hypothesis, core::Tokens reference, std::size_t limit,
                      EditScratch& scratch, std::vector<Edit>& edits) {
    const std::size_t half = hypothesis.size() / 2;
    const std::vector<core::Token> hypothesis_reversed(hypothesis.rbegin(), hypothesis.rend());
    const std::vector<core::Token> reference_reversed(reference.rbegin(), reference.rend());
    const auto right =
        prefix_distances(core::Tokens(hypothesis_reversed).first(hypothesis.size() - half),
                         reference_reversed, limit, scratch);
    const auto left = prefix_distances(hypothesis.first(half), reference, limit, scratch);
    std::size_t cut = 0;
    for (std::size_t position = 1; position <= reference.size(); ++position) {
        core::check_interrupt();
        if (left[position] + right[reference.size() - position] <
            left[cut] + right[reference.size() - cut]) {
            cut = position;
        }
    }
    append_alignment(hypothesis.first(half), reference.first(cut),
                     static_cast<std::size_t>(left[cut]), scratch, edits);
    append_alignment(hypothesis.subspan(half), reference.subspan(cut),
                     static_cast<std::size_t>(right[reference.size() - cut]), scratch, edits);
}

// Appends a minimal alignment; `limit` is at least its number of edits.
void append_alignment(core::Tokens hypothesis, core::Tokens reference, std::size_t limit,
                      EditScratch& scratch, std::vector<Edit>& edits) {
    const std::size_t prefix = common_prefix(hypothesis, reference);
    edits.insert(edits.end(), prefix, Edit::match);
    hypothesis = hypothesis.subspan(prefix);
    reference = reference.subspan(prefix);
    const std::size_t suffix = common_suffix(hypothesis, reference);
    hypothesis = hypothesis.first(hypothesis.size() - suffix);
    reference = reference.first(reference.size() - suffix);

    limit = std::min(limit, std::max(hypothesis.size(), reference.size()));
    const std::size_t band = std::min(reference.size(), 2 * limit + 1);
    if (reference.size() <= block_size || hypothesis.size() < smallest_divided_hypothesis ||
        2 * band * hypothesis.size() / 8 < largest_table) {
        append_from_table(hypothesis, reference, limit, scratch, edits);
    } else {
        // Only the whole problem comes without its distance.
        if (limit == std::max(hypothesis.size(), reference.size())) {
            limit = distance_by_doubling(hypothesis, reference, scratch);
        }
        append_by_halves(hypothesis, reference, limit, scratch, edits);
    }
    edits.insert(edits.end(), suffix, Edit::match);
}

}  // namespace

std::vector<Edit> alignment(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                            EditScratch& scratch) {
    reserve_masks(vocabulary, scratch);
    std::vector<Edit> edits;
    append_alignment(hypothesis, reference, std::max(hypothesis.size(), reference.size()), scratch,
                     edits);
    return edits;
}

}  // namespace tertium::metrics::edit
