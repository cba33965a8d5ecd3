// Numbers for the tokens of one segment's texts, given in the order of arrival: 0, 1, 2, …
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/segment.hpp"
#include "text/character_numbers.hpp"
#include "text/local_vocabulary.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::text {

// Where every character is a token, none is cut out or hashed.
class TokenNumbers {
  public:
    using Word = LocalVocabulary::Word;

    explicit TokenNumbers(tokens::Tokenization tokenization);

    std::size_t size() const { return characters_ ? characters_->size() : words_.size(); }

    void clear();
    // The numbers of all tokens of a text, which must outlive the next call of clear(). New tokens
    // get a number …
    void intern(std::string_view text, std::vector<core::Token>& out);
    // … or are `unknown`.
    void find(std::string_view text, std::vector<core::Token>& out);

    // The next numbers go to tokens that have none yet; `rest_of(i)` are the bytes of one that its
    // key does not hold.
    template <class RestOf>
    void add(std::span<const tokens::TokenKey> keys, RestOf&& rest_of) {
        if (characters_) return add_characters(keys);
        words_.intern(keys.size(), [&](std::size_t i) { return Word(keys[i], rest_of(i)); });
    }
    // All tokens, in the order of their numbers; the result lies in `out` or here.
    std::span<const Word> words(std::vector<Word>& out) const;

  private:
    void add_characters(std::span<const tokens::TokenKey> keys);

    tokens::Tokenization tokenization_;
    std::optional<CharacterNumbers> characters_;
    LocalVocabulary words_;
    std::vector<tokens::TokenBuffer> buffers_;  // the first is of texts that are not interned
    std::size_t used_ = 1;
    std::vector<core::Token> numbers_;  // of add_characters()
};

}  // namespace tertium::text
