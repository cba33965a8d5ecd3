// A set of positions of which one asks how many are at or after a given one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium::metrics::order {

// Bits in words of 64, and a binary indexed tree (Fenwick 1994) of the number of bits in the
// words: short texts cost a shift, long ones a logarithm.
class PositionCounter {
  public:
    void clear(std::size_t positions) {
        words_.assign(positions / 64 + 1, 0);
        tree_.assign(words_.size() + 1, 0);
        size_ = 0;
    }

    void add(std::size_t position) {
        words_[position / 64] |= std::uint64_t{1} << position % 64;
        ++size_;
        for (std::size_t w = position / 64 + 1; w < tree_.size(); w += w & (~w + 1)) ++tree_[w];
    }

    std::size_t at_or_after(std::size_t position) const {
        const std::size_t word = position / 64;
        if (word >= words_.size()) return 0;
        const std::uint64_t before = words_[word] & ((std::uint64_t{1} << position % 64) - 1);
        std::size_t smaller = static_cast<std::size_t>(std::popcount(before));
        for (std::size_t w = word; w > 0; w &= w - 1) smaller += tree_[w];
        return size_ - smaller;
    }

  private:
    std::vector<std::uint64_t> words_;
    std::vector<std::uint32_t> tree_;
    std::size_t size_ = 0;
};

}  // namespace tertium::metrics::order
