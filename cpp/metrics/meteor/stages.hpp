// The alignment of METEOR up to version 1.0 (Banerjee & Lavie 2005): stage by stage, and what a
// stage has paired stays paired. Each stage pairs as many of the words that are left as can be
// paired at once, in the way with the fewest crossings, then the fewest chunks, then the smallest
// distance between places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/meteor/matches.hpp"

namespace tertium::metrics::meteor {

// Beyond this many words on a side the search takes too long: it compares all related places.
inline constexpr std::size_t long_for_stages = 1024;

class StageAligner {
  public:
    // Paraphrases may be longer than a word and have no stage here. The number of pairs is the
    // largest (but see Group); how few crossings and chunks are found depends on the beam.
    StageAligner(const MatchStages& stages, std::size_t beam) : stages_(stages), beam_(beam) {}

    // The chosen matches, in no particular order; valid until the next call.
    std::span<const Match> align(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
                                 std::span<const Word> reference);
    std::size_t chunks() const;

  private:
    static constexpr std::uint32_t none = UINT32_MAX;

    // Words that are related among themselves and to no others: how many of them are paired can be
    // decided apart from the rest.
    struct Group {
        std::vector<std::uint32_t> references, hypotheses;  // ascending places
        bool complete;  // every word of one side is related to every word of the other
        // Too many synonyms of synonyms to try what is possible: each takes what is free.
        bool greedy;
    };
    struct Place {
        std::uint32_t reference;
        std::uint32_t group, rank;  // its group, and how many places of the group come before
        std::vector<std::uint32_t> hypotheses;
    };
    // One way to pair the words of a stage up to some place; parents share choices as a chain.
    struct Path {
        std::uint32_t crossings = 0;
        std::uint32_t links = 0;  // pairs that continue a chunk
        std::uint32_t distance = 0;
        std::uint32_t chain = none;
    };
    struct Candidate {
        Path path;
        std::uint32_t parent;
        std::uint32_t hypothesis;  // what it adds to the parent's pairs, or `none`
    };
    struct Choice {
        std::uint32_t hypothesis, reference, previous;
    };

    void run(Stage stage, const MeteorWords& vocabulary);
    void find_places(Stage stage, const MeteorWords& vocabulary);
    void group_places(Stage stage);
    void pair(std::uint32_t hypothesis, std::uint32_t reference, Stage stage);
    void extend(const Place& place);
    void keep_best(const Place& place);
    std::uint32_t partner(std::uint32_t chain, std::uint32_t reference) const;
    void count_fixed_crossings(const Place& place);
    // The most pairs that a place's group can have behind the place.
    std::uint32_t most_pairs(const Place& place, std::uint32_t first, const std::uint64_t* used,
                             std::uint32_t without);
    bool augment(std::uint32_t place, const std::uint64_t* used, std::uint32_t without);

    MatchStages stages_;
    std::size_t beam_;
    std::span<const Word> hypothesis_, reference_;
    std::vector<Match> chosen_;
    std::vector<std::uint32_t> partner_;  // by reference place
    std::vector<std::uint32_t> taken_;    // by hypothesis place: the other way round
    std::vector<std::uint32_t> fixed_crossings_;
    std::vector<Place> places_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> place_at_;  // by reference place: number in places_
    std::size_t stride_ = 0;
    std::vector<std::uint64_t> used_, next_used_;  // hypothesis places, a bit each, for each path
    std::vector<Path> paths_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> order_;
    std::vector<Choice> choices_;
    std::vector<std::uint32_t> owner_, visited_, roots_;
    std::uint32_t round_ = 0;
};

}  // namespace tertium::metrics::meteor
