// Numbers for the distinct words of one text; the words' bytes must outlive it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/hash_table.hpp"
#include "core/segment.hpp"
#include "text/tokens/token_key.hpp"

namespace tertium::text {

class LocalVocabulary {
  public:
    std::size_t size() const { return words_.size(); }

    void clear() {
        words_.clear();
        index_.clear();
    }

    core::Token find(std::string_view word) const {
        const Word one{tokens::TokenKey(word), word.data()};
        // `unknown` is no_number as a signed number.
        return static_cast<core::Token>(index_.find(one.key.hash(), Same{words_, one}));
    }

    core::Token intern(std::string_view word) {
        const Word one{tokens::TokenKey(word), word.data()};
        const std::uint32_t number =
            index_.intern(one.key.hash(), Same{words_, one},
                          [&](std::uint32_t known) { return words_[known].key.hash(); });
        if (number == words_.size()) words_.push_back(one);
        return static_cast<core::Token>(number);
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

    struct Same {
        const std::vector<Word>& words;
        const Word& word;
        bool operator()(std::uint32_t number) const { return words[number] == word; }
    };

    std::vector<Word> words_;
    core::HashIndex index_;
};

}  // namespace tertium::text
