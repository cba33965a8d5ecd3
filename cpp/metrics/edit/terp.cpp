#include "metrics/edit/terp.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "core/interrupt.hpp"

namespace tertium::metrics::edit {
namespace {

bool share_an_element(const std::vector<std::int32_t>& one, const std::vector<std::int32_t>& two) {
    auto a = one.begin();
    auto b = two.begin();
    while (a != one.end() && b != two.end()) {
        if (*a == *b) return true;
        *a < *b ? ++a : ++b;
    }
    return false;
}

void check_size(const char* what, std::size_t size, std::size_t vocabulary) {
    if (size == 0 || size == vocabulary) return;
    throw std::invalid_argument("found " + std::to_string(size) + " " + what + ", expected " +
                                std::to_string(vocabulary) + " (words)");
}

void check_phrase(const std::vector<core::Token>& phrase, std::size_t vocabulary) {
    if (phrase.empty()) throw std::invalid_argument("found an empty phrase, expected words");
    for (const core::Token word : phrase) {
        if (word >= 0 && static_cast<std::size_t>(word) < vocabulary) continue;
        throw std::invalid_argument("found the word " + std::to_string(word) +
                                    " in a phrase, expected one of " + std::to_string(vocabulary));
    }
}

}  // namespace

TerpLexicon::TerpLexicon(std::size_t vocabulary, Words words, std::vector<Entry> entries,
                         const TerCosts& costs, const TerpPhraseCost& phrase_cost)
    : vocabulary_(vocabulary), words_(std::move(words)), costs_(costs) {
    check_size("stems", words_.stems.size(), vocabulary);
    check_size("senses", words_.senses.size(), vocabulary);
    check_size("stops", words_.stops.size(), vocabulary);
    WeightedTerSearch search(costs);
    TerPair pair;
    WeightedTerPath path;
    for (Entry& entry : entries) {
        check_phrase(entry.reference, vocabulary);
        check_phrase(entry.hypothesis, vocabulary);
        fill_words(entry.hypothesis, entry.reference, pair);
        search.search(pair, path);
        const double logarithm = std::log(entry.probability) / std::log(10.0);
        const double cost = phrase_cost.constant + phrase_cost.logarithm * logarithm * path.cost +
                            phrase_cost.probability * entry.probability * path.cost +
                            phrase_cost.edits * path.cost;
        if (!std::isfinite(cost)) continue;  // what has no probability cannot happen
        phrases_.push_back({std::move(entry.reference), std::move(entry.hypothesis),
                            std::max(cost, phrase_cost.least)});
    }
    // Of the same phrase the cheapest entry counts.
    const auto sides = [](const Phrase& phrase) {
        return std::tie(phrase.reference, phrase.hypothesis);
    };
    std::sort(phrases_.begin(), phrases_.end(), [&](const Phrase& a, const Phrase& b) {
        return std::tie(a.reference, a.hypothesis, a.cost) <
               std::tie(b.reference, b.hypothesis, b.cost);
    });
    const auto same = [&](const Phrase& a, const Phrase& b) { return sides(a) == sides(b); };
    phrases_.erase(std::unique(phrases_.begin(), phrases_.end(), same), phrases_.end());
    for (std::size_t index = 0; index < phrases_.size(); ++index) {
        const auto first = static_cast<std::size_t>(phrases_[index].reference.front());
        if (starts_.size() <= first) starts_.resize(first + 1);
        starts_[first].push_back(index);
    }
}

Relation TerpLexicon::relation(core::Token word, core::Token other) const {
    if (word == other) return equal_words;
    const auto a = static_cast<std::size_t>(word), b = static_cast<std::size_t>(other);
    Relation found = 0;
    if (!words_.stems.empty() && words_.stems[a] == words_.stems[b]) found |= equal_stems;
    if (!words_.senses.empty() && share_an_element(words_.senses[a], words_.senses[b])) {
        found |= synonyms;
    }
    return found;
}

void TerpLexicon::fill_words(core::Tokens hypothesis, core::Tokens reference, TerPair& pair) const {
    pair.words = hypothesis.size();
    pair.positions = reference.size();
    pair.relations.clear();
    for (const core::Token word : hypothesis) {
        core::check_interrupt();
        for (const core::Token other : reference) pair.relations.push_back(relation(word, other));
    }
    pair.word_stops.clear();
    pair.position_stops.clear();
    pair.phrases.clear();
    if (words_.stops.empty()) return;
    for (const core::Token word : hypothesis) {
        pair.word_stops.push_back(words_.stops[static_cast<std::size_t>(word)]);
    }
    for (const core::Token word : reference) {
        pair.position_stops.push_back(words_.stops[static_cast<std::size_t>(word)]);
    }
}

void TerpLexicon::fill(core::Tokens hypothesis, core::Tokens reference, TerPair& pair) const {
    fill_words(hypothesis, reference, pair);
    if (phrases_.empty()) return;
    pair.tokens.assign(hypothesis.begin(), hypothesis.end());
    pair.phrases.resize(reference.size());
    bool any = false;
    for (std::size_t position = 0; position < reference.size(); ++position) {
        core::check_interrupt();
        const auto first = static_cast<std::size_t>(reference[position]);
        if (first >= starts_.size()) continue;
        for (const std::size_t index : starts_[first]) {
            const Phrase& phrase = phrases_[index];
            if (phrase.reference.size() > reference.size() - position ||
                !std::equal(phrase.reference.begin(), phrase.reference.end(),
                            reference.begin() + static_cast<std::ptrdiff_t>(position))) {
                continue;
            }
            pair.phrases[position].push_back(
                {phrase.reference.size(), phrase.hypothesis, phrase.cost});
            any = true;
        }
    }
    if (!any) pair.phrases.clear();
}

TerpKernel::TerpKernel(const TerpLexicon& lexicon) : lexicon_(&lexicon), search_(lexicon.costs()) {}

void TerpKernel::search(core::Tokens hypothesis, core::Tokens reference, WeightedTerPath& path) {
    lexicon_->fill(hypothesis, reference, pair_);
    search_.search(pair_, path);
}

void TerpKernel::row(const text::Interned& corpus, std::size_t segment, double* row) {
    std::size_t references = 0, length = 0;
    for (std::size_t column = 1; column < corpus.columns(); ++column) {
        if (corpus.missing(column, segment)) continue;
        const core::Tokens reference = corpus.tokens(column, segment);
        search(corpus.tokens(0, segment), reference, path_);
        if (references == 0 || path_.cost < best_path_.cost) std::swap(path_, best_path_);
        ++references;
        length += reference.size();
    }
    if (references == 0) {
        throw std::invalid_argument("segment " + std::to_string(segment + 1) +
                                    ": no reference, expected at least one");
    }
    write(best_path_, static_cast<double>(length) / static_cast<double>(references), row);
}

void TerpKernel::compare(core::Tokens hypothesis, core::Tokens reference, double* row) {
    search(hypothesis, reference, path_);
    write(path_, static_cast<double>(reference.size()), row);
}

void TerpKernel::write(const WeightedTerPath& path, double length, double* row) {
    double counts[ter_moves] = {};
    for (const TerStep& step : path.steps) ++counts[static_cast<std::size_t>(step.move)];
    const auto count = [&](TerMove move) { return counts[static_cast<std::size_t>(move)]; };
    row[0] = path.cost;
    row[1] = length;
    row[2] = count(TerMove::insertion);
    row[3] = count(TerMove::deletion);
    row[4] = count(TerMove::substitution);
    row[5] = count(TerMove::stem);
    row[6] = count(TerMove::synonym);
    row[7] = count(TerMove::phrase);
    row[8] = static_cast<double>(path.shifts.size());
}

}  // namespace tertium::metrics::edit
