#include "audit/known_words.hpp"

#include "audit/word_stream.hpp"

namespace tertium::audit {
namespace {

template <class Word>
void for_each_word(std::string_view text, Word&& word) {
    WordReader reader(word);
    for_each_code_point(text, [&](char32_t code, text::tokens::Properties properties) {
        reader.take(code, properties);
    });
    reader.end();
}

}  // namespace

void KnownWords::add(std::string_view text) {
    for_each_word(text, [this](std::uint64_t word) { words_.intern(word); });
}

KnownWords::Count KnownWords::count(std::string_view text) const {
    Count result;
    for_each_word(text, [&](std::uint64_t word) {
        ++result.words;
        result.known += words_.find(word) != core::no_number;
    });
    return result;
}

}  // namespace tertium::audit
