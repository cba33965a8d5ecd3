#include "text/token_numbers.hpp"

#include <string>

#include "text/utf8.hpp"

namespace tertium::text {
namespace {

// What lies around the tokens of a text.
std::string_view text_around(const tokens::TokenList& tokens) {
    if (tokens.empty()) return {};
    const char* begin = tokens.front().data();
    const char* end = tokens.back().data() + tokens.back().size();
    return {begin, static_cast<std::size_t>(end - begin)};
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
    tokens::TokenBuffer& buffer = buffers_[used_++];
    tokens::tokenize(tokenization_, text, buffer);
    words_.intern(buffer.tokens, text_around(buffer.tokens), out);
}

void TokenNumbers::find(std::string_view text, std::vector<core::Token>& out) {
    if (characters_) return characters_->find(text, false, out);
    tokens::TokenBuffer& buffer = buffers_[0];
    tokens::tokenize(tokenization_, text, buffer);
    words_.find(buffer.tokens, text_around(buffer.tokens), out);
}

void TokenNumbers::add_characters(std::span<const tokens::TokenKey> keys) {
    for (const tokens::TokenKey& key : keys) {
        const auto bytes = key.held();
        characters_->intern({bytes.data(), key.length()}, false, numbers_);
    }
}

std::span<const TokenNumbers::Word> TokenNumbers::words(std::vector<Word>& out) const {
    if (!characters_) return words_.words();
    out.clear();
    std::string bytes;
    for (const char32_t character : characters_->characters()) {
        bytes.clear();
        utf8::append(bytes, character);
        out.emplace_back(tokens::TokenKey(bytes), nullptr);
    }
    return out;
}

}  // namespace tertium::text
