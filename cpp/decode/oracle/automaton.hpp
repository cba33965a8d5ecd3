// The automaton of the k-gram recognition rate (Chiang et al., 2008, section 4.3) as vectors of
// weights: what a word does to all states at once.
//
// State (i, m): i reference words have been passed, the last m were matched in a row, m < k.
// A state may forget its run, (i, m) → (i, m − 1) with weight 0: a path that does is worth no more
// than the one that does not. So weights of coming from the start fall with m and weights of going
// to the end rise with m, and (i, 0) stands for "at i, whatever the run".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"
#include "decode/oracle/value.hpp"

namespace tertium::decode::oracle {

// Reference words as 0, 1, …; the words of a structure are looked up once.
class OracleReference {
  public:
    explicit OracleReference(core::Tokens words);

    std::size_t size() const { return size_; }

    // A word's number; −1 if it is not in the reference.
    std::int32_t number(core::Token word) const {
        const auto found = std::lower_bound(distinct_.begin(), distinct_.end(), word);
        return found != distinct_.end() && *found == word
                   ? static_cast<std::int32_t>(found - distinct_.begin())
                   : -1;
    }
    std::vector<std::int32_t> numbers(core::Tokens words) const;

    // Where it stands, ascending.
    std::span<const std::int32_t> positions(std::int32_t number) const {
        if (number < 0) return {};
        const auto place = static_cast<std::size_t>(number);
        return {positions_.data() + begins_[place], positions_.data() + begins_[place + 1]};
    }

  private:
    std::size_t size_;
    std::vector<core::Token> distinct_;
    std::vector<std::size_t> begins_;
    std::vector<std::int32_t> positions_;
};

template <class Value>
class OracleAutomaton {
  public:
    using Vector = std::vector<Value>;

    OracleAutomaton(const OracleReference& reference, const OracleUnits& units, std::int64_t k)
        : reference_(reference),
          width_(reference.size() + 1),
          levels_(static_cast<std::size_t>(std::min(k, static_cast<std::int64_t>(width_)))),
          insertion_(units.template insertion<Value>()),
          deletion_(units.template deletion<Value>()) {
        for (std::size_t run = 0; run <= levels_; ++run) {
            gains_.push_back(units.template matches<Value>(run));
        }
    }

    std::size_t width() const { return width_; }    // |r| + 1
    std::size_t levels() const { return levels_; }  // k, or fewer where runs cannot be as long
    std::size_t states() const { return width_ * levels_; }
    std::size_t state(std::size_t position, std::size_t run) const {
        return run * width_ + position;
    }
    Value insertion() const { return insertion_; }
    Value deletion() const { return deletion_; }
    // The match that follows a run of `run` words: its weight, and the run after it.
    Value gain(std::size_t run) const { return gains_[run + 1]; }
    std::size_t longer(std::size_t run) const { return std::min(run + 1, levels_ - 1); }
    const OracleReference& reference() const { return reference_; }

    Vector nowhere() const { return Vector(states(), unreachable_value<Value>()); }

    // Nothing read, nothing passed.
    Vector start() const {
        Vector result = nowhere();
        result[0] = zero();
        return result;
    }

    // What is left when the words are at an end: deletions.
    Vector end() const {
        Vector result(states(), zero());
        for (std::size_t run = 0; run < levels_; ++run) {
            for (std::size_t i = width_ - 1; i-- > 0;) {
                result[state(i, run)] = result[state(i + 1, run)] + deletion_;
            }
        }
        return result;
    }

    // From the weights before a word those after it; deletions come before the word.
    // `before` is closed under forgetting, and so is `after`.
    void read(const Value* before, std::int32_t word, Value* after, Vector& scratch) const {
        scratch.assign(before, before + width_);
        for (std::size_t i = 1; i < width_; ++i) raise(scratch[i], scratch[i - 1] + deletion_);
        std::fill(after + width_, after + states(), unreachable_value<Value>());
        after[0] = scratch[0] + insertion_;
        for (std::size_t i = 1; i < width_; ++i) {
            after[i] = scratch[i] + insertion_;
            raise(after[i], scratch[i - 1]);
        }
        for (const std::int32_t place : reference_.positions(word)) {
            const auto i = static_cast<std::size_t>(place);
            raise(after[state(i + 1, longer(0))], scratch[i] + gain(0));
            for (std::size_t run = 1; run < levels_; ++run) {
                raise(after[state(i + 1, longer(run))], before[state(i, run)] + gain(run));
            }
            forget(after, i + 1);
        }
    }

    // From the weights of going on after a word those of going on before it.
    void unread(const Value* after, std::int32_t word, Value* before) const {
        std::fill(before, before + width_, unreachable_value<Value>());
        const auto places = reference_.positions(word);
        auto place = places.rbegin();
        for (std::size_t i = width_; i-- > 0;) {
            Value plain = after[i] + insertion_;
            if (i + 1 < width_) {
                raise(plain, after[i + 1]);
                raise(plain, before[i + 1] + deletion_);
            }
            const bool matches = place != places.rend() && static_cast<std::size_t>(*place) == i;
            for (std::size_t run = 0; run < levels_; ++run) {
                before[state(i, run)] = plain;
                if (matches) {
                    raise(before[state(i, run)], after[state(i + 1, longer(run))] + gain(run));
                }
            }
            if (matches) ++place;
        }
    }

    // Makes runs at a position worth no more than shorter ones.
    void forget(Value* weights, std::size_t position) const {
        for (std::size_t run = levels_ - 1; run > 0; --run) {
            raise(weights[state(position, run - 1)], weights[state(position, run)]);
        }
    }

    // The best way from the start through any state to the end.
    Value meet(const Value* come, const Value* go) const {
        Value best = unreachable_value<Value>();
        for (std::size_t s = 0; s < states(); ++s) {
            if (is_reachable(come[s])) raise(best, come[s] + go[s]);
        }
        return best;
    }

    static Value zero();

  private:
    const OracleReference& reference_;
    std::size_t width_;
    std::size_t levels_;
    Value insertion_;
    Value deletion_;
    Vector gains_;
};

template <>
inline PackedValue OracleAutomaton<PackedValue>::zero() {
    return 0;
}
template <>
inline PairValue OracleAutomaton<PairValue>::zero() {
    return {0, 0};
}

}  // namespace tertium::decode::oracle
