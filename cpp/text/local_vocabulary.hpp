// Numbers for the distinct words of one text; the words' bytes must outlive it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash_table.hpp"
#include "core/interrupt.hpp"
#include "core/segment.hpp"
#include "text/tokens/token_edges.hpp"
#include "text/tokens/token_key.hpp"

namespace tertium::text {

class LocalVocabulary {
  public:
    struct Word {
        tokens::TokenEdges edges;
        const char* bytes;  // read where the edges do not hold them all
        std::size_t length;

        // `text` is the one around the word.
        Word(std::string_view word, const tokens::ReadableText& text)
            : edges(word, text), bytes(word.data()), length(word.size()) {}
        // `rest` are the bytes of a word that its key does not hold.
        Word(const tokens::TokenKey& key, const char* rest)
            : edges(edges_of(key, rest)), bytes(rest), length(key.length()) {}

        tokens::TokenKey key() const { return {{bytes, length}, edges}; }
        std::uint64_t hash() const { return core::mixed(is_held() ? edges.hash() : key().hash()); }
        bool operator==(const Word& other) const {
            return (edges.difference(other.edges) | (length ^ other.length)) == 0 &&
                   (is_held() || std::memcmp(bytes, other.bytes, length) == 0);
        }

      private:
        // Whether equal edges and lengths mean equal words.
        bool is_held() const { return length <= tokens::TokenEdges::held_bytes; }
        static tokens::TokenEdges edges_of(const tokens::TokenKey& key, const char* rest) {
            if (key.holds_all()) return tokens::TokenEdges(key.held());
            const std::string_view word(rest, key.length());
            return {word, tokens::ReadableText(word)};
        }
    };

    std::size_t size() const { return words_.size(); }
    const std::vector<Word>& words() const { return words_; }  // by number

    void clear() {
        words_.clear();
        index_.clear();
    }

    // The numbers of all words of a text. New words get a number …
    void intern(std::span<const std::string_view> words, std::string_view text,
                std::vector<core::Token>& out) {
        number(words, text, out, [&](const Read& one) { return intern(one); });
    }
    // … or are `unknown`.
    void find(std::span<const std::string_view> words, std::string_view text,
              std::vector<core::Token>& out) {
        number(words, text, out, [&](const Read& one) {
            // `unknown` is no_number as a signed number.
            return static_cast<core::Token>(index_.find(one.hash, Same{words_, one.word}));
        });
    }

    core::Token intern(const Word& word) { return intern(Read{word, word.hash()}); }

  private:
    struct Read {
        Word word{{}, tokens::ReadableText({})};
        std::uint64_t hash = 0;
    };
    struct Same {
        const std::vector<Word>& words;
        const Word& word;
        bool operator()(std::uint32_t number) const { return words[number] == word; }
    };

    // Some words are read before the first of them is looked up: no word has to wait for the one
    // before it there.
    template <class NumberOf>
    void number(std::span<const std::string_view> words, std::string_view text,
                std::vector<core::Token>& out, NumberOf&& number_of) {
        constexpr std::size_t most = 128;
        if (read_.size() < std::min(words.size(), most)) read_.resize(most);
        out.resize(words.size());
        const tokens::ReadableText readable(text);
        for (std::size_t begin = 0; begin < words.size(); begin += most) {
            core::check_interrupt();
            const std::size_t count = std::min(words.size() - begin, most);
            for (std::size_t i = 0; i < count; ++i) {
                read_[i].word = Word(words[begin + i], readable);
                read_[i].hash = read_[i].word.hash();
            }
            for (std::size_t i = 0; i < count; ++i) out[begin + i] = number_of(read_[i]);
        }
    }

    core::Token intern(const Read& one) {
        const std::uint32_t number =
            index_.intern(one.hash, Same{words_, one.word},
                          [&](std::uint32_t known) { return words_[known].hash(); });
        if (number == words_.size()) words_.push_back(one.word);
        return static_cast<core::Token>(number);
    }

    std::vector<Word> words_;
    core::HashIndex index_;
    std::vector<Read> read_;  // what was read last; behind it is nothing in use
};

}  // namespace tertium::text
