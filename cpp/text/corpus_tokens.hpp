// Token numbers that hold for a whole corpus, for metrics that weigh words by all references.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash_table.hpp"
#include "text/references.hpp"

namespace tertium::text {

class CorpusTokens {
  public:
    std::size_t size() const { return words_.size(); }

    core::Token intern(const Vocabulary& vocabulary, core::Token token) {
        const tokens::TokenKey& key = vocabulary.keys[static_cast<std::size_t>(token)];
        const std::string_view rest = vocabulary.long_bytes(token);
        const std::uint32_t number = index_.intern(
            key.hash(), [&](std::uint32_t known) { return is(known, key, rest); },
            [&](std::uint32_t known) { return words_[known].key.hash(); });
        if (number == words_.size()) {
            words_.push_back({key, bytes_.size()});
            bytes_.append(rest);
        }
        return static_cast<core::Token>(number);
    }

    core::Token find(const Vocabulary& vocabulary, core::Token token) const {
        return find(vocabulary.keys[static_cast<std::size_t>(token)], vocabulary.long_bytes(token));
    }

    core::Token find(std::string_view word) const {
        const bool held = word.size() <= tokens::TokenKey::held_bytes;
        return find(tokens::TokenKey(word), held ? std::string_view{} : word);
    }

  private:
    struct Word {
        tokens::TokenKey key;
        std::size_t begin;  // of the bytes that the key does not hold
    };

    core::Token find(const tokens::TokenKey& key, std::string_view rest) const {
        // `unknown` is no_number as a signed number.
        return static_cast<core::Token>(
            index_.find(key.hash(), [&](std::uint32_t number) { return is(number, key, rest); }));
    }

    bool is(std::uint32_t number, const tokens::TokenKey& key, std::string_view rest) const {
        const Word& word = words_[number];
        // Equal keys mean equal lengths, so as many bytes are there.
        return word.key == key && bytes_.compare(word.begin, rest.size(), rest) == 0;
    }

    std::vector<Word> words_;
    core::HashIndex index_;
    std::string bytes_;
};

}  // namespace tertium::text
