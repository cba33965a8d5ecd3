#include "decode/mbr/grams.hpp"

#include <algorithm>
#include <limits>

#include "core/interrupt.hpp"
#include "core/lanes.hpp"

namespace tertium::decode::mbr {
namespace {

using Bytes = core::Lanes<std::uint8_t>;
constexpr std::size_t together = 8 * Bytes::count;  // bytes that stay in registers
constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t largest_byte = std::numeric_limits<std::uint8_t>::max();

}  // namespace

template <class Number>
void GramCounts::count(core::Tokens units, Number&& number) {
    grams_.assign(units.size(), core::empty_gram);
    for (std::size_t n = 0; n < orders_; ++n) {
        const std::size_t begin = counts_.size();
        for (std::size_t p = 0; p + n < units.size(); ++p) {
            core::check_interrupt_at(p);
            core::Gram& gram = grams_[p];
            if (gram == core::no_gram) continue;
            gram = number(gram, units[p + n]);
            if (gram == core::no_gram) continue;
            if (gram >= entries_.size()) entries_.resize(2 * std::size_t{gram} + 64, 0);
            std::size_t& entry = entries_[gram];
            if (entry > begin) {
                ++counts_[entry - 1].count;
            } else {
                counts_.push_back({gram, 1});
                entry = counts_.size();
            }
        }
        ends_.push_back(counts_.size());
    }
    lengths_.push_back(units.size());
}

void GramCounts::add(core::Tokens units, core::GramTable& table) {
    count(units, [&](core::Gram prefix, core::Token last) { return table.intern(prefix, last); });
}

void GramCounts::add_known(core::Tokens units, const core::GramTable& table) {
    count(units, [&](core::Gram prefix, core::Token last) { return table.find(prefix, last); });
}

GramMatcher::GramMatcher(const GramCounts& hypotheses, std::size_t grams)
    : stride_((hypotheses.size() + together - 1) / together * together),
      rows_(grams, no_row),
      ends_(grams + 1, 0) {
    const auto for_each_count = [&](auto&& take) {
        for (std::size_t h = 0; h < hypotheses.size(); ++h) {
            core::check_interrupt();
            for (std::size_t n = 0; n < hypotheses.orders(); ++n) {
                for (const GramCount& one : hypotheses.of(h, n)) take(h, one);
            }
        }
    };
    std::vector<std::uint32_t> largest(grams, 0);
    for_each_count([&](std::size_t, const GramCount& one) {
        ++ends_[one.gram + 1];
        largest[one.gram] = std::max(largest[one.gram], one.count);
    });
    // Going through a list takes about as long as a row that is so many times longer.
    constexpr std::size_t row_advantage = 32;
    const std::size_t enough = std::max<std::size_t>(4, stride_ / row_advantage);
    std::uint32_t rows = 0;
    for (std::size_t gram = 0; gram < grams; ++gram) {
        if (ends_[gram + 1] >= enough && largest[gram] <= largest_byte && rows < no_row - 1) {
            rows_[gram] = rows++;
            ends_[gram + 1] = 0;
        }
        ends_[gram + 1] += ends_[gram];
    }
    bytes_.assign(rows * stride_, 0);
    holders_.resize(ends_.back());
    std::vector<std::size_t> next(ends_.begin(), ends_.end() - 1);
    for_each_count([&](std::size_t h, const GramCount& one) {
        if (rows_[one.gram] != no_row) {
            bytes_[rows_[one.gram] * stride_ + h] = static_cast<std::uint8_t>(one.count);
        } else {
            holders_[next[one.gram]++] = {static_cast<std::uint32_t>(h), one.count};
        }
    });
}

void GramMatcher::count(const GramCounts& references, std::size_t reference, std::uint32_t* matches,
                        Scratch& scratch) const {
    std::fill_n(matches, references.orders() * stride_, 0);
    for (std::size_t n = 0; n < references.orders(); ++n) {
        std::uint32_t* row = matches + n * stride_;
        scratch.rows.clear();
        scratch.limits.clear();
        for (const GramCount& one : references.of(reference, n)) {
            if (rows_[one.gram] != no_row) {
                scratch.rows.push_back(bytes_.data() + rows_[one.gram] * stride_);
                scratch.limits.push_back(
                    static_cast<std::uint8_t>(std::min(one.count, largest_byte)));
                continue;
            }
            for (std::size_t p = ends_[one.gram]; p < ends_[one.gram + 1]; ++p) {
                row[holders_[p].hypothesis] += std::min(holders_[p].count, one.count);
            }
        }
        // As many rows at a time as cannot add up to more than a byte holds.
        for (std::size_t begin = 0; begin < scratch.rows.size();) {
            std::size_t end = begin;
            std::uint32_t sum = 0;
            while (end < scratch.rows.size() && sum + scratch.limits[end] <= largest_byte) {
                sum += scratch.limits[end++];
            }
            add_rows(scratch, begin, end, row);
            begin = end;
        }
    }
}

void GramMatcher::add_rows(const Scratch& scratch, std::size_t begin, std::size_t end,
                           std::uint32_t* matches) const {
    constexpr std::size_t registers = together / Bytes::count;
    for (std::size_t h = 0; h < stride_; h += together) {
        Bytes sums[registers] = {Bytes::all(0), Bytes::all(0), Bytes::all(0), Bytes::all(0),
                                 Bytes::all(0), Bytes::all(0), Bytes::all(0), Bytes::all(0)};
        for (std::size_t g = begin; g < end; ++g) {
            const std::uint8_t* row = scratch.rows[g] + h;
            const Bytes limit = Bytes::all(scratch.limits[g]);
            for (std::size_t i = 0; i < registers; ++i) {
                sums[i] = sums[i] + smaller(Bytes::load(row + i * Bytes::count), limit);
            }
        }
        std::uint8_t stored[together];
        for (std::size_t i = 0; i < registers; ++i) sums[i].store(stored + i * Bytes::count);
        for (std::size_t i = 0; i < together; ++i) matches[h + i] += stored[i];
    }
}

std::vector<double> mean_counts(const GramCounts& references, std::span<const double> weights,
                                std::size_t grams) {
    std::vector<double> means(grams, 0.0);
    for (std::size_t r = 0; r < references.size(); ++r) {
        core::check_interrupt();
        for (std::size_t n = 0; n < references.orders(); ++n) {
            for (const GramCount& one : references.of(r, n)) {
                means[one.gram] += weights[r] * one.count;
            }
        }
    }
    return means;
}

void match_mean(const GramCounts& hypotheses, std::size_t hypothesis, std::span<const double> means,
                double* matches) {
    for (std::size_t n = 0; n < hypotheses.orders(); ++n) {
        matches[n] = 0;
        for (const GramCount& one : hypotheses.of(hypothesis, n)) {
            matches[n] += std::min(static_cast<double>(one.count), means[one.gram]);
        }
    }
}

}  // namespace tertium::decode::mbr
