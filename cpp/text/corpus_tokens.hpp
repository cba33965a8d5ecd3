// Token numbers that hold for a whole corpus, for metrics that weigh words by all references.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/references.hpp"

namespace tertium::text {

class CorpusTokens {
  public:
    std::size_t size() const { return words_.size(); }

    core::Token intern(const Vocabulary& vocabulary, core::Token token) {
        if (2 * (words_.size() + 1) > slots_.size()) grow();
        const tokens::TokenKey& key = vocabulary.keys[static_cast<std::size_t>(token)];
        const std::string_view rest = vocabulary.long_bytes(token);
        core::Token& number = slots_[slot_of(key, rest)];
        if (number == core::unknown) {
            number = static_cast<core::Token>(words_.size());
            words_.push_back({key, bytes_.size()});
            bytes_.append(rest);
        }
        return number;
    }

    core::Token find(const Vocabulary& vocabulary, core::Token token) const {
        if (slots_.empty()) return core::unknown;
        const tokens::TokenKey& key = vocabulary.keys[static_cast<std::size_t>(token)];
        return slots_[slot_of(key, vocabulary.long_bytes(token))];
    }

    core::Token find(std::string_view word) const {
        if (slots_.empty()) return core::unknown;
        const bool held = word.size() <= tokens::TokenKey::held_bytes;
        return slots_[slot_of(tokens::TokenKey(word), held ? std::string_view{} : word)];
    }

  private:
    struct Word {
        tokens::TokenKey key;
        std::size_t begin;  // of the bytes that the key does not hold
    };

    std::size_t home(const tokens::TokenKey& key) const {
        const std::uint64_t mixed = (key.key + key.length) * 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
    }

    std::size_t slot_of(const tokens::TokenKey& key, std::string_view rest) const {
        std::size_t slot = home(key);
        while (slots_[slot] != core::unknown) {
            const Word& word = words_[static_cast<std::size_t>(slots_[slot])];
            // Equal keys mean equal lengths, so as many bytes are there.
            if (word.key == key && bytes_.compare(word.begin, rest.size(), rest) == 0) break;
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return slot;
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), core::unknown);
        for (std::size_t number = 0; number < words_.size(); ++number) {
            // Numbers are placed anew in order, so every other word here is another one.
            std::size_t slot = home(words_[number].key);
            while (slots_[slot] != core::unknown) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<core::Token>(number);
        }
    }

    std::vector<Word> words_;
    std::vector<core::Token> slots_;
    std::string bytes_;
};

}  // namespace tertium::text
