#include "decode/oracle/automaton.hpp"

#include <numeric>

namespace tertium::decode::oracle {

OracleReference::OracleReference(core::Tokens words)
    : size_(words.size()), positions_(words.size()) {
    std::iota(positions_.begin(), positions_.end(), 0);
    const auto word = [&](std::int32_t i) { return words[static_cast<std::size_t>(i)]; };
    std::stable_sort(positions_.begin(), positions_.end(),
                     [&](std::int32_t one, std::int32_t other) { return word(one) < word(other); });
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        if (i == 0 || word(positions_[i]) != distinct_.back()) {
            distinct_.push_back(word(positions_[i]));
            begins_.push_back(i);
        }
    }
    begins_.push_back(positions_.size());
}

std::vector<std::int32_t> OracleReference::numbers(core::Tokens words) const {
    std::vector<std::int32_t> result(words.size());
    std::transform(words.begin(), words.end(), result.begin(),
                   [&](core::Token word) { return number(word); });
    return result;
}

}  // namespace tertium::decode::oracle
