#include <string>

#include "audit/gram_overlap.hpp"
#include "audit/known_words.hpp"
#include "audit/text_traits.hpp"
#include "fuzz/target.hpp"
#include "metrics/amber/text_types.hpp"
#include "metrics/meteor/normalizer.hpp"
#include "metrics/ngram/rouge_text.hpp"
#include "text/tokens/porter.hpp"
#include "text/tokens/punctuation.hpp"
#include "text/tokens/tercom_tokens.hpp"

namespace tertium::fuzz {
namespace {

using namespace text::tokens;
using namespace metrics;

bool is_utf8(std::string_view text) {
    return text::find_invalid_utf8(text) == std::string_view::npos;
}

// What follows of every way to write a text in words: UTF-8 of words with single spaces between.
bool is_spaced(std::string_view text) {
    return is_utf8(text) && !text.starts_with(' ') && !text.ends_with(' ') &&
           text.find("  ") == std::string_view::npos;
}

void check_stem(std::string_view word) {
    // No rule makes a word longer by more than an "e", but "ie" of NLTK's "-ied" and "-ies".
    EXPECT(porter_stem(word).size() <= word.size() + 1);
    EXPECT(nltk_porter_stem(word).size() <= word.size() + 1);
}

void check_amber(const text::Texts& texts) {
    using namespace amber;
    const AffixList affixes({"un", "re"}, {"read", "do", "work"}, {"ing", "s", "er"});
    std::vector<TextType> types;
    for (std::size_t t = 0; t < text_types; ++t) types.push_back(static_cast<TextType>(t));
    const auto found = texts_of_types(texts, Tokenization::thirteen_a, types, {4, affixes});
    EXPECT(found.size() == text_types);
    for (const text::Texts& type : found) {
        EXPECT(type.size() == texts.size());
        for (std::size_t i = 0; i < type.size(); ++i) EXPECT(is_spaced(type[i]));
    }
}

void check_audit(std::string_view one, std::string_view other) {
    audit::GramOverlap overlap;
    const double share = overlap(one, other);
    EXPECT(share >= 0 && share <= 1 && share == overlap(other, one));
    EXPECT(overlap(one, one) == 1 || overlap(one, one) == 0);
    double row[audit::TextTraits::columns], again[audit::TextTraits::columns];
    audit::TextTraits traits;
    traits(one, row);
    traits(one, again);
    EXPECT(std::equal(std::begin(row), std::end(row), std::begin(again)));
    EXPECT(row[3] <= row[2]);  // words in a loop, words
    audit::KnownWords known;
    known.add(one);
    EXPECT(known.count(one).words == known.count(one).known);
    EXPECT(known.count(other).words >= known.count(other).known);
}

}  // namespace

FUZZ_TARGET(forms) {
    const std::uint8_t options = input.byte();
    const auto bit = [&](int place) { return (options >> place & 1) != 0; };
    const std::string_view raw = input.bytes();
    Input cut(reinterpret_cast<const std::uint8_t*>(raw.data()), raw.size());
    const text::Texts texts = cut.texts(3);
    TercomText tercom({bit(0), bit(1), bit(2), bit(3)});
    meteor::MeteorNormalizer normalizer(static_cast<meteor::Apostrophes>(options % 3), bit(4),
                                        nullptr);
    const ngram::RougeText rouge{bit(5) ? ngram::RougeText::ascii : ngram::RougeText::unicode,
                                 bit(6)};
    std::string words, again;
    tercom(raw);
    normalizer(raw);
    write_rouge_words(rouge, raw, words);
    porter_stem(raw);
    nltk_porter_stem(raw);
    const text::Texts plain = without_punctuation(texts);
    EXPECT(without_punctuation(plain) == plain);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT(is_utf8(tercom(texts[i])));
        EXPECT(is_spaced(normalizer(texts[i])));
        EXPECT(is_spaced(plain[i]));
        write_rouge_words(rouge, texts[i], words);
        EXPECT(words.size() <= texts[i].size());
        ngram::write_rouge_words({rouge.letters, false}, texts[i], words);
        ngram::write_rouge_words({rouge.letters, false}, words, again);
        EXPECT(words == again);
        check_stem(words);
    }
    check_amber(texts);
    check_audit(texts[0], texts[1]);
}

}  // namespace tertium::fuzz
