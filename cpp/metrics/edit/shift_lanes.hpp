// Edit distances of many orders of the same words, one order beside another in vector registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/edit/edit_distance.hpp"
#include "metrics/edit/shift.hpp"

namespace tertium::metrics::edit {

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
    // The most shifts at once, and the most blocks.
    static constexpr std::size_t most = 16;
    static constexpr std::size_t most_blocks = 8;

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
