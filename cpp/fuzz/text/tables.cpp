#include <cstring>
#include <stdexcept>
#include <string>

#include "fuzz/target.hpp"
#include "metrics/meteor/lexicon.hpp"
#include "metrics/meteor/phrases.hpp"

namespace tertium::fuzz {
namespace {

using namespace metrics::meteor;

// As a mapped file would lie.
class Aligned {
  public:
    explicit Aligned(std::string_view bytes) : words_(bytes.size() / 8 + 1), size_(bytes.size()) {
        std::memcpy(words_.data(), bytes.data(), size_);
    }
    Bytes bytes() const { return std::as_bytes(std::span(words_)).first(size_); }

  private:
    std::vector<std::uint64_t> words_;
    std::size_t size_;
};

// Whatever a table says, no answer lies outside of it.
void ask(const Aligned& table, std::string_view word) {
    try {
        const MeteorLexicon lexicon(table.bytes());
        std::vector<std::uint32_t> found;
        lexicon.synsets(word, found);
        lexicon.is_function_word(word);
        lexicon.abbreviation(word);
    } catch (const std::invalid_argument&) {
    }
    try {
        const MeteorPhrases phrases(table.bytes());
        std::uint32_t node = phrases.first(phrases.word(word));
        for (int steps = 0; steps < 4 && node != 0; ++steps) {
            phrases.is_phrase(node);
            for (const std::uint32_t other : phrases.paraphrases(node)) phrases.is_phrase(other);
            node = phrases.next(node, phrases.word(word));
        }
    } catch (const std::invalid_argument&) {
    }
}

std::string built_phrases(std::string_view text, std::size_t step) {
    PhraseTableBuilder builder(8);
    try {
        for (std::size_t i = 0; i < text.size(); i += step) builder.feed(text.substr(i, step));
        return builder.finish("sum");
    } catch (const std::invalid_argument&) {
        return {};
    }
}

}  // namespace

// Damaged tables are refused or answer something; the text of a table may come in any pieces.
FUZZ_TARGET(tables) {
    const std::uint8_t kind = input.byte();
    const std::size_t step = 1 + input.below(32), damage = input.byte();
    const std::string_view text = input.bytes();
    std::string table;
    if (kind % 4 == 0) {
        table = text;
    } else if (kind % 4 == 1) {
        try {
            const std::size_t half = text.size() / 2;
            table = MeteorLexicon::build(text.substr(0, half), text.substr(half), text,
                                         text.substr(half), "sum");
            EXPECT(MeteorLexicon(Aligned(table).bytes()).checksum() == "sum");
        } catch (const std::invalid_argument&) {
        }
    } else {
        table = built_phrases(text, step);
        EXPECT(table == built_phrases(text, text.size() + 1));
    }
    const std::string_view word = text.substr(0, std::min(text.find_first_of(" \n"), text.size()));
    ask(Aligned(table), word);
    if (table.empty()) return;
    table[(damage * 7 + kind) % table.size()] ^= static_cast<char>(1 + step);
    ask(Aligned(table), word);
    ask(Aligned(std::string_view(table).substr(0, table.size() * step / 33)), word);
}

}  // namespace tertium::fuzz
