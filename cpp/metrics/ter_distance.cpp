#include "metrics/ter_distance.hpp"

#include <algorithm>
#include <bit>

#include "interrupt.hpp"
#include "metrics/edit_bits.hpp"

namespace tertium {
namespace {

using edit_bits::block_size;
using edit_bits::first_row;
using edit_bits::slot;

// Beyond so many blocks a row of the beam is shorter work than a row of blocks.
constexpr std::size_t most_blocks = 8;

std::int64_t signed_size(std::size_t size) {
    return static_cast<std::int64_t>(size);
}

// edit_bits::advance for the first block, left of which every row is one more than the last.
inline void advance_first(EditScratch::Row& row, std::uint64_t equal, std::uint64_t& more,
                          std::uint64_t& less) {
    const std::uint64_t diagonal =
        (((equal & row.positive) + row.positive) ^ row.positive) | equal | row.negative;
    more = row.negative | ~(diagonal | row.positive);
    less = diagonal & row.positive;
    const std::uint64_t right = more << 1 | 1;
    row.positive = less << 1 | ~(diagonal | right);
    row.negative = diagonal & right;
}

}  // namespace

void ShiftDistance::start(Tokens reference, std::size_t words, std::size_t vocabulary,
                          std::int64_t beam) {
    reference_ = reference;
    words_.assign(words, unknown);
    const std::size_t blocks = (reference.size() + block_size - 1) / block_size;
    blocks_ = blocks <= most_blocks ? blocks : 0;
    last_bit_ = std::uint64_t{1} << ((reference.size() - 1) % block_size);
    const Beam cells(words, reference.size(), beam);
    plain_up_to_ = cells.exact_up_to();
    if (blocks_ == 0 || plain_up_to_ < signed_size(words + reference.size())) {
        table_.start(reference, cells, words);
    }
    table_kept_ = false;
    if (blocks_ == 0) return;
    if (masks_.size() < (vocabulary + 1) * blocks_) masks_.resize((vocabulary + 1) * blocks_);
    for (std::size_t position = 0; position < reference.size(); ++position) {
        masks_[slot(reference[position]) * blocks_ + position / block_size] |=
            std::uint64_t{1} << (position % block_size);
    }
    equal_.resize(words * blocks_);
    rows_.resize((words + 1) * blocks_);
    scratch_.resize(2 * blocks_);
    for (std::size_t block = 0; block < blocks_; ++block) rows_[block].row = first_row;
}

void ShiftDistance::finish() {
    for (const Token token : reference_) {
        for (std::size_t block = 0; block < blocks_; ++block) {
            masks_[slot(token) * blocks_ + block] = 0;
        }
    }
}

std::int64_t ShiftDistance::distance_of(const Row& row) const {
    const std::uint64_t used = last_bit_ | (last_bit_ - 1);
    return signed_size(words_.size()) + std::popcount(row.positive & used) -
           std::popcount(row.negative & used);
}

std::int64_t ShiftDistance::keep(Tokens words, std::size_t unchanged) {
    std::copy(words.begin(), words.end(), words_.begin());
    if (blocks_ > 0) {
        for (std::size_t word = unchanged; word < words.size(); ++word) {
            std::copy_n(masks_.begin() + static_cast<std::ptrdiff_t>(slot(words[word]) * blocks_),
                        blocks_, equal_.begin() + static_cast<std::ptrdiff_t>(word * blocks_));
        }
        distance_ = blocks_ == 1 ? keep_one_block(unchanged) : keep_blocks(unchanged);
    }
    if (!plain()) {
        distance_ = table_.keep(words, table_kept_ ? unchanged : 0);
        table_kept_ = true;
    } else {
        table_kept_ = false;
    }
    return distance_;
}

std::int64_t ShiftDistance::keep_one_block(std::size_t unchanged) {
    Row row = rows_[unchanged].row;
    for (std::size_t word = unchanged; word < words_.size(); ++word) {
        KeptRow& kept = rows_[word + 1];
        advance_first(row, equal_[word], kept.rises, kept.falls);
        kept.row = row;
    }
    return distance_of(row);
}

// One word over all blocks; returns the difference at the last position.
int ShiftDistance::advance_blocks(const KeptRow* above, KeptRow* row,
                                  const std::uint64_t* equal) const {
    int carry = 1;
    std::uint64_t more = 0, less = 0;
    for (std::size_t block = 0; block < blocks_; ++block) {
        const Row old = above[block].row;
        const std::uint64_t falls = carry < 0 ? 1 : 0;
        const std::uint64_t rises = carry > 0 ? 1 : 0;
        const std::uint64_t matches = equal[block] | falls;
        const std::uint64_t diagonal =
            (((matches & old.positive) + old.positive) ^ old.positive) | matches | old.negative;
        more = old.negative | ~(diagonal | old.positive);
        less = diagonal & old.positive;
        carry = static_cast<int>(more >> 63) - static_cast<int>(less >> 63);
        row[block].rises = more;
        row[block].falls = less;
        const std::uint64_t right = more << 1 | rises;
        row[block].row.positive = (less << 1 | falls) | ~(diagonal | right);
        row[block].row.negative = diagonal & right;
    }
    return ((more & last_bit_) != 0 ? 1 : 0) - ((less & last_bit_) != 0 ? 1 : 0);
}

std::int64_t ShiftDistance::keep_blocks(std::size_t unchanged) {
    for (std::size_t word = unchanged; word < words_.size(); ++word) {
        check_interrupt();
        advance_blocks(&rows_[word * blocks_], &rows_[(word + 1) * blocks_],
                       &equal_[word * blocks_]);
    }
    std::int64_t distance = signed_size(reference_.size());
    for (std::size_t word = 1; word <= words_.size(); ++word) {
        const KeptRow& last = rows_[(word + 1) * blocks_ - 1];
        distance += (last.rises & last_bit_) != 0 ? 1 : 0;
        distance -= (last.falls & last_bit_) != 0 ? 1 : 0;
    }
    return distance;
}

std::int64_t ShiftDistance::shifted_one_block(const Shift& shift) const {
    Row row = rows_[shift.first()].row;
    const std::uint64_t* const equal = equal_.data();
    std::uint64_t more, less;
    const auto run = [&](std::size_t begin, std::size_t end) {
        for (std::size_t word = begin; word < end; ++word) {
            advance_first(row, equal[word], more, less);
        }
    };
    run(shift.middle(), shift.end());
    run(shift.first(), shift.middle());
    run(shift.end(), words_.size());
    return distance_of(row);
}

std::int64_t ShiftDistance::shifted_blocks(const Shift& shift) {
    std::int64_t distance = signed_size(reference_.size());
    for (std::size_t word = 1; word <= shift.first(); ++word) {
        const KeptRow& last = rows_[(word + 1) * blocks_ - 1];
        distance += (last.rises & last_bit_) != 0 ? 1 : 0;
        distance -= (last.falls & last_bit_) != 0 ? 1 : 0;
    }
    const KeptRow* above = &rows_[shift.first() * blocks_];
    KeptRow* row = scratch_.data();
    const auto run = [&](std::size_t begin, std::size_t end) {
        for (std::size_t word = begin; word < end; ++word) {
            check_interrupt();
            distance += advance_blocks(above, row, &equal_[word * blocks_]);
            above = row;
            row = row == scratch_.data() ? scratch_.data() + blocks_ : scratch_.data();
        }
    };
    run(shift.middle(), shift.end());
    run(shift.first(), shift.middle());
    run(shift.end(), words_.size());
    return distance;
}

std::int64_t ShiftDistance::shifted(const Shift& shift, std::int64_t limit) {
    if (blocks_ > 0) {
        const std::int64_t plain = blocks_ == 1 ? shifted_one_block(shift) : shifted_blocks(shift);
        // The beam can only add to the plain distance.
        if (plain <= plain_up_to_ || plain > limit) return plain;
        if (!table_kept_) table_.keep(words_, 0);
        table_kept_ = true;
    }
    return table_.shifted(shift);
}

void ShiftDistance::trace(std::vector<Edit>& edits) const {
    if (!plain()) {
        table_.trace(edits);
        return;
    }
    edits.clear();
    std::size_t word = words_.size(), position = reference_.size();
    while (word > 0 && position > 0) {
        const std::size_t block = (position - 1) / block_size;
        const std::size_t bit = (position - 1) % block_size;
        const KeptRow& row = rows_[word * blocks_ + block];
        const Row& above = rows_[(word - 1) * blocks_ + block].row;
        const auto at = [bit](std::uint64_t bits) { return static_cast<int>(bits >> bit & 1); };
        const int down = at(row.rises) - at(row.falls);
        const int diagonal = down + at(above.positive) - at(above.negative);
        Edit edit = Edit::deletion;
        if (at(equal_[(word - 1) * blocks_ + block]) != 0) {
            edit = Edit::match;  // never longer than any other way
        } else if (diagonal == 1) {
            edit = Edit::substitution;
        } else if (down == 1) {
            edit = Edit::insertion;
        }
        edits.push_back(edit);
        if (edit != Edit::deletion) --word;
        if (edit != Edit::insertion) --position;
    }
    edits.insert(edits.end(), word, Edit::insertion);
    edits.insert(edits.end(), position, Edit::deletion);
    std::reverse(edits.begin(), edits.end());
}

}  // namespace tertium
