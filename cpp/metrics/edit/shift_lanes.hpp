// Edit distances of many orders of the same words, one order beside another in vector registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/edit/edit_distance.hpp"
#include "metrics/edit/shift.hpp"

namespace tertium::metrics::edit {

// The most tables of distances at once, and the most blocks of 64 positions.
inline constexpr std::size_t edit_lanes = 16;
inline constexpr std::size_t most_edit_blocks = 8;

// What is done to rows of that many tables at once. The first `changed_words` words differ from
// lane to lane (by word, block and lane), the `rest` is the same in all (by word and block).
template <class Number>
struct LaneWork {
    const Number* changed;
    std::size_t changed_words;
    const std::uint64_t* rest;
    std::size_t rest_words;
    const EditScratch::Row* rows;  // where it begins, by block
    std::size_t blocks;            // more than one only of 64 bits
    std::size_t positions;
    const std::size_t* lane_positions;  // where they differ by lane, else null
    std::int32_t* sums;                 // by lane: the last position of the last row less the first
};
void advance_lanes(const LaneWork<std::uint32_t>& work);
void advance_lanes(const LaneWork<std::uint64_t>& work);

// The words of a sentence as the bit-parallel recurrence sees them (edit_bits.hpp).
struct EditBits {
    std::size_t words, positions;
    std::size_t ending;            // last words that are the reference's
    std::size_t blocks;            // of 64 reference positions
    const std::uint64_t* equal;    // by word and block: the positions of its token
    const EditScratch::Row* rows;  // by number of words and block
};

class ShiftLanes {
  public:
    static constexpr std::size_t most = edit_lanes;
    static constexpr std::size_t most_blocks = most_edit_blocks;

    // The plain edit distance after each of the shifts.
    void operator()(const EditBits& bits, std::span<const Shift> shifts, std::int64_t* distances);

  private:
    template <class Number>
    void run(const EditBits& bits, std::span<const Shift> shifts, std::vector<Number>& orders,
             std::int64_t* distances);

    std::vector<std::uint32_t> narrow_;  // by word, block and lane
    std::vector<std::uint64_t> wide_;
};

}  // namespace tertium::metrics::edit
