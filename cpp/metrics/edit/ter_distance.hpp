// Edit distances inside the search for shifts: one reference, many orders of the same words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/edit_distance.hpp"
#include "metrics/edit/shift.hpp"
#include "metrics/edit/shift_lanes.hpp"
#include "metrics/edit/ter_beam.hpp"

namespace tertium::metrics::edit {

// Gives the results of BeamTable. Where the beam cannot matter, which is nearly everywhere, they
// come from the bit-parallel recurrence; a shift costs only the words behind its first.
class ShiftDistance {
  public:
    explicit ShiftDistance(std::int64_t beam) : beam_(beam) {}

    // A reference that is not empty; the one before is forgotten. It must outlive its use.
    void set_reference(core::Tokens reference, std::size_t vocabulary);
    // The distance of a hypothesis.
    std::int64_t start(core::Tokens hypothesis);
    // Up to this plain distance of so many words the beam cannot matter.
    static std::int64_t plain_up_to(std::size_t words, std::size_t positions, std::int64_t beam);
    // Makes a shift; returns the distance of the words in their new order.
    std::int64_t apply(const Shift& shift);
    core::Tokens words() const { return words_; }  // in their present order

    // The path that goes with the distance. Among the shortest, from the end, a match or
    // substitution is preferred, then an insertion, then a deletion.
    void trace(std::vector<Edit>& edits) const;
    // The same path from the end, as take(edit, words, positions): how many there are up to and
    // with the edit.
    template <class Take>
    void walk_back(Take&& take) const;

    // A lower bound of the distance after each of some shifts, at most ShiftLanes::most: what it
    // would be without the beam.
    void bounds_shifted(std::span<const Shift> shifts, std::int64_t* bounds);
    // The distance after a shift with this bound if it is at most `limit`, else any larger one.
    std::int64_t shifted(const Shift& shift, std::int64_t limit, std::int64_t bound);
    // The words that hypothesis and reference have in common, in any order; only if the reference
    // fits into one block.
    std::int64_t common_words() const;

    // Whether the distance is the plain edit distance, not only that of the beam.
    bool plain() const { return plain_; }
    // The words before the last ones that are the reference's last as well.
    std::size_t words_before_ending() const { return words_.size() - kept_.ending; }
    // The reference positions of a word; only if the reference fits into one block.
    bool one_block() const { return blocks_ == 1; }
    std::uint64_t positions(std::size_t word) const { return kept_.equal[word]; }
    // The reference positions in [from, to) of a word.
    template <class Take>
    void for_each_match(std::size_t word, std::size_t from, std::size_t to, Take&& take) const;

  private:
    using Row = EditScratch::Row;

    // Where the path into a row's cells does not come from the diagonal, and where it may come
    // from the row before: an insertion.
    struct Moves {
        std::uint64_t straight, down;
    };
    // The distances of all beginnings of the words in some order.
    struct Table {
        std::vector<std::uint64_t> equal;  // by word and block: the positions of its token
        std::vector<Row> rows;             // by number of words and block
        std::vector<Moves> moves;          // the same
        std::size_t ending = 0;            // last words that are the reference's: they need no rows
    };

    std::int64_t keep(std::size_t unchanged);
    void fill_ending();
    void keep_in_beam(std::size_t unchanged);
    void reserve(Table& table) const;
    void fill(Table& table, std::size_t unchanged) const;
    std::size_t fill_beginning(Table& table) const;
    void fill_blocks(Table& table, std::size_t unchanged) const;
    bool path_in_beam(const Table& table) const;
    template <class Take>
    void walk_back(const Table& table, Take&& take) const;

    std::int64_t beam_;
    core::Tokens reference_;
    std::vector<core::Token> masked_;  // the reference whose masks are set
    std::size_t blocks_ = 0;  // of 64 reference positions; 0: too many, the beam does all the work
    std::vector<std::uint64_t> masks_;  // by token + 1 and block; zero but for the reference
    std::vector<core::Token> words_;
    std::int64_t plain_up_to_ = 0;
    std::int64_t distance_ = 0;
    bool plain_ = false;
    Table kept_, other_;
    ShiftLanes lanes_;
    BeamTable in_beam_;
    bool beam_started_ = false;
    bool beam_kept_ = false;  // whether it holds the words in their present order
    mutable std::vector<Edit> edits_;
};

template <class Take>
void ShiftDistance::walk_back(Take&& take) const {
    if (plain_) return walk_back(kept_, take);
    std::size_t word = words_.size(), position = reference_.size();
    in_beam_.trace(edits_);
    for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit) {
        take(*edit, word, position);
        if (*edit != Edit::deletion) --word;
        if (*edit != Edit::insertion) --position;
    }
}

template <class Take>
void ShiftDistance::walk_back(const Table& table, Take&& take) const {
    std::size_t word = words_.size(), position = reference_.size();
    for (std::size_t last = 0; last < table.ending; ++last) take(Edit::match, word--, position--);
    while (word > 0 && position > 0) {
        const std::size_t block = (position - 1) / 64, bit = (position - 1) % 64;
        const Moves moves = table.moves[word * blocks_ + block];
        if ((moves.straight >> bit & 1) == 0) {
            const bool equal = (table.equal[(word - 1) * blocks_ + block] >> bit & 1) != 0;
            take(equal ? Edit::match : Edit::substitution, word--, position--);
        } else if ((moves.down >> bit & 1) != 0) {
            take(Edit::insertion, word--, position);
        } else {
            take(Edit::deletion, word, position--);
        }
    }
    while (word > 0) take(Edit::insertion, word--, position);
    while (position > 0) take(Edit::deletion, word, position--);
}

template <class Take>
void ShiftDistance::for_each_match(std::size_t word, std::size_t from, std::size_t to,
                                   Take&& take) const {
    if (blocks_ == 0) {
        for (std::size_t position = from; position < to; ++position) {
            if (words_[word] == reference_[position]) take(position);
        }
        return;
    }
    for (std::size_t block = from / 64; block * 64 < to; ++block) {
        std::uint64_t equal = kept_.equal[word * blocks_ + block];
        for (; equal != 0; equal &= equal - 1) {
            const std::size_t position =
                block * 64 + static_cast<std::size_t>(std::countr_zero(equal));
            if (position >= from && position < to) take(position);
        }
    }
}

}  // namespace tertium::metrics::edit
