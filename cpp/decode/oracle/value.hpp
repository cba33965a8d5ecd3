// What oracles maximise: the metric's weight first, the model's score among equals; or the metric's
// weight plus a multiple of the model's score ("hope", Chiang 2012).
//
// Both are whole numbers of small units, so that sums are exact: they do not depend on the order
// in which a path is added up, and equal is equal. That is what makes ties well defined.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "metrics/edit/grr.hpp"

namespace tertium::decode::oracle {

// Both numbers in one: metric · 2^38 + model, where the metric fits into 14 bits.
using PackedValue = double;

// The two side by side, where it does not.
struct PairValue {
    double metric = -std::numeric_limits<double>::infinity();
    double model = 0;

    friend PairValue operator+(PairValue one, PairValue other) {
        return {one.metric + other.metric, one.model + other.model};
    }
    friend bool operator>(PairValue one, PairValue other) {
        return one.metric > other.metric || (one.metric == other.metric && one.model > other.model);
    }
    friend bool operator==(PairValue one, PairValue other) {
        return one.metric == other.metric && one.model == other.model;
    }
};

template <class Value>
inline Value unreachable_value() {
    return Value{};
}
template <>
inline PackedValue unreachable_value<PackedValue>() {
    return -std::numeric_limits<double>::infinity();
}

inline bool is_reachable(PackedValue value) {
    return value > -std::numeric_limits<double>::infinity();
}
inline bool is_reachable(PairValue value) {
    return is_reachable(value.metric);
}

template <class Value>
inline void raise(Value& value, Value other) {
    value = other > value ? other : value;
}

// α, β, a match and the model's scores in whole units.
class OracleUnits {
  public:
    // `words` is the most that any path reads, `model` the most that the absolute scores of any
    // path add up to; `mix` times a score is added to the metric's weight. Throws
    // std::invalid_argument where that is not finite.
    OracleUnits(const metrics::edit::GramWeights&, std::size_t reference_words, double words,
                double model, double mix = 0);

    bool packed() const { return packed_; }

    template <class Value>
    Value value(double metric, double model) const;

    template <class Value>
    Value matches(std::size_t run) const {  // what the match that makes a run this long is worth
        return value<Value>(unit_ * static_cast<double>(run), 0);
    }
    template <class Value>
    Value insertion() const {
        return value<Value>(-insertion_, 0);
    }
    template <class Value>
    Value deletion() const {
        return value<Value>(-deletion_, 0);
    }
    template <class Value>
    Value model(double score) const;

    // Back to what α and β were given in.
    double metric_of(PackedValue) const;
    double metric_of(PairValue value) const { return value.metric / unit_; }

  private:
    double unit_;
    double insertion_;
    double deletion_;
    double model_factor_ = 0;
    double mix_ = 0;        // in units of the metric's weight
    int mix_exponent_ = 0;  // it is added in multiples of this power of two
    bool packed_;
};

template <>
inline PackedValue OracleUnits::value<PackedValue>(double metric, double model) const {
    return metric * 0x1p38 + model;
}
template <>
inline PairValue OracleUnits::value<PairValue>(double metric, double model) const {
    return {metric, model};
}

}  // namespace tertium::decode::oracle
