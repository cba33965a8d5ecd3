// Numbers for the distinct words of one text; the words' bytes must outlive it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/segment.hpp"
#include "text/tokens/token_key.hpp"

namespace tertium::text {

class LocalVocabulary {
  public:
    std::size_t size() const { return words_.size(); }

    void clear() {
        words_.clear();
        std::ranges::fill(slots_, core::unknown);
    }

    core::Token find(std::string_view word) const {
        return slots_.empty() ? core::unknown
                              : slots_[slot_of({tokens::TokenKey(word), word.data()})];
    }

    core::Token intern(std::string_view word) {
        if (2 * (words_.size() + 1) > slots_.size()) grow();
        const Word one{tokens::TokenKey(word), word.data()};
        core::Token& number = slots_[slot_of(one)];
        if (number == core::unknown) {
            number = static_cast<core::Token>(words_.size());
            words_.push_back(one);
        }
        return number;
    }

  private:
    struct Word {
        tokens::TokenKey key;
        const char* bytes;

        bool operator==(const Word& other) const {
            return key == other.key &&
                   (key.holds_all() || std::memcmp(bytes, other.bytes, key.length) == 0);
        }
    };

    std::size_t slot_of(const Word& word) const {
        const std::size_t mask = slots_.size() - 1;
        const std::uint64_t mixed = (word.key.key + word.key.length) * 0x9E3779B97F4A7C15u;
        std::size_t slot = static_cast<std::size_t>(mixed >> 32) & mask;
        while (slots_[slot] != core::unknown &&
               !(words_[static_cast<std::size_t>(slots_[slot])] == word)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), core::unknown);
        for (std::size_t number = 0; number < words_.size(); ++number) {
            slots_[slot_of(words_[number])] = static_cast<core::Token>(number);
        }
    }

    std::vector<Word> words_;
    std::vector<core::Token> slots_;
};

}  // namespace tertium::text
