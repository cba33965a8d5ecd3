#include "metrics/meteor/matches.hpp"

#include <utility>

#include "core/interrupt.hpp"

namespace tertium::metrics::meteor {
void MeteorMatches::Groups::build(std::vector<Occurrence>& occurrences) {
    std::sort(occurrences.begin(), occurrences.end());
    groups.clear();
    places.clear();
    for (const Occurrence& one : occurrences) {
        const auto place = static_cast<std::uint32_t>(places.size());
        // Equal keys have equal lengths, except in a damaged table.
        if (groups.empty() || groups.back().key != one.key || groups.back().length != one.length) {
            groups.push_back({one.key, one.length, place, place});
        }
        places.push_back(one.place);
        ++groups.back().end;
    }
    index.clear(groups.size());
    for (const Group& group : groups) {
        index.intern(
            core::mixed(group.key), [](std::uint32_t) { return false; },
            [&](std::uint32_t known) { return core::mixed(groups[known].key); });
    }
}

std::uint32_t MeteorMatches::Groups::find(std::uint32_t key) const {
    return index.find(core::mixed(key),
                      [&](std::uint32_t group) { return groups[group].key == key; });
}

void MeteorMatches::prepare(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
                            std::span<const Word> reference, std::uint32_t window) {
    window_ = window;
    hypothesis_size_ = hypothesis.size();
    reference_ = reference;
    const auto group_words = [&](std::span<const Word> words, Groups& groups) {
        occurrences_.clear();
        for (std::uint32_t i = 0; i < words.size(); ++i) occurrences_.push_back({words[i], 1, i});
        groups.build(occurrences_);
    };
    group_words(hypothesis, hypothesis_words_);
    group_words(reference, reference_words_);
    relate_words(vocabulary);
    if (stages_.phrases == nullptr) return;
    find_phrases(vocabulary, hypothesis, occurrences_);
    hypothesis_phrases_.build(occurrences_);
    find_phrases(vocabulary, reference, occurrences_);
    reference_phrases_.build(occurrences_);
    relate_phrases();
}

void MeteorMatches::find_phrases(const MeteorWords& vocabulary, std::span<const Word> words,
                                 std::vector<Occurrence>& out) const {
    const MeteorPhrases& phrases = *stages_.phrases;
    out.clear();
    for (std::size_t begin = 0; begin < words.size(); ++begin) {
        std::uint32_t node = phrases.first(vocabulary.phrase_word(words[begin]));
        for (std::size_t end = begin + 1; node != 0; ++end) {
            if (phrases.is_phrase(node)) {
                out.push_back({node, static_cast<std::uint32_t>(end - begin),
                               static_cast<std::uint32_t>(begin)});
            }
            if (end == words.size()) break;
            node = phrases.next(node, vocabulary.phrase_word(words[end]));
        }
    }
}

void MeteorMatches::collect_positions(const std::vector<std::uint32_t>& groups, Lists& lists) {
    positions_.clear();
    for (const std::uint32_t group : groups) {
        const auto places = hypothesis_words_.of(group);
        positions_.insert(positions_.end(), places.begin(), places.end());
    }
    std::sort(positions_.begin(), positions_.end());
    lists.items.insert(lists.items.end(), positions_.begin(), positions_.end());
}

void MeteorMatches::relate_words(const MeteorWords& vocabulary) {
    by_stem_.clear();
    by_synset_.clear();
    for (std::uint32_t g = 0; g < hypothesis_words_.groups.size(); ++g) {
        const Word word = hypothesis_words_.groups[g].key;
        if (stages_.stem) by_stem_.emplace_back(vocabulary.stem(word), g);
        if (!stages_.synonym) continue;
        for (const std::uint32_t synset : vocabulary.synsets(word))
            by_synset_.emplace_back(synset, g);
    }
    std::sort(by_stem_.begin(), by_stem_.end());
    std::sort(by_synset_.begin(), by_synset_.end());

    same_word_.clear();
    for (Lists* lists : {&stems_, &synonyms_}) {
        lists->begins.assign(1, 0);
        lists->items.clear();
    }
    const auto relate = [&](const auto& index, std::uint32_t key, std::uint32_t same) {
        auto found = std::lower_bound(index.begin(), index.end(), std::pair(key, std::uint32_t{0}));
        for (; found != index.end() && found->first == key; ++found) {
            if (found->second != same) related_.push_back(found->second);
        }
    };
    for (const Group& group : reference_words_.groups) {
        core::check_interrupt();
        const std::uint32_t same = hypothesis_words_.find(group.key);
        same_word_.push_back(same);
        if (stages_.stem) {
            related_.clear();
            relate(by_stem_, vocabulary.stem(group.key), same);
            collect_positions(related_, stems_);
        }
        if (stages_.synonym) {
            related_.clear();
            for (const std::uint32_t synset : vocabulary.synsets(group.key)) {
                relate(by_synset_, synset, same);
            }
            std::sort(related_.begin(), related_.end());
            related_.erase(std::unique(related_.begin(), related_.end()), related_.end());
            collect_positions(related_, synonyms_);
        }
        for (Lists* lists : {&stems_, &synonyms_}) {
            lists->begins.push_back(static_cast<std::uint32_t>(lists->items.size()));
        }
    }
}

void MeteorMatches::relate_phrases() {
    forward_.begins.assign(1, 0);
    forward_.items.clear();
    for (const Group& group : reference_phrases_.groups) {
        core::check_interrupt();
        for (const std::uint32_t paraphrase : stages_.phrases->paraphrases(group.key)) {
            const std::uint32_t found = hypothesis_phrases_.find(paraphrase);
            if (found != text::no_string) forward_.items.push_back(found);
        }
        forward_.begins.push_back(static_cast<std::uint32_t>(forward_.items.size()));
    }
    reverse_.clear();
    for (std::uint32_t source = 0; source < hypothesis_phrases_.groups.size(); ++source) {
        const auto listed = stages_.phrases->paraphrases(hypothesis_phrases_.groups[source].key);
        for (std::uint32_t rank = 0; rank < listed.size(); ++rank) {
            const std::uint32_t target = reference_phrases_.find(listed[rank]);
            if (target != text::no_string) reverse_.push_back({target, source, rank});
        }
    }
    std::sort(reverse_.begin(), reverse_.end());
    const auto count = reference_phrases_.groups.size();
    reverse_begins_.assign(count + 1, 0);
    for (const Reverse& one : reverse_) ++reverse_begins_[one.target + 1];
    for (std::size_t g = 0; g < count; ++g) reverse_begins_[g + 1] += reverse_begins_[g];

    // Groups by the place where they begin, shorter phrases first.
    phrase_begins_.assign(reference_.size() + 1, 0);
    for (const std::uint32_t place : reference_phrases_.places) ++phrase_begins_[place + 1];
    for (std::size_t i = 0; i < reference_.size(); ++i) phrase_begins_[i + 1] += phrase_begins_[i];
    phrases_at_.resize(reference_phrases_.places.size());
    positions_.assign(phrase_begins_.begin(), phrase_begins_.end());
    for (std::uint32_t g = 0; g < count; ++g) {
        for (const std::uint32_t place : reference_phrases_.of(g))
            phrases_at_[positions_[place]++] = g;
    }
    for (std::size_t i = 0; i < reference_.size(); ++i) {
        core::check_interrupt();
        std::sort(
            phrases_at_.begin() + phrase_begins_[i], phrases_at_.begin() + phrase_begins_[i + 1],
            [&](std::uint32_t a, std::uint32_t b) {
                return reference_phrases_.groups[a].length < reference_phrases_.groups[b].length;
            });
    }
}

std::span<const std::uint32_t> MeteorMatches::near(std::span<const std::uint32_t> places,
                                                   std::uint32_t centre) const {
    if (window_ >= hypothesis_size_) return places;
    const std::uint32_t least = centre < window_ ? 0 : centre - window_;
    const auto begin = std::lower_bound(places.begin(), places.end(), least);
    const auto end = std::upper_bound(begin, places.end(), std::uint64_t{centre} + window_);
    return {begin, end};
}

void MeteorMatches::at(std::uint32_t place, std::vector<Match>& out) {
    out.clear();
    const std::uint32_t middle = centre(place);
    const auto add_words = [&](std::span<const std::uint32_t> places, Stage stage) {
        for (const std::uint32_t i : near(places, middle)) out.push_back({place, 1, i, 1, stage});
    };
    const std::uint32_t word = reference_words_.find(reference_[place]);
    if (same_word_[word] != text::no_string) {
        add_words(hypothesis_words_.of(same_word_[word]), Stage::exact);
    }
    add_words(stems_.of(word), Stage::stem);
    add_words(synonyms_.of(word), Stage::synonym);
    if (stages_.phrases == nullptr) return;

    const auto here =
        std::span(phrases_at_)
            .subspan(phrase_begins_[place], phrase_begins_[place + 1] - phrase_begins_[place]);
    for (const std::uint32_t phrase : here) {
        const std::uint32_t length = reference_phrases_.groups[phrase].length;
        for (const std::uint32_t other : forward_.of(phrase)) {
            const std::uint32_t other_length = hypothesis_phrases_.groups[other].length;
            for (const std::uint32_t i : near(hypothesis_phrases_.of(other), middle)) {
                out.push_back({place, length, i, other_length, Stage::paraphrase});
            }
        }
    }
    backward_.clear();
    for (const std::uint32_t phrase : here) {
        const std::uint32_t length = reference_phrases_.groups[phrase].length;
        for (std::uint32_t r = reverse_begins_[phrase]; r < reverse_begins_[phrase + 1]; ++r) {
            const Reverse& one = reverse_[r];
            const std::uint32_t other_length = hypothesis_phrases_.groups[one.source].length;
            for (const std::uint32_t i : near(hypothesis_phrases_.of(one.source), middle)) {
                backward_.push_back({i, other_length, one.rank, length});
            }
        }
    }
    std::sort(backward_.begin(), backward_.end());
    for (const Backward& one : backward_) {
        out.push_back({place, one.target_length, one.place, one.source_length, Stage::paraphrase});
    }
}

}  // namespace tertium::metrics::meteor
