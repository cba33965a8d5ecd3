// Edit distances inside the search for shifts: one reference, many orders of the same words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/edit_distance.hpp"
#include "metrics/shift.hpp"
#include "metrics/ter_beam.hpp"
#include "segment.hpp"

namespace tertium {

// Gives the results of BeamTable. Where the beam cannot matter, which is nearly everywhere, they
// come from the bit-parallel recurrence; a shift costs only the words behind its first.
class ShiftDistance {
  public:
    explicit ShiftDistance(std::int64_t beam) : beam_(beam) {}

    // A reference that is not empty; the one before is forgotten. It must outlive its use.
    void set_reference(Tokens reference, std::size_t vocabulary);
    // How many words the next hypothesis has.
    void start(std::size_t words);

    // The distance of the words, the first `unchanged` of which were kept before.
    std::int64_t keep(Tokens words, std::size_t unchanged);
    // The path that goes with it. Among the shortest, from the end, a match or substitution is
    // preferred, then an insertion, then a deletion.
    void trace(std::vector<Edit>& edits) const;
    // The same path from the end, as take(edit, words, positions): how many there are up to and
    // with the edit.
    template <class Take>
    void walk_back(Take&& take) const;
    // The distances of the kept words after each of some shifts, as if there were no beam; only if
    // the reference fits into one block. At most `batch` shifts.
    static constexpr std::size_t batch = 4;
    void plain_shifted(std::span<const Shift> shifts, std::int64_t* distances);
    // The distance of the kept words after a shift if it is at most `limit`, else any larger one.
    std::int64_t shifted(const Shift& shift, std::int64_t limit);
    // The same where `plain_shifted` is known.
    std::int64_t shifted(const Shift& shift, std::int64_t limit, std::int64_t plain);
    // The words that hypothesis and reference have in common, in any order; only if the reference
    // fits into one block.
    std::int64_t common_words(Tokens words) const;

    // Whether the kept distance is the plain edit distance, not only that of the beam.
    bool plain() const { return blocks_ > 0 && distance_ <= plain_up_to_; }
    // The reference positions of a word; only if the reference fits into one block.
    bool one_block() const { return blocks_ == 1; }
    std::uint64_t positions(std::size_t word) const { return equal_[word]; }

  private:
    using Row = EditScratch::Row;

    // One row of the table, with the differences to the row before.
    struct KeptRow {
        Row row;
        std::uint64_t rises;  // positions where it is one more than the row before
        std::uint64_t falls;  // where it is one less
    };

    std::int64_t distance_of(const Row& row) const;  // of one block
    void keep_in_table(std::size_t unchanged);
    std::int64_t keep_one_block(std::size_t unchanged);
    std::int64_t keep_blocks(std::size_t unchanged);
    std::int64_t shifted_blocks(const Shift& shift);
    int advance_blocks(const KeptRow* above, KeptRow* row, const std::uint64_t* equal) const;

    std::int64_t beam_;
    Tokens reference_;
    std::vector<Token> masked_;  // the reference whose masks are set
    std::size_t blocks_ = 0;  // of 64 reference positions; 0: too many, the beam does all the work
    std::uint64_t last_bit_ = 0;
    std::vector<std::int64_t> exact_up_to_;  // of the beam by number of words; unknown if negative
    std::int64_t plain_up_to_ = 0;
    std::int64_t distance_ = 0;
    std::vector<Token> words_;
    std::vector<std::uint64_t> masks_;  // by token + 1 and block; zero but for the reference
    std::vector<std::uint64_t> equal_;  // by word and block: the positions of its token
    std::vector<KeptRow> rows_;         // by number of words and block
    std::vector<KeptRow> scratch_;
    BeamTable table_;
    bool table_started_ = false;
    bool table_kept_ = false;  // whether the table holds the words in their present order
    mutable std::vector<Edit> edits_;
    std::vector<std::uint64_t> orders_;  // the words of a batch of shifts, one shift beside another
};

template <class Take>
void ShiftDistance::walk_back(Take&& take) const {
    std::size_t word = words_.size(), position = reference_.size();
    const auto step = [&](Edit edit) {
        take(edit, word, position);
        if (edit != Edit::deletion) --word;
        if (edit != Edit::insertion) --position;
    };
    if (!plain()) {
        table_.trace(edits_);
        for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit) step(*edit);
        return;
    }
    while (word > 0 && position > 0) {
        const std::size_t block = (position - 1) / 64, bit = (position - 1) % 64;
        const auto at = [bit](std::uint64_t bits) { return static_cast<int>(bits >> bit & 1); };
        if (at(equal_[(word - 1) * blocks_ + block]) != 0) {
            step(Edit::match);  // never longer than any other way
            continue;
        }
        const KeptRow& row = rows_[word * blocks_ + block];
        const Row& above = rows_[(word - 1) * blocks_ + block].row;
        const int down = at(row.rises) - at(row.falls);
        const int diagonal = down + at(above.positive) - at(above.negative);
        step(diagonal == 1 ? Edit::substitution : down == 1 ? Edit::insertion : Edit::deletion);
    }
    while (word > 0) step(Edit::insertion);
    while (position > 0) step(Edit::deletion);
}

}  // namespace tertium
