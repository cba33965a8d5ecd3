#include "metrics/meteor/words.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace tertium::metrics::meteor {

MeteorWords::MeteorWords(const std::vector<const text::Texts*>& columns,
                         std::shared_ptr<const MeteorWords> base)
    : base_(std::move(base)) {
    if (base_ && base_->base_) throw std::invalid_argument("words: the base has a base itself");
    if (base_) {
        first_ = static_cast<Word>(base_->table_.size());
        first_stem_ = static_cast<std::uint32_t>(base_->stem_table_.size());
    }
    for (const text::Texts* texts : columns) {
        if (texts->size() != columns.front()->size()) {
            throw std::invalid_argument("found " + std::to_string(texts->size()) +
                                        " segments, expected " +
                                        std::to_string(columns.front()->size()));
        }
        Column& column = columns_.emplace_back();
        column.texts_missing.reserve(texts->size());
        for (std::size_t i = 0; i < texts->size(); ++i) {
            for_each_word((*texts)[i],
                          [&](std::string_view word) { column.words.push_back(number(word)); });
            column.ends.push_back(column.words.size());
            column.texts_missing.push_back(texts->missing(i));
        }
    }
    stems_.assign(table_.size(), text::no_string);
    phrase_words_.assign(table_.size(), text::no_string);
    function_.assign(table_.size(), 0);
}

Word MeteorWords::number(std::string_view text) {
    if (base_) {
        if (const std::uint32_t known = base_->table_.find(text); known != text::no_string)
            return known;
    }
    return first_ + table_.add(text);
}

std::uint32_t MeteorWords::stem_number(std::string_view stem) {
    if (base_) {
        const std::uint32_t known = base_->stem_table_.find(stem);
        if (known != text::no_string) return known;
    }
    return first_stem_ + stem_table_.add(stem);
}

text::Texts MeteorWords::fresh_words() const {
    text::Texts out;
    out.reserve(table_.size(), table_.bytes().size());
    for (std::uint32_t id = 0; id < table_.size(); ++id) out.append(table_[id]);
    return out;
}

void MeteorWords::learn(const text::Texts& lowercased, const text::Texts* stems,
                        const MeteorLexicon* lexicon, bool synonyms, const MeteorPhrases* phrases) {
    const std::size_t count = table_.size();
    if (lowercased.size() != count || (stems != nullptr && stems->size() != count)) {
        throw std::invalid_argument("words: found another number of forms, expected " +
                                    std::to_string(count));
    }
    synset_begins_.assign(1, 0);
    synsets_.clear();
    std::vector<std::uint32_t> found;
    for (std::uint32_t id = 0; id < count; ++id) {
        stems_[id] = stems != nullptr ? stem_number((*stems)[id]) : text::no_string;
        phrase_words_[id] = phrases != nullptr ? phrases->word(table_[id]) : text::no_string;
        function_[id] = lexicon != nullptr && lexicon->is_function_word(lowercased[id]);
        if (lexicon != nullptr && synonyms) {
            lexicon->synsets(table_[id], found);
            synsets_.insert(synsets_.end(), found.begin(), found.end());
        }
        synset_begins_.push_back(static_cast<std::uint32_t>(synsets_.size()));
    }
}

}  // namespace tertium::metrics::meteor
