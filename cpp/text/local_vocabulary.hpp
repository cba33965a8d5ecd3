// Numbers for the distinct words of one text; the words' bytes must outlive it.
//
// It is filled anew for every segment, so it is written for throughput. A word is its first and
// last 16 bytes and its length (TokenEdges); up to 32 bytes that is the word itself, and two words
// are compared without a branch that depends on their length. Lookups come in groups of at_once
// words: all are read and hashed before the first is looked up, so that loads overlap. The table is
// sparse, and a word is nearly always in the slot that its hash leads to, or that slot is free;
// both cases are handled by masks (core::bits_if), and only a collision or a word of more than 32
// bytes takes a branch.
//
//  - Long words are hashed by their edges, too. A text whose long words differ only in the middle
//    would put all of them in one chain; when a word was compared with more than most_compared
//    others, all are hashed whole from then on (hash_whole), until the next clear. Otherwise such a
//    text would take quadratic time.
//  - `intern` writes the slot and words_[row.size] whether or not the word is new, and only then
//    moves row.size on: there must always be room for one more word than are known.
//  - TokenEdges read 16 bytes from where a word begins. Near the end of the text ReadableText
//    supplies a padded copy; `text` must therefore be the text that all the words lie in.
//  - Numbers are those of core::HashIndex: dense, in the order of first occurrence.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash_table.hpp"
#include "core/interrupt.hpp"
#include "core/processor.hpp"
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
        std::uint64_t hash;

        // Long words are hashed by their edges, too: nobody can foretell which ones are long.
        Word(std::string_view word, const tokens::TokenEdges& its_edges)
            : edges(its_edges),
              bytes(word.data()),
              length(word.size()),
              hash(core::mixed(edges.hash() ^ length * 0xD6E8FEB86659FD93u)) {}
        // `rest` are the bytes of a word that its key does not hold.
        Word(const tokens::TokenKey& key, const char* rest)
            : Word({rest, key.length()}, edges_of(key, rest)) {}

        tokens::TokenKey key() const { return {{bytes, length}, edges}; }
        bool operator==(const Word& other) const {
            return difference(other) == 0 &&
                   (is_held() || std::memcmp(bytes, other.bytes, length) == 0);
        }
        // 0 if they are the same; of words that are not held only the bytes can tell.
        std::uint64_t doubt(const Word& other) const {
            return difference(other) | static_cast<std::uint64_t>(!is_held());
        }

        // Hashes all bytes of a long word.
        void hash_whole() {
            if (!is_held()) hash = core::mixed(key().hash());
        }

      private:
        // Whether equal edges and lengths mean equal words.
        bool is_held() const { return length <= tokens::TokenEdges::held_bytes; }
        // Of edges and lengths: 0 if there is none.
        std::uint64_t difference(const Word& other) const {
            return edges.difference(other.edges) | (length ^ other.length);
        }
        static tokens::TokenEdges edges_of(const tokens::TokenKey& key, const char* rest) {
            if (key.holds_all()) return tokens::TokenEdges(key.held());
            const std::string_view word(rest, key.length());
            return {word, tokens::ReadableText(word)};
        }
    };

    std::size_t size() const { return index_.size(); }
    std::span<const Word> words() const { return std::span(words_).first(size()); }  // by number

    void clear() {
        index_.clear(std::max(expected_words, size()));
        whole_ = false;
    }

    // The numbers of all words of a text, in their order there. New words get a number …
    void intern(std::span<const std::string_view> words, std::string_view text,
                std::vector<core::Token>& out) {
        number(words, text, out,
               [&](std::span<const Word> read, core::Token* numbers) { intern(read, numbers); });
    }
    // … or are `unknown`.
    void find(std::span<const std::string_view> words, std::string_view text,
              std::vector<core::Token>& out) {
        number(words, text, out,
               [&](std::span<const Word> read, core::Token* numbers) { find(read, numbers); });
    }

    // So many words, each made when it is asked for by its place.
    template <class WordAt>
    void intern(std::size_t count, WordAt&& word_at) {
        std::array<core::Token, at_once> numbers;
        for (std::size_t begin = 0; begin < count; begin += at_once) {
            const std::size_t some = std::min(count - begin, at_once);
            make_room(some);
            for (std::size_t i = 0; i < some; ++i) read_[i] = word_at(begin + i);
            intern(hashed(some), numbers.data());
        }
    }

  private:
    static Word no_word() { return {{}, tokens::TokenEdges({}, tokens::ReadableText({}))}; }

    // At least so many have slots from the start: in a sparse table most words lie where their hash
    // leads, or nothing does.
    static constexpr std::size_t expected_words = 511;

    static constexpr std::size_t at_once = 128;

    // If a word is compared with more words than this, there are many whose edges are alike.
    static constexpr std::size_t most_compared = 16;

    void make_room(std::size_t words) {
        if (read_.size() < words) read_.resize(at_once, no_word());
    }
    auto hash_of() const {
        return [this](std::uint32_t known) { return words_[known].hash; };
    }
    // The words that were read, with the hashes that are in use.
    std::span<const Word> hashed(std::size_t count) {
        const std::span<Word> words(read_.data(), count);
        if (whole_) std::ranges::for_each(words, &Word::hash_whole);
        return words;
    }
    // From now on, so that words whose edges are alike do not all lead to one place.
    void hash_whole() {
        whole_ = true;
        std::ranges::for_each(std::span(words_).first(size()), &Word::hash_whole);
        index_.place_again(hash_of());
    }

    // Some words are read before the first of them is looked up: no word has to wait for the one
    // before it there.
    template <class NumberAll>
    void number(std::span<const std::string_view> words, std::string_view text,
                std::vector<core::Token>& out, NumberAll&& number_all) {
        out.resize(words.size());
        const tokens::ReadableText readable(text);
        for (std::size_t begin = 0; begin < words.size(); begin += at_once) {
            core::check_interrupt();
            const auto some = words.subspan(begin, std::min(words.size() - begin, at_once));
            make_room(some.size());
            // All but the last ones begin so far from the end that they need no copy.
            std::size_t plain = some.size();
            while (plain > 0 && !readable.reaches(some[plain - 1].data())) --plain;
            for (std::size_t i = 0; i < plain; ++i) {
                read_[i] = {some[i], tokens::TokenEdges(some[i].data(), some[i].size())};
            }
            for (std::size_t i = plain; i < some.size(); ++i) {
                read_[i] = {some[i], tokens::TokenEdges(some[i], readable)};
            }
            number_all(hashed(some.size()), out.data() + begin);
        }
    }

    // Whether a word is known cannot be foretold, so nothing branches by it; only by whether it
    // lies elsewhere than its hash leads, or has to be compared byte by byte, which few do.
    void find(std::span<const Word> read, core::Token* numbers) {
        const core::HashIndex::Row row = index_.row(0, hash_of());
        if (row.size == 0) {
            std::fill_n(numbers, read.size(), core::unknown);
            return;
        }
        const Word* words = words_.data();
        for (std::size_t i = 0; i < read.size(); ++i) {
            const Word& word = read[i];
            std::uint32_t number = row.number(row.place(word.hash));
            std::uint64_t known = core::bits_if(number < row.size);
            if ((known & words[number & known].doubt(word)) != 0) [[unlikely]] {
                const auto is_word = [&](std::uint32_t one) { return words[one] == word; };
                number = row.number(row.place_of(word.hash, is_word));
                known = core::bits_if(number < row.size);
            }
            numbers[i] = static_cast<core::Token>(number | ~known);  // all bits if it is unknown
        }
    }

    void intern(std::span<const Word> read, core::Token* numbers) {
        core::HashIndex::Row row = index_.row(read.size(), hash_of());
        if (words_.size() < row.size + read.size()) {
            words_.resize(2 * (row.size + read.size()), no_word());
        }
        Word* words = words_.data();
        std::size_t compared = 0;  // with one word, at most
        for (std::size_t i = 0; i < read.size(); ++i) {
            const Word& word = read[i];
            std::size_t place = row.place(word.hash);
            std::uint32_t number = row.number(place);
            std::uint64_t known = core::bits_if(number < row.size);
            if ((known & words[number & known].doubt(word)) != 0) [[unlikely]] {
                std::size_t here = 0;
                const auto is_word = [&](std::uint32_t one) {
                    ++here;
                    return words[one] == word;
                };
                place = row.place_of(word.hash, is_word);
                compared = std::max(compared, here);
                number = row.number(place);
                known = core::bits_if(number < row.size);
            }
            number = static_cast<std::uint32_t>((number & known) | (row.size & ~known));
            row.slots[place] = row.first + number;
            words[row.size] = word;  // which is of no use if it is known
            row.size += static_cast<std::uint32_t>(~known & 1);
            numbers[i] = static_cast<core::Token>(number);
        }
        index_.end(row);
        if (compared > most_compared && !whole_) hash_whole();
    }

    std::vector<Word> words_;  // of these the first size() are known
    core::HashIndex index_;
    bool whole_ = false;      // whether long words are hashed whole
    std::vector<Word> read_;  // what was read last; behind it is nothing in use
};

}  // namespace tertium::text
