// The edit distance as sacreBLEU 2.6.0 limits it: cells near the line from corner to corner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/edit_distance.hpp"
#include "metrics/edit/shift.hpp"

namespace tertium::metrics::edit {

// Which cells of the distance table are looked at, a row for each number of hypothesis words.
class Beam {
  public:
    Beam() = default;
    Beam(std::size_t words, std::size_t positions, std::int64_t width);

    std::size_t first(std::size_t row) const;
    std::size_t end(std::size_t row) const;  // one past the last
    std::size_t widest() const { return widest_; }

  private:
    double diagonal(std::size_t row) const;

    std::size_t words_ = 0;
    std::size_t positions_ = 0;
    std::size_t widest_ = 1;
    double ratio_ = 1.0;
    double width_ = 0.0;
};

// The table itself, cell by cell: the definition, in time and memory linear in the words.
class BeamTable {
  public:
    void start(core::Tokens reference, const Beam& beam, std::size_t words);
    // The distance of these words, the first `unchanged` of which were kept before.
    std::int64_t keep(core::Tokens words, std::size_t unchanged);
    // The distance of the kept words after a shift.
    std::int64_t shifted(const Shift& shift);
    // The path of the kept words.
    void trace(std::vector<Edit>& edits) const;

  private:
    using Cost = std::int32_t;
    using Cells = std::vector<Cost>;
    // More than any distance, and far from overflow when one is added.
    static constexpr Cost unreachable = std::numeric_limits<Cost>::max() / 2;

    // Fills current_ from previous_ and swaps them; `moves` may be null.
    void advance(std::size_t row, core::Token word, Edit* moves);
    // Takes the last kept row that is not past `row` into previous_.
    std::size_t resume(std::size_t row);
    // Whether previous_ differs from the kept row by the same number everywhere.
    bool parallel_to_kept(std::size_t row, Cost& offset) const;

    core::Tokens reference_;
    Beam beam_;
    std::int64_t distance_ = 0;
    std::size_t stride_ = 1;  // every stride-th row is kept: short texts keep all of them
    std::vector<core::Token> words_;
    Cells kept_;
    std::vector<Edit> moves_;
    Cells previous_, current_;
};

}  // namespace tertium::metrics::edit
