// Numbers for n-grams of any length: an n-gram is the pair (its first n − 1 words as a number,
// its last word), so that equal numbers mean equal n-grams, without collisions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/segment.hpp"

namespace tertium::core {

using Gram = std::uint32_t;
inline constexpr Gram no_gram = std::numeric_limits<Gram>::max();
inline constexpr Gram empty_gram = no_gram - 1;  // what the first word of an n-gram follows

class GramTable {
  public:
    std::size_t size() const { return count_; }

    void clear(std::size_t expected) {
        entries_.assign(std::bit_ceil(2 * expected + 2), Entry{free_key, 0});
        count_ = 0;
    }

    Gram find(Gram prefix, Token last) const {
        if (entries_.empty() || prefix == no_gram || last == unknown) return no_gram;
        const Entry& entry = entries_[slot_of(key_of(prefix, last))];
        return entry.key == free_key ? no_gram : entry.gram;
    }

    // The number of an n-gram, given in the order of arrival: 0, 1, 2, …
    Gram intern(Gram prefix, Token last) {
        if (2 * (count_ + 1) > entries_.size()) grow();
        const std::uint64_t key = key_of(prefix, last);
        Entry& entry = entries_[slot_of(key)];
        if (entry.key == free_key) entry = {key, static_cast<Gram>(count_++)};
        return entry.gram;
    }

  private:
    struct Entry {
        std::uint64_t key;
        Gram gram;
    };
    // No key has this value: a prefix is never no_gram.
    static constexpr std::uint64_t free_key = std::numeric_limits<std::uint64_t>::max();

    static std::uint64_t key_of(Gram prefix, Token last) {
        return (static_cast<std::uint64_t>(prefix) << 32) | static_cast<std::uint32_t>(last);
    }

    std::size_t slot_of(std::uint64_t key) const {
        const std::size_t mask = entries_.size() - 1;
        std::size_t slot = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> 32) & mask;
        while (entries_[slot].key != free_key && entries_[slot].key != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    void grow() {
        const std::vector<Entry> old = std::move(entries_);
        entries_.assign(old.empty() ? 16 : 2 * old.size(), Entry{free_key, 0});
        for (const Entry& entry : old) {
            if (entry.key != free_key) entries_[slot_of(entry.key)] = entry;
        }
    }

    std::vector<Entry> entries_;
    std::size_t count_ = 0;
};

}  // namespace tertium::core
