#include "metrics/ter_distance.hpp"

#include <algorithm>
#include <array>
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

void ShiftDistance::set_reference(Tokens reference, std::size_t vocabulary) {
    for (const Token token : masked_) {
        for (std::size_t block = 0; block < blocks_; ++block) {
            masks_[slot(token) * blocks_ + block] = 0;
        }
    }
    if (reference.size() != reference_.size()) exact_up_to_.clear();
    reference_ = reference;
    const std::size_t blocks = (reference.size() + block_size - 1) / block_size;
    blocks_ = blocks <= most_blocks ? blocks : 0;
    last_bit_ = std::uint64_t{1} << ((reference.size() - 1) % block_size);
    masked_.clear();
    if (blocks_ == 0) return;
    masked_.assign(reference.begin(), reference.end());
    if (masks_.size() < (vocabulary + 1) * blocks_) masks_.resize((vocabulary + 1) * blocks_);
    for (std::size_t position = 0; position < reference.size(); ++position) {
        masks_[slot(reference[position]) * blocks_ + position / block_size] |=
            std::uint64_t{1} << (position % block_size);
    }
}

void ShiftDistance::start(std::size_t words) {
    words_.resize(words);
    if (exact_up_to_.size() <= words) exact_up_to_.resize(words + 1, -1);
    if (exact_up_to_[words] < 0) {
        const std::int64_t limit = Beam(words, reference_.size(), beam_).exact_up_to();
        exact_up_to_[words] = std::max<std::int64_t>(0, limit);
    }
    plain_up_to_ = exact_up_to_[words];
    table_started_ = table_kept_ = false;
    if (blocks_ == 0) return;
    equal_.resize(words * blocks_);
    rows_.resize((words + 1) * blocks_);
    scratch_.resize(2 * blocks_);
    for (std::size_t block = 0; block < blocks_; ++block) rows_[block].row = first_row;
}

void ShiftDistance::keep_in_table(std::size_t unchanged) {
    if (!table_started_) {
        table_.start(reference_, Beam(words_.size(), reference_.size(), beam_), words_.size());
        table_started_ = true;
    }
    const std::int64_t found = table_.keep(words_, table_kept_ ? unchanged : 0);
    if (!plain()) distance_ = found;
    table_kept_ = true;
}

std::int64_t ShiftDistance::common_words(Tokens words) const {
    std::uint64_t taken = 0;
    std::int64_t common = 0;
    for (const Token word : words) {
        const std::uint64_t free = masks_[slot(word)] & ~taken;
        common += free != 0 ? 1 : 0;
        taken |= free & (~free + 1);
    }
    return common;
}

std::int64_t ShiftDistance::distance_of(const Row& row) const {
    const std::uint64_t used = last_bit_ | (last_bit_ - 1);
    return signed_size(words_.size()) + std::popcount(row.positive & used) -
           std::popcount(row.negative & used);
}

std::int64_t ShiftDistance::keep(Tokens words, std::size_t unchanged) {
    std::copy(words.begin(), words.end(), words_.begin());
    if (blocks_ == 1) {
        for (std::size_t word = unchanged; word < words.size(); ++word) {
            equal_[word] = masks_[slot(words[word])];
        }
        distance_ = keep_one_block(unchanged);
    } else if (blocks_ > 0) {
        for (std::size_t word = unchanged; word < words.size(); ++word) {
            std::copy_n(masks_.begin() + static_cast<std::ptrdiff_t>(slot(words[word]) * blocks_),
                        blocks_, equal_.begin() + static_cast<std::ptrdiff_t>(word * blocks_));
        }
        distance_ = keep_blocks(unchanged);
    }
    if (plain()) {
        table_kept_ = false;
    } else {
        keep_in_table(unchanged);
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

// The steps of one row depend on each other, those of different shifts do not: a processor does
// several shifts in the time of one.
void ShiftDistance::plain_shifted(std::span<const Shift> shifts, std::int64_t* distances) {
    std::size_t first = words_.size();
    for (const Shift& shift : shifts) first = std::min(first, shift.first());
    const std::size_t words = words_.size() - first;
    if (orders_.size() < words * batch) orders_.resize(words * batch);
    for (std::size_t s = 0; s < shifts.size(); ++s) {
        const Shift& shift = shifts[s];
        std::uint64_t* out = orders_.data() + s;
        const auto put = [&](std::size_t begin, std::size_t end) {
            for (std::size_t word = begin; word < end; ++word, out += batch) *out = equal_[word];
        };
        put(first, shift.first());
        put(shift.middle(), shift.end());
        put(shift.first(), shift.middle());
        put(shift.end(), words_.size());
    }
    std::array<std::uint64_t, batch> positive, negative;
    positive.fill(rows_[first].row.positive);
    negative.fill(rows_[first].row.negative);
    const std::uint64_t* equal = orders_.data();
    for (std::size_t word = 0; word < words; ++word, equal += batch) {
        for (std::size_t s = 0; s < batch; ++s) {  // advance_first of every shift
            const std::uint64_t old = positive[s];
            const std::uint64_t diagonal =
                (((equal[s] & old) + old) ^ old) | equal[s] | negative[s];
            const std::uint64_t right = (negative[s] | ~(diagonal | old)) << 1 | 1;
            positive[s] = (diagonal & old) << 1 | ~(diagonal | right);
            negative[s] = diagonal & right;
        }
    }
    for (std::size_t s = 0; s < shifts.size(); ++s) {
        distances[s] = distance_of({positive[s], negative[s]});
    }
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
    if (blocks_ == 0) return table_.shifted(shift);
    std::int64_t plain = 0;
    if (blocks_ == 1) {
        plain_shifted(std::span(&shift, 1), &plain);
    } else {
        plain = shifted_blocks(shift);
    }
    return shifted(shift, limit, plain);
}

std::int64_t ShiftDistance::shifted(const Shift& shift, std::int64_t limit, std::int64_t plain) {
    // The beam can only add to the plain distance.
    if (plain <= plain_up_to_ || plain > limit) return plain;
    if (!table_kept_) keep_in_table(0);
    return table_.shifted(shift);
}

void ShiftDistance::trace(std::vector<Edit>& edits) const {
    edits.clear();
    walk_back([&](Edit edit, std::size_t, std::size_t) { edits.push_back(edit); });
    std::reverse(edits.begin(), edits.end());
}

}  // namespace tertium
