#include "decode/mbr/distance_lanes.hpp"

#include <algorithm>
#include <array>

#include "metrics/edit/edit_bits.hpp"

namespace tertium::decode::mbr {

void DistanceLanes::set_texts(std::span<const core::Tokens> texts) {
    for (const core::Tokens text : texts_) {
        for (const core::Token word : text) rows_[static_cast<std::size_t>(word)] = 0;
    }
    texts_.assign(texts.begin(), texts.end());
    longest_ = 0;
    for (std::size_t lane = 0; lane < texts.size(); ++lane) {
        lengths_[lane] = texts[lane].size();
        longest_ = std::max(longest_, lengths_[lane]);
    }
    blocks_ = std::max<std::size_t>(1, (longest_ + 63) / 64);
    longest_ <= 32 ? set(narrow_) : set(wide_);
}

template <class Number>
void DistanceLanes::set(std::vector<Number>& masks) {
    constexpr std::size_t bits = 8 * sizeof(Number);
    const std::size_t size = blocks_ * most;
    masks.assign(size, 0);  // the row of words that no text has
    for (std::size_t lane = 0; lane < texts_.size(); ++lane) {
        for (std::size_t position = 0; position < texts_[lane].size(); ++position) {
            std::uint32_t& row = rows_[static_cast<std::size_t>(texts_[lane][position])];
            if (row == 0) {
                row = static_cast<std::uint32_t>(masks.size() / size);
                masks.resize(masks.size() + size);
            }
            masks[row * size + position / bits * most + lane] |= Number{1} << (position % bits);
        }
    }
}

// The table's rows are those of the other text, so that all lanes have the same number.
void DistanceLanes::operator()(core::Tokens other, std::int32_t* distances) {
    longest_ <= 32 ? run(other, narrow_, narrow_changed_, distances)
                   : run(other, wide_, wide_changed_, distances);
}

template <class Number>
void DistanceLanes::run(core::Tokens other, const std::vector<Number>& masks,
                        std::vector<Number>& changed, std::int32_t* distances) {
    const std::size_t size = blocks_ * most;
    if (changed.size() < other.size() * size) changed.resize(other.size() * size);
    Number* out = changed.data();
    for (const core::Token word : other) {
        out = std::copy_n(masks.data() + rows_[static_cast<std::size_t>(word)] * size, size, out);
    }
    std::array<metrics::edit::EditScratch::Row, metrics::edit::most_edit_blocks> first;
    first.fill(metrics::edit::edit_bits::first_row);
    std::array<std::int32_t, most> sums;
    metrics::edit::advance_lanes(metrics::edit::LaneWork<Number>{changed.data(), other.size(),
                                                                 nullptr, 0, first.data(), blocks_,
                                                                 longest_, lengths_, sums.data()});
    for (std::size_t lane = 0; lane < texts_.size(); ++lane) {
        distances[lane] = static_cast<std::int32_t>(other.size()) + sums[lane];
    }
}

}  // namespace tertium::decode::mbr
