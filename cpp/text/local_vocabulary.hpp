// Numbers for the distinct words of one text; the words' bytes must outlive it.
#pragma once

#include <cstddef>
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
    struct Word {
        tokens::TokenKey key;
        const char* bytes;

        // The bytes that the key does not hold.
        std::string_view rest() const {
            return key.holds_all() ? std::string_view{} : std::string_view(bytes, key.length());
        }
        bool operator==(const Word& other) const {
            return key == other.key &&
                   (key.holds_all() || std::memcmp(bytes, other.bytes, key.length()) == 0);
        }
    };

    std::size_t size() const { return words_.size(); }
    const std::vector<Word>& words() const { return words_; }  // by number

    void clear() {
        words_.clear();
        index_.clear();
    }

    core::Token find(const Word& word) const {
        // `unknown` is no_number as a signed number.
        return static_cast<core::Token>(index_.find(word.key.hash(), Same{words_, word}));
    }

    core::Token intern(const Word& word) {
        const std::uint32_t number =
            index_.intern(word.key.hash(), Same{words_, word},
                          [&](std::uint32_t known) { return words_[known].key.hash(); });
        if (number == words_.size()) words_.push_back(word);
        return static_cast<core::Token>(number);
    }

  private:
    struct Same {
        const std::vector<Word>& words;
        const Word& word;
        bool operator()(std::uint32_t number) const { return words[number] == word; }
    };

    std::vector<Word> words_;
    core::HashIndex index_;
};

}  // namespace tertium::text
