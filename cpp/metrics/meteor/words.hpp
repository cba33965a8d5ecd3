// Columns of text as numbered words, and what METEOR has to know of each word, found out once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/meteor/lexicon.hpp"
#include "metrics/meteor/phrases.hpp"
#include "text/string_table.hpp"
#include "text/texts.hpp"

namespace tertium::metrics::meteor {

using Word = std::uint32_t;

// References are read first; hypotheses continue their numbering, so that equal words have equal
// numbers, and only words that are new have to be stemmed and looked up.
class MeteorWords {
  public:
    MeteorWords(const std::vector<const text::Texts*>& columns,
                std::shared_ptr<const MeteorWords> base);

    std::size_t columns() const { return columns_.size(); }
    std::size_t size() const { return columns_.empty() ? 0 : columns_.front().ends.size() - 1; }
    bool missing(std::size_t column, std::size_t segment) const {
        return columns_[column].texts_missing[segment];
    }
    std::span<const Word> words(std::size_t column, std::size_t segment) const {
        const Column& of = columns_[column];
        return std::span(of.words).subspan(of.ends[segment],
                                           of.ends[segment + 1] - of.ends[segment]);
    }

    // The words that the base does not have, in the order of their numbers.
    text::Texts fresh_words() const;

    // What the stages need: lower-cased forms (for function words) and stems of the fresh words,
    // one each; without stems, or without a table, there is nothing to be known.
    void learn(const text::Texts& lowercased, const text::Texts* stems,
               const MeteorLexicon* lexicon, bool synonyms, const MeteorPhrases* phrases);

    // Facts about a word. Equal stems have equal numbers.
    std::uint32_t stem(Word word) const {
        return word < first_ ? base_->stem(word) : stems_[word - first_];
    }
    bool is_function_word(Word word) const {
        return word < first_ ? base_->is_function_word(word) : function_[word - first_] != 0;
    }
    std::span<const std::uint32_t> synsets(Word word) const {
        if (word < first_) return base_->synsets(word);
        return items_of(synset_begins_, synsets_, word - first_);
    }
    std::uint32_t phrase_word(Word word) const {
        return word < first_ ? base_->phrase_word(word) : phrase_words_[word - first_];
    }
    // Whether the numbers of `references` mean the same here.
    bool continues(const MeteorWords& references) const { return base_.get() == &references; }

  private:
    struct Column {
        std::vector<Word> words;
        std::vector<std::size_t> ends{0};
        std::vector<bool> texts_missing;
    };

    Word number(std::string_view text);
    std::uint32_t stem_number(std::string_view stem);

    std::shared_ptr<const MeteorWords> base_;
    Word first_ = 0;                // number of the first fresh word
    std::uint32_t first_stem_ = 0;  // number of the first fresh stem
    text::StringTable table_, stem_table_;
    std::vector<Column> columns_;
    std::vector<std::uint32_t> stems_, synset_begins_, synsets_, phrase_words_;
    std::vector<std::uint8_t> function_;
};

}  // namespace tertium::metrics::meteor
