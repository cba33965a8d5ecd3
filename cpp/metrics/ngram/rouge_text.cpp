#include "metrics/ngram/rouge_text.hpp"

#include <array>
#include <stdexcept>

#include "text/tokens/code_points.hpp"
#include "text/tokens/porter.hpp"
#include "text/tokens/token_split.hpp"
#include "text/utf8.hpp"

namespace tertium::metrics::ngram {
namespace {

constexpr char blank = ' ';

constexpr std::array<char, 256> folded = [] {
    std::array<char, 256> table{};
    table.fill(blank);
    for (char c = '0'; c <= '9'; ++c) table[static_cast<unsigned char>(c)] = c;
    for (char c = 'a'; c <= 'z'; ++c) {
        table[static_cast<unsigned char>(c)] = c;
        table[static_cast<unsigned char>(c - 'a' + 'A')] = c;
    }
    return table;
}();

bool parts_words(char32_t code) {
    constexpr char32_t controls_end = 0xA0;  // ASCII and its controls stand below 0x80
    constexpr text::tokens::Properties parting = text::tokens::property::blank |
                                                 text::tokens::property::punctuation |
                                                 text::tokens::property::symbol;
    return code < controls_end || (text::tokens::code_points[code] & parting) != 0;
}

// As in the package rouge-score: short words stay as they are.
void stem_words(std::string& words) {
    constexpr std::size_t short_word = 3;
    text::tokens::TokenBuffer buffer;
    text::tokens::tokenize(text::tokens::Tokenization::none, words, buffer);
    std::string stems;
    for (const std::string_view word : buffer.tokens) {
        if (!stems.empty()) stems += blank;
        stems += text::utf8::length(word) > short_word ? text::tokens::nltk_porter_stem(word)
                                                       : std::string(word);
    }
    words = std::move(stems);
}

std::vector<text::Texts> words_of(const std::vector<const text::Texts*>& columns, RougeText text) {
    std::vector<text::Texts> out(columns.size());
    std::string words;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const text::Texts& column = *columns[c];
        out[c].reserve(column.size(), column.byte_size());
        for (std::size_t i = 0; i < column.size(); ++i) {
            if (column.missing(i)) {
                out[c].append_missing();
                continue;
            }
            write_rouge_words(text, column[i], words);
            out[c].append(words);
        }
    }
    return out;
}

std::vector<const text::Texts*> addresses(const std::vector<text::Texts>& columns) {
    std::vector<const text::Texts*> out;
    for (const text::Texts& column : columns) out.push_back(&column);
    return out;
}

}  // namespace

RougeText rouge_text_named(std::string_view name) {
    constexpr std::string_view behind = " stems";
    const bool stems = name.ends_with(behind);
    if (stems) name.remove_suffix(behind.size());
    if (name == "ascii") return {RougeText::ascii, stems};
    if (name == "unicode") return {RougeText::unicode, stems};
    throw std::invalid_argument("unknown ROUGE text '" + std::string(name) +
                                "', expected ascii or unicode");
}

void write_rouge_words(RougeText text, std::string_view segment, std::string& out) {
    out.resize(segment.size());
    for (std::size_t i = 0; i < segment.size();) {
        const auto byte = static_cast<unsigned char>(segment[i]);
        if (byte < 0x80 || text.letters == RougeText::ascii) {
            out[i++] = folded[byte];
            continue;
        }
        const auto [code, length] = text::utf8::decode(segment, i);
        const bool parts = parts_words(code);
        for (const std::size_t end = i + length; i < end; ++i) out[i] = parts ? blank : segment[i];
    }
    if (text.stems) stem_words(out);
}

RougeReferences::RougeReferences(const std::vector<const text::Texts*>& columns, RougeText text)
    : text_(text), words_(addresses(words_of(columns, text)), text::tokens::Tokenization::none) {
    blank_.assign(words_.size(), 1);
    for (const text::Texts* column : columns) {
        for (std::size_t i = 0; i < column->size(); ++i) {
            if (!text::tokens::without_trailing_blanks((*column)[i]).empty()) blank_[i] = 0;
        }
    }
}

}  // namespace tertium::metrics::ngram
