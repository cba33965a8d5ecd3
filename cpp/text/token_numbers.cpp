#include "text/token_numbers.hpp"

#include <array>
#include <string>

#include "core/interrupt.hpp"
#include "text/utf8.hpp"

namespace tertium::text {
namespace {

// Calls take(word) for every token of a text.
template <class Take>
void for_each_word(tokens::Tokenization tokenization, std::string_view text,
                   tokens::TokenBuffer& buffer, Take&& take) {
    tokens::tokenize(tokenization, text, buffer);
    if (buffer.tokens.empty()) return;
    const char* end = buffer.tokens.back().data() + buffer.tokens.back().size();
    std::size_t step = 0;
    for (const std::string_view token : buffer.tokens) {
        core::check_interrupt_at(step++);
        take(LocalVocabulary::Word{tokens::TokenKey(token, end), token.data()});
    }
}

}  // namespace

TokenNumbers::TokenNumbers(tokens::Tokenization tokenization)
    : tokenization_(tokenization), buffers_(2) {
    if (tokenization.rules == tokens::Tokenization::character && tokenization.punctuation) {
        characters_.emplace();
    }
}

void TokenNumbers::clear() {
    if (characters_) characters_->clear();
    words_.clear();
    used_ = 1;
}

void TokenNumbers::intern(std::string_view text, std::vector<core::Token>& out) {
    if (characters_) return characters_->intern(text, false, out);
    if (used_ == buffers_.size()) buffers_.emplace_back();
    out.clear();
    for_each_word(tokenization_, text, buffers_[used_++],
                  [&](const Word& word) { out.push_back(words_.intern(word)); });
}

void TokenNumbers::find(std::string_view text, std::vector<core::Token>& out) {
    if (characters_) return characters_->find(text, false, out);
    out.clear();
    for_each_word(tokenization_, text, buffers_[0],
                  [&](const Word& word) { out.push_back(words_.find(word)); });
}

void TokenNumbers::add(const Word& word) {
    if (characters_) {
        std::array<char, tokens::TokenKey::held_bytes> bytes;
        characters_->intern(word.key.held(bytes), false, numbers_);
    } else {
        words_.intern(word);
    }
}

const std::vector<TokenNumbers::Word>& TokenNumbers::words(std::vector<Word>& out) const {
    if (!characters_) return words_.words();
    out.clear();
    std::string bytes;
    for (const char32_t character : characters_->characters()) {
        bytes.clear();
        utf8::append(bytes, character);
        out.push_back({tokens::TokenKey(bytes), nullptr});
    }
    return out;
}

}  // namespace tertium::text
