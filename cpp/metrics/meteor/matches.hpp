// Every way in which words of a hypothesis can match words of a reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash_table.hpp"
#include "metrics/meteor/phrases.hpp"
#include "metrics/meteor/words.hpp"

namespace tertium::metrics::meteor {

enum class Stage : std::uint8_t { exact, stem, synonym, paraphrase };

// `length` reference words from `start` on match `hypothesis_length` words from
// `hypothesis_start` on.
struct Match {
    std::uint32_t start, length;
    std::uint32_t hypothesis_start, hypothesis_length;
    Stage stage;
};

struct MatchStages {
    bool stem, synonym;
    const MeteorPhrases* phrases;  // nullptr: no paraphrases
};

// The order of the matches at one place is part of the aligner, since it decides ties: stage by
// stage, then by hypothesis place; paraphrases of the reference's words before those of the
// hypothesis's words, each in the order of the table.
class MeteorMatches {
  public:
    explicit MeteorMatches(const MatchStages& stages) : stages_(stages) {}

    // `vocabulary` knows the words of both sides. Matches are looked for within `window` words of
    // the same relative place only.
    void prepare(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
                 std::span<const Word> reference, std::uint32_t window);

    // The place in the hypothesis that lies as far from the ends as this one in the reference.
    std::uint32_t centre(std::uint32_t place) const {
        return static_cast<std::uint32_t>(std::uint64_t{place} * hypothesis_size_ /
                                          reference_.size());
    }

    // The matches that begin at this place of the reference.
    void at(std::uint32_t place, std::vector<Match>& out);

  private:
    // Where one word or phrase stands: `places[begin … end)`.
    struct Group {
        std::uint32_t key, length, begin, end;
    };
    struct Occurrence {
        std::uint32_t key, length, place;
        auto operator<=>(const Occurrence&) const = default;
    };
    struct Groups {
        std::vector<Group> groups;
        std::vector<std::uint32_t> places;
        core::HashIndex index;  // of the groups, by key

        void build(std::vector<Occurrence>& occurrences);
        std::uint32_t find(std::uint32_t key) const;  // no_string where there is none
        std::span<const std::uint32_t> of(std::uint32_t group) const {
            return std::span(places).subspan(groups[group].begin,
                                             groups[group].end - groups[group].begin);
        }
    };
    // A list of numbers for each group.
    struct Lists {
        std::vector<std::uint32_t> begins, items;
        std::span<const std::uint32_t> of(std::size_t group) const {
            return std::span(items).subspan(begins[group], begins[group + 1] - begins[group]);
        }
    };
    struct Reverse {
        std::uint32_t target, source, rank;
        auto operator<=>(const Reverse&) const = default;
    };

    void find_phrases(const MeteorWords& vocabulary, std::span<const Word> words,
                      std::vector<Occurrence>& out) const;
    void relate_words(const MeteorWords& vocabulary);
    void relate_phrases();
    void collect_positions(const std::vector<std::uint32_t>& groups, Lists& lists);
    std::span<const std::uint32_t> near(std::span<const std::uint32_t> places,
                                        std::uint32_t centre) const;

    MatchStages stages_;
    std::uint32_t window_ = 0;
    std::size_t hypothesis_size_ = 0;
    std::span<const Word> reference_;
    std::vector<Occurrence> occurrences_;
    Groups hypothesis_words_, reference_words_;
    Groups hypothesis_phrases_, reference_phrases_;
    // By group of reference words: the hypothesis's group of the same word, and the places of
    // words with the same stem or a common synset.
    std::vector<std::uint32_t> same_word_;
    Lists stems_, synonyms_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_stem_, by_synset_;
    std::vector<std::uint32_t> related_, positions_;
    // By group of reference phrases: groups of hypothesis phrases that are listed for it, and the
    // other way round.
    Lists forward_;
    std::vector<Reverse> reverse_;
    std::vector<std::uint32_t> reverse_begins_;
    // Phrases by the reference place where they begin.
    std::vector<std::uint32_t> phrase_begins_;
    std::vector<std::uint32_t> phrases_at_;
    struct Backward {
        std::uint32_t place, source_length, rank, target_length;
        auto operator<=>(const Backward&) const = default;
    };
    std::vector<Backward> backward_;
};

}  // namespace tertium::metrics::meteor
