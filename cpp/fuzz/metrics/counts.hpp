// Clipped n-gram matches as plainly as they can be counted.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "core/segment.hpp"

namespace tertium::fuzz {

using Counts = std::map<std::vector<core::Token>, double>;

inline Counts gram_counts(core::Tokens text, std::size_t order) {
    Counts counts;
    for (std::size_t i = 0; i + order <= text.size(); ++i) {
        const core::Tokens gram = text.subspan(i, order);
        ++counts[{gram.begin(), gram.end()}];
    }
    return counts;
}

// Each n-gram at most as often as in the reference that has it most often.
inline double clipped(core::Tokens hypothesis, std::span<const core::Tokens> references,
                      std::size_t order) {
    Counts most;
    for (const core::Tokens reference : references) {
        for (const auto& [gram, count] : gram_counts(reference, order)) {
            most[gram] = std::max(most[gram], count);
        }
    }
    double sum = 0;
    for (const auto& [gram, count] : gram_counts(hypothesis, order)) {
        const bool known = std::ranges::find(gram, core::unknown) == gram.end();
        if (const auto found = most.find(gram); known && found != most.end()) {
            sum += std::min(count, found->second);
        }
    }
    return sum;
}

}  // namespace tertium::fuzz
