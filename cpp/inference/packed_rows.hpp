// Statistics of all segments, laid out for adding up many random choices of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/lanes.hpp"

namespace tertium::inference {

// Segments that one word of choices stands for.
inline constexpr std::size_t word_bits = 64;

// Neighbouring columns of one row, a cache line of them.
template <class Number>
struct alignas(64) Strip {
    static constexpr std::size_t width = 64 / sizeof(Number);
    std::array<Number, width> values{};

    Strip& operator+=(const Strip& other) {
        for (std::size_t k = 0; k < width; k += core::Lanes<Number>::count) {
            (core::Lanes<Number>::load(&values[k]) + core::Lanes<Number>::load(&other.values[k]))
                .store(&values[k]);
        }
        return *this;
    }
};

// Some columns of a table, cut into strips; missing columns and segments are zeros.
template <class Number>
class Columns {
  public:
    static constexpr std::size_t width = Strip<Number>::width;

    Columns(const double* rows, std::size_t segments, std::size_t columns,
            std::vector<std::size_t> places);

    std::size_t strip_count() const { return (places_.size() + width - 1) / width; }
    // The rows of a strip; there is one for each bit of each word.
    const Strip<Number>* strip(std::size_t number) const { return strips_.data() + number * rows_; }

    // Calls use(k, column) for the columns of a strip: its k-th numbers are those of `column`.
    template <class Use>
    void for_each_column(std::size_t number, Use&& use) const {
        const std::size_t first = number * width;
        const std::size_t count = std::min(width, places_.size() - first);
        for (std::size_t k = 0; k < count; ++k) use(k, places_[first + k]);
    }

  private:
    std::vector<std::size_t> places_;
    std::size_t rows_;
    std::vector<Strip<Number>> strips_;
};

// Most statistics are small whole numbers: such columns take 16 bits a number, so that a strip
// holds four times as many. A column is narrow if no sum over the segments of a word can
// overflow; all others stay what they are.
class PackedRows {
  public:
    PackedRows(const double* rows, std::size_t segments, std::size_t columns);

    std::size_t segments() const { return segments_; }
    std::size_t columns() const { return columns_; }
    std::size_t words() const { return (segments_ + word_bits - 1) / word_bits; }
    const Columns<std::int16_t>& narrow() const { return narrow_; }
    const Columns<double>& wide() const { return wide_; }

  private:
    struct Places;
    PackedRows(const double* rows, std::size_t segments, std::size_t columns, Places places);

    std::size_t segments_;
    std::size_t columns_;
    Columns<std::int16_t> narrow_;
    Columns<double> wide_;
};

}  // namespace tertium::inference
