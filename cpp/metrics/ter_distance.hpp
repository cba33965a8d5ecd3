// Edit distances inside the search for shifts: one reference, many orders of the same words.
#pragma once

#include <cstddef>
#include <cstdint>
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
    // A reference that is not empty, and how many words the hypothesis has.
    void start(Tokens reference, std::size_t words, std::size_t vocabulary, std::int64_t beam);
    void finish();  // leaves the masks empty for the next reference

    // The distance of the words, the first `unchanged` of which were kept before.
    std::int64_t keep(Tokens words, std::size_t unchanged);
    // The path that goes with it. Among the shortest, from the end, a match or substitution is
    // preferred, then an insertion, then a deletion.
    void trace(std::vector<Edit>& edits) const;
    // The distance of the kept words after a shift if it is at most `limit`, else any larger one.
    std::int64_t shifted(const Shift& shift, std::int64_t limit);

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
    std::int64_t keep_one_block(std::size_t unchanged);
    std::int64_t keep_blocks(std::size_t unchanged);
    std::int64_t shifted_one_block(const Shift& shift) const;
    std::int64_t shifted_blocks(const Shift& shift);
    int advance_blocks(const KeptRow* above, KeptRow* row, const std::uint64_t* equal) const;

    Tokens reference_;
    std::size_t blocks_ = 0;  // of 64 reference positions; 0: too many, the beam does all the work
    std::uint64_t last_bit_ = 0;
    std::int64_t plain_up_to_ = 0;
    std::int64_t distance_ = 0;
    std::vector<Token> words_;
    std::vector<std::uint64_t> masks_;  // by token + 1 and block; all zero between references
    std::vector<std::uint64_t> equal_;  // by word and block: the positions of its token
    std::vector<KeptRow> rows_;         // by number of words and block
    std::vector<KeptRow> scratch_;
    BeamTable table_;
    bool table_kept_ = false;  // whether the table holds the words in their present order
};

}  // namespace tertium
