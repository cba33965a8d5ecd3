// A block of words that moves within its sentence: the edit that TER adds to Levenshtein's three.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tertium::metrics::edit {

// Words [start, start + length) move `by` words to the right, or to the left if negative. Places
// are those of the sentence before the shift; the moved block never leaves the sentence.
struct Shift {
    std::size_t start = 0;
    std::size_t length = 0;
    std::ptrdiff_t by = 0;

    bool operator==(const Shift&) const = default;

    // Where the block stands afterwards.
    std::size_t to() const {
        return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(start) + by);
    }
    // Only the words in [first, end) change their places.
    std::size_t first() const { return std::min(start, to()); }
    std::size_t end() const { return std::max(start, to()) + length; }
    // The first word of [first, end) in the order before, that comes first afterwards: the shift
    // turns [first, middle, end) into [middle, end) followed by [first, middle).
    std::size_t middle() const { return by < 0 ? start : start + length; }

    // Of each word there are `parts`, one beside another.
    template <class Word>
    void apply(std::vector<Word>& words, std::size_t parts = 1) const {
        const auto at = [&](std::size_t place) {
            return words.begin() + static_cast<std::ptrdiff_t>(place * parts);
        };
        std::rotate(at(first()), at(middle()), at(end()));
    }
};

}  // namespace tertium::metrics::edit
