#include "metrics/ngram/bleu.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

#include "core/processor.hpp"

namespace tertium::metrics::ngram {
ReferenceLength reference_length_named(std::string_view name) {
    if (name == "closest") return ReferenceLength::closest;
    if (name == "shortest") return ReferenceLength::shortest;
    if (name == "average") return ReferenceLength::average;
    throw std::invalid_argument("unknown reference length '" + std::string(name) +
                                "', expected closest, shortest or average");
}

namespace {

// The common case of NgramMatcher (see there) with its state in registers: n-grams of a hypothesis
// that a reference of at most 64 tokens has. The masks are 0 before.
template <std::size_t Order>
TERTIUM_INLINE void matches_of(const core::Segment& segment, std::uint64_t* masks,
                               double* matches) {
    const core::Tokens reference = segment.references.front();
    ++masks;  // unknown words have the empty mask before it
    for (std::size_t p = 0; p < reference.size(); ++p) {
        masks[reference[p]] |= std::uint64_t{1} << p;
    }
    std::array<std::uint64_t, Order> runs{};
    std::array<std::uint64_t, Order> used{};  // one more place for each match
    for (const core::Token token : segment.hypothesis) {
        const std::uint64_t mask = masks[token];
        for (std::size_t n = Order; n-- > 0;) {
            runs[n] = n == 0 ? mask : (runs[n - 1] << 1) & mask;
            const std::uint64_t free = runs[n] & ~used[n];
            used[n] |= free & (~free + 1);
        }
    }
    for (std::size_t n = 0; n < Order; ++n) matches[n] = std::popcount(used[n]);
}

#ifdef TERTIUM_AVX2
template <std::size_t Order>
TERTIUM_AVX2 void matches_by_bits(const core::Segment& segment, std::uint64_t* masks,
                                  double* matches) {
    matches_of<Order>(segment, masks, matches);
}
#endif

}  // namespace

double effective_length(const core::Segment& segment, ReferenceLength choice) {
    const auto hypothesis = static_cast<double>(segment.hypothesis.size());
    double best = static_cast<double>(segment.references.front().size());
    double sum = 0;
    for (const core::Tokens reference : segment.references) {
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

BleuKernel::BleuKernel(std::size_t order, ReferenceLength length, bool covered)
    : order_(order), length_(length), covered_(covered) {
    if (order == 0) throw std::invalid_argument("BLEU order 0, expected at least 1");
}

void BleuKernel::operator()(const core::Segment& segment, double* row) {
    const std::size_t length = segment.hypothesis.size();
    std::fill(row, row + columns(order_, covered_), 0.0);
    for (std::size_t n = 0; n < order_ && n < length; ++n) {
        row[order_ + n] = static_cast<double>(length - n);
    }
    const double reference = effective_length(segment, length_);
    row[2 * order_] = static_cast<double>(length);
    row[2 * order_ + 1] = reference;
    if (covered_) row[2 * order_ + 2] = std::min(static_cast<double>(length), reference);
    if (order_ == 4 && segment.references.size() == 1 && segment.references[0].size() <= 64) {
        match_one_reference(segment, row);
    } else if (segment.references.size() == 1 && segment.references[0].size() > 64) {
        clipped_.count(segment.hypothesis, segment.references[0], segment.vocabulary,
                       std::span(row, order_));
    } else if (!pooled_.count(segment, std::span(row, order_))) {
        matcher_.find(segment, order_,
                      [row](std::size_t, std::size_t n, const auto&) { row[n - 1] += 1; });
    }
}

void BleuKernel::match_one_reference(const core::Segment& segment, double* matches) {
    masks_.assign(segment.vocabulary + 1, 0);
#ifdef TERTIUM_AVX2
    if (core::has_avx2()) return matches_by_bits<4>(segment, masks_.data(), matches);
#endif
    matches_of<4>(segment, masks_.data(), matches);
}

}  // namespace tertium::metrics::ngram
