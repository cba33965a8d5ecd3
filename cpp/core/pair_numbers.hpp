// Numbers for pairs of numbers, given in the order of arrival: 0, 1, 2, …
#pragma once

#include <cstddef>
#include <vector>

#include "core/gram_table.hpp"

namespace tertium::core {

// Few pairs are kept as a list for each first number, which costs less than hashing as long as
// a first number has few partners; many pairs go to a hash table.
class PairNumbers {
  public:
    // First numbers are below `firsts`; about `expected` pairs will come.
    void clear(std::size_t firsts, std::size_t expected) {
        hashed_ = expected > most_listed;
        pairs_.clear();
        if (hashed_) {
            table_.clear(expected);
        } else {
            heads_.assign(firsts, no_gram);
        }
    }

    Gram find(Gram first, Gram second) const {
        if (first == no_gram || second == no_gram) return no_gram;
        if (hashed_) return table_.find(first, static_cast<Token>(second));
        Gram number = heads_[first];
        while (number != no_gram && pairs_[number].second != second) number = pairs_[number].next;
        return number;
    }

    Gram intern(Gram first, Gram second) {
        if (hashed_) return table_.intern(first, static_cast<Token>(second));
        Gram number = heads_[first];
        while (number != no_gram && pairs_[number].second != second) number = pairs_[number].next;
        if (number != no_gram) return number;
        pairs_.push_back({second, heads_[first]});
        return heads_[first] = static_cast<Gram>(pairs_.size() - 1);
    }

  private:
    static constexpr std::size_t most_listed = 512;
    struct Pair {
        Gram second, next;
    };

    bool hashed_ = false;
    GramTable table_;
    std::vector<Gram> heads_;  // by first number: the last of its pairs
    std::vector<Pair> pairs_;
};

}  // namespace tertium::core
