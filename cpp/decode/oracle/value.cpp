#include "decode/oracle/value.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tertium::decode::oracle {
namespace {

constexpr double packed_limit = 0x1p14;  // of the metric's weight
constexpr int model_bits = 36;           // of a path's model score
constexpr int exact_bits = 52;           // whole numbers of which a double holds all

// The nearest multiple of a power of two.
double rounded(double number, int exponent) {
    return std::ldexp(std::nearbyint(std::ldexp(number, -exponent)), exponent);
}

}  // namespace

OracleUnits::OracleUnits(const metrics::edit::GramWeights& weights, std::size_t reference_words,
                         double words, double model, double mix)
    : unit_(weights.unit()), insertion_(weights.alpha_units()), deletion_(weights.beta_units()) {
    if (!std::isfinite(words) || !std::isfinite(model) || !std::isfinite(mix * model)) {
        throw std::invalid_argument("paths are too long, or their scores too large, to be added");
    }
    const auto positions = static_cast<double>(reference_words);
    const double longest_run =
        std::min({static_cast<double>(weights.k()), positions + 1, words + 1});
    const double largest = words * std::abs(insertion_) + positions * std::abs(deletion_) +
                           std::min(words, positions) * longest_run * unit_ +
                           std::abs(mix) * model * unit_;
    packed_ = weights.whole() && largest < packed_limit && mix == 0;
    if (mix != 0 && largest > 0) {
        mix_ = mix * unit_;
        mix_exponent_ = std::ilogb(largest) + 1 - exact_bits;
    }
    if (!weights.whole() && largest > 0) {
        // Weights become multiples of a power of two small enough for all sums to be exact.
        const int exponent = std::ilogb(largest) + 1 - exact_bits;
        if (exponent <= 0) {
            insertion_ = rounded(insertion_, exponent);
            deletion_ = rounded(deletion_, exponent);
        }
    }
    if (model > 0) {
        model_factor_ = std::ldexp(1.0, std::clamp(model_bits - 1 - std::ilogb(model), -900, 900));
    }
}

template <>
PackedValue OracleUnits::model<PackedValue>(double score) const {
    return std::nearbyint(score * model_factor_);
}
template <>
PairValue OracleUnits::model<PairValue>(double score) const {
    const double mixed = mix_ == 0 ? 0.0 : rounded(score * mix_, mix_exponent_);
    return {mixed, std::nearbyint(score * model_factor_)};
}

double OracleUnits::metric_of(PackedValue value) const {
    return std::nearbyint(value * 0x1p-38) / unit_ + 0.0;  // never −0
}

}  // namespace tertium::decode::oracle
