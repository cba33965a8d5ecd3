// The search of MeteorAligner where neither text has more than 64 words, as nearly all have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/meteor/matches.hpp"

namespace tertium::metrics::meteor {

// How many words a match counts for. Meteor halves what is not exact and drops the remainder, so
// that a single stem or synonym counts nothing here and can only save a chunk.
std::uint32_t counted_words(const Match& match);

// One way to match at a place of the reference, prepared for the search; the place itself is not
// part of it, since many references have the same words at other places.
struct MatchOption {
    explicit MatchOption(const Match& match);

    std::uint64_t words;  // of the hypothesis that it uses, one bit each
    std::uint64_t gain;   // what it takes off a path's key
    std::uint8_t start, end, length;
    Stage stage;
};

// Paths are ordered by one number: words not matched, closed chunks, distance. What all paths have
// in common takes no part in it, so that places without a choice cost next to nothing. Paths of the
// words that a reference shares with the one before are kept.
class MeteorShortSearch {
  public:
    static constexpr std::size_t most_words = 64;
    static constexpr std::size_t most_options = 255;  // at one place, and as many paths

    using Options = std::span<const MatchOption>;

    explicit MeteorShortSearch(std::size_t beam);

    // Whether texts of these lengths can be searched here.
    bool fits(std::size_t hypothesis, std::size_t reference) const {
        return hypothesis <= most_words && reference <= most_words && beam_ <= most_options;
    }
    // `places` are the options at each place of the reference; the first `unchanged` are those of
    // the last call, with the same hypothesis. At most `most_options` each.
    void search(std::span<const Options> places, std::size_t unchanged);
    // Of the last search: the chosen matches, in no particular order, and their chunks.
    std::span<const Match> chosen() const { return chosen_; }
    std::size_t chunks() const { return chunks_; }

  private:
    static constexpr std::uint8_t none = UINT8_MAX;
    static constexpr std::uint32_t no_choice = UINT32_MAX;

    struct Path {
        std::uint64_t key;   // see above; the lowest 16 bits are 0
        std::uint64_t used;  // words of the hypothesis, one bit each
        std::uint32_t chain;
        std::uint8_t reached;   // reference place behind the last match
        std::uint8_t open_end;  // hypothesis place behind an open chunk, or `none`
    };
    // What is known before a place is looked at. If `alike`, all paths have the same open end.
    struct State {
        std::uint32_t level = 0;   // which paths
        std::uint32_t chunks = 0;  // closed ones that all paths have
        std::uint32_t choices = 0;
        bool alike = true;
        std::uint8_t reached = 0, open_end = none;  // of all paths if they are alike
    };
    struct Choice {
        Match match;
        std::uint32_t previous;
    };
    // Words of one side that matches cover: at least once, more than once.
    struct Cover {
        std::uint64_t once = 0, twice = 0;
        void add(std::uint64_t words) {
            twice |= once & words;
            once |= words;
        }
    };

    std::size_t fix_certain_matches(std::span<const Options> places, std::size_t unchanged);
    void pass(std::uint32_t place, Options options);
    void choose(std::uint32_t place, Options options);
    void finish(std::span<const Options> places);
    Path* paths(std::size_t level) { return paths_.data() + level * beam_; }
    std::uint64_t* column(std::size_t option) { return columns_.data() + option * (beam_ + 1); }

    std::size_t beam_;
    std::array<State, most_words + 1> states_;
    std::array<std::array<Cover, 2>, most_words + 1> covers_;  // reference, hypothesis
    std::array<std::uint8_t, most_words> fixed_{};
    std::vector<Path> paths_;             // by level
    std::vector<std::size_t> counts_;     // of the paths of a level
    std::vector<std::uint64_t> columns_;  // keys of candidates by option, each with an end mark
    std::vector<std::size_t> column_sizes_;
    std::vector<std::uint64_t> best_, merged_;
    std::vector<Choice> choices_;
    std::vector<Match> chosen_;
    std::size_t chunks_ = 0;
};

}  // namespace tertium::metrics::meteor
