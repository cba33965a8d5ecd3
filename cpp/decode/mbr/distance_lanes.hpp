// Plain edit distances of one text to several others, one table beside another in vector registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/shift_lanes.hpp"

namespace tertium::decode::mbr {

class DistanceLanes {
  public:
    static constexpr std::size_t most = metrics::edit::edit_lanes;
    static constexpr std::size_t most_words = 64 * metrics::edit::most_edit_blocks;

    explicit DistanceLanes(std::size_t vocabulary) : rows_(vocabulary) {}

    // At most `most` texts, none of more than `most_words` words; those before are forgotten. They
    // must outlive their use.
    void set_texts(std::span<const core::Tokens> texts);
    // The distance of each of them to another text.
    void operator()(core::Tokens other, std::int32_t* distances);

  private:
    template <class Number>
    void set(std::vector<Number>& masks);
    template <class Number>
    void run(core::Tokens other, const std::vector<Number>& masks, std::vector<Number>& changed,
             std::int32_t* distances);

    std::vector<core::Tokens> texts_;
    std::size_t lengths_[most] = {};
    std::size_t longest_ = 0;
    std::size_t blocks_ = 1;
    std::vector<std::uint32_t> rows_;            // by word: that of its masks; 0 if no text has it
    std::vector<std::uint32_t> narrow_;          // by row, block and lane: the positions of a word
    std::vector<std::uint64_t> wide_;            // the same of longer texts
    std::vector<std::uint32_t> narrow_changed_;  // by word of the other text, block and lane
    std::vector<std::uint64_t> wide_changed_;
};

}  // namespace tertium::decode::mbr
