#include "metrics/bleu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace tertium {
namespace {

constexpr std::size_t mask_bits = 64;

}  // namespace

ReferenceLength reference_length_named(std::string_view name) {
    if (name == "closest") return ReferenceLength::closest;
    if (name == "shortest") return ReferenceLength::shortest;
    if (name == "average") return ReferenceLength::average;
    throw std::invalid_argument("unknown reference length '" + std::string(name) +
                                "', expected closest, shortest or average");
}

double effective_length(const Segment& segment, ReferenceLength choice) {
    const auto hypothesis = static_cast<double>(segment.hypothesis.size());
    double best = static_cast<double>(segment.references.front().size());
    double sum = 0;
    for (const Tokens reference : segment.references) {
        const auto length = static_cast<double>(reference.size());
        sum += length;
        const double nearer = std::abs(length - hypothesis) - std::abs(best - hypothesis);
        const bool closer = nearer < 0 || (nearer == 0 && length < best);
        if (choice == ReferenceLength::closest ? closer : length < best) best = length;
    }
    if (choice == ReferenceLength::average) {
        return sum / static_cast<double>(segment.references.size());
    }
    return best;
}

BleuKernel::BleuKernel(std::size_t order, ReferenceLength length) : order_(order), length_(length) {
    if (order == 0) throw std::invalid_argument("BLEU order 0, expected at least 1");
}

void BleuKernel::operator()(const Segment& segment, double* row) {
    const std::size_t length = segment.hypothesis.size();
    std::fill(row, row + columns(order_), 0.0);
    for (std::size_t n = 0; n < order_ && n < length; ++n) {
        row[order_ + n] = static_cast<double>(length - n);
    }
    const double reference = effective_length(segment, length_);
    row[2 * order_] = static_cast<double>(length);
    row[2 * order_ + 1] = reference;
    row[2 * order_ + 2] = std::min(static_cast<double>(length), reference);
    const bool short_references = std::ranges::all_of(
        segment.references, [](Tokens reference) { return reference.size() <= mask_bits; });
    if (short_references && segment.references.size() == 1 && order_ == 4) {
        match_one_reference<4>(segment, row);
    } else if (short_references) {
        match_by_masks(segment, row);
    } else {
        match_by_tables(segment, row);
    }
}

// The common case of match_by_masks with its state in registers.
template <std::size_t Order>
void BleuKernel::match_one_reference(const Segment& segment, double* matches) {
    const Tokens reference = segment.references.front();
    masks_.assign(segment.vocabulary + 1, 0);
    std::uint64_t* masks = masks_.data() + 1;  // unknown words have the empty mask before it
    for (std::size_t p = 0; p < reference.size(); ++p) {
        masks[reference[p]] |= std::uint64_t{1} << p;
    }
    std::array<std::uint64_t, Order> runs{};
    std::array<std::uint64_t, Order> used{};
    std::array<std::uint32_t, Order> counts{};
    for (const Token token : segment.hypothesis) {
        const std::uint64_t mask = masks[token];
        for (std::size_t n = Order; n-- > 0;) {
            runs[n] = n == 0 ? mask : (runs[n - 1] << 1) & mask;
            const std::uint64_t free = runs[n] & ~used[n];
            used[n] |= free & (~free + 1);
            counts[n] += free != 0 ? 1 : 0;
        }
    }
    for (std::size_t n = 0; n < Order; ++n) matches[n] = counts[n];
}

// Bit p of runs[n] says: an (n+1)-gram ending at this hypothesis word ends at reference
// position p. All set bits are the same n-gram, so each match uses up the lowest free one,
// and the number of bits is the clip. With several references an occurrence takes a bit in
// each, and matches while any reference has one left: the maximum of the counts.
void BleuKernel::match_by_masks(const Segment& segment, double* matches) {
    const std::size_t references = segment.references.size();
    masks_.assign(references * segment.vocabulary, 0);
    for (std::size_t r = 0; r < references; ++r) {
        std::uint64_t* masks = masks_.data() + r * segment.vocabulary;
        for (std::size_t p = 0; p < segment.references[r].size(); ++p) {
            masks[segment.references[r][p]] |= std::uint64_t{1} << p;
        }
    }
    runs_.assign(references * order_, 0);
    used_.assign(references * order_, 0);
    std::size_t alive = 0;  // orders below this may have a run that ends at the last word
    for (const Token token : segment.hypothesis) {
        if (token == unknown) {
            alive = 0;
            std::fill(runs_.begin(), runs_.end(), 0);
            continue;
        }
        const std::size_t top = std::min(alive + 1, order_);
        alive = 0;
        for (std::size_t n = top; n-- > 0;) {
            bool matched = false;
            for (std::size_t r = 0; r < references; ++r) {
                std::uint64_t* runs = runs_.data() + r * order_;
                const std::uint64_t mask = masks_[r * segment.vocabulary + token];
                const std::uint64_t run = n == 0 ? mask : (runs[n - 1] << 1) & mask;
                runs[n] = run;
                const std::uint64_t free = run & ~used_[r * order_ + n];
                used_[r * order_ + n] |= free & (~free + 1);
                matched |= free != 0;
                if (run != 0) alive = std::max(alive, n + 1);
            }
            matches[n] += matched ? 1.0 : 0.0;
        }
        for (std::size_t n = top; n < order_; ++n) {
            for (std::size_t r = 0; r < references; ++r) runs_[r * order_ + n] = 0;
        }
    }
}

// Long references: n-grams are numbered, so every order is exact whatever its length.
void BleuKernel::match_by_tables(const Segment& segment, double* matches) {
    std::size_t words = 0;
    for (const Tokens reference : segment.references) words += reference.size();
    reference_grams_.resize(segment.references.size());
    hypothesis_grams_.assign(segment.hypothesis.size(), empty_gram);
    for (std::size_t n = 0; n < std::min(order_, segment.hypothesis.size()); ++n) {
        table_.clear(words);
        limits_.clear();
        for (std::size_t r = 0; r < segment.references.size(); ++r) {
            const Tokens reference = segment.references[r];
            auto& grams = reference_grams_[r];
            if (n == 0) grams.assign(reference.size(), empty_gram);
            counts_.assign(limits_.size(), 0);
            for (std::size_t p = 0; p + n < reference.size(); ++p) {
                const Gram gram = grams[p] = table_.intern(grams[p], reference[p + n]);
                if (gram == limits_.size()) {
                    limits_.push_back(0);
                    counts_.push_back(0);
                }
                limits_[gram] = std::max(limits_[gram], ++counts_[gram]);
            }
        }
        counts_.assign(limits_.size(), 0);
        for (std::size_t p = 0; p + n < segment.hypothesis.size(); ++p) {
            Gram& gram = hypothesis_grams_[p];
            gram = table_.find(gram, segment.hypothesis[p + n]);
            if (gram != no_gram && ++counts_[gram] <= limits_[gram]) matches[n] += 1;
        }
    }
}

}  // namespace tertium
