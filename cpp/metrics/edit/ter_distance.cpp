// Edit distances for the shift search. The definition is sacreBLEU's: a table of which only the
// cells in a beam around the diagonal are filled (BeamTable), whose distance can be larger than the
// true one, and whose path decides which shifts are tried. That table takes a step per cell; the
// bit-parallel recurrence (edit_bits.hpp) takes a dozen operations for 64 cells, but knows no beam.
// So it is used wherever the beam provably does not matter:
//
//  - if the plain distance is at most plain_up_to, no shortest path can leave the beam;
//  - otherwise, if the path that would be traced lies in the beam (path_in_beam): cells on it have
//    the same distance with the beam, and all others have no smaller one.
// In the remaining cases, and for references of more than most_blocks · 64 words, BeamTable
// decides.
//
// The traced path is part of the result. `Moves` keeps two bits per cell from which walk_back takes
// the same turns as sacreBLEU: match or substitution, then insertion, then deletion.
//
// kept_ holds the rows of the words in their present order. A shift leaves the rows before its
// first word as they are (`unchanged`), and words at the end that equal the reference's need no
// rows (`ending`), but only without the beam, since a path in the beam may use them otherwise
// (fill_ending). masks_ is zero except for the reference in masked_; set_reference takes back those
// of the old one with the old number of blocks, and has to do so before blocks_ changes.
#include "metrics/edit/ter_distance.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/interrupt.hpp"
#include "metrics/edit/edit_bits.hpp"

namespace tertium::metrics::edit {
namespace {

using edit_bits::block_size;
using edit_bits::first_row;
using edit_bits::slot;

std::int64_t signed_size(std::size_t size) {
    return static_cast<std::int64_t>(size);
}

// The row that follows on `row` in one block, left of which it `rises` or `falls` by one.
inline EditScratch::Row advance(EditScratch::Row row, std::uint64_t equal, std::uint64_t rises,
                                std::uint64_t falls, std::uint64_t& diagonal, std::uint64_t& more,
                                std::uint64_t& less) {
    equal |= falls;
    diagonal = (((equal & row.positive) + row.positive) ^ row.positive) | equal | row.negative;
    more = row.negative | ~(diagonal | row.positive);
    less = diagonal & row.positive;
    const std::uint64_t right = more << 1 | rises;
    return {less << 1 | falls | ~(diagonal | right), diagonal & right};
}

}  // namespace

void ShiftDistance::set_reference(core::Tokens reference, std::size_t vocabulary) {
    for (const core::Token token : masked_) {
        for (std::size_t block = 0; block < blocks_; ++block) {
            masks_[slot(token) * blocks_ + block] = 0;
        }
    }
    reference_ = reference;
    const std::size_t blocks = (reference.size() + block_size - 1) / block_size;
    blocks_ = blocks <= ShiftLanes::most_blocks ? blocks : 0;
    masked_.clear();
    if (blocks_ == 0) return;
    masked_.assign(reference.begin(), reference.end());
    if (masks_.size() < (vocabulary + 1) * blocks_) masks_.resize((vocabulary + 1) * blocks_);
    for (std::size_t position = 0; position < reference.size(); ++position) {
        masks_[slot(reference[position]) * blocks_ + position / block_size] |=
            std::uint64_t{1} << (position % block_size);
    }
}

// The beam's middle runs between the diagonals through the two corners, which are |surplus| apart.
// A path of length d has no cell more than (d − |surplus|) / 2 outside of them, so none is farther
// than (d + |surplus|) / 2 from the middle. The 3 are the cell where the beam ends and rounding.
std::int64_t ShiftDistance::plain_up_to(std::size_t words, std::size_t positions,
                                        std::int64_t beam) {
    if (positions > ShiftLanes::most_blocks * block_size) return -1;
    if (signed_size(positions) < beam) return std::numeric_limits<int>::max();
    return 2 * (beam - 3) - std::abs(signed_size(positions) - signed_size(words));
}

std::int64_t ShiftDistance::start(core::Tokens hypothesis) {
    words_.assign(hypothesis.begin(), hypothesis.end());
    plain_up_to_ = plain_up_to(words_.size(), reference_.size(), beam_);
    beam_started_ = beam_kept_ = false;
    if (blocks_ > 0) {
        reserve(kept_);
        std::uint64_t* equal = kept_.equal.data();
        for (const core::Token word : words_) {
            const std::uint64_t* const mask = masks_.data() + slot(word) * blocks_;
            *equal++ = *mask;
            for (std::size_t block = 1; block < blocks_; ++block) *equal++ = mask[block];
        }
    }
    return keep(0);
}

std::int64_t ShiftDistance::apply(const Shift& shift) {
    shift.apply(words_);
    if (blocks_ > 0) shift.apply(kept_.equal, blocks_);
    return keep(shift.first());
}

void ShiftDistance::reserve(Table& table) const {
    const std::size_t cells = (words_.size() + 1) * blocks_;
    if (table.rows.size() < cells) {
        table.equal.resize(cells);
        table.rows.resize(cells);
        table.moves.resize(cells);
    }
    std::fill_n(table.rows.begin(), blocks_, first_row);
}

std::int64_t ShiftDistance::keep(std::size_t unchanged) {
    if (blocks_ > 0) {
        kept_.ending = edit_bits::common_suffix(words_, reference_);
        fill(kept_, unchanged);
        const std::size_t words = words_before_ending();
        distance_ = signed_size(words) + edit_bits::rise(kept_.rows.data() + words * blocks_,
                                                         reference_.size() - kept_.ending);
    }
    plain_ = blocks_ > 0 && (distance_ <= plain_up_to_ || path_in_beam(kept_));
    if (plain_) {
        beam_kept_ = false;
    } else {
        fill_ending();
        keep_in_beam(unchanged);
    }
    return distance_;
}

// The beam's path may do other things with the last words than match them.
void ShiftDistance::fill_ending() {
    const std::size_t words = words_before_ending();
    kept_.ending = 0;
    if (blocks_ > 0) fill(kept_, words);
}

void ShiftDistance::keep_in_beam(std::size_t unchanged) {
    if (!beam_started_) {
        in_beam_.start(reference_, Beam(words_.size(), reference_.size(), beam_), words_.size());
        beam_started_ = true;
    }
    const std::int64_t found = in_beam_.keep(words_, beam_kept_ ? unchanged : 0);
    if (!plain_) distance_ = found;
    beam_kept_ = true;
}

void ShiftDistance::fill(Table& table, std::size_t unchanged) const {
    if (blocks_ > 1) return fill_blocks(table, unchanged);
    const std::size_t words = words_.size() - table.ending;
    if (unchanged == 0) unchanged = fill_beginning(table);
    Row row = table.rows[unchanged];
    for (std::size_t word = unchanged; word < words; ++word) {
        const std::uint64_t equal = table.equal[word];
        std::uint64_t diagonal, more, less;
        row = advance(row, equal, 1, 0, diagonal, more, less);
        table.rows[word + 1] = row;
        table.moves[word + 1] = {diagonal & ~equal, more};
    }
}

// As long as the words are the reference's, cell j of row i is |i − j|. Returns how many there are.
std::size_t ShiftDistance::fill_beginning(Table& table) const {
    const std::size_t most = std::min(words_.size() - table.ending, block_size - 1);
    std::size_t word = 0;
    for (; word < most && (table.equal[word] >> word & 1) != 0; ++word) {
        const std::uint64_t before = (std::uint64_t{1} << word) - 1;
        table.rows[word + 1] = {~before << 1, before << 1 | 1};
        table.moves[word + 1] = {~table.equal[word], before};
    }
    return word;
}

void ShiftDistance::fill_blocks(Table& table, std::size_t unchanged) const {
    for (std::size_t word = unchanged; word < words_.size() - table.ending; ++word) {
        core::check_interrupt();
        std::uint64_t rises = 1, falls = 0;
        for (std::size_t cell = word * blocks_; cell < (word + 1) * blocks_; ++cell) {
            const std::uint64_t equal = table.equal[cell];
            std::uint64_t diagonal, more, less;
            table.rows[cell + blocks_] =
                advance(table.rows[cell], equal, rises, falls, diagonal, more, less);
            table.moves[cell + blocks_] = {diagonal & ~equal, more};
            rises = more >> (block_size - 1);
            falls = less >> (block_size - 1);
        }
    }
}

// If the path without a beam lies in the beam, it is the beam's as well: on its cells the distances
// are the same, elsewhere the beam's are not less, so nothing that was worse becomes better.
bool ShiftDistance::path_in_beam(const Table& table) const {
    const Beam beam(words_.size(), reference_.size(), beam_);
    const std::int64_t all_words = signed_size(words_.size());
    const std::int64_t surely_inside = (beam_ - 2) * all_words;
    bool inside = true;
    walk_back(table, [&](Edit, std::size_t words, std::size_t positions) {
        const std::int64_t from_middle =  // times the number of words
            signed_size(positions) * all_words -
            signed_size(words) * signed_size(reference_.size());
        if (from_middle > surely_inside || from_middle < -surely_inside) {
            inside = inside && positions >= beam.first(words) && positions < beam.end(words);
        }
    });
    return inside;
}

std::int64_t ShiftDistance::common_words() const {
    std::uint64_t taken = 0;
    for (std::size_t word = 0; word < words_.size(); ++word) {
        const std::uint64_t free = kept_.equal[word] & ~taken;
        taken |= free & (~free + 1);
    }
    return std::popcount(taken);
}

void ShiftDistance::bounds_shifted(std::span<const Shift> shifts, std::int64_t* bounds) {
    if (blocks_ == 0) {
        std::fill_n(bounds, shifts.size(), 0);
    } else {
        lanes_({words_.size(), reference_.size(), kept_.ending, blocks_, kept_.equal.data(),
                kept_.rows.data()},
               shifts, bounds);
    }
}

std::int64_t ShiftDistance::shifted(const Shift& shift, std::int64_t limit, std::int64_t bound) {
    if (bound <= plain_up_to_ || bound > limit) return bound;
    if (blocks_ > 0) {
        reserve(other_);
        std::copy_n(kept_.equal.begin(), words_.size() * blocks_, other_.equal.begin());
        shift.apply(other_.equal, blocks_);
        fill(other_, 0);
        if (path_in_beam(other_)) return bound;
    }
    if (!beam_kept_) keep_in_beam(0);
    return in_beam_.shifted(shift);
}

void ShiftDistance::trace(std::vector<Edit>& edits) const {
    edits.clear();
    walk_back([&](Edit edit, std::size_t, std::size_t) { edits.push_back(edit); });
    std::reverse(edits.begin(), edits.end());
}

}  // namespace tertium::metrics::edit
