// How often many texts have each n-gram, and how many of them one reference shares with all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/gram_table.hpp"
#include "core/segment.hpp"

namespace tertium::decode::mbr {

struct GramCount {
    core::Gram gram;
    std::uint32_t count;
};

// The n-grams of 1 … orders units of each text, each with its count.
class GramCounts {
  public:
    explicit GramCounts(std::size_t orders) : orders_(orders) {}

    std::size_t size() const { return lengths_.size(); }
    std::size_t orders() const { return orders_; }
    std::size_t length(std::size_t text) const { return lengths_[text]; }
    // The n-grams that a text has, n = order + 1.
    std::size_t total(std::size_t text, std::size_t order) const {
        return lengths_[text] > order ? lengths_[text] - order : 0;
    }
    std::span<const GramCount> of(std::size_t text, std::size_t order) const {
        const std::size_t place = text * orders_ + order;
        return std::span(counts_).subspan(ends_[place], ends_[place + 1] - ends_[place]);
    }

    // Numbers new n-grams, or leaves out those that have no number.
    void add(core::Tokens units, core::GramTable& table);
    void add_known(core::Tokens units, const core::GramTable& table);

  private:
    template <class Number>
    void count(core::Tokens units, Number&& number);

    std::size_t orders_;
    std::vector<GramCount> counts_;
    std::vector<std::size_t> ends_{0};
    std::vector<std::size_t> lengths_;
    std::vector<core::Gram> grams_;     // of the text at work, by its first unit
    std::vector<std::size_t> entries_;  // by n-gram: behind its last place in counts_
};

// Clipped matches Σ min{count in h, count in r} of one reference with all hypotheses at once.
// n-grams that many hypotheses have are rows of counts, one byte for each hypothesis, so that a
// vector instruction serves sixteen of them; the rare ones are lists.
class GramMatcher {
  public:
    GramMatcher(const GramCounts& hypotheses, std::size_t grams);

    // Numbers in a row of matches: the hypotheses, and some that mean nothing.
    std::size_t stride() const { return stride_; }

    // Memory that is kept from one reference to the next.
    struct Scratch {
        std::vector<const std::uint8_t*> rows;
        std::vector<std::uint8_t> limits;
    };

    // matches[order · stride() + hypothesis]
    void count(const GramCounts& references, std::size_t reference, std::uint32_t* matches,
               Scratch& scratch) const;

  private:
    struct Holder {
        std::uint32_t hypothesis, count;
    };
    void add_rows(const Scratch& scratch, std::size_t begin, std::size_t end,
                  std::uint32_t* matches) const;

    std::size_t stride_;
    std::vector<std::uint32_t> rows_;  // by n-gram: its row of bytes, or no_row
    std::vector<std::uint8_t> bytes_;
    std::vector<std::size_t> ends_;  // by n-gram: of its holders, where it has no row
    std::vector<Holder> holders_;
};

// Σ_r weight(r) · count of each n-gram in r.
std::vector<double> mean_counts(const GramCounts& references, std::span<const double> weights,
                                std::size_t grams);

// Σ min{count in h, mean count} for each order of one hypothesis.
void match_mean(const GramCounts& hypotheses, std::size_t hypothesis, std::span<const double> means,
                double* matches);

}  // namespace tertium::decode::mbr
